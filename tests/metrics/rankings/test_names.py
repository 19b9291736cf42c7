from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.errors import InputError
from ragvet.metrics.rankings import REGISTRY, parse, parse_all


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
        ("ndgc@10", r"Did you mean 'nDCG@10'\?"),
        ("MRR@10", r"Did you mean 'RR@10'\?"),
        ("P@5", r"Did you mean 'precision@5'\?"),
        ("map", r"Did you mean 'AP'\?"),
        ("map(rel=2)@5", r"Did you mean 'AP\(rel=2\)@5'\?"),
        ("f1@5", r"Did you mean 'F@5'\?"),
        ("set_F", r"Did you mean 'F\(.*\)@k'\?"),
        ("precison", r"Did you mean 'precision\(rel=1\)@k'\?"),
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


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("P_10", "precision@10"),
        ("P.10", "precision@10"),
        ("recall_100", "recall@100"),
        ("success_10", "hit@10"),
        ("map_cut_5", "AP@5"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg_at_10", "nDCG@10"),
        ("recip_rank", "RR"),
        ("Rprec", "R-precision"),
        ("set_P", "precision_returned"),
        ("set_recall", "recall"),
        ("unj_5", "unjudged@5"),
    ],
)
def test_a_name_of_trec_eval_leads_to_ours_and_nothing_else(theirs: str, ours: str) -> None:
    with pytest.raises(InputError, match=rf"Did you mean '{ours}'\?$"):
        parse(theirs)


def test_every_wrong_name_of_several_is_reported() -> None:
    with pytest.raises(InputError) as caught:
        parse_all(["P_10", "RR", "nDCG@0"])
    assert [problem.source for problem in caught.value.problems] == ["metric 'P_10'", "metric 'nDCG@0'"]


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
