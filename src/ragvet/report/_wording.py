"""How numbers and counts read, the same in every form of the report."""

from __future__ import annotations

from ragvet.numbers import interval, money, number, seconds
from ragvet.records import Summary
from ragvet.report._model import BehaviourCell, Depths, Production, StageUsage
from ragvet.runs import UNDEFINED, counts, value

__all__ = [
    "brief",
    "cell_note",
    "counts",
    "gap",
    "interval",
    "money",
    "number",
    "production_range",
    "seconds",
    "stage_cost",
    "value",
    "with_failed",
]


def gap(depths: Depths) -> str:
    """What a better order could win, as +0.377, or the range it must lie in."""
    if depths.gap_low is None or depths.gap_high is None:
        return UNDEFINED
    return f"+{interval(depths.gap_low, depths.gap_high)}"


def stage_cost(usage: StageUsage) -> str:
    """The sum over the items that told their price, or that it is not known."""
    if usage.cost is None:
        return "unknown"
    known = money(usage.cost)
    return known if usage.priced == usage.items else f"{known} for {usage.priced} of {usage.items}; rest unknown"


def cell_note(cell: BehaviourCell) -> str:
    """What retrieval had brought in the items of one cell of the behaviour matrix."""
    parts = [
        f"{cell.with_evidence} with evidence" if cell.with_evidence else "",
        f"{cell.without_evidence} without" if cell.without_evidence else "",
        f"{cell.no_gold} had none to find" if cell.no_gold else "",
        f"{cell.not_reported} not known" if cell.not_reported else "",
        f"{cell.nothing_shown} with nothing before the model" if cell.nothing_shown else "",
        f"{cell.judge_failed} answered and not judged" if cell.judge_failed else "",
    ]
    return ", ".join(part for part in parts if part)


def brief(summary: Summary) -> str:
    """The counts where there is no room: 15/18 · b2 u1 f3."""
    rest = (("b", summary.bounded), ("u", sum(summary.undefined.values())), ("f", summary.failed))
    letters = " ".join(f"{letter}{count}" for letter, count in rest if count)
    return f"{summary.scored}/{summary.eligible}" + (f" · {letters}" if letters else "")


def production_range(row: Production, what: str) -> str:
    """One count of a row, or both ends where it hangs on the undecided: 31, 31–33."""  # noqa: RUF002 - as printed
    if what == "unanswered":
        return _whole(row.tested - row.produced - row.produced_undecided, row.tested - row.produced)
    if what == "produced":
        return _whole(row.produced, row.produced + row.produced_undecided)
    if row.validated is None:
        return "not declared" if row.family == "answer" else "none expected"
    return _whole(row.validated, row.validated + row.validated_undecided)


def _whole(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"  # noqa: RUF001 - an en dash joins the ends of a range


def with_failed(summary: Summary) -> str:
    """Between which ends the mean could lie had the failed items been measured; empty where nothing failed."""
    if not summary.failed or (summary.failed_low is None and summary.failed_high is None):
        return ""
    if summary.failed_low is None or summary.failed_high is None:
        known = summary.failed_high if summary.failed_low is None else summary.failed_low
        return f"{'at most' if summary.failed_low is None else 'at least'} {number(known or 0.0)}"
    return interval(summary.failed_low, summary.failed_high)
