"""Millions of pairs of query and item, looked up at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""Odd, so that different codes stay different: pairs with the same id and key have the same code."""
AT_ONCE = 1 << 15
"""Keys looked up together, so few that everything on the way stays in the processor's cache."""


class PairIndex:
    """Finds (code, id) pairs by a 64-bit key of both; every hit is confirmed on the ids themselves.

    The keys are sorted and cut into buckets by their highest bits, four to eight buckets a key. An empty bucket sends
    most pairs that are not there away at the cost of one memory access, a filled one holds hardly more than one key.
    """

    def __init__(self, ids: pl.Series, keys: Hashes) -> None:
        self._ids = ids
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        bits = max(10, (4 * len(keys)).bit_length())
        self._shift = np.uint64(64 - bits)
        buckets = self._keys >> self._shift
        first = heads(buckets)
        self._filled = np.zeros(1 << bits, np.bool_)
        self._filled[buckets[first]] = True
        self._starts = np.empty(1 << bits, np.uint32)  # of filled buckets only
        self._starts[buckets[first]] = first

    @classmethod
    def of_ids(cls, ids: pl.Series) -> PairIndex:
        """Of ids alone."""
        return cls(ids, hash_ids(ids))

    def doubles(self) -> list[tuple[int, int]]:
        """Places that hold the same pair, two at a time, the smaller first."""
        equal = np.flatnonzero(self._keys[1:] == self._keys[:-1])
        pairs = zip(self._order[equal].tolist(), self._order[equal + 1].tolist(), strict=True)
        return sorted((min(a, b), max(a, b)) for a, b in pairs if self._ids[a] == self._ids[b])

    def find(self, ids: pl.Series, keys: Iterable[Hashes]) -> tuple[Places, Places]:
        """Which of the pairs are in the index, and where each of those stands there.

        Args:
            ids: of all pairs.
            keys: their keys, some thousand at a time: all that a look-up needs then stays in the processor's cache.
        """
        asked, place, start = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
        for part in keys:
            for which, where in self._equal_keys(part):
                asked.append(which + start)
                place.append(where)
            start += len(part)
        which, where = np.concatenate(asked), np.concatenate(place)
        same = (self._ids[where] == ids[which]).to_numpy()
        return which[same], where[same]

    def _equal_keys(self, keys: Hashes) -> Iterator[tuple[Places, Places]]:
        pair = np.flatnonzero(self._filled[keys >> self._shift])
        wanted = keys[pair]
        slot = self._starts[wanted >> self._shift].astype(np.int64)
        while len(pair):  # keys are sorted: go on only where the one in the slot is not past the wanted one
            held = self._keys[slot]
            equal = held == wanted
            yield pair[equal], self._order[slot[equal]]
            onward = np.flatnonzero((held <= wanted) & (slot < len(self._keys) - 1))
            pair, wanted, slot = pair[onward], wanted[onward], slot[onward] + 1

    def find_ids(self, ids: pl.Series) -> Places:
        """In an index of ids alone, the place of each; -1 where there is none."""
        hashes = hash_ids(ids)
        keys = (hashes[start : start + AT_ONCE] for start in range(0, len(hashes), AT_ONCE))
        places = np.full(len(ids), -1, np.int64)
        which, where = self.find(ids, keys)
        places[which] = where
        return places


def hash_ids(ids: pl.Series) -> Hashes:
    """A 64-bit hash of each id, stable within a process."""
    return ids.hash(seed=0).to_numpy()


def code_keys(codes: Places) -> Hashes:
    """What makes the key of a pair from the hash of its id, by exclusive or."""
    return codes.astype(np.uint64) * _MIX


def distinct(hashes: Hashes) -> Hashes:
    """The different values, sorted; sorting hashes is faster than hashing them once more."""
    ordered = np.sort(hashes)
    return ordered[heads(ordered)]


def all_different(hashes: Hashes) -> bool:
    """Whether no value stands twice."""
    ordered = np.sort(hashes)
    return not bool((ordered[1:] == ordered[:-1]).any())


def heads(hashes: Hashes) -> Places:
    """Where a new value begins in consecutive equal ones."""
    if not len(hashes):
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(hashes[1:] != hashes[:-1]) + 1))
