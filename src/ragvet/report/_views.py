"""What the templates show, arranged: which metrics side by side, which rows, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragvet.records import Behaviour, Summary
from ragvet.report._build import worst_first
from ragvet.report._families import by_family, headlines
from ragvet.report._model import BehaviourCell, Depths, MetricReport, Report, RunFacts
from ragvet.report._wording import seconds
from ragvet.text import plural

__all__ = ["STRATA", "behaviour_matrix", "contents", "facts", "findings", "half_view", "shown_depths"]

STRATA = 60
"""Strata of one label listed under a metric; a label with more values is no stratum but an id."""
_COLUMNS = 6
"""Metrics side by side in the table of strata."""
_CHARTED = 16
_COMPARED = 24
"""Characters of a fingerprint anyone compares by eye."""
_RIGHT: Mapping[Behaviour, str] = {"answer": "answered", "refuse": "refused", "clarify": "clarified", "route": "routed"}
_ABSTENTION = {"refused": "refusal", "clarified": "clarification", "routed": "routing"}
_HALVES = {
    "retrieval": (
        "Retrieval",
        "Did the evidence reach the model? Counted from rankings and judgments alone; no judge is asked.",
    ),
    "answers": (
        "Answers",
        "What was said with the evidence in hand. Counted from verdicts, each with its quote on the case page.",
    ),
}


def half_view(name: str, metrics: Sequence[MetricReport]) -> dict[str, Any]:
    """One half of the report: strata side by side, every metric by family, and those with nothing to measure."""
    title, lead = _HALVES[name]
    families = by_family([metric for metric in metrics if metric.measured])
    measured = [metric for _, group in families for metric in group]
    shown = headlines(measured)[:_COLUMNS]
    labels = list(dict.fromkeys(label for metric in shown for label in metric.strata))
    return {
        "id": name,
        "title": title,
        "lead": lead,
        "idle": [metric for metric in metrics if not metric.measured],
        "families": [{"title": family if len(families) > 1 else "", "metrics": group} for family, group in families],
        "matrices": {label: _matrix(label, shown) for label in labels},
    }


def _matrix(label: str, metrics: Sequence[MetricReport]) -> dict[str, Any]:
    by_metric = [{row.stratum: row for row in metric.strata.get(label, ())} for metric in metrics]
    known = list(dict.fromkeys(stratum for rows in by_metric for stratum in rows))
    ranked = [row.stratum for row in worst_first(by_metric[0].values(), metrics[0].declaration.direction)]
    names = [*ranked, *(stratum for stratum in known if stratum not in by_metric[0])][:STRATA]

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


def facts(run: RunFacts) -> Iterable[tuple[str, str, str]]:
    """What was run: name, as shown, and in full where that is a fingerprint."""

    def fingerprint(name: str, value: str | None, absent: str) -> tuple[str, str, str]:
        return (name, absent, "") if value is None else (name, _shortened(value), value)

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
    yield "Took", "unknown" if run.seconds is None else seconds(run.seconds), ""
    yield "Versions", ", ".join(f"{name} {version}" for name, version in run.versions.items()), ""
    for part, versions in run.system_versions.items():
        yield f"System: {part}", ", ".join(versions), ""


def behaviour_matrix(cells: Sequence[BehaviourCell]) -> dict[str, Any]:
    """Expected down, observed across; columns nobody was seen in are left out unless an expectation names them."""
    found: dict[tuple[str, str], BehaviourCell] = {(cell.expected, cell.observed): cell for cell in cells}
    extra = [name for name in ("undecided", "failed") if any(observed == name for _, observed in found)]
    columns = [*_RIGHT.values(), *extra]
    return {
        "columns": columns,
        "rows": [
            (expected, [_cell(expected, observed, found.get((expected, observed))) for observed in columns])
            for expected in _RIGHT
            if any(known == expected for known, _ in found)
        ],
    }


def _cell(expected: Behaviour, observed: str, cell: BehaviourCell | None) -> dict[str, Any]:
    """One cell with its name: as expected, a missed refusal, a wrong one."""
    if observed == _RIGHT[expected]:
        tone, name = "expected", "as expected"
    elif observed == "answered":
        tone, name = "amiss", f"missed {_ABSTENTION[_RIGHT[expected]]}"
    elif expected == "answer" and observed in _ABSTENTION:
        tone, name = "amiss", f"wrong {_ABSTENTION[observed]}"
    else:
        tone, name = "other", ""
    return {"observed": observed, "tone": tone if cell or tone == "expected" else "other", "name": name, "cell": cell}


def _shortened(fingerprint: str) -> str:
    return fingerprint if len(fingerprint) <= _COMPARED else fingerprint[: _COMPARED - 2] + "…"


def findings(report: Report) -> Iterable[str]:
    """What the behaviour matrix says in words."""
    for cell in report.behaviours:
        items = plural(cell.items, "item")
        if cell.expected == "answer" and cell.observed == "refused":
            nothing = f"{cell.without_evidence} with no gold evidence before the model (retrieval)"
            something = f"{cell.with_evidence} with evidence in hand (over-caution)"
            unknown = f", {cell.not_reported} not known" if cell.not_reported else ""
            empty = f" {cell.nothing_shown} had no passage at all before the model." if cell.nothing_shown else ""
            yield f"{items} refused although an answer was expected: {nothing}, {something}{unknown}.{empty}"
        if cell.expected == "refuse" and cell.observed == "answered":
            nothing = f": {cell.nothing_shown} of them with no passage before the model" if cell.nothing_shown else ""
            yield f"{items} answered although a refusal was expected{nothing}."


def shown_depths(depths: Sequence[Depths]) -> list[Depths]:
    """Every metric over all cases, and the first one also over the strata of the first label."""
    label = next((pair.stratum.partition("=")[0] for pair in depths if pair.stratum != "all"), "")
    first = next((pair.metric for pair in depths), "")
    strata = [pair for pair in depths if pair.metric == first and pair.stratum.startswith(f"{label}=")]
    overall = [pair for pair in depths if pair.stratum == "all"]
    return [*overall[:1], *strata[:_CHARTED], *overall[1:]]


def contents(report: Report) -> Iterable[tuple[str, str]]:
    """Anchor and title of each section the page has."""
    yield "title", "Overview"
    if report.gate:
        yield "gate", "Gate"
    if report.look_first:
        yield "first", "Look at first"
    if report.failures:
        yield "failures", "Failures"
    if report.retrieval:
        yield "retrieval", "Retrieval"
    if report.retrieval and report.depths:
        yield "depths", "Two depths"
    if report.answers:
        yield "answers", "Answers"
    if report.behaviours:
        yield "behaviour", "Behaviour"
    yield "cost", "Latency and cost"
    if report.ambiguous:
        yield "ambiguous", "Ambiguous"
    yield "run", "What was run"
    yield "definitions", "Definitions"
