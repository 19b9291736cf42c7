"""The case pages of the page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import polars as pl
from pydantic_core import to_json

from ragvet.records import CacheLookup, Case, Citation, JudgeFailure, RetrievedItem, ToolCall, Trace, Verdicts
from ragvet.records.lattice import claim_verdicts
from ragvet.report._finished_run import FinishedRun
from ragvet.report._index import CaseIndex
from ragvet.report._item_rows import ItemRows
from ragvet.report._packing import Blocks, TextPool
from ragvet.report._tally import Judged, observed_behaviour

__all__ = ["CasePages"]

_ROW_BYTES = 40
"""About what one row of a table takes."""
_RANKED = ("view", "rank", "chunk_id", "doc_id", "score", "grade", "redundant", "passages", "supplied")
_SCORED = ("metric", "status", "low", "high", "reason", "numerator", "denominator")
Json = dict[str, Any]


class CasePages:
    """The case pages of an HTML report: an index to list and filter by, and the details in packed blocks.

    A block holds what is particular to its cases as they are, and their rows of scores and rankings as columns.

    Args:
        run: the run the items come from.
        content: False leaves out every text that people wrote, documents hold or models said; ids, ranks, grades,
            verdicts and numbers stay.
    """

    def __init__(self, run: FinishedRun, *, content: bool = True) -> None:
        self.content = content
        self.details = Blocks(self._tables)
        self.texts = TextPool()
        self._run = run
        self._case: Case | None = None
        self._items: list[Json] = []

    @cached_property
    def index(self) -> CaseIndex:
        """One row per case: what the list shows, filters and sorts by."""
        return CaseIndex(self._run, content=self.content)

    @cached_property
    def _by_item(self) -> dict[str, ItemRows]:
        # Read as the items come: until then what summarises a run needs the room.
        order = [case.id for case in self._run.cases()]
        ranked = self._run.scan_rankings().filter(pl.col("view").is_in(["union", "last"]))
        return {
            "scores": ItemRows(self._run.scan_scores(), order, _SCORED),
            "rankings": ItemRows(ranked, order, _RANKED),
        }

    def _tables(self, end: int) -> dict[str, Any]:
        return {name: rows.take(end) for name, rows in self._by_item.items()}

    def add(self, case: Case, trace: Trace, judged: Judged) -> None:
        """Takes one item; the items of a case follow one another."""
        if self._case is not None and self._case.id != case.id:
            self._close_case()
        self._case = case
        item = self._item(trace, judged)
        self._items.append(item)
        self.index.add(case, item, trace, judged)

    def finish(self) -> None:
        """Closes what is open; call it once, after the last item."""
        self._close_case()
        self.details.flush()
        self.texts.flush()

    def _close_case(self) -> None:
        if self._case is not None:
            page = {**_written(self._case, content=self.content), "items": self._items}
            ranked = sum(len(item.get("chunks", ())) for item in self._items)
            self.details.append(page, beside=_ROW_BYTES * (ranked + len(self._items) * len(self._run.declarations)))
        self._case, self._items = None, []

    def _item(self, trace: Trace, judged: Judged) -> Json:
        item: Json = {
            "repeat": trace.repeat,
            "observed": observed_behaviour(trace, judged),
            "latency": trace.latency,
            "attempts": trace.attempts,
        }
        if trace.error is not None:
            item["error"] = {"kind": trace.error.kind, "message": self._said(trace.error.message)}
        if isinstance(judged, JudgeFailure):
            item["judge_failure"] = self._said(judged.error) or "its message is not shown"
            item["judge"] = judged.judge
        elif judged is not None:
            item.update(_judged(judged, content=self.content))
        if trace.answer is not None:
            item.update(self._answered(trace))
        return _known(item)

    def _answered(self, trace: Trace) -> Json:
        answer = trace.answer
        if answer is None:
            return {}
        shown = {item.chunk_id: item for call in answer.retrievals for item in call.ranking}
        shown.update((item.chunk_id, item) for item in answer.supplied or ())
        supplied = answer.supplied
        return {
            "answer": self._said(answer.text),
            "blank": not (answer.text or "").strip(),
            "queries": [self._said(call.query) for call in answer.retrievals],
            "chunks": {chunk_id: self._chunk(item) for chunk_id, item in shown.items()},
            "supplied": None if supplied is None else [item.chunk_id for item in supplied],
            "context": self.texts.append(answer.context) if answer.context is not None and self.content else None,
            "citations": None if answer.citations is None else [self._citation(row) for row in answer.citations],
            "timings": dict(answer.timings),
            "usage": {stage: usage.model_dump(exclude_none=True) for stage, usage in answer.usage.items()},
            "cache": None if answer.cache is None else [self._looked_up(look) for look in answer.cache],
            "tool_calls": None if answer.tool_calls is None else [self._called(call) for call in answer.tool_calls],
            "finish_reason": answer.finish_reason,
            "session": answer.session,
            "retries": None if answer.retries is None else dict(answer.retries),
        }

    def _chunk(self, item: RetrievedItem) -> Json:
        chunk: Json = {}  # built by hand: there are twenty of these to a case
        if item.doc_id is not None:
            chunk["doc"] = item.doc_id
        if item.doc_version is not None:
            chunk["version"] = item.doc_version
        if self.content and item.title is not None:
            chunk["title"] = item.title
        if self.content and item.text is not None:
            chunk["text"] = self.texts.intern(item.text)
        return chunk

    def _citation(self, citation: Citation) -> Json:
        return _known(
            {
                "chunk": citation.chunk_id,
                "doc": citation.doc_id,
                "version": citation.doc_version,
                "marker": self._said(citation.marker),
                "start": citation.start,
                "end": citation.end,
                "quote": self._said(citation.quote),
            }
        )

    def _looked_up(self, look: CacheLookup) -> Json:
        return _known({"stage": look.stage, "hit": look.hit, "key": self._said(look.key), "scope": look.scope})

    def _called(self, call: ToolCall) -> Json:
        return _known({"name": call.name, "arguments": self._json(call.arguments), "result": self._json(call.result)})

    def _json(self, value: Any) -> str | None:
        """A value of a target's own as text; a text as it is."""
        if value is None or isinstance(value, str):
            return self._said(value)
        return self._said(to_json(value).decode())

    def _said(self, text: str | None) -> str | None:
        return text if self.content else None


