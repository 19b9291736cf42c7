"""ERR@k: reciprocal rank at which a reader who stops by grade is expected to stop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._metric import Definition, Whole
from ragvet.metrics.rankings._rankings import MAX_GRADE
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Floats, Window
from ragvet.records import MetricDeclaration


def measure(window: Window, top: int = 0) -> Extent:
    """ERR never falls when a grade rises, so the ends are all unjudged items at 0 and all at the top grade.

    Raising the stop probability at rank i gains 1/i and loses at most 1/(i + 1) of what comes after.
    """
    grades = window.labels if window.repeated is None else np.where(window.repeated, np.int8(0), window.labels)
    scale = top or window.top_grade
    low = _expected(grades, scale)
    if not window.any_unknown:
        return Extent(low, low)
    return Extent(low, _expected(np.where(window.unjudged, np.int8(window.top_grade), grades), scale))


def _expected(grades: NDArray[np.int8], top: int) -> Floats:
    satisfies = np.array([(2.0**grade - 1) / 2.0**top for grade in range(top + 1)], np.float64)
    stops: Floats = np.take(satisfies, np.clip(grades, 0, top))
    arrives = np.ones_like(stops)
    np.cumprod(np.subtract(1.0, stops[:, :-1]), axis=1, out=arrives[:, 1:])
    return np.sum(arrives * stops / np.arange(1.0, grades.shape[1] + 1), axis=1)


EXPECTED_RECIPROCAL_RANK = Definition(
    MetricDeclaration(
        name="ERR",
        version=1,
        family="Retrieval",
        title="Expected 1/rank at which a reader is satisfied, better grades satisfying more often.",
        direction="higher",
        needs="graded judgments; `top` is the grade that satisfies almost surely (0: the top of the judgments' scale)",
        undefined_when="Never: with nothing relevant it is 0.",
        does_not_catch="Questions that need several items: it stops caring after one very good one.",
        formula="Σ_i 1/i · R_i · Π_{j<i} (1 - R_j) with R = (2^grade - 1) / 2^top",
        reference="Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance (CIKM 2009)",
    ),
    measure,
    parameters=(Whole("top", 0, 0, MAX_GRADE),),
    cutoff="optional",
    ties="grade",
)
