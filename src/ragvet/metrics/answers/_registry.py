"""Every answer metric by name, in the order of reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ragvet.metrics.answers._accuracy import ACCURACY
from ragvet.metrics.answers._alce_citation_precision import ALCE_CITATION_PRECISION
from ragvet.metrics.answers._alce_citation_recall import ALCE_CITATION_RECALL
from ragvet.metrics.answers._answer_coverage import ANSWER_COVERAGE
from ragvet.metrics.answers._answer_quality import ANSWER_QUALITY
from ragvet.metrics.answers._answer_success import ANSWER_SUCCESS
from ragvet.metrics.answers._citation_permitted import CITATION_PERMITTED
from ragvet.metrics.answers._citation_precision import CITATION_PRECISION
from ragvet.metrics.answers._citation_recall import CITATION_RECALL
from ragvet.metrics.answers._citation_resolves import CITATION_RESOLVES
from ragvet.metrics.answers._citation_retrieved import CITATION_RETRIEVED
from ragvet.metrics.answers._citation_right_version import CITATION_RIGHT_VERSION
from ragvet.metrics.answers._completeness import COMPLETENESS
from ragvet.metrics.answers._completeness_material import COMPLETENESS_MATERIAL
from ragvet.metrics.answers._conflict_surfaced import CONFLICT_SURFACED
from ragvet.metrics.answers._context_recall import CONTEXT_RECALL
from ragvet.metrics.answers._context_use import CONTEXT_USE
from ragvet.metrics.answers._contradicted_share import CONTRADICTED_SHARE
from ragvet.metrics.answers._cost import COST
from ragvet.metrics.answers._faithfulness import FAITHFULNESS
from ragvet.metrics.answers._field_agreement import FIELD_AGREEMENT
from ragvet.metrics.answers._field_contradiction import FIELD_CONTRADICTION
from ragvet.metrics.answers._field_missing import FIELD_MISSING
from ragvet.metrics.answers._field_unavailable import FIELD_UNAVAILABLE
from ragvet.metrics.answers._forbidden_text import FORBIDDEN_TEXT
from ragvet.metrics.answers._input_tokens import INPUT_TOKENS
from ragvet.metrics.answers._irrelevant_context_sensitivity import IRRELEVANT_CONTEXT_SENSITIVITY
from ragvet.metrics.answers._json_parses import JSON_PARSES
from ragvet.metrics.answers._json_schema_valid import JSON_SCHEMA_VALID
from ragvet.metrics.answers._latency import LATENCY
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.metrics.answers._missed_clarification import MISSED_CLARIFICATION
from ragvet.metrics.answers._missed_refusal import MISSED_REFUSAL
from ragvet.metrics.answers._missed_routing import MISSED_ROUTING
from ragvet.metrics.answers._missing_qualification_share import MISSING_QUALIFICATION_SHARE
from ragvet.metrics.answers._nugget_all import NUGGET_ALL
from ragvet.metrics.answers._nugget_vital import NUGGET_VITAL
from ragvet.metrics.answers._nugget_weighted import NUGGET_WEIGHTED
from ragvet.metrics.answers._nugget_weighted_strict import NUGGET_WEIGHTED_STRICT
from ragvet.metrics.answers._output_tokens import OUTPUT_TOKENS
from ragvet.metrics.answers._partial_share import PARTIAL_SHARE
from ragvet.metrics.answers._question_addressed import QUESTION_ADDRESSED
from ragvet.metrics.answers._reference_agreement import REFERENCE_AGREEMENT
from ragvet.metrics.answers._reference_contradiction import REFERENCE_CONTRADICTION
from ragvet.metrics.answers._reference_extra import REFERENCE_EXTRA
from ragvet.metrics.answers._relevance import RELEVANCE
from ragvet.metrics.answers._stale_source import STALE_SOURCE
from ragvet.metrics.answers._undecided_share import UNDECIDED_SHARE
from ragvet.metrics.answers._unsupported_share import UNSUPPORTED_SHARE
from ragvet.metrics.answers._unverified_share import UNVERIFIED_SHARE
from ragvet.metrics.answers._wrong_clarification import WRONG_CLARIFICATION
from ragvet.metrics.answers._wrong_refusal import WRONG_REFUSAL
from ragvet.metrics.answers._wrong_refusal_with_evidence import WRONG_REFUSAL_WITH_EVIDENCE
from ragvet.metrics.answers._wrong_refusal_without_evidence import WRONG_REFUSAL_WITHOUT_EVIDENCE
from ragvet.metrics.answers._wrong_routing import WRONG_ROUTING

__all__ = ["REGISTRY"]

REGISTRY: Mapping[str, AnswerMetric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            FAITHFULNESS,
            CONTRADICTED_SHARE,
            PARTIAL_SHARE,
            UNSUPPORTED_SHARE,
            UNDECIDED_SHARE,
            UNVERIFIED_SHARE,
            MISSING_QUALIFICATION_SHARE,
            CITATION_PRECISION,
            CITATION_RECALL,
            CITATION_RESOLVES,
            CITATION_RETRIEVED,
            CITATION_RIGHT_VERSION,
            CITATION_PERMITTED,
            ALCE_CITATION_PRECISION,
            ALCE_CITATION_RECALL,
            CONTEXT_RECALL,
            CONTEXT_USE,
            IRRELEVANT_CONTEXT_SENSITIVITY,
            ACCURACY,
            REFERENCE_AGREEMENT,
            REFERENCE_CONTRADICTION,
            REFERENCE_EXTRA,
            COMPLETENESS,
            COMPLETENESS_MATERIAL,
            NUGGET_ALL,
            NUGGET_VITAL,
            NUGGET_WEIGHTED,
            NUGGET_WEIGHTED_STRICT,
            RELEVANCE,
            QUESTION_ADDRESSED,
            MISSED_REFUSAL,
            WRONG_REFUSAL,
            WRONG_REFUSAL_WITH_EVIDENCE,
            WRONG_REFUSAL_WITHOUT_EVIDENCE,
            MISSED_CLARIFICATION,
            WRONG_CLARIFICATION,
            MISSED_ROUTING,
            WRONG_ROUTING,
            CONFLICT_SURFACED,
            STALE_SOURCE,
            FORBIDDEN_TEXT,
            ANSWER_COVERAGE,
            ANSWER_QUALITY,
            ANSWER_SUCCESS,
            JSON_PARSES,
            JSON_SCHEMA_VALID,
            FIELD_AGREEMENT,
            FIELD_MISSING,
            FIELD_CONTRADICTION,
            FIELD_UNAVAILABLE,
            LATENCY,
            INPUT_TOKENS,
            OUTPUT_TOKENS,
            COST,
        )
    }
)
