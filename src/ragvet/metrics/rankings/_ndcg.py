"""nDCG@k: gain discounted by rank, over the gain of the ideal order."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._discount import discounts, ideal
from ragvet.metrics.rankings._metric import Choice, Definition
from ragvet.metrics.rankings._ndcg_bounds import Layers, greatest, least
from ragvet.metrics.rankings._rankings import Rankings
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Floats, Window, divide, running, weigh
from ragvet.records import MetricDeclaration


def measure(window: Window, gain: str = "linear") -> Extent:
    """DCG / IDCG, both summed layer by layer: layer g holds what has at least grade g, worth the step up to it."""
    steps = gain_steps(window.top_grade, gain)
    at_least = judged_at_least(window.rankings)
    dcg = _dcg(window, steps)
    known = at_least[:, 0]
    best = np.sum([step * ideal(at_least[:, g], window.k) for g, step in enumerate(steps)], axis=0)
    if not window.any_unknown:
        return Extent.exact(dcg, best, divide(dcg, best))
    layers = Layers(steps, at_least, dcg, window.k)
    u, v = window.unjudged_count, window.elsewhere
    settled = u + v == 0
    discount, last = discounts(window.width), window.unjudged[:, ::-1]
    return Extent(
        low=least(layers, running(last), [running(last * discount[::-1])] * len(steps), v),
        high=greatest(layers, running(window.unjudged), [running(window.unjudged * discount)] * len(steps)),
        ever=known + u + v > 0,
        always=window.some_relevant(1),
        numerator=np.where(settled, dcg, np.nan),
        denominator=np.where(settled, best, np.nan),
    )


def judged_at_least(rankings: Rankings) -> Floats:
    """How many items of grade 1, 2, … G or more are judged, float64 (n, G)."""
    return np.cumsum(rankings.judged[:, ::-1], axis=1, dtype=np.float64)[:, -2::-1]


def gain_steps(top_grade: int, gain: str) -> Floats:
    """What each grade 1..G adds to the one below: 1 if linear, 2^(g - 1) if exponential."""
    grades = np.arange(1, top_grade + 1)
    return np.ones(top_grade) if gain == "linear" else np.exp2(grades - 1.0)


def _dcg(window: Window, steps: Floats) -> Floats:
    discount = discounts(window.width)
    dcg = np.zeros(len(window))
    for grade, step in enumerate(steps, start=1):
        dcg += step * weigh(window.fresh(grade), discount)
    return dcg


NDCG = Definition(
    MetricDeclaration(
        name="nDCG",
        version=1,
        family="Retrieval",
        headline=2,
        title="How close the first k come to the best order of everything judged.",
        direction="higher",
        needs="judgments of the whole judged set, graded or not",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Whether the best ranking is good enough, and what it costs to miss one needed item.",
        formula="DCG / IDCG; DCG = Σ gain(grade_i) / log2(i + 1), IDCG the same for the judged set in its best order "
        "at the same k; gain(g) is g (linear) or 2^g - 1 (exp)",
        reference="Järvelin, Kekäläinen: Cumulated gain-based evaluation (TOIS 2002); Burges et al. (2005) for exp; "
        "trec_eval ndcg, ndcg_cut_k (linear)",
    ),
    measure,
    parameters=(Choice("gain", "linear", ("linear", "exp")),),
    cutoff="optional",
    looks_elsewhere=True,
    ties="layers",
)
