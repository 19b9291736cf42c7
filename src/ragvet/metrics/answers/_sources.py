"""Sources: those that disagree, and those that are no longer in force."""

from __future__ import annotations

from ragvet.metrics.answers._batch import Batch, CitationRow, places
from ragvet.metrics.answers._citations import EXISTING_UNDEFINED_WHEN, existing, not_checked
from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._outcomes import Missing, Outcomes, either, flag, share_of
from ragvet.records import Fault, MetricDeclaration
from ragvet.records.facts import Facts

__all__ = ["METRICS"]


def _surfaced(batch: Batch) -> Outcomes:
    rows = batch.judged.conflicts
    escalated = Facts.of(None if seen is None else seen == "routed" for seen in batch.observed)  # a person decides
    answers = places(rows)
    return share_of(
        Facts.of(row.surfaced for row in rows) | escalated[answers],
        answers,
        missing=either(_no_conflict(batch), _kept_silent(batch)),
        empty="no conflict between the sources was seen",
        unknown="whether some conflicts were surfaced or escalated is undecided",
    )


def _no_conflict(batch: Batch) -> Missing:
    looked = {head.answer for head in batch.judged.heads if head.conflicts_judged}
    some = {row.answer for row in batch.judged.conflicts}
    return [
        None if place in some
        else "no conflict between the sources was seen" if place in looked
        else "conflicts between sources were not looked for"
        for place in range(len(batch))
    ]  # fmt: skip


def _kept_silent(batch: Batch) -> Missing:
    """Why there is no answer that could tell of a conflict; handing over tells a person of all of them."""
    return [None if seen == "routed" else why for seen, why in zip(batch.observed, batch.no_answer, strict=True)]


def _stale(batch: Batch) -> Outcomes:
    def check(row: CitationRow) -> bool | None:
        return row.right_version

    rows = existing(batch, check)
    stale = (~Facts.of(map(check, rows))).any_of(places(rows), len(batch))
    missing = not_checked(batch, rows, check, "no citation's version could be checked")
    return flag(stale, missing=missing, unknown="the versions of some citations could not be checked")


CONFLICT_SURFACED = AnswerMetric(
    MetricDeclaration(
        name="conflict_surfaced",
        version=1,
        title="The share of conflicts between sources that the answer tells its reader about.",
        family="Use of context and sources",
        direction="higher",
        applies_to="every case",
        needs="a judge that looks for conflicts between the supplied passages",
        undefined_when="conflicts were not looked for or none was seen; the answer is blank, refuses or asks back",
        does_not_catch="Conflicts the judge did not see; a conflict with a source that was not supplied.",
        formula="surfaced conflicts / conflicts; a case that was routed escalated all of them",
        reference="ragvet",
    ),
    measure=_surfaced,
    applies=every_case,
)


STALE_SOURCE = AnswerMetric(
    MetricDeclaration(
        name="stale_source",
        version=3,
        title="Whether the answer cites a document version not in force on the effective date.",
        family="Use of context and sources",
        headline=17,
        stage="in force",
        fault=Fault(says="cites a source that is not in force", gravity=25, above=0),
        direction="lower",
        applies_to="every case",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="Stale passages used without being cited; a register that is itself out of date.",
        formula="1 if a citation points at an archived, superseded or not yet valid version, else 0",
        reference="ragvet",
    ),
    measure=_stale,
    applies=every_case,
)


METRICS = (
    CONFLICT_SURFACED,
    STALE_SOURCE,
)
