from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragvet.metrics.retrieval._discount import discounts, ideal
from ragvet.metrics.retrieval._window import Floats, Mask, divide, running


@dataclass(frozen=True, slots=True)
class Layers:
    """What both bounds of nDCG are made of (derivation: docs/unknown-judgments.md).

    Attributes:
        steps: float64 (G,): Δ_g, what grade g is worth more than grade g - 1.
        at_least: float64 (n, G): n_g, judged items of grade g or more.
        dcg: float64 (n,): the DCG of what is judged.
        unjudged: bool (n, w): where an unjudged item stands.
        k: the cutoff.
    """

    steps: Floats
    at_least: Floats
    dcg: Floats
    unjudged: Mask
    k: int | None

    def ideals(self, raised: Floats) -> list[Floats]:
        """For each layer Δ_g · D(min(k, n_g + raised)), float64 (n, m) as `raised`."""
        return [step * ideal(self.at_least[:, g, None] + raised, self.k) for g, step in enumerate(self.steps)]


def least(layers: Layers, elsewhere: Floats) -> Floats:
    """The minimum: the last c unjudged items and all those elsewhere at the top grade, the other ones at 0.

    The ratio is quasi-concave in the numbers raised per layer, so at its minimum they are the same in every layer.
    """
    backwards = layers.unjudged[:, ::-1]
    discount = discounts(backwards.shape[1])[::-1]
    dcg = layers.dcg[:, None] + layers.steps.sum() * running(backwards * discount)
    best = np.sum(layers.ideals(running(backwards) + elsewhere[:, None]), axis=0)
    return divide(dcg, best, otherwise=np.inf).min(axis=1)


def greatest(layers: Layers) -> Floats:
    """The maximum: of the first unjudged items c_g raised to grade g or more, c_1 ≥ … ≥ c_G, none elsewhere.

    Where nothing at all can be relevant here it is 0, by an item elsewhere, if it is defined.
    """
    gained = running(layers.unjudged * discounts(layers.unjudged.shape[1]))
    ideals = layers.ideals(running(layers.unjudged))
    together = divide(layers.dcg[:, None] + layers.steps.sum() * gained, np.sum(ideals, axis=0), otherwise=-np.inf).max(
        axis=1
    )
    if len(layers.steps) > 1:
        together = _dinkelbach(layers, gained, ideals, together)
    return np.where(np.isneginf(together), 0.0, together)


def _dinkelbach(layers: Layers, gained: Floats, ideals: list[Floats], start: Floats) -> Floats:
    """The best ratio over all chains, from the best with one number in every layer.

    For a trial ratio λ a dynamic programme over the layers finds the chain that maximises DCG - λ · IDCG; its ratio is
    the next λ. It rises to the maximum in a handful of rounds, at least doubling the exact digits in each.
    """
    ratio = start.copy()
    rows = np.flatnonzero(np.isfinite(start) & layers.unjudged.any(axis=1))
    while len(rows):
        trial = ratio[rows, None]
        dcg = np.zeros_like(gained[rows])
        best = np.zeros_like(dcg)
        for step, layer in zip(layers.steps[::-1], ideals[::-1], strict=True):
            dcg, best = _best_so_far(dcg, best, trial)
            dcg += step * gained[rows]
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
