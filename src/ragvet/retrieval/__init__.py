"""Qrels and runs: read them, bring them together, score them, and say what to judge next."""

from ragvet.retrieval._assemble import align
from ragvet.retrieval._collection import Batch, Collection
from ragvet.retrieval._evaluate import evaluate, score
from ragvet.retrieval._notices import InputWarning, Notice
from ragvet.retrieval._options import Reading, ReadingOptions
from ragvet.retrieval._qrels import Qrels, read_qrels

__all__ = [
    "Batch",
    "Collection",
    "InputWarning",
    "Notice",
    "Qrels",
    "Reading",
    "ReadingOptions",
    "align",
    "evaluate",
    "read_qrels",
    "score",
]
