from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pydantic_core import to_json

from ragvet.records import Behaviour, MetricDeclaration, Summary
from ragvet.report import _wording as wording
from ragvet.report._blocks import pack
from ragvet.report._build import worst_first
from ragvet.report._charts import depth_chart, latency_chart
from ragvet.report._families import by_family
from ragvet.report._model import BehaviourCell, Depths, MetricReport, Report, RunFacts
from ragvet.report._pages import CasePages

__all__ = ["to_html"]

_STYLES = ("report.css", "cases.css")
_SCRIPTS = ("elements.js", "blocks.js", "spans.js", "list.js", "case.js", "main.js")
_STRATA = 60
"""Strata of one label listed under a metric; a label with more values is no stratum but an id."""
_COLUMNS = 6
"""Metrics side by side in the table of strata."""
_SIGN = {"pass": "✓", "fail": "✗", "undecided": "?"}
_RIGHT: Mapping[Behaviour, str] = {"answer": "answered", "refuse": "refused", "clarify": "clarified", "route": "routed"}
_HALVES = (
    (
        "retrieval",
        "Retrieval",
        "Did the evidence reach the model? Counted from rankings and judgments alone; no judge is asked.",
    ),
    (
        "answers",
        "Answers",
        "What was said with the evidence in hand. Counted from verdicts, each with its quote on the case page.",
    ),
)


def to_html(report: Report, pages: CasePages) -> str:
    """The report as one self-contained page: it loads nothing, and no text in it can run.

    Args:
        report: what is said of the run as a whole.
        pages: the cases, all items added and `finish` called.
    """
    style, script = _assets(_STYLES), _script(pages)
    context = {
        "report": report,
        "content": pages.content,
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'",
        "halves": [
            _half(half, metrics)
            for half, metrics in zip(_HALVES, (report.retrieval, report.answers), strict=True)
            if metrics
        ],
        "facts": list(_facts(report.run)),
        "behaviour": _behaviour(report.behaviours),
        "findings": list(_findings(report)),
        "shown_depths": _shown_depths(report),
        "charts": _charts(report),
        "definitions": [metric.declaration for metric in (*report.retrieval, *report.answers)],
        "index": pack(to_json(pages.index.columns())),
        "details": pages.details,
        "texts": pages.texts,
    }
    context["contents"] = list(_contents(report))
    return _environment().get_template("report.html.j2").render(context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ragvet.report", "_page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        {
            name: getattr(wording, name)
            for name in (
                "brief",
                "cell_note",
                "counts",
                "gap",
                "interval",
                "plural",
                "production_range",
                "seconds",
                "stage_cost",
                "value",
            )
        },
        anchor=lambda metric: f"metric-{quote(metric, safe='')}",
        case_link=lambda case_id: f"#case-{quote(case_id, safe='')}",
        cases_link=_cases_link,
        outcome_sign=_SIGN,
        position=_position,
        strata_limit=_STRATA,
    )
    return environment


def _cases_link(**filters: str) -> str:
    return "#cases?" + urlencode({name: value for name, value in filters.items() if value != "all"}, quote_via=quote)


def _position(declaration: MetricDeclaration, amount: float) -> float:
    """Where an amount stands on the metric's own scale, 0 to 100."""
    low, high = declaration.low or 0.0, declaration.high or 1.0
    return round(min(100.0, max(0.0, 100 * (amount - low) / (high - low))), 2)


@cache
def _assets(names: tuple[str, ...]) -> str:
    folder = files("ragvet.report") / "_page"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _script(pages: CasePages) -> str:
    starts = to_json({"details": pages.details.starts, "texts": pages.texts.starts}).decode()
    return f'"use strict";\n(() => {{\nconst STARTS = {starts};\nconst CONTENT = {str(pages.content).lower()};\n{_assets(_SCRIPTS)}}})();\n'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _half(half: tuple[str, str, str], metrics: Sequence[MetricReport]) -> dict[str, Any]:
    identifier, title, lead = half
    idle = [metric for metric in metrics if metric.overall.low is None and not metric.overall.failed]
    measured = [metric for metric in metrics if metric not in idle]
    families = by_family(identifier, measured)
    leading = _COLUMNS if len(families) == 1 else 1
    shown = [
        metric
        for _, group in families
        for metric in [metric for metric in group if metric.declaration.direction != "none"][:leading]
    ][:_COLUMNS]
    labels = list(dict.fromkeys(label for metric in shown for label in metric.strata))
    return {
        "id": identifier,
        "title": title,
        "lead": lead,
        "idle": idle,
        "families": [{"title": title, "metrics": group} for title, group in families],
        "matrices": {label: _matrix(label, shown) for label in labels},
    }


