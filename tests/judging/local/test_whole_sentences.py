import pytest
from tests.judging.local.make import judge, verdict

WRAPPED = """\
Refunds
=======

Nobody but the shop decides on repairs. A parcel
is sent back at the cost
of the Royal Mail
Office in London, with "priority". Unless it is
lost, it is not insured.

* An item that was opened is
  not taken back.
* Gift cards are never refunded.

| Plan | Fee |
|------|-----|
| Pro plan, monthly | 10 euros |

Can a parcel be sent to an office abroad? The rule is x >= 2. Items are returned within 14 days
unless they were on sale. Es ist so."""


@pytest.mark.parametrize(
    "claim",
    [
        "A parcel is sent back at the cost of the Royal Mail Office in London, with \u201cpriority\u201d.",
        "A parcel is *sent back* at the cost of the **Royal Mail Office** in London, with priority [1].",
        "An item that was opened is not taken back. Gift cards are never refunded.",
        "Unless it is lost, it is not insured.",
        "An item that was opened is not taken back.",
        "Gift cards are never refunded.",
        "Pro plan, monthly | 10 euros",
        "The rule is x >= 2.",
        "Items are returned within 14 days unless they were on sale.",
    ],
)
def test_whole_sentences_of_a_passage_are_supported_however_its_lines_are_wrapped(claim):
    verdicts = judge(claim, WRAPPED)
    assert {row.verdict for row in verdicts.support} == {"supported"}
    assert all(row.quote and row.quote.text in WRAPPED for row in verdicts.support)


@pytest.mark.parametrize(
    "claim",
    [
        "Items are returned within 14 days.",  # what was cut off is a condition
        "It is lost, it is not insured.",
        "A parcel can be sent to an office abroad.",  # the passage only asks
        "Can a parcel be sent to an office abroad.",
        "The rule is x <= 2.",
        "Gift cards are refunded.",
        "Es ist so nicht.",
    ],
)
def test_words_cut_out_of_a_sentence_or_put_another_way_are_no_whole_sentence(claim):
    assert verdict(claim, WRAPPED) != "supported"


def test_what_stands_next_to_a_whole_sentence_does_not_take_its_support_away():
    claim = "Opened items can be returned to the shop."
    for passage in (
        f"This was not always so. {claim} Never send them by post.",
        f"Only in winter. {claim} If lost, wait.",
    ):
        assert verdict(claim, passage) == "supported"
