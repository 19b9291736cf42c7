"""From verdicts to the tables a run keeps of them, and from the tables back to the verdicts of some answers.

Both ways go by fields alone: a record and its JSON are taken alike, so what a journal holds becomes rows without
becoming an object first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, cast

import polars as pl

from ragvet.records._trace import Trace
from ragvet.records._verdicts import JudgeFailure, Verdicts
from ragvet.records.verdict_tables import TABLES

__all__ = ["from_tables", "to_tables"]

Fields = Mapping[str, Any]
_Row = tuple[Any, ...]
_Rows = dict[str, list[_Row]]
_KEY = 3
"""Every row begins with the case, the repeat and the member."""
_CONTEXT = "context"
"""Passage id of an assembled context that was reported as one text."""


def to_tables(
    judged: Iterable[tuple[Verdicts | JudgeFailure | Fields, Trace | Fields | None]],
) -> dict[str, pl.DataFrame]:
    """The tables of `TABLES`, their rows in the order of the items.

    Args:
        judged: what was judged about each answer, and its trace: words that stand there are not kept again; without
            a trace they are. Records, or their JSON, in which defaults may be left out. A panel's member is no panel.
    """
    rows: _Rows = {name: [] for name in TABLES}
    for one, trace in judged:
        verdicts, texts = _fields(one), _Texts(trace)
        key = verdicts["case_id"], verdicts.get("repeat", 0)
        for member, said in enumerate([verdicts, *(verdicts.get("members") or ())], start=-1):
            _add(rows, (*key, None if member < 0 else member), _fields(said), texts)
    return {name: _frame(rows[name], schema) for name, schema in TABLES.items()}


def from_tables(tables: Mapping[str, pl.DataFrame], traces: Iterable[Trace]) -> Iterator[Verdicts | JudgeFailure]:
    """What was judged about these answers, in their order; an answer nobody judged is left out.

    Args:
        tables: with the rows of at least these answers, those of one answer in the order of its facts.
        traces: the answers; words that were not kept are taken from them.

    Raises:
        ValidationError: the rows are no verdicts.
    """
    rows = {name: _by_judge(tables[name]) for name in TABLES}
    members: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for case_id, repeat, member in rows["judged"]:
        if member is not None:
            members[case_id, repeat].append(member)
    for trace in traces:
        if (*trace.key, None) not in rows["judged"]:
            continue
        texts = _Texts(trace)
        said = _said(rows, (*trace.key, None), texts)
        if "error" in said:
            yield JudgeFailure.model_validate(said)
        else:
            own = [_said(rows, (*trace.key, member), texts) for member in members[trace.key]]
            yield Verdicts.model_validate({**said, "members": own})


class _Texts:
    """The texts of one trace that quotes and claims are spans of."""

    def __init__(self, trace: Trace | Fields | None) -> None:
        answer = _fields((None if trace is None else _fields(trace).get("answer")) or {})
        self.answer: str | None = answer.get("text")
        self._passages: dict[str, str] = {}
        calls = [_fields(call) for call in answer.get("retrievals") or ()]
        retrieved = (call.get(stage) or () for call in calls for stage in ("reranked", "items"))
        for item in chain(answer.get("supplied") or (), *retrieved):
            passage = _fields(item)
            if passage.get("text"):
                self._passages.setdefault(passage["chunk_id"], passage["text"])
        if answer.get("context"):
            self._passages.setdefault(_CONTEXT, answer["context"])

    def passage(self, chunk_id: str | None) -> str | None:
        """The text a quote from this passage is looked up in; None: it is kept in words."""
        return None if chunk_id is None else self._passages.get(chunk_id)


def _fields(value: Any) -> Fields:
    return cast("Fields", value if isinstance(value, dict) else vars(value))


# From verdicts to rows


def _add(rows: _Rows, key: _Row, said: Fields, texts: _Texts) -> None:
    """The rows of one judge's word on one answer."""
    rows["judged"].append((*key, *_judged(said)))
    for claim in map(_fields, said.get("claims") or ()):
        start, end, text = claim["start"], claim["end"], claim["text"]
        rows["claims"].append(
            (*key, claim["id"], None if _stands(text, texts.answer, start, end) else text, start, end,
             claim.get("needs_evidence", True), claim.get("addresses_question"))
        )  # fmt: skip
    for fact in map(_fields, said.get("support") or ()):
        rows["support"].append(
            (*key, fact["claim"], fact["passage"], fact["verdict"], fact.get("missing_qualification", False),
             *_quote(fact, texts.passage(fact["passage"])), fact.get("reason"), *_decided(fact))
        )  # fmt: skip
    for fact in map(_fields, said.get("citations") or ()):
        rows["citations"].append(
            (*key, fact["citation"], list(fact.get("claims") or ()), fact.get("resolves"), fact.get("retrieved"),
             fact.get("right_version"), fact.get("permitted"), fact["verdict"],
             *_quote(fact, None), fact.get("reason"), *_decided(fact))
        )  # fmt: skip
    for fact in map(_fields, said.get("coverage") or ()):
        quote = _quote(fact, texts.answer)
        rows["coverage"].append(
            (*key, fact["required_claim"], fact["verdict"], *quote, fact.get("reason"), *_decided(fact))
        )
    for fact in map(_fields, said.get("agreement") or ()):
        rows["agreement"].append((*key, fact["claim"], fact["verdict"], fact.get("reason"), *_decided(fact)))
    for fact in map(_fields, said.get("reference_support") or ()):
        passage = fact.get("passage")
        quote = _quote(fact, texts.passage(passage))
        rows["reference_support"].append((*key, fact["statement"], fact["verdict"], passage, *quote, *_decided(fact)))
    for fact in map(_fields, said.get("conflicts") or ()):
        rows["conflicts"].append((*key, *fact["passages"], fact["about"], fact.get("surfaced")))


