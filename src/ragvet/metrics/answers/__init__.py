"""Answer metrics: arithmetic over what was judged about one answer. None asks a judge itself."""

from ragvet.metrics.answers._conditions import ConditionDeclaration, conditions
from ragvet.metrics.answers._evidence import Evidence
from ragvet.metrics.answers._metric import AnswerMetric, Condition, JudgedAnswer
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.metrics.answers._score_case import score_case

__all__ = [
    "REGISTRY",
    "AnswerMetric",
    "Condition",
    "ConditionDeclaration",
    "Evidence",
    "JudgedAnswer",
    "conditions",
    "score_case",
]
