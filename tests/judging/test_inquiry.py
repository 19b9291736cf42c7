from __future__ import annotations

import asyncio
import hashlib
import json

import pytest

from ragvet.judging import Scope, judge_answer
from ragvet.judging._inquiry import Inquiry
from ragvet.records import (
    AddressedRuling,
    BehaviourVerdict,
    Case,
    Claim,
    PassageRuling,
    Place,
    Question,
    Rulings,
    Segmentation,
    Sentence,
    Setting,
    ShownText,
    SupportRuling,
    Trace,
)

TEXT = "Hello. Refunds take 5 days [1]. They come by post."
CLAIMS = (
    Claim(id="c1", text="Hello.", start=0, end=6, needs_evidence=False),
    Claim(id="c2", text="Refunds take 5 days [1].", start=7, end=31),
    Claim(id="c3", text="They come by post.", start=32, end=50),
)
PASSAGES = [{"chunk_id": "a", "text": "Refunds take 5 days.", "title": "Refunds"}, {"chunk_id": "b", "text": "Post."}]


def case(**given):
    fields = {
        "id": "1",
        "question": "When?",
        "category": "x",
        "expected_behaviour": "answer",
        "reference_answer": "5 days.",
        "required_claims": [{"id": "r", "text": "5 days", "accept": ["five days"]}],
    }
    return Case.model_validate({**fields, **given})


def trace(text=TEXT, **given):
    answer = {"text": text, "supplied": PASSAGES, **given}
    return Trace.model_validate({"case_id": "1", "question": "When?", "answer": answer})


def inquiry(of_trace=None, of_case=None, *, observed="answered", free=False, kinds=None, **given):
    of_trace = of_trace or trace()
    segmentation = Segmentation(
        BehaviourVerdict(observed=observed, source="x"), **{"claims": CLAIMS, "reference": ("5 days.",), **given}
    )
    scope = Scope(free=free) if kinds is None else Scope(frozenset(kinds), free)
    return Inquiry(of_case or case(), of_trace, of_trace.answer, segmentation, scope)


def asked(one):
    return [(question.kind, question.place.claim or question.statement) for question in one.questions]


def test_all_that_an_answer_is_asked():
    assert asked(inquiry()) == [
        ("reference", "5 days."),
        ("support", "c2"),
        ("support", "c3"),
        ("conflicts", None),
        ("coverage", "5 days"),
        ("addressed", None),
        ("agreement", "c2"),
        ("agreement", "c3"),
        ("relevance", "c1"),
        ("relevance", "c2"),
        ("relevance", "c3"),
    ]


def test_only_kinds_in_scope_are_asked():
    assert {kind for kind, _ in asked(inquiry(kinds=["support", "coverage"]))} == {"support", "coverage"}


@pytest.mark.parametrize("observed", ["refused", "clarified", "routed"])
def test_of_what_is_no_answer_only_the_reference_is_asked_and_only_where_an_answer_was_due(observed):
    assert {kind for kind, _ in asked(inquiry(observed=observed))} == {"reference"}
    assert asked(inquiry(of_case=case(expected_behaviour="refuse"), observed=observed)) == []
    assert {"coverage", "support"} <= {kind for kind, _ in asked(inquiry(observed=observed, free=True))}


def test_a_blank_answer_is_asked_nothing_about():
    assert asked(inquiry(trace(" \n"), claims=())) == []
    # who costs nothing still tells whether the context supports the reference
    assert asked(inquiry(trace(" "), claims=(), free=True)) == [("reference", "5 days.")]


def test_what_is_cited_and_was_not_supplied_is_asked_about_once_for_each_claim_it_backs():
    old = {"items": [{"chunk_id": "old", "text": "They come by post."}]}
    cites = [
        {"chunk_id": "old", "start": 32, "end": 50},
        {"chunk_id": "a"},
        {"chunk_id": "old", "start": 32, "end": 40},
    ]
    one = inquiry(trace(citations=cites, retrievals=[old]))
    (question,) = [question for question in one.questions if question.kind == "citation"]
    assert (question.place.claim, [text.id for text in question.texts]) == ("c3", ["old"])
    (support,) = [question for question in one.questions if question.kind == "support" and question.place.claim == "c3"]
    assert support.place.cited == ("old",)


def test_a_citation_of_the_whole_answer_is_asked_about_for_each_of_its_claims():
    old = {"items": [{"chunk_id": "old", "text": "They come by post."}]}
    one = inquiry(trace(TEXT.replace("[1]", "   "), citations=[{"chunk_id": "old"}], retrievals=[old]))
    assert [claim for kind, claim in asked(one) if kind == "citation"] == ["c2", "c3"]


def test_a_question_holds_the_words_before_its_claim_and_knows_the_markers_in_it():
    (support, _) = [question for question in inquiry().questions if question.kind == "support"]
    assert support.before == "Hello."
    assert support.markers == ((20, 23),)
    assert support.bare == "Refunds take 5 days    ."


def test_a_claim_in_other_words_than_the_answer_holds_no_markers():
    claims = (Claim(id="c1", text="A refund takes 5 days.", start=7, end=31),)
    (support,) = [question for question in inquiry(claims=claims).questions if question.kind == "support"]
    assert support.markers == ()


