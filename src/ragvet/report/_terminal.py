from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragvet.gate import print_decision
from ragvet.records import Summary
from ragvet.report._model import MetricReport, Report
from ragvet.report._wording import (
    cell_note,
    gap,
    plural,
    production_range,
    seconds,
    stage_cost,
    value,
    with_failed,
)

__all__ = ["print_summary"]

_WORST = 3
"""Strata shown per metric, one where there are many metrics; the others are counted, and stand in the HTML report."""
_MANY = 12
_BAR = 16
_WIDE = 100


def print_summary(report: Report, console: Console) -> None:
    """Prints the report's tables for people, the worst strata first. Fits 80 columns; uses up to 120."""
    console.print(_head(report), highlight=False)
    if report.gate is not None:
        print_decision(report.gate, console)
    parts: list[RenderableType] = []
    wide = console.width >= _WIDE
    for title, metrics in (("Retrieval", report.retrieval), ("Answers", report.answers)):
        if metrics:
            parts.append(_section(title, _metrics(metrics, wide=wide)))
    parts.extend(
        _section(title, table)
        for title, table in (
            (f"Two depths: {report.run.supplied_k} supplied, {report.run.deep_k} deep", _depths(report)),
            ("Expected and observed behaviour", _behaviours(report)),
            ("Tested, produced, validated", _production(report)),
            ("Failures by cause", _failures(report)),
            ("Latency", _latency(report)),
            ("Tokens and cost", _usage(report)),
            ("Undefined, by reason", _undefined((*report.retrieval, *report.answers))),
            ("What these numbers do not catch", _blind((*report.retrieval, *report.answers))),
        )
        if table.row_count
    )
    if report.ambiguous:
        names = ", ".join(case.case_id for case in report.ambiguous)
        parts.append(_section("Ambiguous, outside pass and fail", Text(f"{len(report.ambiguous)}: {names}")))
    console.print(Group(*parts), width=min(console.width, 120), highlight=False)


def _section(title: str, body: RenderableType) -> RenderableType:
    return Group(Text(f"\n{title}", style="bold"), Padding(body, (0, 0, 0, 1)))


def _head(report: Report) -> RenderableType:
    run = report.run
    parts = [
        plural(run.cases, "case"),
        f"{run.answered} of {plural(run.items, 'item')} answered",
        plural(run.target_failures, "target failure"),
        plural(run.judge_failures, "judge failure"),
    ]
    if report.ambiguous:
        parts.append(f"{len(report.ambiguous)} ambiguous")
    if run.stale_annotations:
        parts.append(plural(run.stale_annotations, "stale annotation"))
    judges = ", ".join(run.judges) or "no judge"
    return Group(
        Text.assemble(("ragvet ", "bold"), (run.run_id, "bold")),
        Text(f"{run.dataset} → {run.target}, judged by {judges}", style="dim"),
        Text(" · ".join(parts)),
    )


def _metrics(metrics: Sequence[MetricReport], *, wide: bool) -> Table:
    label = next((label for metric in metrics for label in metric.strata), None)
    columns = [(f"worst by {label}" if label else "", "left"), ("mean", "right")]
    if wide:
        columns += [("", "left"), ("if failed counted", "right")]
    columns += [(name, "right") for name in ("eligible", "scored", "bounded", "undefined", "failed")]
    table = _plain_table(*columns)
    measured = [metric for metric in metrics if metric.measured]
    worst = _WORST if len(measured) <= _MANY else 1
    for metric in measured:
        table.add_row(*_row(metric, metric.overall, Text(metric.declaration.name, style="bold"), wide=wide))
        label, strata = next(iter(metric.strata.items()), ("", ()))
        for summary in strata[:worst]:
            stratum = Text(f"  {summary.stratum.removeprefix(label + '=')}")
            table.add_row(*_row(metric, summary, stratum, wide=wide), style="dim")
        if len(strata) > worst > 1:
            table.add_row(Text(f"  … {len(strata) - worst} more", style="dim"))
    return table


