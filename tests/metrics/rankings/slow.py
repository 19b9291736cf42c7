"""Every retrieval metric written once more from its definition, for one query with nothing unknown.

A query is the list of its ranked items, `(grade, repeats)`, and the grades of the items that are not ranked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Query:
    ranked: tuple[tuple[int | None, bool], ...]
    outside: tuple[int | None, ...]
    top: int

    def assignments(self) -> Iterator[Query]:
        """The query under every assignment of grades to its unjudged items."""
        unknown = [grade for grade, _ in self.ranked].count(None) + self.outside.count(None)
        for grades in product(range(self.top + 1), repeat=unknown):
            left = iter(grades)
            ranked = tuple((next(left) if grade is None else grade, again) for grade, again in self.ranked)
            outside = tuple(next(left) if grade is None else grade for grade in self.outside)
            yield Query(ranked, outside, self.top)

    def grades(self) -> list[int]:
        """The grades of all judged items, repeats left out."""
        return [grade for grade, again in self.ranked if not again] + list(self.outside)


def precision(query: Query, k: int, rel: int = 1) -> float | None:
    return sum(grade >= rel for grade, _ in query.ranked[:k]) / k


def precision_returned(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    window = query.ranked[:k]
    return sum(grade >= rel for grade, _ in window) / len(window) if window else None


def recall(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    relevant = sum(grade >= rel for grade in query.grades())
    return sum(grade >= rel and not again for grade, again in query.ranked[:k]) / relevant if relevant else None


def f(query: Query, k: int, rel: int = 1, beta: float = 1.0) -> float | None:
    p, r = precision(query, k, rel), recall(query, k, rel)
    if r is None:
        return None
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def hit(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    return float(any(grade >= rel for grade, _ in query.ranked[:k]))


def reciprocal_rank(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    return next((1 / rank for rank, (grade, _) in enumerate(query.ranked[:k], 1) if grade >= rel), 0.0)


def _precision_sum(relevant: Sequence[bool]) -> float:
    return sum(sum(relevant[:rank]) / rank for rank in range(1, len(relevant) + 1) if relevant[rank - 1])


def average_precision(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    total = sum(grade >= rel for grade in query.grades())
    return _precision_sum([g >= rel and not again for g, again in query.ranked[:k]]) / total if total else None


def context_precision(query: Query, k: int | None = None, rel: int = 1) -> float | None:
    relevant = [grade >= rel for grade, _ in query.ranked[:k]]
    return _precision_sum(relevant) / sum(relevant) if any(relevant) else None


def r_precision(query: Query, rel: int = 1) -> float | None:
    total = sum(grade >= rel for grade in query.grades())
    return sum(g >= rel and not again for g, again in query.ranked[:total]) / total if total else None


def ndcg(query: Query, k: int | None = None, gain: str = "linear") -> float | None:
    def dcg(grades: Sequence[int]) -> float:
        gains = [grade if gain == "linear" else 2**grade - 1 for grade in grades[:k]]
        return sum(g / math.log2(rank + 1) for rank, g in enumerate(gains, 1))

    ideal = dcg(sorted(query.grades(), reverse=True))
    return dcg([0 if again else grade for grade, again in query.ranked]) / ideal if ideal else None


def rank_biased_precision(query: Query, k: int | None = None, rel: int = 1, p: float = 0.8) -> float | None:
    return sum((1 - p) * p**place for place, (grade, _) in enumerate(query.ranked[:k]) if grade >= rel)


def expected_reciprocal_rank(query: Query, k: int | None = None, top: int = 0) -> float | None:
    scale = top or query.top
    arrives, total = 1.0, 0.0
    for rank, (grade, again) in enumerate(query.ranked[:k], 1):
        stops = 0 if again else (2 ** min(grade, scale) - 1) / 2**scale
        total += arrives * stops / rank
        arrives *= 1 - stops
    return total


def bpref(query: Query, rel: int = 1) -> float | None:
    relevant = sum(grade >= rel for grade in query.grades())
    nonrelevant = sum(grade < rel for grade in query.grades())
    if not relevant:
        return None
    total, above = 0.0, 0
    for grade, again in query.ranked:
        if again:
            continue
        if grade < rel:
            above += 1
        else:
            total += 1 - min(above, relevant) / min(nonrelevant, relevant) if above else 1
    return total / relevant


SLOW = {
    "precision": precision,
    "precision_returned": precision_returned,
    "recall": recall,
    "F": f,
    "hit": hit,
    "RR": reciprocal_rank,
    "AP": average_precision,
    "context_precision": context_precision,
    "R-precision": r_precision,
    "nDCG": ndcg,
    "RBP": rank_biased_precision,
    "ERR": expected_reciprocal_rank,
    "bpref": bpref,
}
