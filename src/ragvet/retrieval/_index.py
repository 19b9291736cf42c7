from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""Odd, so that different codes stay different: pairs with the same id and key have the same code."""
_PROBED_AT_ONCE = 1 << 15
"""Keys looked up together, few enough that all on the way stays in the processor's cache."""


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

    def find(self, ids: pl.Series, keys: Hashes) -> Places:
        """For each pair the place of the same one in the index, -1 where there is none."""
        places = np.full(len(keys), -1, np.int64)
        parts = [self._probed(keys, start) for start in range(0, len(keys), _PROBED_AT_ONCE)]
        if not parts:
            return places
        asked, place = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
        same = (self._ids.gather(place) == ids.gather(asked)).to_numpy()
        places[asked[same]] = place[same]
        return places

    def _probed(self, keys: Hashes, start: int) -> tuple[Places, Places]:
        """Of some keys from `start` on: which are in the index, and the places of their equals there."""
        part = keys[start : start + _PROBED_AT_ONCE]
        pair = np.flatnonzero(self._filled[part >> self._shift])
        wanted = part[pair]
        slot = self._starts[wanted >> self._shift].astype(np.int64)
        asked, place = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        while len(pair):  # keys are sorted: go on only where the one in the slot is not past the wanted one
            held = self._keys[slot]
            equal = held == wanted
            asked.append(pair[equal] + start)
            place.append(self._order[slot[equal]])
            onward = np.flatnonzero((held <= wanted) & (slot < len(self._keys) - 1))
            pair, wanted, slot = pair[onward], wanted[onward], slot[onward] + 1
        return np.concatenate(asked), np.concatenate(place)

    def find_ids(self, ids: pl.Series) -> Places:
        """`find` for an index of ids alone."""
        return self.find(ids, hash_ids(ids))


def hash_ids(ids: pl.Series) -> Hashes:
    """A 64-bit hash of each id, stable within a process."""
    return ids.hash(seed=0).to_numpy()


def code_keys(codes: Places) -> Hashes:
    """What makes the key of a pair from the hash of its id, by exclusive or."""
    return codes.astype(np.uint64) * _MIX


def all_different(hashes: Hashes) -> bool:
    """Whether no value stands twice; sorting hashes is faster than hashing them once more."""
    ordered = np.sort(hashes)
    return not bool((ordered[1:] == ordered[:-1]).any())


def heads(hashes: Hashes) -> Places:
    """Where a new value begins in consecutive equal ones."""
    if not len(hashes):
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(hashes[1:] != hashes[:-1]) + 1))
