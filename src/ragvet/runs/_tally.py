"""What is counted of a run on the way through its traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from ragvet.dataset import Standing
from ragvet.records import Case, Trace
from ragvet.runs._count_retrieval import RetrievalItems
from ragvet.runs._journal import Key
from ragvet.runs._manifest import Counts, Spend

__all__ = ["Tally", "spend"]

_AMOUNTS = ("input_tokens", "output_tokens", "cost")
Spent = tuple[float | None, ...]
"""Input tokens, output tokens and money; None: not reported."""


@dataclass
class Tally:
    """What one pass over the traces of a run counts on the way.

    Attributes:
        standings: case → how its gold passages stand.
        retrieval: the items retrieval is scored on.
        several_calls: whether any answer came of several retrieval calls.
        tells_behaviour: whether the target said of any answer what it did.
        serving: what each answer says it used.
        judging: what the judge says each answer took.
        components: what the target says its answers were made with: part → value → answers.
    """

    standings: Mapping[str, Standing]
    several_calls: bool = False
    tells_behaviour: bool = False
    serving: list[Spent] = field(default_factory=list[Spent])
    judging: list[Spent] = field(default_factory=list[Spent])
    components: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    _ranked: list[tuple[Case, int]] = field(default_factory=list[tuple[Case, int]])
    _undefined: dict[Key, str] = field(default_factory=dict[Key, str])
    _failed: dict[Key, str] = field(default_factory=dict[Key, str])
    _failures: Counter[str] = field(default_factory=Counter[str])
    _items: int = 0
    _judged: int = 0
    _judge_failed: int = 0

    def add(self, items: Sequence[tuple[Case, Trace]], tables: Mapping[str, pl.DataFrame]) -> None:
        """Counts these items, with the verdict tables about them."""
        judged = tables["judged"].filter(pl.col("member").is_null())
        failed = judged.height - judged["failure"].null_count()
        self._judge_failed += failed
        self._judged += judged.height - failed
        self.judging += judged.filter("reported").select(_AMOUNTS).rows()
        for case, trace in items:
            self._add(case, trace)

    @property
    def retrieval(self) -> RetrievalItems:
        return RetrievalItems(self._ranked, self._undefined, self._failed, self.standings)

    def counts(self, cases: Sequence[Case], *, unplaced_chunks: int, left_out: Mapping[str, int]) -> Counts:
        """The counts of a run of these cases."""
        return Counts(
            cases=len(cases),
            ambiguous=sum(case.ambiguous for case in cases),
            unmarked=sum(case.unmarked for case in cases),
            items=self._items,
            answered=self._items - self._failures.total(),
            failed=dict(self._failures),
            judged=self._judged,
            judge_failed=self._judge_failed,
            stale_annotations=sum(len(stands.stale) for stands in self.standings.values()),
            unplaced_chunks=unplaced_chunks,
            left_out=left_out,
        )

    def _add(self, case: Case, trace: Trace) -> None:
        self._items += 1
        if trace.error is not None:
            self._failures[trace.error.kind] += 1
        elif trace.answer is not None:
            self.several_calls |= len(trace.answer.retrievals) > 1
            self.tells_behaviour |= trace.answer.behaviour is not None
            for part, version in trace.answer.versions.items():
                self.components.setdefault(part, Counter())[version] += 1
            if trace.answer.usage:
                stages = trace.answer.usage.values()
                self.serving.append(_total([(stage.input_tokens, stage.output_tokens, stage.cost) for stage in stages]))
        if case.reference_passages:
            self._note_retrieval(case, trace)

    def _note_retrieval(self, case: Case, trace: Trace) -> None:
        stands = self.standings.get(case.id, Standing())
        counted = {*range(len(case.reference_passages))} - stands.stale
        relevant = {index for index in counted if case.reference_passages[index].grade > 0}
        if not counted:
            self._undefined[trace.key] = "every annotation of the case is stale"
        elif relevant and relevant <= stands.denied:
            self._undefined[trace.key] = "not permitted: the caller may not read the evidence"
        elif trace.error is not None:
            self._failed[trace.key] = trace.error.kind
        elif trace.answer is not None and trace.answer.retrievals:
            self._ranked.append((case, trace.repeat))
        else:
            self._undefined[trace.key] = "the target did not report what it retrieved"


def spend(spent: Sequence[Spent]) -> Spend:
    """What was spent in all."""
    total = dict(zip(_AMOUNTS, _total(spent), strict=True))
    return Spend.model_validate({**total, "reported": len(spent)})


def _total(spent: Iterable[Spent]) -> Spent:
    """The sums; what nobody reported stays unknown."""
    columns = [[amount for amount in column if amount is not None] for column in zip(*spent, strict=True)]
    return tuple(sum(column) if column else None for column in columns) or (None,) * len(_AMOUNTS)
