"""Every answer metric by name, in the order of reports: a family a line."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from ragvet.metrics.answers import (
    _access,
    _alce,
    _behaviour,
    _citations,
    _claims,
    _context,
    _contract,
    _forbidden,
    _question,
    _reference,
    _required,
    _sources,
    _spending,
    _validated,
)
from ragvet.metrics.answers._metric import AnswerMetric

__all__ = ["REGISTRY"]

_FAMILIES = (
    _claims,
    _citations,
    _alce,
    _context,
    _reference,
    _required,
    _question,
    _behaviour,
    _sources,
    _access,
    _forbidden,
    _validated,
    _contract,
    _spending,
)

REGISTRY: Mapping[str, AnswerMetric] = MappingProxyType(
    {metric.name: metric for metric in chain.from_iterable(family.METRICS for family in _FAMILIES)}
)
