"""The orders that items of equal scores can stand in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._rankings import UNJUDGED
from ragvet.metrics.rankings._window import Mask


def first_among_equals(labels: NDArray[np.int8], tied: Mask, worth: NDArray[np.int8]) -> NDArray[np.int8]:
    """The labels with items of equal scores by falling worth, all else as it stands.

    Args:
        labels: int8 (n, depth), as in `Rankings`.
        tied: bool (n, depth): the score equals that of the item before.
        worth: int8 (n, depth), 0 to 127.
    """
    score = np.cumsum(~tied, axis=1, dtype=np.int32)
    order = np.argsort((score << 7) - worth, axis=1, kind="stable")
    return np.take_along_axis(labels, order, axis=1)


def by_relevance(labels: NDArray[np.int8], level: int) -> NDArray[np.int8]:
    """The worth of an item of at least that grade, 2, of an unjudged one, 1, and of any other, 0."""
    return np.where(labels == UNJUDGED, np.int8(1), np.int8(2) * (labels >= level))
