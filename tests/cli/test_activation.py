import sys

import pytest

from ragvet.cli._activation import activation


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """A virtual environment below the current folder, with ragvet in it."""
    programs = tmp_path / "my env" / "bin"
    programs.mkdir(parents=True)
    (programs / "activate").touch()
    (programs / "ragvet").touch(mode=0o755)
    monkeypatch.setattr(sys, "prefix", str(programs.parent))
    monkeypatch.chdir(tmp_path)
    return programs


def test_where_ragvet_is_on_the_path_nothing_is_to_do(environment, monkeypatch):
    monkeypatch.setenv("PATH", str(environment))
    assert activation() == {}


def test_where_it_is_not_the_command_that_puts_it_there_comes_first(environment, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert list(activation()) == [". 'my env/bin/activate'"]


def test_another_ragvet_on_the_path_is_not_this_one(environment, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    (other / "ragvet").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(other))
    assert list(activation()) == [". 'my env/bin/activate'"]
