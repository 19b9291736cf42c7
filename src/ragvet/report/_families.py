"""Metrics as a reader meets them: under the question they answer, and those to look at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from ragvet.records import Family
from ragvet.report._model import MetricReport

__all__ = ["by_family", "headlines"]


def headlines(metrics: Sequence[MetricReport], *, room: bool = True) -> list[MetricReport]:
    """The metrics to show where there is no room for all, in the order of importance; all of them if none is known.

    A metric of several depths is shown at the first, the one supplied to the model.

    Args:
        metrics: to choose from, the shallower depth before the deeper one.
        room: False leaves out those that say nearly what another one says.
    """
    first: dict[int, MetricReport] = {}
    for metric in metrics:
        declared = metric.declaration
        if declared.headline is not None and (room or declared.akin_to is None):
            first.setdefault(declared.headline, metric)
    return [first[place] for place in sorted(first)] or list(metrics)


def by_family(metrics: Sequence[MetricReport]) -> list[tuple[Family, list[MetricReport]]]:
    """Metrics under the question they answer, in the order of the page."""
    families: dict[Family, list[MetricReport]] = {family: [] for family in get_args(Family)}
    for metric in metrics:
        families[metric.declaration.family].append(metric)
    return [(family, members) for family, members in families.items() if members]