def _written(case: Case, *, content: bool) -> Json:
    """What people wrote about a case."""
    kept = {"doc_id", "doc_version", "chunk_ids", "grade", "any_of", "all_of", "start", "end"}
    gold = [
        passage.model_dump(exclude_defaults=True, include=kept | ({"locator", "quote"} if content else set()))
        for passage in case.reference_passages
    ]
    required = [
        {"id": case.claim_id(number), "materiality": claim.materiality, "kind": claim.kind}
        | ({"text": claim.text} if content else {})
        for number, claim in enumerate(case.required_claims)
    ]
    page: Json = {
        "id": case.id,
        "strata": case.strata,
        "expected": case.expected_behaviour,
        "gold": gold,
        "required": required,
        "effective_date": case.effective_date,
        "ambiguous": case.ambiguous or None,
    }
    if content:
        page |= {
            "question": case.question,
            "history": [[turn.role, turn.content] for turn in case.history],
            "reference_answer": case.reference_answer,
            "must_not_contain": case.must_not_contain,
            "source": case.source,
            "identity": case.identity.model_dump(exclude_defaults=True) if case.identity else None,
            "note": case.adjudication.note if case.adjudication else None,
            "reviewers": case.adjudication.reviewers if case.adjudication else None,
        }
    return _known(page)


def _judged(verdicts: Verdicts, *, content: bool) -> Json:
    """Verdicts without what would repeat the trace; without content, the verdicts alone."""
    hidden: Any = None if content else {"text", "quote", "reason", "about", "statement"}
    support: dict[str, list[Json]] = {}
    for row in verdicts.support:
        support.setdefault(row.claim, []).append(
            row.model_dump(exclude_defaults=True, exclude={"claim"} | (hidden or set()))
        )
    told = claim_verdicts(verdicts)
    claims = [
        _known(
            {
                "id": claim.id,
                "text": claim.text if content else None,
                "start": claim.start,
                "end": claim.end,
                "needs_evidence": claim.needs_evidence,
                "addresses_question": claim.addresses_question,
                "verdict": told[claim.id].told,
                "support": support.get(claim.id, []),
            }
        )
        for claim in verdicts.claims
    ]
    return {
        "judge": verdicts.judge,
        "observed_source": verdicts.behaviour.source if content else None,
        "claims": claims,
        "cited": _rows(verdicts.citations, hidden),
        "coverage": _rows(verdicts.coverage, hidden),
        "agreement": _rows(verdicts.agreement, hidden),
        "reference_support": _rows(verdicts.reference_support or (), hidden),
        "conflicts": _rows(verdicts.conflicts or (), hidden),
        "addresses_question": verdicts.addresses_question,
    }


def _rows(records: Iterable[Any], hidden: set[str] | None) -> list[Json]:
    return [record.model_dump(exclude_none=True, exclude=hidden) for record in records]


def _known(fields: Json) -> Json:
    """Without what is absent or empty: the page treats both alike, and ten thousand pages get smaller."""
    return {name: value for name, value in fields.items() if value is not None and value not in ([], (), {})}