def _judged(said: Fields) -> _Row:
    usage = said.get("usage")
    spent = _fields(usage or {})
    behaviour = _fields(said.get("behaviour") or {})
    return (
        said["judge"], said.get("error"), said.get("raw"), behaviour.get("observed"), behaviour.get("source"),
        said.get("addresses_question"), said.get("reference_support") is not None, said.get("conflicts") is not None,
        said.get("support_score"), spent.get("input_tokens"), spent.get("output_tokens"), spent.get("cost"),
        usage is not None,
    )  # fmt: skip


def _quote(fact: Fields, text: str | None) -> _Row:
    quote = fact.get("quote")
    if quote is None:
        return None, None, None, None
    quote = _fields(quote)
    start, end, words = quote["start"], quote["end"], quote["text"]
    return start, end, quote.get("edit_distance", 0), None if _stands(words, text, start, end) else words


def _stands(words: str, text: str | None, start: int, end: int) -> bool:
    return text is not None and text[start:end] == words


def _decided(fact: Fields) -> _Row:
    return fact.get("question"), fact.get("stage"), fact.get("score"), fact.get("rater")


def _frame(rows: list[_Row], schema: pl.Schema) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    series = zip(schema.items(), columns, strict=True)
    return pl.DataFrame([pl.Series(name, values, kind) for (name, kind), values in series])


# From rows to verdicts


def _by_judge(frame: pl.DataFrame) -> dict[_Row, list[dict[str, Any]]]:
    """Case, repeat and member → the rows, each by column, the key left out."""
    found: defaultdict[_Row, list[dict[str, Any]]] = defaultdict(list)
    columns = frame.columns[_KEY:]
    for row in frame.iter_rows():
        found[row[:_KEY]].append(dict(zip(columns, row[_KEY:], strict=True)))
    return found


def _said(rows: Mapping[str, Mapping[_Row, list[dict[str, Any]]]], key: _Row, texts: _Texts) -> dict[str, Any]:
    """The fields of one judge's word on one answer."""
    (head,) = rows["judged"][key]
    found = {name: table.get(key, []) for name, table in rows.items()}
    spent = {name: head[name] for name in ("input_tokens", "output_tokens", "cost")}
    who = {"case_id": key[0], "repeat": key[1], "judge": head["judge"], "usage": spent if head["reported"] else None}
    if head["failure"] is not None:
        return {**who, "error": head["failure"], "raw": head["raw"]}
    return {
        **who,
        "behaviour": {"observed": head["behaviour"], "source": head["behaviour_source"]},
        "addresses_question": head["addresses_question"],
        "support_score": head["support_score"],
        "claims": [_claim(row, texts.answer) for row in found["claims"]],
        "support": [_quoted(row, texts.passage(row["passage"])) for row in found["support"]],
        "citations": [_quoted(row, None) for row in found["citations"]],
        "coverage": [_quoted(row, texts.answer) for row in found["coverage"]],
        "agreement": found["agreement"],
        "reference_support": [_quoted(row, texts.passage(row["passage"])) for row in found["reference_support"]]
        if head["reference_judged"]
        else None,
        "conflicts": [_conflict(row) for row in found["conflicts"]] if head["conflicts_judged"] else None,
    }


def _claim(row: dict[str, Any], answer: str | None) -> Fields:
    words = _words(row["text"], answer, row["start"], row["end"])
    return {**{name: value for name, value in row.items() if name != "claim"}, "id": row["claim"], "text": words}


def _quoted(row: dict[str, Any], text: str | None) -> Fields:
    """The row with its quote put together, its words taken from `text` where they were not kept."""
    start, end, distance = row.pop("quote_start"), row.pop("quote_end"), row.pop("edit_distance")
    words = row.pop("quote")
    if start is None:
        return row
    return {**row, "quote": {"text": _words(words, text, start, end), "start": start, "end": end,
                             "edit_distance": distance}}  # fmt: skip


def _words(kept: str | None, text: str | None, start: int, end: int) -> str | None:
    return kept if kept is not None or text is None else text[start:end]


def _conflict(row: dict[str, Any]) -> Fields:
    return {"passages": (row["first"], row["second"]), "about": row["about"], "surfaced": row["surfaced"]}
