"""Answer metrics: arithmetic over what was judged about one answer. None asks a judge itself."""

from ragvet.metrics.answers._behaviour_matrix import BehaviourCell, behaviour_matrix
from ragvet.metrics.answers._conditions import ConditionDeclaration, conditions
from ragvet.metrics.answers._evidence import Evidence
from ragvet.metrics.answers._metric import AnswerMetric, Condition, JudgedAnswer
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.metrics.answers._score_case import score_case

__all__ = [
    "REGISTRY",
    "AnswerMetric",
    "BehaviourCell",
    "Condition",
    "ConditionDeclaration",
    "Evidence",
    "JudgedAnswer",
    "behaviour_matrix",
    "conditions",
    "score_case",
]
