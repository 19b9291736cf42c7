"""Every metric of rankings by name, in the order of reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ragvet.metrics.rankings._average_precision import AVERAGE_PRECISION
from ragvet.metrics.rankings._bpref import BPREF
from ragvet.metrics.rankings._chunk_coverage import CHUNK_COVERAGE
from ragvet.metrics.rankings._context_precision import CONTEXT_PRECISION
from ragvet.metrics.rankings._coverage import COVERAGE
from ragvet.metrics.rankings._expected_reciprocal_rank import EXPECTED_RECIPROCAL_RANK
from ragvet.metrics.rankings._f import F
from ragvet.metrics.rankings._hit import HIT
from ragvet.metrics.rankings._judged import JUDGED
from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._ndcg import NDCG
from ragvet.metrics.rankings._precision import PRECISION
from ragvet.metrics.rankings._precision_returned import PRECISION_RETURNED
from ragvet.metrics.rankings._r_precision import R_PRECISION
from ragvet.metrics.rankings._rank_biased_precision import RANK_BIASED_PRECISION
from ragvet.metrics.rankings._recall import RECALL
from ragvet.metrics.rankings._reciprocal_rank import RECIPROCAL_RANK
from ragvet.metrics.rankings._redundancy import REDUNDANCY
from ragvet.metrics.rankings._unjudged import UNJUDGED_SHARE

REGISTRY: Mapping[str, Definition] = MappingProxyType(
    {
        definition.name: definition
        for definition in (
            COVERAGE,
            CHUNK_COVERAGE,
            RECALL,
            PRECISION,
            PRECISION_RETURNED,
            F,
            HIT,
            RECIPROCAL_RANK,
            AVERAGE_PRECISION,
            R_PRECISION,
            NDCG,
            RANK_BIASED_PRECISION,
            BPREF,
            EXPECTED_RECIPROCAL_RANK,
            CONTEXT_PRECISION,
            JUDGED,
            UNJUDGED_SHARE,
            REDUNDANCY,
        )
    }
)
"""Every retrieval metric by its name, in the order of reports."""
