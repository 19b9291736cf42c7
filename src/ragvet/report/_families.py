from __future__ import annotations

from collections.abc import Sequence

from ragvet.report._model import MetricReport

__all__ = ["by_family", "headlines"]

_ANSWERS = {
    "Faithfulness to the context": (
        *("faithfulness", "contradicted", "partial", "unsupported", "undecided", "unverified"),
        "missing_qualification",
    ),
    "Citations": ("citation", "alce_citation"),
    "Completeness and accuracy": (
        *("completeness", "accuracy", "reference", "nugget"),
        *("relevance", "question_addressed"),
    ),
    "Refusal, clarification, routing": ("wrong_", "missed_"),
    "Use of context and sources": ("context", "irrelevant_context", "conflict", "stale_source"),
    "Text that must not appear": ("forbidden",),
    "Tested, produced, validated": ("answer_",),
    "Structured answers": ("json", "field"),
    "Time and money": ("latency", "input_tokens", "output_tokens", "cost"),
}
"""Titles and the beginnings of the names that belong under them, in the order of the page."""


_HEADLINES = (
    *("coverage", "RR", "nDCG", "recall", "hit", "precision"),
    *("faithfulness", "citation_precision", "completeness", "wrong_refusal", "missed_refusal"),
    *("contradicted_share", "citation_recall", "accuracy", "relevance"),
    *("missed_clarification", "missed_routing", "stale_source", "forbidden_text", "field_agreement"),
)
"""What a reader looks at first, by name without depth; at most one depth of each."""


def headlines(metrics: Sequence[MetricReport]) -> list[MetricReport]:
    """The metrics to show where there is no room for all, in the order of importance; all of them if none is known.

    A metric of several depths is shown at the first, the one supplied to the model.
    """
    first: dict[str, MetricReport] = {}
    for metric in metrics:
        first.setdefault(metric.declaration.name.partition("@")[0], metric)
    return [first[name] for name in _HEADLINES if name in first] or list(metrics)


def by_family(half: str, metrics: Sequence[MetricReport]) -> list[tuple[str, list[MetricReport]]]:
    """Metrics under the question they answer; what belongs nowhere comes last, under Other."""
    if half == "retrieval":
        return [("", list(metrics))] if metrics else []
    families: dict[str, list[MetricReport]] = {title: [] for title in _ANSWERS} | {"Other": []}
    for metric in metrics:
        name = metric.declaration.name
        families[next((title for title, starts in _ANSWERS.items() if name.startswith(starts)), "Other")].append(metric)
    return [(title, members) for title, members in families.items() if members]
