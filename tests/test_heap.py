"""The garbage collector of the process that evaluation runs in stays the owner's."""

import gc

import pytest

from ragvet.heap import rare_collections


@pytest.fixture(autouse=True)
def thresholds():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_the_collector_goes_on_and_is_set_back():
    with rare_collections():
        assert gc.isenabled()
        assert gc.get_threshold()[0] == 70_000
        with rare_collections():
            assert gc.get_threshold()[0] == 70_000
        assert gc.get_threshold()[0] == 70_000
    assert gc.get_threshold()[0] == 700


def test_it_is_set_back_after_an_error():
    with pytest.raises(ValueError, match="mine"), rare_collections():
        raise ValueError("mine")
    assert gc.get_threshold()[0] == 700


def test_a_collector_that_is_off_stays_off():
    gc.set_threshold(0)
    with rare_collections():
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold()[0] == 0
