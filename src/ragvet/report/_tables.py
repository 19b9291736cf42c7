"""Small tables that every form of the report has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragvet.report._model import Report
from ragvet.report._wording import cell_note, gap, production_range, seconds, stage_cost, value

__all__ = ["SmallTable", "named", "small_tables", "spent"]

_MESSAGE = 200
"""Characters of a message; the HTML report has all of it."""


@dataclass(frozen=True, slots=True)
class SmallTable:
    """A table of plain words; columns whose heading starts with `#` hold numbers and stand to the right."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def small_tables(report: Report, *, ids: int, brief: bool = False) -> Iterator[SmallTable]:
    """Everything about a run that is no metric by stratum; tables without rows are left out.

    Args:
        report: where from.
        ids: case ids named per row; the others are counted.
        brief: leave out what a first look can do without: the depths of metrics akin to the first, production without
            a declaration of what is valid, and tables of time and money that hold one row of `spent`.
    """
    depths = _depths(report)
    if brief:
        del depths.rows[1:]
    declared = any(row.validated is not None for row in report.production)
    produced = [] if brief and not declared else [_production(report)]
    timed = [] if brief and len(report.latency) <= 1 else [_latency(report)]
    priced = [] if brief and not _reported(report) else [_usage(report)]
    for table in (depths, _behaviours(report), *produced, _failures(report, ids), *timed, *priced):
        if table.rows:
            yield table


def spent(report: Report) -> Iterator[str]:
    """Time and money in a line each, where a brief summary has no table of them."""
    if len(report.latency) == 1:
        (whole,) = report.latency
        p50, p95, p99 = map(seconds, (whole.p50, whole.p95, whole.p99))
        yield f"Latency: {p50} at the median, {p95} at p95, {p99} at p99 ({whole.stage}, n {whole.n:,})."
    if report.usage and not _reported(report):
        said = {row.spender: f"tokens and cost of the {row.spender} unknown" for row in report.usage}
        if "judge" in said and _judged_offline(report):
            said["judge"] = "judged offline, no cost"
        yield f"Spent: {'; '.join(said.values())}."


def _judged_offline(report: Report) -> bool:
    """Whether rules alone judged: nothing is asked for, so nothing is spent."""
    return bool(report.run.judges) and all(judge.startswith("offline-") for judge in report.run.judges)


def _reported(report: Report) -> bool:
    """Whether anybody said what was spent."""
    return any((row.cost, row.input_tokens, row.output_tokens) != (None, None, None) for row in report.usage)


def named(case_ids: Sequence[str], limit: int) -> str:
    """The first ids, and how many more there are."""
    more = f", and {len(case_ids) - limit} more" if len(case_ids) > limit else ""
    return ", ".join(case_ids[:limit]) + more


def _depths(report: Report) -> SmallTable:
    return SmallTable(
        "Two depths",
        ("metric", f"#supplied {report.run.supplied_k}", f"#deep {report.run.deep_k}", "#a reranker can win"),
        [(d.metric, value(d.supplied), value(d.deep), gap(d)) for d in report.depths if d.stratum == "all"],
    )


def _behaviours(report: Report) -> SmallTable:
    return SmallTable(
        "Expected and observed behaviour",
        ("expected", "observed", "#items", "gold evidence before the model"),
        [(cell.expected, cell.observed, str(cell.items), cell_note(cell)) for cell in report.behaviours],
    )


def _production(report: Report) -> SmallTable:
    counts = ("produced", "validated", "unanswered")
    return SmallTable(
        "Tested, produced, validated",
        ("expected", "#tested", *(f"#{count}" for count in counts)),
        [
            (row.family, f"{row.tested:,}", *(production_range(row, count) for count in counts))
            for row in report.production
        ],
    )


def _failures(report: Report, ids: int) -> SmallTable:
    return SmallTable(
        "Failures by cause",
        ("stage", "cause", "#items", "cases", "message"),
        [
            (row.stage, row.cause, f"{row.items:,}", named(row.case_ids, ids), _short(row.said or "not shown"))
            for row in report.failures
        ],
    )


def _short(message: str) -> str:
    """The start of a message in one line: what went wrong is said there."""
    words = " ".join(message.split())
    return words if len(words) <= _MESSAGE else f"{words[: _MESSAGE - 1]}…"


def _latency(report: Report) -> SmallTable:
    return SmallTable(
        "Latency",
        ("stage", "#p50", "#p95", "#p99", "#longest", "#n"),
        [(row.stage, *map(seconds, (row.p50, row.p95, row.p99, row.maximum)), f"{row.n:,}") for row in report.latency],
    )


def _usage(report: Report) -> SmallTable:
    def tokens(count: int | None) -> str:
        return "unknown" if count is None else f"{count:,}"

    return SmallTable(
        "Tokens and cost",
        ("spent by", "stage", "#tokens in", "#tokens out", "#cost"),
        [
            (row.spender, "offline", "none", "none", "none")
            if row.spender == "judge" and row.cost is None and _judged_offline(report)
            else (row.spender, row.stage, tokens(row.input_tokens), tokens(row.output_tokens), stage_cost(row))
            for row in report.usage
        ],
    )
