from __future__ import annotations

from ragvet.metrics.rankings import REGISTRY, Metric, parse


def every_metric(*cutoffs: int, uncut: bool = False) -> list[Metric]:
    """Every metric of the registry at each cutoff, if it has one; with `uncut` also without it where that may be."""
    names: list[str] = []
    for name, definition in REGISTRY.items():
        names += [name] if definition.cutoff == "none" else [f"{name}@{cutoff}" for cutoff in cutoffs]
        names += [name] if uncut and definition.cutoff == "optional" else []
    return [parse(name) for name in names]
