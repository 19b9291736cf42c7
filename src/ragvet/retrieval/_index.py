from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

_MIX = np.uint64(0x9E3779B97F4A7C15)


class PairIndex:
    """Finds (code, id) pairs by a 64-bit hash of both; every hit is confirmed on the ids themselves.

    Strings are hashed once, by polars; a table of bits sends most pairs that are not there away at the cost of one
    memory access.
    """

    def __init__(self, codes: Places, ids: pl.Series, hashes: Hashes | None = None) -> None:
        self._codes, self._ids = codes, ids
        keys = pair_keys(codes, hash_ids(ids) if hashes is None else hashes)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        bits = max(10, int(8 * len(keys)).bit_length())
        self._mask = np.uint64((1 << bits) - 1)
        self._table = np.zeros(1 << bits, np.bool_)
        self._table[keys & self._mask] = True

    def same_key(self) -> list[tuple[int, int]]:
        """Pairs of places that hold the same code and id."""
        equal = np.flatnonzero(self._keys[1:] == self._keys[:-1])
        pairs = zip(self._order[equal].tolist(), self._order[equal + 1].tolist(), strict=True)
        return [(a, b) for a, b in pairs if self._ids[a] == self._ids[b] and self._codes[a] == self._codes[b]]

    def find(self, codes: Places, ids: pl.Series, keys: Hashes) -> Places:
        """For each pair the place of the same one in the index, -1 where there is none."""
        places = np.full(len(keys), -1, np.int64)
        if not len(self._keys):
            return places
        candidates = np.flatnonzero(self._table[keys & self._mask])
        wanted = keys[candidates]
        slot = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        hit = self._keys[slot] == wanted
        candidates, slot = candidates[hit], slot[hit]
        found = self._order[slot]
        confirmed = (self._codes[found] == codes[candidates]) & (
            (self._ids.gather(found) == ids.gather(candidates)).to_numpy()
        )
        places[candidates[confirmed]] = found[confirmed]
        return places


def hash_ids(ids: pl.Series) -> Hashes:
    """A 64-bit hash of each id, stable within a process."""
    return ids.hash(seed=0).to_numpy()


def pair_keys(codes: Places, hashes: Hashes) -> Hashes:
    """One hash for each (code, id)."""
    return hashes ^ (codes.astype(np.uint64) * _MIX)


def heads(hashes: Hashes) -> Places:
    """Where a new value begins in consecutive equal ones."""
    if not len(hashes):
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(hashes[1:] != hashes[:-1]) + 1))
