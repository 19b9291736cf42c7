"""Retrieval metrics over batches of rankings: exact under unknown judgments.

A caller builds `Rankings` (from qrels and a run: `ragvet.retrieval`; item by item: `Rankings.from_items`), parses a
metric's name and computes it for all queries at once. numpy is all it needs.
"""

from ragvet.metrics.rankings._compute import compute
from ragvet.metrics.rankings._metric import Definition, Metric
from ragvet.metrics.rankings._names import parse, parse_all, renamed, resembling
from ragvet.metrics.rankings._rankings import (
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
from ragvet.metrics.rankings._registry import REGISTRY
from ragvet.metrics.rankings._scores import Reason, Scores, Status
from ragvet.metrics.rankings._ties import tie_extent

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
