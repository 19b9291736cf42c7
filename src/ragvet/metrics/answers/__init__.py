"""Answer metrics: arithmetic over what was judged about one answer. None asks a judge itself."""

from ragvet.metrics.answers._batch import AnsweredCase, Batch, Judged
from ragvet.metrics.answers._chunk_grades import ChunkGrades
from ragvet.metrics.answers._conditions import ConditionDeclaration, conditions
from ragvet.metrics.answers._metric import AnswerMetric, Condition
from ragvet.metrics.answers._outcomes import Outcomes
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.metrics.answers._scoring import score_batch, score_case

__all__ = [
    "REGISTRY",
    "AnswerMetric",
    "AnsweredCase",
    "Batch",
    "ChunkGrades",
    "Condition",
    "ConditionDeclaration",
    "Judged",
    "Outcomes",
    "conditions",
    "score_batch",
    "score_case",
]
