"""Both ends of nDCG over all ways of judging what nobody has judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._discount import ideal
from ragvet.metrics.rankings._window import Floats, divide


@dataclass(frozen=True, slots=True)
class Layers:
    """What both bounds of nDCG are made of (derivation: docs/unknown-judgments.md).

    Attributes:
        steps: float64 (G,): Δ_g, what grade g is worth more than grade g - 1.
        at_least: float64 (n, G): n_g, judged items of grade g or more.
        dcg: float64 (n,): the DCG of what is judged.
        k: the cutoff.
    """

    steps: Floats
    at_least: Floats
    dcg: Floats
    k: int | None

    def ideals(self, raised: Floats) -> list[Floats]:
        """For each layer Δ_g · D(min(k, n_g + raised)), float64 (n, m) as `raised`."""
        return [step * ideal(self.at_least[:, g, None] + raised, self.k) for g, step in enumerate(self.steps)]


def least(layers: Layers, raised: Floats, gained: Sequence[Floats], elsewhere: Floats) -> Floats:
    """The minimum: the last unjudged items and all those elsewhere at the top grade, the other ones at 0.

    The ratio is quasi-concave in the numbers raised per layer, so at its minimum they are the same in every layer.

    Args:
        layers: what is known.
        raised: float64 (n, m): in each column, how many of the last unjudged items are raised; 0 in the first.
        gained: for each layer, float64 (n, m), the discounts of that many.
        elsewhere: float64 (n,): unjudged items that no number in `raised` counts.
    """
    dcg = layers.dcg[:, None] + _weighted(layers, gained)
    best = np.sum(layers.ideals(raised + elsewhere[:, None]), axis=0)
    return divide(dcg, best, otherwise=np.inf).min(axis=1)


def greatest(layers: Layers, raised: Floats, gained: Sequence[Floats]) -> Floats:
    """The maximum: of the first unjudged items c_g raised to grade g or more, c_1 ≥ … ≥ c_G, none elsewhere.

    Where nothing at all can be relevant here it is 0, by an item elsewhere, if it is defined. `raised` and `gained` are
    as for `least`, of the first unjudged items.
    """
    ideals = layers.ideals(raised)
    dcg = layers.dcg[:, None] + _weighted(layers, gained)
    together = divide(dcg, np.sum(ideals, axis=0), otherwise=-np.inf).max(axis=1)
    if len(layers.steps) > 1:
        rows = np.flatnonzero(np.isfinite(together) & (raised[:, -1] > 0))
        together = _dinkelbach(layers, gained, ideals, together, rows)
    return np.where(np.isneginf(together), 0.0, together)


def _weighted(layers: Layers, gained: Sequence[Floats]) -> Floats:
    """What raising the same items in every layer adds to DCG."""
    if all(one is gained[0] for one in gained):
        return layers.steps.sum() * gained[0]
    return np.sum([step * one for step, one in zip(layers.steps, gained, strict=True)], axis=0)


def _dinkelbach(
    layers: Layers, gained: Sequence[Floats], ideals: Sequence[Floats], start: Floats, rows: NDArray[np.int64]
) -> Floats:
    """The best ratio over all chains, from the best with one number in every layer; other rows than `rows` stay.

    For a trial ratio λ a dynamic programme over the layers finds the chain that maximises DCG - λ · IDCG; its ratio is
    the next λ. It rises to the maximum in a handful of rounds, at least doubling the exact digits in each.
    """
    ratio = start.copy()
    while len(rows):
        trial = ratio[rows, None]
        dcg = np.zeros((len(rows), gained[0].shape[1]))
        best = np.zeros_like(dcg)
        for step, gain, layer in zip(layers.steps[::-1], gained[::-1], ideals[::-1], strict=True):
            dcg, best = _best_so_far(dcg, best, trial)
            dcg += step * gain[rows]
            best += layer[rows]
        dcg += layers.dcg[rows, None]
        found = np.where(best > 0, dcg - trial * best, -np.inf).argmax(axis=1)[:, None]
        better = (np.take_along_axis(dcg, found, 1) / np.take_along_axis(best, found, 1))[:, 0]
        rising = better > ratio[rows]
        ratio[rows[rising]] = better[rising]
        rows = rows[rising]
    return ratio


def _best_so_far(dcg: Floats, best: Floats, trial: Floats) -> tuple[Floats, Floats]:
    """In each column the pair of the column at or before it with the greatest DCG - λ · IDCG."""
    worth = dcg - trial * best
    column = np.where(worth == np.maximum.accumulate(worth, axis=1), np.arange(worth.shape[1], dtype=np.int64), 0)
    column = np.maximum.accumulate(column, axis=1)
    return np.take_along_axis(dcg, column, 1), np.take_along_axis(best, column, 1)