def _row(metric: MetricReport, summary: Summary, name: Text, *, wide: bool) -> list[RenderableType]:
    cells: list[RenderableType] = [name, value(summary)]
    if wide:
        cells += [_bar(metric, summary), with_failed(summary)]
    numbers = (summary.eligible, summary.scored, summary.bounded, sum(summary.undefined.values()), summary.failed)
    return [*cells, *(str(count) for count in numbers)]


def _bar(metric: MetricReport, summary: Summary) -> str:
    least, most = metric.declaration.low, metric.declaration.high
    if least is None or most is None or summary.low is None or summary.high is None:
        return ""
    first = round((summary.low - least) / (most - least) * _BAR)
    last = round((summary.high - least) / (most - least) * _BAR)
    return "█" * first + "▒" * (last - first) + "·" * (_BAR - last)


def _depths(report: Report) -> Table:
    table = _plain_table(("", "left"), ("supplied", "right"), ("deep", "right"), ("a reranker can win", "right"))
    for pair in report.depths:
        if pair.stratum == "all":
            table.add_row(pair.metric, value(pair.supplied), value(pair.deep), gap(pair))
    return table


def _behaviours(report: Report) -> Table:
    table = _plain_table(
        ("expected", "left"), ("observed", "left"), ("items", "right"), ("gold evidence retrieved", "left")
    )
    for cell in report.behaviours:
        table.add_row(cell.expected, cell.observed, str(cell.items), cell_note(cell))
    return table


def _production(report: Report) -> Table:
    table = _plain_table(
        ("expected", "left"), *((name, "right") for name in ("tested", "produced", "validated", "unanswered"))
    )
    for row in report.production:
        validated = production_range(row, "validated")
        table.add_row(
            row.family,
            str(row.tested),
            production_range(row, "produced"),
            validated,
            production_range(row, "unanswered"),
        )
    return table


def _failures(report: Report) -> Table:
    table = _plain_table(("stage", "left"), ("cause", "left"), ("items", "right"), ("cases", "left"))
    for failure in report.failures:
        shown = ", ".join(failure.case_ids[:3]) + (", …" if len(failure.case_ids) > 3 else "")  # noqa: PLR2004 - three fit a line
        table.add_row(failure.stage, failure.cause, str(failure.items), shown)
    return table


def _latency(report: Report) -> Table:
    table = _plain_table(("stage", "left"), *((name, "right") for name in ("p50", "p95", "p99", "max", "n")))
    for row in report.latency:
        table.add_row(row.stage, *(seconds(amount) for amount in (row.p50, row.p95, row.p99, row.maximum)), str(row.n))
    return table


def _usage(report: Report) -> Table:
    table = _plain_table(
        ("spent by", "left"), ("stage", "left"), ("tokens in", "right"), ("tokens out", "right"), ("cost", "right")
    )
    for row in report.usage:
        tokens = ("unknown" if count is None else f"{count:,}" for count in (row.input_tokens, row.output_tokens))
        table.add_row(row.spender, row.stage, *tokens, stage_cost(row))
    return table


def _undefined(metrics: Iterable[MetricReport]) -> Table:
    reasons: dict[str, list[str]] = {}
    for metric in metrics:
        for reason, count in metric.overall.undefined.items():
            reasons.setdefault(reason, []).append(f"{metric.declaration.name} {count}")
    table = _plain_table(("", "left"), ("", "left"), header=False)
    for reason, names in reasons.items():
        table.add_row(reason, ", ".join(names))
    return table


def _blind(metrics: Iterable[MetricReport]) -> Table:
    table = _plain_table(("", "left"), ("", "left"), header=False)
    blind: dict[str, list[str]] = {}
    for metric in metrics:
        blind.setdefault(metric.declaration.does_not_catch, []).append(metric.declaration.name)
    for failure, names in blind.items():
        table.add_row(", ".join(names), failure)
    return table


def _plain_table(*columns: tuple[str, str], header: bool = True) -> Table:
    table = Table(box=None, pad_edge=False, show_header=header, header_style="dim", padding=(0, 2, 0, 0))
    for name, justify in columns:
        table.add_column(name, justify="right" if justify == "right" else "left", overflow="fold")
    return table
