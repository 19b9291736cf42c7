"""Metrics of the made-up run: few, quickly counted, and with every kind of outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Protocol

import polars as pl

from ragvet.metrics import answers, rankings
from ragvet.records import Answer, Case, JudgeFailure, MetricDeclaration, Trace, Verdicts
from ragvet.records.lattice import claim_verdicts
from ragvet.runs._frames import RANKINGS, SCORES

SUPPLIED_K, DEEP_K = 5, 20
JUDGED = (
    *("faithfulness", "contradicted_share", "citation_precision", "citation_recall"),
    *("completeness", "output_tokens"),
)


class Item(Protocol):
    case: Case
    traces: tuple[Trace, ...]
    judged: tuple[Verdicts | JudgeFailure | None, ...]


def _as_registered(name: str) -> dict[str, Any]:
    """What hangs on a metric and not on its words: where reports show it, and what is a fault."""
    base = name.partition("@")[0]
    known = answers.REGISTRY[base] if base in answers.REGISTRY else rankings.REGISTRY[base]
    fields = ("family", "headline", "stage", "fault", "akin_to", "production", "grows_with_depth")
    return {field: getattr(known.declaration, field) for field in fields}


def declarations() -> dict[str, MetricDeclaration]:
    def declare(name: str, title: str, blind: str, direction: str = "higher", **other: Any) -> MetricDeclaration:
        return MetricDeclaration(
            **_as_registered(name),
            name=name,
            version=1,
            title=title,
            direction=direction,
            needs=other.pop("needs", "judgments"),
            undefined_when=other.pop("undefined_when", "nothing relevant is judged"),
            does_not_catch=blind,
            formula=other.pop("formula", "relevant in first k / relevant in the judged set"),
            reference="Requirements R and A",
            **other,
        )

    retrieval = [
        declare(f"{name}@{k}", title, blind, direction)
        for k in (SUPPLIED_K, DEEP_K)
        for name, title, blind, direction in (
            (
                "coverage",
                "Share of the annotated passages that were reached",
                "evidence nobody annotated; a passage that is reached but cut off",
                "higher",
            ),
            ("recall", "Share of the relevant passages that were reached", "relevant passages nobody judged", "higher"),
            (
                "RR",
                "How early the first relevant passage stands",
                "everything after the first relevant passage",
                "higher",
            ),
            (
                "nDCG",
                "Whether better passages stand before worse ones",
                "whether the passages together are enough to answer",
                "higher",
            ),
            ("judged", "Share of the ranking somebody has judged", "whether the judgments are right", "none"),
        )
    ]
    answers = [
        declare(
            "faithfulness",
            "Share of the claims the supplied context supports",
            "a context that is itself wrong or out of date; what the answer leaves out",
        ),
        declare(
            "contradicted_share",
            "Share of the claims the supplied context contradicts",
            "claims the context is silent about",
            "lower",
        ),
        declare("citation_precision", "Share of the citations that support their claim", "claims without any citation"),
        declare(
            "citation_recall",
            "Share of the claims needing evidence that carry a supporting citation",
            "citations that are superfluous",
        ),
        declare(
            "completeness", "Share of the required claims the answer makes", "wrong statements beside the required ones"
        ),
        declare(
            "wrong_refusal", "Declined although an answer was expected", "a wrong answer given with confidence", "lower"
        ),
        declare(
            "missed_refusal",
            "Answered although it should have declined",
            "whether the refusal was polite or helpful",
            "lower",
        ),
        declare("answer_coverage", "Share of the tested cases that were answered", "whether the answers are any good"),
        declare("answer_success", "Share of the tested cases with a validated answer", "why the others have none"),
        declare(
            "output_tokens",
            "Length of the answer",
            "whether the words say anything",
            "none",
            high=None,
            formula="words of the answer",
        ),
    ]
    return {declaration.name: declaration for declaration in (*retrieval, *answers)}


def rankings_of(items: Sequence[Item]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for item in items:
        gold = [passage.doc_id for passage in item.case.reference_passages]
        for trace in item.traces:
            if trace.answer is None:
                continue
            union = {hit.chunk_id: hit for call in trace.answer.retrievals for hit in call.ranking}
            last = trace.answer.retrievals[-1].ranking if trace.answer.retrievals else ()
            supplied = {hit.chunk_id for hit in trace.answer.supplied or ()}
            for view, hits in (("union", tuple(union.values())), ("last", last)):
                for rank, hit in enumerate(hits, start=1):
                    passages = [place for place, doc in enumerate(gold) if doc == hit.doc_id]
                    judged = 1 if passages else -1 if rank % 9 == 8 else 0
                    rows.append(
                        {
                            "case_id": item.case.id,
                            "repeat": trace.repeat,
                            "view": view,
                            "rank": rank,
                            "chunk_id": hit.chunk_id,
                            "doc_id": hit.doc_id,
                            "score": hit.score,
                            "grade": judged,
                            "redundant": False,
                            "passages": passages,
                            "unplaced": [],
                            "supplied": hit.chunk_id in supplied,
                        }
                    )
    return pl.DataFrame(rows, schema=RANKINGS)


def scores_of(items: Sequence[Item], rankings: pl.DataFrame) -> pl.DataFrame:
    ranked: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rankings.filter(pl.col("view") == "union").iter_rows(named=True):
        ranked.setdefault((row["case_id"], row["repeat"]), []).append(row)
    rows: list[dict[str, Any]] = []
    for item in items:
        for trace, judged in zip(item.traces, item.judged, strict=True):
            for metric, outcome in _outcomes(item.case, trace, judged, ranked.get(trace.key, [])):
                rows.append(
                    {
                        "case_id": item.case.id,
                        "repeat": trace.repeat,
                        "metric": metric,
                        "version": 1,
                        "value": None,
                        "low": None,
                        "high": None,
                        "reason": None,
                        "numerator": None,
                        "denominator": None,
                        **outcome,
                    }
                )
    return pl.DataFrame(rows, schema=SCORES)


def _scored(value: float, high: float | None = None, reason: str | None = None) -> dict[str, Any]:
    if high is None or high == value:
        return {"status": "scored", "value": float(value), "low": float(value), "high": float(value)}
    return {"status": "bounded", "low": float(value), "high": float(high), "reason": reason or "unjudged items"}


def _outcomes(
    case: Case, trace: Trace, judged: Verdicts | JudgeFailure | None, ranked: list[dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    failed = trace.error.kind if trace.error else None
    if case.expected_behaviour == "answer":
        for metric, k in product(("coverage", "recall", "RR", "nDCG", "judged"), (SUPPLIED_K, DEEP_K)):
            if failed:
                yield f"{metric}@{k}", {"status": "failed", "reason": failed}
            elif not case.reference_passages:
                yield f"{metric}@{k}", {"status": "undefined", "reason": "the case names no passage"}
            else:
                yield f"{metric}@{k}", _ranked_outcome(metric, ranked[:k], k)
        for metric in ("answer_coverage", "answer_success"):
            yield metric, {"status": "failed", "reason": failed} if failed else _validated(judged, metric)
    if isinstance(judged, JudgeFailure):
        failed = judged.error.partition(":")[0]
    for metric in (*JUDGED, "wrong_refusal" if case.expected_behaviour == "answer" else "missed_refusal"):
        if failed:
            yield metric, {"status": "failed", "reason": failed}
        elif isinstance(judged, Verdicts) and trace.answer is not None:
            yield metric, _answer_outcome(metric, trace.answer, judged)


def _validated(judged: Verdicts | JudgeFailure | None, metric: str) -> dict[str, Any]:
    if not isinstance(judged, Verdicts) or judged.behaviour.observed is None:
        return _scored(0, 1, "whether it answered is undecided")
    answered = judged.behaviour.observed == "answered"
    verdicts = {claim_verdicts(judged)[claim.id].told for claim in judged.claims if claim.needs_evidence}
    if metric == "answer_coverage" or not answered:
        return _scored(float(answered))
    if verdicts <= {"supported", "undecided"}:
        return _scored(float(verdicts == {"supported"}), 1, "some parts of validated are undecided")
    return _scored(0)


def _ranked_outcome(metric: str, window: list[dict[str, Any]], k: int) -> dict[str, Any]:
    first = next((row["rank"] for row in window if row["grade"] > 0), None)
    unjudged = [row["rank"] for row in window if row["grade"] < 0]
    if metric == "judged":
        return _scored(1 - len(unjudged) / k)
    if metric in ("coverage", "recall"):
        return _scored(float(first is not None))
    value = 0.0 if first is None else 1 / first
    best = 1 / unjudged[0] if unjudged and (first is None or unjudged[0] < first) else value
    return _scored(value, best, f"unjudged at rank {unjudged[0]}" if unjudged else None)


def _answer_outcome(metric: str, answer: Answer, judged: Verdicts) -> dict[str, Any]:
    if metric == "output_tokens":
        return _scored(float(len((answer.text or "").split())))
    if metric.endswith("refusal"):
        observed = judged.behaviour.observed
        wrong = float((observed != "answered") == (metric == "wrong_refusal"))
        return _scored(0, 1, "behaviour undecided") if observed is None else _scored(wrong)
    good, verdicts, absent = {
        "faithfulness": ("supported", _claim_verdicts(judged), "the answer has no claims"),
        "contradicted_share": ("contradicted", _claim_verdicts(judged), "the answer has no claims"),
        "citation_precision": ("supported", [row.verdict for row in judged.citations], "the answer cites nothing"),
        "citation_recall": ("supported", [row.verdict for row in judged.citations], "the answer cites nothing"),
        "completeness": ("covered", [row.verdict for row in judged.coverage], "the case requires no claims"),
    }[metric]
    if not verdicts:
        return {"status": "undefined", "reason": absent}
    low, unknown, total = verdicts.count(good), verdicts.count("undecided"), len(verdicts)
    return _scored(low / total, (low + unknown) / total, f"{unknown} of {total} undecided")


def _claim_verdicts(judged: Verdicts) -> list[str]:
    return [claim_verdicts(judged)[claim.id].told for claim in judged.claims]