def _matrix(label: str, metrics: Sequence[MetricReport]) -> dict[str, Any]:
    by_metric = [{row.stratum: row for row in metric.strata.get(label, ())} for metric in metrics]
    known = list(dict.fromkeys(stratum for rows in by_metric for stratum in rows))
    ranked = [row.stratum for row in worst_first(by_metric[0].values(), metrics[0].declaration.direction)]
    names = [*ranked, *(stratum for stratum in known if stratum not in by_metric[0])][:_STRATA]

    def row(stratum: str, summaries: Iterable[Summary | None]) -> dict[str, Any]:
        cells = [
            {"metric": metric.declaration, "summary": summary, "worst": _worst(metric, summary)}
            for metric, summary in zip(metrics, summaries, strict=True)
        ]
        return {"stratum": stratum, "name": stratum.removeprefix(f"{label}=") or "(empty)", "cells": cells}

    return {
        "metrics": [metric.declaration for metric in metrics],
        "rows": [
            row("all", [metric.overall for metric in metrics]),
            *(row(stratum, [rows.get(stratum) for rows in by_metric]) for stratum in names),
        ],
    }


def _worst(metric: MetricReport, summary: Summary | None) -> str:
    worst = None if summary is None else summary.high if metric.declaration.direction == "lower" else summary.low
    return "" if worst is None else repr(worst)


def _facts(run: RunFacts) -> Iterable[tuple[str, str, str]]:
    def fingerprint(name: str, value: str | None, absent: str) -> tuple[str, str, str]:
        return (name, absent, "") if value is None else (name, value if len(value) <= 24 else value[:22] + "…", value)  # noqa: PLR2004 - as much as is ever compared by eye

    yield "Run", run.run_id, ""
    yield fingerprint("Dataset", run.dataset_fingerprint, "")
    yield "Judgment scope", run.judgments or "not declared", ""
    yield fingerprint("Corpus", run.corpus_fingerprint, "not given")
    yield fingerprint("Target", run.target_fingerprint, "")
    for judge in run.judges or (None,):
        yield fingerprint("Judge", judge, "none: answers were not judged")
    yield fingerprint("Configuration", run.config_fingerprint, "")
    yield "Depths", f"{run.supplied_k} supplied, {run.deep_k} deep", ""
    yield "Seed, repeats", f"{run.seed}, {run.repeats}", ""
    yield fingerprint("Code", run.code, "not under version control")
    yield "Took", "unknown" if run.seconds is None else wording.seconds(run.seconds), ""
    yield "Versions", ", ".join(f"{name} {version}" for name, version in run.versions.items()), ""
    for part, versions in run.system_versions.items():
        yield f"System: {part}", ", ".join(versions), ""


def _behaviour(cells: Sequence[BehaviourCell]) -> dict[str, Any]:
    found = {(cell.expected, cell.observed): cell for cell in cells}
    extra = [name for name in ("undecided", "failed") if any(observed == name for _, observed in found)]
    columns = [*_RIGHT.values(), *extra]
    return {
        "columns": columns,
        "rows": [
            (
                expected,
                [
                    {"observed": name, "right": name == right, "cell": found.get((expected, name))}  # pyright: ignore[reportArgumentType, reportCallIssue] - columns are the observed behaviours
                    for name in columns
                ],
            )
            for expected, right in _RIGHT.items()
            if any(known == expected for known, _ in found)
        ],
    }


def _findings(report: Report) -> Iterable[str]:
    for cell in report.behaviours:
        items = wording.plural(cell.items, "item")
        if cell.expected == "answer" and cell.observed == "refused":
            yield (
                f"{items} refused although an answer was expected: {cell.without_evidence} with no gold evidence in the "
                f"first {report.run.supplied_k} (retrieval), {cell.with_evidence} with evidence in hand (over-caution)."
            )
        if cell.expected == "refuse" and cell.observed == "answered":
            yield f"{items} answered although a refusal was expected."


def _shown_depths(report: Report) -> list[Depths]:
    """Every metric over all cases, and the first one also over the strata of the first label."""
    label = next((pair.stratum.partition("=")[0] for pair in report.depths if pair.stratum != "all"), "")
    first = next((pair.metric for pair in report.depths), "")
    strata = [pair for pair in report.depths if pair.metric == first and pair.stratum.startswith(f"{label}=")]
    overall = [pair for pair in report.depths if pair.stratum == "all"]
    return [*overall[:1], *strata[:16], *overall[1:]]


def _charts(report: Report) -> dict[str, Any]:
    pairs = [pair for pair in _shown_depths(report) if pair.metric == report.depths[0].metric]
    short = [pair.model_copy(update={"stratum": pair.stratum.partition("=")[2] or pair.stratum}) for pair in pairs]
    return {
        "depths_metric": pairs[0].metric if pairs else "",
        "depths": Markup(depth_chart(short)),  # noqa: S704 - made by a library that escapes labels
        "latency": Markup(latency_chart(report.latency[:10])),  # noqa: S704 - made by a library that escapes labels
    }


def _contents(report: Report) -> Iterable[tuple[str, str]]:
    yield "title", "Overview"
    if report.gate:
        yield "gate", "Gate"
    yield "run", "What was run"
    if report.retrieval:
        yield "retrieval", "Retrieval"
    if report.retrieval and report.depths:
        yield "depths", "Two depths"
    if report.answers:
        yield "answers", "Answers"
    if report.behaviours:
        yield "behaviour", "Behaviour"
    yield "cost", "Latency and cost"
    if report.failures:
        yield "failures", "Failures"
    if report.ambiguous:
        yield "ambiguous", "Ambiguous"
    yield "definitions", "Definitions"
