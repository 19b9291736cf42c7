"""The subject `tested`: how many cases were asked and answered. What nobody tried cannot be trusted by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from pydantic import Field

from ragvet.dataset import Dataset
from ragvet.errors import Problem
from ragvet.gate._decision import GateOutcome, RuleResult
from ragvet.gate._entry import STRATUM, Entry, Placed, Words
from ragvet.gate._foresee import strata_of
from ragvet.gate._resolve import chosen_strata, unknown_stratum
from ragvet.gate._subjects import GatedRun
from ragvet.numbers import above, below, share
from ragvet.runs import ALL, AMBIGUOUS, RetrievalConfig, membership
from ragvet.text import plural

__all__ = ["SUBJECT", "CasesTested"]


class CasesTested(Entry):
    """`subject = "tested"`: how many cases of a stratum must have been asked and answered."""

    subject: str = Field(pattern="^tested$", description="how many cases were asked and answered")
    stratum: Words = Field(description=STRATUM)

    @property
    def about(self) -> str:
        """Cases tested."""
        return "cases tested"


class CasesTestedSubject:
    """Cases that came back with an answer, all their repeats: a case whose target failed was not tested."""

    entry = CasesTested

    def faults(self, written: Mapping[str, Any]) -> Iterator[Problem]:  # noqa: ARG002 - the interface of a subject
        """None: any number of cases can be asked for."""
        return iter(())

    def foresee(self, placed: Sequence[Placed], dataset: Dataset, retrieval: RetrievalConfig) -> Iterator[Problem]:  # noqa: ARG002 - likewise
        """Strata in which there is no case."""
        strata = strata_of(dataset)
        for one in placed:
            if isinstance(one.entry, CasesTested) and not chosen_strata(one.entry.stratum, strata):
                yield unknown_stratum(one.name, one.entry.stratum, strata)

    def decide(self, placed: Sequence[Placed], run: GatedRun) -> list[RuleResult]:
        """Each entry in each of its strata."""
        places = membership(run.case_frame()).filter(pl.col("stratum") != AMBIGUOUS)
        failed = run.scores().filter((pl.col("status") == "failed") & (pl.col("reason") != "judge"))
        counts = places.join(failed.select("case_id", lost=True).unique(), on="case_id", how="left")
        by_stratum = counts.group_by("stratum").agg(cases=pl.len(), lost=pl.col("lost").count()).sort("stratum")
        found = {row["stratum"]: (row["cases"], row["lost"]) for row in by_stratum.iter_rows(named=True)}
        strata = [ALL, *(stratum for stratum in found if stratum != ALL)]
        return [
            _result(one, stratum, found.get(stratum))
            for one in placed
            if isinstance(one.entry, CasesTested)
            for stratum in chosen_strata(one.entry.stratum, strata) or (one.entry.stratum,)
        ]

    def doubts(self, placed: Sequence[Placed], run: GatedRun) -> Iterator[str]:  # noqa: ARG002 - the interface of a subject
        """None."""
        return iter(())


SUBJECT = CasesTestedSubject()


def _result(placed: Placed, stratum: str, counted: tuple[int, int] | None) -> RuleResult:
    entry = placed.entry
    cases, lost = counted or (0, 0)
    tested = cases - lost
    broken = below(tested, entry.min) or above(tested, entry.max)
    outcome: GateOutcome = "not measured" if not cases else "fail" if broken else "pass"
    reason = {
        "not measured": "there is no case in it",
        "fail": f"{entry.threshold} were agreed",
        "pass": "met",
    }[outcome]
    observed = plural(tested, "case") + (f", {share(lost, cases)} came back with no answer" if lost else "")
    return RuleResult(
        subject=entry.subject,
        metric=entry.about,
        critical=placed.table == "critical",
        number=placed.number,
        stratum=stratum,
        outcome=outcome,
        threshold=entry.threshold,
        observed=observed,
        reason=reason,
        min=entry.min,
        max=entry.max,
        low=float(tested),
        high=float(tested),
        agreed_by=entry.agreed_by,
        agreed_on=entry.agreed_on,
        why=entry.why,
        defaults=placed.defaults,
        definition=("How many cases of the stratum were asked and came back with an answer, in all their repeats.",),
        explanation=(
            f"{plural(cases, 'case')} in it, {lost} with a call that failed: {tested} tested.",
            f"So: {outcome}; {reason}.",
        ),
    )
