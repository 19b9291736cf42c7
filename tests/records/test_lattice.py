"""The verdict lattice: one order for each way in which verdicts come together, held against every completion."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.records import SupportVerdict
from ragvet.records.lattice import (
    OPEN,
    STRENGTH,
    of_claims,
    of_parts_of_agreement,
    of_passages,
    strongest,
    supported,
    vote,
)

verdicts = st.lists(st.sampled_from(get_args(SupportVerdict)), max_size=5)


def completions(given_verdicts: list[SupportVerdict]) -> set[SupportVerdict]:
    """Every verdict on the claim once each open passage has turned out somehow: the first in the order holds."""
    choices = [STRENGTH if verdict in OPEN else (verdict,) for verdict in given_verdicts]
    return {min(chosen, key=STRENGTH.index, default="unsupported") for chosen in itertools.product(*choices)}


@given(verdicts)
def test_a_claim_has_exactly_the_verdicts_some_completion_gives_it(given_verdicts: list[SupportVerdict]) -> None:
    assert of_passages(given_verdicts).possible == completions(given_verdicts)


def test_a_claim_contradicted_by_one_passage_and_open_in_another_is_open_and_says_where_it_stands() -> None:
    found = of_passages(["contradicted", "undecided"])
    assert (found.told, found.so_far, found.holds("contradicted"), found.holds("unsupported")) == (
        "undecided", "contradicted", None, False,
    )  # fmt: skip


def test_a_supported_claim_is_settled_whatever_else_is_open() -> None:
    found = of_passages(["undecided", "supported", "unverified"])
    assert (found.told, found.settled, found.unverified) == ("supported", True, False)


def test_what_only_a_bad_quote_leaves_open_is_unverified() -> None:
    assert of_passages(["unverified", "unsupported"]).told == "unverified"
    assert of_passages(["unverified", "undecided"]).told == "undecided"


def test_a_citation_beside_claims_must_carry_every_one_and_one_of_the_whole_answer_any() -> None:
    assert of_claims(["supported", "partial"], every=True) == "partial"
    assert of_claims(["supported", "partial"], every=False) == "supported"
    assert of_claims(["undecided", "contradicted"], every=True) == "contradicted"


def test_of_rows_that_are_alike_the_first_is_chosen_and_open_ones_come_before_silence() -> None:
    assert strongest([("unsupported", 1), ("undecided", 2), ("undecided", 3)]) == 2


@pytest.mark.parametrize(
    ("votes", "needed", "won"),
    [
        (["a", "a", "b"], 2, "a"),
        (["a", "b"], 2, None),
        (["a", None, None], 2, None),
        ([None, None], 1, None),
        (["a", "b", "a", "b"], 3, None),
    ],
)
def test_a_vote_needs_its_number_of_judges_and_a_split_decides_nothing(
    votes: list[str | None], needed: int, won: str | None
) -> None:
    assert vote(votes, needed) == won


def test_one_part_against_the_reference_decides_a_claim() -> None:
    assert of_parts_of_agreement(["agree", "contradict"]) == "contradict"
    assert of_parts_of_agreement(["agree", "undecided"]) == "undecided"
    assert of_parts_of_agreement([]) == "undecided"


def test_open_verdicts_say_neither_yes_nor_no() -> None:
    assert [supported(verdict) for verdict in ("supported", "partial", "undecided", "unverified")] == [
        True, False, None, None,
    ]  # fmt: skip
