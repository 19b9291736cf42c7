from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.errors import InputError
from ragvet.metrics.retrieval import REGISTRY, parse


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg( gain = exp )@10", "nDCG(gain=exp)@10"),
        ("nDCG(gain=linear)@10", "nDCG@10"),
        ("precision(rel=2)@5", "precision(rel=2)@5"),
        (" RBP(p=0.5) ", "RBP(p=0.5)"),
        ("F(beta=2,rel=2)@3", "F(rel=2, beta=2.0)@3"),
        ("ap", "AP"),
        ("r-PRECISION", "R-precision"),
        ("AP()", "AP"),
    ],
)
def test_a_name_is_read_and_written_canonically(written: str, canonical: str) -> None:
    assert parse(written).name == canonical
    assert parse(canonical).name == canonical


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("ndgc@10", r"Did you mean nDCG"),
        ("MRR@10", r"Did you mean RR"),
        ("P@5", r"Did you mean precision"),
        ("map", r"Did you mean AP"),
        ("precision", r"no cutoff.*precision@10"),
        ("bpref@10", r"leave @ out"),
        ("nDCG@0", r"cutoff '0'"),
        ("nDCG@-1", r"cutoff '-1'"),
        ("nDCG@1.5", r"cutoff '1.5'"),
        ("nDCG@\u0661", r"cutoff"),
        ("nDCG@99999999999", r"cutoff"),
        ("nDCG(gain=cubic)@10", r"gain=cubic; expected linear or exp"),
        ("nDCG(rel=2)@10", r"parameter 'rel'; expected gain"),
        ("AP(rel=1,rel=2)", r"'rel' twice"),
        ("AP(rel)", r"expected parameter=value"),
        ("RBP(p=1)", r"above 0 and below 1"),
        ("RBP(p=nan)", r"above 0 and below 1"),
        ("judged(rel=1)@3", r"expected no parameters"),
        ("", r"no metric name"),
        ("nDCG@10@20", r"no metric name"),
        ("nDCG(gain=exp", r"no metric name"),
    ],
)
def test_a_wrong_name_says_what_is_wrong_and_what_to_write(written: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(written)


def test_an_unknown_metric_lists_all_that_exist() -> None:
    with pytest.raises(InputError) as caught:
        parse("quality@3")
    assert all(name in str(caught.value) for name in REGISTRY)


@given(st.text(max_size=30))
def test_any_text_is_a_metric_or_an_input_error(text: str) -> None:
    try:
        metric = parse(text)
    except InputError:
        return
    assert parse(metric.name) == metric
