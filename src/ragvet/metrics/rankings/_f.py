"""F@k: precision and recall in one number."""

from __future__ import annotations

from ragvet.metrics.rankings import _precision, _recall
from ragvet.metrics.rankings._metric import LEVEL, Between, Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Floats, Window, divide
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1, beta: float = 1.0) -> Extent:
    """F rises with precision and with recall, and one assignment is worst for both, another best for both.

    Where nothing is relevant in any case and nothing is unjudged elsewhere, the worst assignment that defines recall
    has one relevant item, beside what repeats evidence: recall 1.
    """
    precision = _precision.measure(window, rel)
    recall = _recall.measure(window, rel)
    lone = ~window.some_relevant(rel) & (recall.low > 0)
    worst = precision.low + lone / float(window.k or 1)
    return Extent(
        low=_mean(worst, recall.low, beta),
        high=_mean(precision.high, recall.high, beta),
        ever=recall.ever,
        always=recall.always,
    )


def _mean(precision: Floats, recall: Floats, beta: float) -> Floats:
    weight = beta * beta
    return divide((1 + weight) * precision * recall, weight * precision + recall, otherwise=0.0)


F = Definition(
    MetricDeclaration(
        name="F",
        version=2,
        family="Retrieval",
        title="Precision and recall in one number, recall weighing beta times as much.",
        direction="higher",
        needs="judgments of the whole judged set",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Which of the two is bad: read it beside precision and recall.",
        formula="(1 + beta²) · P · R / (beta² · P + R), 0 where both are 0",
        reference="van Rijsbergen: Information Retrieval (1979), ch. 7",
    ),
    measure,
    parameters=(LEVEL, Between("beta", 1.0, 0.0, 1000.0)),
    looks_elsewhere=True,
)
