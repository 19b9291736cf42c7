"""bpref: how often what is judged relevant stands before what is judged not to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ragvet.metrics.rankings._bpref_bounds import Judgments, greatest, least
from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Floats, Mask, Window, running
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """Of judged items only, by construction; the bounds say what it could be once everything is judged."""
    relevant = window.fresh(rel)
    nonrelevant = (window.labels >= 0) & (window.labels < rel)
    if window.repeated is not None:
        nonrelevant &= ~window.repeated  # a repeat is passed over
    known = window.known_relevant(rel)
    known_not = window.rankings.judged[:, :rel].sum(axis=1, dtype=np.float64)
    # never lower with more non-relevant items that are not ranked
    most_not = np.full(len(window), np.inf) if window.rankings.uncounted else known_not
    low = _plain(relevant, nonrelevant, known, known_not)
    plain_high = _plain(relevant, nonrelevant, known, most_not) if window.rankings.uncounted else low
    if not window.any_unknown:
        return Extent(low, plain_high, ever=known > 0)
    unjudged, u, v = window.could_be_fresh(rel)
    open_ = u + v > 0
    endless = open_ & np.isinf(v)
    judgments = Judgments(relevant, nonrelevant, unjudged, known, known_not, u, v)
    high = np.where(open_, greatest(replace(judgments, known_not=most_not)), plain_high)
    if endless.all():
        low = np.zeros(len(window))
    else:
        bounded = replace(judgments, v=np.where(endless, 0.0, v))
        low = np.where(endless, 0.0, np.where(open_, least(bounded), low))
    return Extent(low, high, ever=known + u + v > 0, always=window.some_relevant(rel))


def _plain(relevant: Mask, nonrelevant: Mask, known: Floats, known_not: Floats) -> Floats:
    above = np.minimum(running(nonrelevant)[:, 1:], known[:, None])
    lost = above / np.maximum(np.minimum(known, known_not), 1)[:, None]
    return np.sum(relevant * (1 - lost), axis=1) / np.maximum(known, 1)


BPREF = Definition(
    MetricDeclaration(
        name="bpref",
        version=2,
        family="Retrieval",
        title="Whether judged relevant items stand above judged non-relevant ones.",
        direction="higher",
        needs="judgments of both kinds",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Anything unjudged: a ranking may be full of it and still be perfect. trec_eval's value is the "
        "one under the assumption `condensed`. Where everything unlisted counts as non-relevant, N counts it too: the "
        "size of the corpus must be known, else the value is a range.",
        formula="1/R · Σ over relevant items of (1 - min(non-relevant above it, R) / min(N, R))",
        reference="Buckley, Voorhees: Retrieval evaluation with incomplete information (SIGIR 2004); trec_eval bpref",
    ),
    measure,
    cutoff="none",
    looks_elsewhere=True,
)
