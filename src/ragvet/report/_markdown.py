"""The report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ragvet.gate import Decision
from ragvet.report._families import headlines
from ragvet.report._model import MetricReport, Report
from ragvet.report._tables import named, small_tables
from ragvet.report._wording import value
from ragvet.text import plain, plural

__all__ = ["to_markdown"]

_OUTCOME = {"pass": "✅ pass", "fail": "❌ fail", "undecided": "❔ undecided", "not measured": "❔ not measured"}
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")
_MENTION = re.compile(r"(?<!\w)@")
_IDS = 12
_STRATA_TITLE = "strata"
_HEADLINES = 6
"""Metrics of one half whose strata are listed."""
_NOTE = 600
"""Bytes kept for the line that says what was left out."""
_STRATA = 40
"""Rows of a table inside a details block; a pull request is no place for more."""
LIMIT = 60_000
"""Bytes; code hosts cut a comment at 65,536 characters."""


def to_markdown(report: Report, *, limit: int = LIMIT) -> str:
    """The report for a pull request: the worst first, strata folded away, at most `limit` bytes of UTF-8.

    What does not fit is left out whole section by whole section, and the last line says which.
    """
    text, left_out = "", list[str]()
    for title, body in _sections(report):
        if len((text + body).encode()) > limit - _NOTE:
            left_out.append(title)
        else:
            text += body
    if left_out:
        text += f"\n> Left out to stay below {limit:,} bytes: {_named(left_out)}. The HTML report has it all.\n"
    return text


def _named(titles: Sequence[str]) -> str:
    strata = titles.count(_STRATA_TITLE)
    return ", ".join(
        [title for title in titles if title != _STRATA_TITLE]
        + ([f"the strata of {plural(strata, 'metric')}"] if strata else [])
    )


def _sections(report: Report) -> Iterable[tuple[str, str]]:
    yield "head", _head(report)
    if report.gate is not None:
        yield "gate", _gate(report.gate)
    if report.look_first:
        yield "cases to look at first", _look_first(report)
    for title, metrics in (("Retrieval", report.retrieval), ("Answers", report.answers)):
        if metrics:
            yield title.lower(), f"\n### {title}\n\n" + _overall(metrics)
    for table in small_tables(report, ids=_IDS):
        header = [column.removeprefix("#") for column in table.columns]
        rows = [[_escape(cell) for cell in row] for row in table.rows]
        yield table.title.lower(), f"\n### {table.title}\n\n" + _table(header, rows)
    if report.ambiguous:
        ids = _ids([case.case_id for case in report.ambiguous])
        yield "ambiguous", f"\n**Ambiguous, outside pass and fail:** {len(report.ambiguous)} ({ids})\n"
    stratified = [
        [metric for metric in half if metric.strata and metric.measured] for half in (report.retrieval, report.answers)
    ]
    chosen = [metric for half in stratified for metric in headlines(half)[:_HEADLINES]]
    for metric in chosen:
        yield _STRATA_TITLE, _strata(metric)
    others = sum(map(len, stratified)) - len(chosen)
    if others:
        yield "a note on strata", f"\nThe strata of {plural(others, 'other metric')} are in the HTML report.\n"
    idle = [metric for metric in (*report.retrieval, *report.answers) if not metric.measured]
    if idle:
        rows = [(_escape(metric.declaration.name), str(metric.overall.eligible), _reasons(metric)) for metric in idle]
        body = _table(("metric", "eligible", "undefined"), rows)
        yield "metrics with nothing to measure", _folded("Metrics with nothing to measure in this run", body)
    yield "what was run", _facts(report)


def _head(report: Report) -> str:
    run = report.run
    verdict = f": {_OUTCOME[report.gate.outcome]}" if report.gate else ""
    failures = [plural(run.target_failures, "target failure"), plural(run.judge_failures, "judge failure")]
    return (
        f"## ragvet{verdict}\n\n{plural(run.cases, 'case')} of {_escape(run.dataset)} against {_escape(run.target)}: "
        f"{run.answered} of {plural(run.items, 'item')} answered, {', '.join(failures)}, "
        f"{len(report.ambiguous)} ambiguous.\n"
    )


def _gate(gate: Decision) -> str:
    rows = [
        (
            _OUTCOME[rule.outcome],
            f"{_escape(rule.metric)} {_escape(rule.threshold)}{' (critical)' if rule.critical else ''}",
            _escape(rule.stratum),
            _escape(rule.observed),
            _escape(rule.reason) + (f" {_ids(rule.case_ids)}" if rule.case_ids else ""),
        )
        for rule in gate.rules
        if rule.outcome != "pass"
    ]
    text = f"\n{_escape(gate.policy)}: {gate.tally}.\n"
    text += "".join(f"\n> **Warning:** {_escape(warning)}\n" for warning in gate.warnings)
    return text + ("\n" + _table(("", "rule", "stratum", "observed", "why, which cases"), rows) if rows else "")


def _look_first(report: Report) -> str:
    rows = [(_escape(case.case_id), _escape(case.said)) for case in report.look_first]
    more = report.amiss - len(rows)
    note = f"\nAnd {plural(more, 'more case', 'more cases')} with something wrong.\n" if more else ""
    return f"\n### Cases to look at first\n\n{_table(('case', 'what is wrong'), rows)}{note}"


def _overall(metrics: Sequence[MetricReport]) -> str:
    rows = [
        (
            _escape(metric.declaration.name),
            value(metric.overall),
            *_counted(metric.overall.eligible, metric.overall.scored, metric.overall.bounded),
            _reasons(metric),
            str(metric.overall.failed),
            _worst(metric),
            _escape(metric.declaration.does_not_catch),
        )
        for metric in metrics
        if metric.measured
    ]
    return _table(
        ("metric", "mean", "eligible", "scored", "bounded", "undefined", "failed", "worst stratum", "does not catch"),
        rows,
    )


def _strata(metric: MetricReport) -> str:
    rows = [
        (
            _escape(summary.stratum),
            value(summary),
            *_counted(summary.eligible, summary.scored, summary.bounded),
            *_counted(sum(summary.undefined.values()), summary.failed),
        )
        for summaries in metric.strata.values()
        for summary in summaries
    ]
    more = f"\n{len(rows) - _STRATA} more strata are in the HTML report.\n" if len(rows) > _STRATA else ""
    header = ("stratum", "mean", "eligible", "scored", "bounded", "undefined", "failed")
    body = _table(header, rows[:_STRATA])
    return _folded(f"{_escape(metric.declaration.name)} by stratum, worst first", body + more)


def _facts(report: Report) -> str:
    run = report.run
    facts = {
        "run": run.run_id,
        "started": run.started_at.isoformat(),
        "dataset": run.dataset_fingerprint,
        "judgments": run.judgments or "not declared",
        "corpus": run.corpus_fingerprint or "not given",
        "target": run.target_fingerprint,
        "judges": ", ".join(run.judges) or "none",
        "config": run.config_fingerprint,
        "seed": str(run.seed),
        "code": run.code or "unknown",
        **run.versions,
        **{part: ", ".join(versions) for part, versions in run.system_versions.items()},
    }
    rows = [(_escape(key), _escape(fact)) for key, fact in facts.items()]
    return _folded("What was run", _table(("", ""), rows))


def _folded(title: str, body: str) -> str:
    return f"\n<details><summary>{title}</summary>\n\n{body}\n</details>\n"


def _worst(metric: MetricReport) -> str:
    first = next((rows[0] for rows in metric.strata.values() if rows), None)
    return "" if first is None or first.low is None else f"{_escape(first.stratum)}: {value(first)}"


def _reasons(metric: MetricReport) -> str:
    return "; ".join(f"{count} {_escape(reason)}" for reason, count in metric.overall.undefined.items()) or "0"


def _counted(*numbers: int) -> tuple[str, ...]:
    return tuple(str(number) for number in numbers)


def _ids(case_ids: Sequence[str]) -> str:
    return _escape(named(case_ids, _IDS))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def _escape(text: str) -> str:
    """Text that shows as itself: no markup, no HTML, no mention of a person, no line break out of a table."""
    shown = _MARKUP.sub(r"\\\1", plain(" ".join(text.split()))).replace("\\<", "&lt;").replace("\\>", "&gt;")
    return _MENTION.sub("&#64;", shown)
