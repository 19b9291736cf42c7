"""The logarithmic discount of nDCG, and what ideal rankings sum up to."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ragvet.metrics.rankings._window import Floats


def discounts(width: int) -> Floats:
    """1 / log2(rank + 1) for the ranks 1 to `width`."""
    return 1 / np.log2(np.arange(2, width + 2))


@lru_cache(maxsize=4)
def _sums(size: int) -> Floats:
    """D(m), the sum of the first m discounts, for m = 0 to `size`."""
    sums = np.zeros(size + 1)
    np.cumsum(discounts(size), out=sums[1:])
    return sums


def ideal(items: Floats, k: int | None) -> Floats:
    """D(min(k, items)): the discounts that many items fill at best; infinite where both are."""
    if k is not None:
        return np.take(_table(k), np.minimum(items, k).astype(np.int64))
    endless = np.isinf(items)
    whole = np.where(endless, 0, items).astype(np.int64)
    return np.where(endless, np.inf, np.take(_table(int(whole.max(initial=0))), whole))


def _table(longest: int) -> Floats:
    return _sums(1 << max(longest, 1).bit_length())  # few sizes, so that the cache is hit
