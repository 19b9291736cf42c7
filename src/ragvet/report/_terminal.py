"""The report on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragvet.gate import print_decision
from ragvet.records import Summary
from ragvet.report._families import headlines
from ragvet.report._model import MetricReport, Report
from ragvet.report._tables import named, small_tables, spent
from ragvet.report._wording import counts, value, with_failed
from ragvet.text import plain, plural

__all__ = ["print_summary"]

_FEW = 12
"""Up to so many metrics of one half are all shown, with three strata each; of more, the headlines with two."""
_IDS = 3
_OTHER = "other"
"""A case of no split, where another one was asked for."""
_BAR = 16
_WIDE, _WIDEST = 100, 120
_COUNTS = ("eligible", "scored", "bounded", "undefined", "failed")


def print_summary(report: Report, console: Console, *, every_metric: bool = False, page: Path | None = None) -> None:
    """Prints the report's tables for people, the worst strata first. Fits 80 columns; uses up to 120.

    Args:
        report: what to print.
        console: where to; it knows width and colour.
        every_metric: all metrics, not only those a reader looks at first.
        page: where the HTML page of the run lies, if it does: cases are looked at there.
    """
    console.print(_head(report), highlight=False)
    if report.gate is not None:
        print_decision(report.gate, console)
    console.print(
        Group(*_sections(report, every_metric=every_metric, wide=console.width >= _WIDE), *_look_first(report, page)),
        width=min(console.width, _WIDEST),
        highlight=False,
    )


def _sections(report: Report, *, every_metric: bool, wide: bool) -> Iterator[RenderableType]:
    shown: list[MetricReport] = []
    hidden = lost = 0
    for title, metrics in (("Retrieval", report.retrieval), ("Answers", report.answers)):
        measured = [metric for metric in metrics if metric.overall.low is not None]
        chosen = measured if every_metric or len(measured) <= _FEW else headlines(measured, room=False)
        if chosen:
            yield _section(title, _metrics(chosen, strata=3 if len(chosen) <= _FEW / 2 else 2, wide=wide))
        failed = sum(metric.measured for metric in metrics) - len(measured)
        shown += chosen
        lost += failed
        hidden += len(metrics) - len(chosen) - failed
    if lost:
        yield Text(f"\n{plural(lost, 'metric')} without any value: every case it could have is failed or undefined.")
    reasons = list(_undefined(shown))
    if reasons:
        yield _section("Undefined, by reason", _table(("", ""), reasons))
    for table in small_tables(report, ids=_IDS, brief=not every_metric):
        yield _section(table.title, _table(table.columns, table.rows))
    if not every_metric:
        yield Group("", *map(Text, spent(report)))
    elif shown:
        yield _section("What these numbers do not catch", _table(("", ""), _blind(shown)))
    if report.ambiguous:
        names = named([case.case_id for case in report.ambiguous], 12)
        yield _section(
            "Ambiguous, outside pass and fail",
            Text(plain(f"{len(report.ambiguous)}: {names}; the HTML page has their scores")),
        )
    if not every_metric and shown:
        more = f", and {plural(hidden, 'metric')} more" if hidden else ""
        yield Text(f"What these do not catch{more}: `ragvet report --every-metric`.", style="dim")


def _look_first(report: Report, page: Path | None) -> Iterator[RenderableType]:
    """The worst cases, and where the first of them can be read."""
    if not report.look_first:
        return
    yield _section(
        "Cases to look at first", _table(("", ""), [(case.case_id, case.said) for case in report.look_first])
    )
    more = report.amiss - len(report.look_first)
    if more:
        yield Text(f" and {plural(more, 'more case', 'more cases')} with something wrong", style="dim")
    made = "" if page else f" (made by `ragvet report {report.run.run_id} --html report.html`)"
    address = f"{page or 'report.html'}#case-{quote(report.look_first[0].case_id, safe='')}"
    yield Text(plain(f" Open the first{made}:"))
    yield Text(plain(address), overflow="fold")  # from the margin on: a line that can be copied whole


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
    parts += [f"{plural(cases, f'{split or _OTHER} case')} not asked" for split, cases in run.left_out.items()]
    if run.unmarked:
        parts.append(f"{run.unmarked} of {plural(run.cases, 'case')} without marked evidence")
    if run.stale_annotations:
        parts.append(plural(run.stale_annotations, "stale annotation"))
    if run.unplaced_chunks:
        parts.append(f"{plural(run.unplaced_chunks, 'chunk')} of gold documents could not be placed: no text or range")
    judges = ", ".join(run.judges) or "no judge"
    return Group(
        Text.assemble(("ragvet ", "bold"), (run.run_id, "bold")),
        Text(plain(f"{run.dataset} → {run.target}, judged by {judges}"), style="dim"),
        Text(" · ".join(parts)),
    )


def _metrics(metrics: Sequence[MetricReport], *, strata: int, wide: bool) -> Table:
    label = next((label for metric in metrics for label in metric.strata), None)
    columns = [plain(f"worst by {label}") if label else "", "#mean"]
    if wide:
        columns += ["", "#if failed counted"]
    columns += [f"#{name}" for name in _COUNTS] if wide else ["cases"]
    table = _empty_table(columns)
    table.columns[0].min_width = max(len(metric.declaration.name) for metric in metrics)  # no name is broken
    for metric in metrics:
        table.add_row(*_row(metric, metric.overall, Text(metric.declaration.name, style="bold"), wide=wide))
        label, summaries = next(iter(metric.strata.items()), ("", ()))
        # one with nothing to measure, and one that only repeats the total, say nothing here
        measured = (summary for summary in summaries if summary.low is not None or summary.failed)
        telling = [summary for summary in measured if value(summary) != value(metric.overall)]
        for summary in telling[:strata]:
            stratum = Text(f"  {plain(summary.stratum.removeprefix(label + '='))}")
            table.add_row(*_row(metric, summary, stratum, wide=wide), style="dim")
    return table


def _row(metric: MetricReport, summary: Summary, name: Text, *, wide: bool) -> list[RenderableType]:
    cells: list[RenderableType] = [name, value(summary)]
    if not wide:
        return [*cells, counts(summary)]
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


def _undefined(metrics: Sequence[MetricReport]) -> Iterator[tuple[str, str]]:
    """Reason, and the metrics it made undefined with their cases; metrics hit alike are gathered."""
    reasons: dict[tuple[str, int], list[str]] = {}
    for metric in metrics:
        for reason, count in metric.overall.undefined.items():
            reasons.setdefault((reason, count), []).append(metric.declaration.name)
    for (reason, count), names in reasons.items():
        yield f"{reason}: {plural(count, 'case')}", named(names, 4)


def _blind(metrics: Sequence[MetricReport]) -> list[tuple[str, str]]:
    blind: dict[str, list[str]] = {}
    for metric in metrics:
        blind.setdefault(metric.declaration.does_not_catch, []).append(metric.declaration.name)
    return [(", ".join(names), failure) for failure, names in blind.items()]


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = _empty_table(columns)
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))  # Text: what users wrote is never read as markup
    return table


def _empty_table(columns: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=any(columns), header_style="dim", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name.removeprefix("#"), justify="right" if name.startswith("#") else "left", overflow="fold")
    return table