def test_a_citation_in_a_sentence_backs_all_its_claims_that_need_evidence():
    sentences = (Sentence(0, 6, ()), Sentence(7, 31, ("c1", "c2", "c3")))
    assert [one.claims for one in inquiry(sentences=sentences).placed] == [("c2", "c3")]


def test_a_citation_in_a_sentence_without_such_claims_is_placed_and_backs_none():
    sentences = (Sentence(7, 31, ("c1",)),)
    assert [(one.placed, one.claims) for one in inquiry(sentences=sentences).placed] == [(True, ())]


def question(**given):
    fields = {
        "kind": "support",
        "place": Place("1", 0),
        "setting": Setting("When?"),
        "statement": "Refunds take 5 days.",
        "texts": (ShownText("a", "Refunds take 5 days.", "Refunds"),),
    }
    return Question(**{**fields, **given})


def test_the_hash_is_that_of_what_is_shown_by_hand():
    def digest(*parts):
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()[:16]

    setting = digest("When?", [])
    text = digest("Refunds", "Refunds take 5 days.")
    said = ["Refunds take 5 days.", "", [], None, []]
    assert question().hash == digest("support", setting, [text], said)


def test_where_a_question_comes_from_is_no_part_of_it():
    elsewhere = question(place=Place("2", 3, claim="c9"), texts=(ShownText("b", "Refunds take 5 days.", "Refunds"),))
    assert elsewhere.hash == question().hash
    assert elsewhere == question()


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "citation"},
        {"setting": Setting("Where?")},
        {"statement": "Refunds take 6 days."},
        {"before": "Hello."},
        {"texts": (ShownText("a", "Refunds take 5 days."),)},
        {"texts": ()},
        {"note": ("five days",)},
        {"language": "de"},
        {"markers": ((0, 1),)},
    ],
)
def test_whatever_is_shown_changes_the_hash(other):
    assert question(**other).hash != question().hash


def test_half_a_character_pair_can_be_hashed():
    assert len(question(statement="\ud800").hash) == 16


class Silent:
    """Sees the claims and decides as told."""

    fingerprint = "silent"

    def __init__(self, scope=None, **rulings):
        self.scope, self.rulings = scope or Scope(), rulings

    async def segment(self, case, trace):
        return Segmentation(BehaviourVerdict(observed="answered", source="x"), CLAIMS, reference=("5 days.",))

    async def decide(self, questions):
        return Rulings(tuple(self.rulings.get(one.kind) for one in questions))


def judged(judge, of_trace=None):
    return asyncio.run(judge_answer(judge, case(), of_trace or trace()))


def test_what_a_judge_does_not_decide_is_undecided_and_never_missing_or_unsupported():
    verdicts = judged(Silent())
    assert {(row.claim, row.passage, row.verdict) for row in verdicts.support} == {
        (claim, passage, "undecided") for claim in ("c2", "c3") for passage in ("a", "b")
    }
    assert [row.verdict for row in verdicts.coverage] == ["undecided"]
    assert [row.verdict for row in verdicts.agreement] == ["undecided", "undecided"]
    assert (verdicts.reference_support, verdicts.conflicts, verdicts.addresses_question) == (None, None, None)


def test_each_row_carries_the_hash_of_its_question_and_what_decided_it():
    found = SupportRuling((PassageRuling("a", "supported", score=0.9),), stage="model:m")
    judge = Silent(support=found, reference=found, relevance=AddressedRuling(addresses=True))
    verdicts = judged(judge)
    hashes = {one.place.claim: one.hash for one in inquiry().questions if one.kind == "support"}
    assert [(row.question, row.stage, row.score) for row in verdicts.support] == [
        (hashes["c2"], "model:m", 0.9),
        (hashes["c3"], "model:m", 0.9),
    ]
    assert verdicts.citations[0].question == hashes["c2"]
    assert verdicts.reference_support[0].verdict == "supported"
    assert [claim.addresses_question for claim in verdicts.claims] == [True, True, True]


def test_where_nothing_was_supplied_nothing_supports_claim_or_reference_and_nobody_is_asked():
    verdicts = judged(Silent(), trace(supplied=[]))
    assert verdicts.support == ()
    assert [row.verdict for row in verdicts.reference_support] == ["unsupported"]


def test_a_passage_nobody_can_read_leaves_claims_open_whoever_judges():
    found = SupportRuling((PassageRuling("a", "contradicted"),))
    verdicts = judged(Silent(support=found), trace(supplied=[*PASSAGES, {"chunk_id": "lost"}]))
    assert {row.passage for row in verdicts.support if row.verdict == "undecided"} == {"lost"}


def test_a_reference_nobody_found_is_open_where_the_text_of_a_passage_is_unknown():
    silent = Silent(reference=SupportRuling((PassageRuling("a", "unsupported"),)))
    assert [row.verdict for row in judged(silent).reference_support] == ["unsupported"]
    unread = trace(supplied=[*PASSAGES, {"chunk_id": "lost"}])
    assert [row.verdict for row in judged(silent, unread).reference_support] == ["undecided"]
    assert judged(silent, trace(supplied=None)).reference_support is None
