"""One ranking worked out by hand for every metric.

Ranks 1 to 5 hold grades 2, 0, 1, 1 (a repeat of the item at 1), 0; of 4 judged relevant items two are not ranked, both
of grade 1; two more items are judged 0. Everything is judged. d_i = 1/log2(i + 1): 1, 0.6309, 0.5, 0.4307, 0.3869.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragvet.metrics.rankings import NEVER, REGISTRY, Evidence, Rankings, Reach, compute, parse

BATCH = replace(
    Rankings.from_items(
        [[2, 0, 1, 1, 0]],
        [[4, 3, 1]],
        unjudged_elsewhere=0,
        redundant=[[False, False, False, True, False]],
        evidence=Evidence.from_passages([[Reach(1), Reach(3), Reach(None), Reach(None)]]),
    ),
    chunks=Evidence.from_passages([[Reach(1), Reach(3), Reach(4), Reach(None), Reach(None)]]).settled(),
)

HAND = {
    "precision@4": 3 / 4,  # ranks 1, 3 and the repeat at 4
    "precision(rel=2)@4": 1 / 4,
    "precision@10": 3 / 10,  # empty places are misses
    "precision_returned@10": 3 / 5,
    "recall@4": 2 / 4,  # the repeat brings nothing new
    "F@4": 2 * (3 / 4) * (2 / 4) / (3 / 4 + 2 / 4),
    "F(beta=2)@4": 5 * (3 / 4) * (2 / 4) / (4 * 3 / 4 + 2 / 4),
    "hit@1": 1,
    "hit(rel=3)@5": 0,
    "RR(rel=1)": 1,
    "AP": (1 / 1 + 2 / 3) / 4,
    "AP@2": (1 / 1) / 4,
    "context_precision": (1 / 1 + 2 / 3 + 3 / 4) / 3,  # the repeat is relevant
    "R-precision": 2 / 4,  # among the first four
    "nDCG@3": (2 + 0.5) / (2 + 0.6309297535714575 + 0.5),  # the ideal: grades 2 1 1
    "nDCG(gain=exp)@3": (3 + 0.5) / (3 + 0.6309297535714575 + 0.5),
    "RBP(p=0.5)": 0.5 + 0.125 + 0.0625,
    # R = 4, N = 4: the item at 1 has none above it, that at 3 one
    "bpref": (1 + (1 - 1 / 4)) / 4,
    # stops with probability 3/4 at 1, else with 1/4 at 3
    "ERR": 3 / 4 + (1 / 4) * (1 / 4) / 3,
    "ERR(top=4)": 3 / 16 + (13 / 16) * (1 / 16) / 3,
    "judged@3": 1,
    "unjudged@3": 0,
    "redundancy@5": 1 / 5,
    "coverage@2": 1 / 4,
    "coverage": 2 / 4,
    "chunk_coverage@2": 1 / 5,  # of five ids those at 1, 3 and 4
    "chunk_coverage": 3 / 5,
}


@pytest.mark.parametrize("name", HAND)
def test_the_value_worked_out_by_hand_is_found(name: str) -> None:
    scores = compute(parse(name), BATCH)
    assert scores.value[0] == pytest.approx(HAND[name], abs=1e-15)
    if scores.denominator[0] > 0:
        assert scores.numerator[0] / scores.denominator[0] == pytest.approx(HAND[name], abs=1e-15)


def test_every_metric_has_a_case_worked_out_by_hand() -> None:
    assert {parse(name).definition.name for name in HAND} == set(REGISTRY)
    assert BATCH.evidence is not None
    assert NEVER in BATCH.evidence.ranks
