"""Retrieval metrics over batches of rankings: exact under unknown judgments.

A caller builds `Rankings` (from qrels and a run: `ragvet.retrieval`; item by item: `Rankings.from_items`), parses a
metric's name and computes it for all queries at once. numpy is all it needs.
"""

from ragvet.metrics.retrieval._compute import compute
from ragvet.metrics.retrieval._metric import Definition, Metric
from ragvet.metrics.retrieval._names import parse, parse_all, renamed, resembling
from ragvet.metrics.retrieval._rankings import (
    EMPTY,
    MAX_GRADE,
    NEVER,
    UNBOUNDED,
    UNJUDGED,
    Assumption,
    Evidence,
    Rankings,
    Reach,
)
from ragvet.metrics.retrieval._registry import REGISTRY
from ragvet.metrics.retrieval._scores import Reason, Scores, Status
from ragvet.metrics.retrieval._ties import tie_extent

__all__ = [
    "EMPTY",
    "MAX_GRADE",
    "NEVER",
    "REGISTRY",
    "UNBOUNDED",
    "UNJUDGED",
    "Assumption",
    "Definition",
    "Evidence",
    "Metric",
    "Rankings",
    "Reach",
    "Reason",
    "Scores",
    "Status",
    "compute",
    "parse",
    "parse_all",
    "renamed",
    "resembling",
    "tie_extent",
]
