"""Verdicts come back from their tables as they went in, whoever wrote them and wherever their words stand."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from ragvet.records import Answer, Claim, JudgeFailure, Quote, RetrievedItem, Support, Trace, Verdicts
from ragvet.records.verdict_rows import from_tables, to_tables
from ragvet.records.verdict_tables import TABLES

PASSAGES = {"a": "Return it within 30 days.", "b": "Ümläut, and 𝒜 beyond the basic plane", "silent": None}
TRACE = Trace(
    case_id="q",
    repeat=1,
    question="?",
    answer=Answer(
        text="You may return it. 𝒜 is fine.",
        supplied=tuple(RetrievedItem(chunk_id=name, text=text) for name, text in PASSAGES.items()),
    ),
)
words = st.text(max_size=8)
maybe = st.one_of(st.none(), words)
flags = st.sampled_from([True, False, None])
decided = {
    "question": maybe,
    "stage": maybe,
    "score": st.one_of(st.none(), st.floats(0, 1)),
    "rater": maybe,
}
SUPPORTS = ["supported", "partial", "contradicted", "unsupported", "undecided", "unverified"]


@st.composite
def spans(draw: st.DrawFn, text: str | None) -> tuple[int, int, str]:
    """A span, of words that stand there or of others."""
    start = draw(st.integers(0, 40))
    end = draw(st.integers(start, 50))
    return start, end, draw(words) if text is None or draw(st.booleans()) else text[start:end]


@st.composite
def quotes(draw: st.DrawFn, text: str | None) -> dict[str, Any] | None:
    if draw(st.booleans()):
        return None
    start, end, said = draw(spans(text))
    return {"text": said, "start": start, "end": end, "edit_distance": draw(st.integers(0, 3))}


@st.composite
def claims(draw: st.DrawFn) -> dict[str, Any]:
    start, end, said = draw(spans(TRACE.answer and TRACE.answer.text))
    return {"id": draw(words), "text": said, "start": start, "end": end,
            "needs_evidence": draw(st.booleans()), "addresses_question": draw(flags)}  # fmt: skip


@st.composite
def facts(draw: st.DrawFn, fields: dict[str, st.SearchStrategy[Any]], quoted: str | None = None) -> dict[str, Any]:
    made = {name: draw(one) for name, one in {**fields, **decided}.items()}
    if quoted == "passage":
        made["quote"] = draw(quotes(PASSAGES.get(made["passage"])))
    elif quoted is not None:
        made["quote"] = draw(quotes(TRACE.answer and TRACE.answer.text))
    return made


passages = st.sampled_from([*PASSAGES, "unknown"])
verdicts_of_support = st.sampled_from(SUPPORTS)
amounts = {"input_tokens": st.one_of(st.none(), st.integers(0, 9)), "cost": st.one_of(st.none(), st.floats(0, 9))}
usages = st.one_of(st.none(), st.fixed_dictionaries(amounts))
behaviours = st.fixed_dictionaries({"observed": st.sampled_from(["answered", "refused", None]), "source": words})
single = st.fixed_dictionaries(
    {
        "case_id": st.just("q"),
        "repeat": st.just(1),
        "judge": words,
        "behaviour": behaviours,
        "claims": st.lists(claims(), max_size=3),
        "support": st.lists(
            facts({"claim": words, "passage": passages, "verdict": verdicts_of_support,
                   "missing_qualification": st.booleans(), "reason": maybe}, "passage"), max_size=3),
        "citations": st.lists(
            facts({"citation": st.integers(0, 9), "claims": st.lists(words, max_size=2), "resolves": flags,
                   "retrieved": flags, "right_version": flags, "permitted": flags, "verdict": verdicts_of_support,
                   "reason": maybe}, "answer"), max_size=2),
        "coverage": st.lists(
            facts({"required_claim": words, "verdict": st.sampled_from(["covered", "missing"]), "reason": maybe},
                  "answer"), max_size=2),
        "agreement": st.lists(
            facts({"claim": words, "verdict": st.sampled_from(["agree", "extra"]), "reason": maybe}), max_size=2),
        "reference_support": st.one_of(st.none(), st.lists(
            facts({"statement": words, "verdict": verdicts_of_support, "passage": st.one_of(st.none(), passages)},
                  "passage"), max_size=2)),
        "conflicts": st.one_of(st.none(), st.lists(st.fixed_dictionaries(
            {"passages": st.tuples(words, words), "about": words, "surfaced": flags}), max_size=2)),
        "addresses_question": flags,
        "support_score": st.one_of(st.none(), st.floats(0, 1)),
        "usage": usages,
    }
)  # fmt: skip
panels = st.builds(lambda one, members: {**one, "members": members}, single, st.lists(single, max_size=2))
failures = st.fixed_dictionaries(
    {"case_id": st.just("q"), "repeat": st.just(1), "judge": words, "error": words, "raw": maybe, "usage": usages}
)
judged = st.one_of(panels.map(Verdicts.model_validate), failures.map(JudgeFailure.model_validate))


@settings(deadline=None, max_examples=60)
@given(judged, st.sampled_from(["records", "their JSON"]), st.booleans())
def test_verdicts_come_back_from_their_tables_as_they_were(
    one: Verdicts | JudgeFailure, form: str, words_are_known: bool
) -> None:
    said = one if form == "records" else one.model_dump(mode="json", exclude_defaults=True)
    trace = TRACE if form == "records" else TRACE.model_dump(mode="json", exclude_defaults=True)
    tables = to_tables([(said, trace if words_are_known else None)])
    assert list(from_tables(tables, [TRACE])) == [one]
    assert {name: frame.schema for name, frame in tables.items()} == TABLES


def test_words_of_the_answer_and_of_its_passages_are_kept_once() -> None:
    one = Verdicts.model_validate(
        {
            "case_id": "q", "repeat": 1, "judge": "j", "behaviour": {"observed": "answered", "source": "rules"},
            "claims": (Claim(id="c", text="You may return it.", start=0, end=18),),
            "support": (Support(claim="c", passage="a", verdict="supported",
                                quote=Quote(text="within 30 days", start=10, end=24)),),
        }
    )  # fmt: skip
    tables = to_tables([(one, TRACE)])
    assert tables["claims"]["text"].to_list() == [None]
    assert tables["support"].select("quote_start", "quote_end", "quote").rows() == [(10, 24, None)]


def test_an_answer_nobody_judged_is_left_out_and_the_order_is_that_of_the_traces() -> None:
    def said(case_id: str) -> JudgeFailure:
        return JudgeFailure(case_id=case_id, judge="j", error="Timeout")

    tables = to_tables([(said("one"), None), (said("two"), None)])
    traces = [Trace(case_id=name, question="?", answer=Answer()) for name in ("two", "three", "one")]
    assert [one.case_id for one in from_tables(tables, traces)] == ["two", "one"]
    assert isinstance(tables["judged"], pl.DataFrame)
