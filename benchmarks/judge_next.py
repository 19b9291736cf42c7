"""How fast judgments close the intervals of a metric: `ragvet judge-next` beside rank order, on hidden judgments.

`python -m benchmarks judge_next --qrels FILE --run FILE [--seeds 5] [--metrics NAME ...] [--plot FILE.svg]`

Of the judgments most are hidden, and shown again in batches, in the order of `judge-next` or rank by rank over all
queries, those that are settled left out. Only judged items are ranked, so that every question has an answer. Printed
are the mean widths of the intervals, and the width under `judge-next` as a share of that under rank order: over all
batches, and in the batch in which it is greatest. With TREC Deep Learning 2019 the plot is that of the docs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from ragvet.metrics.rankings import UNJUDGED, Metric, parse
from ragvet.retrieval import Collection, align, judge_next

METRICS = (
    "nDCG@10", "nDCG(gain=exp)@10", "AP@10", "RR@10", "ERR@10", "RBP@10", "precision@10", "recall@10", "F@10", "hit@10",
    "context_precision@10", "R-precision", "bpref",
)  # fmt: skip
SHOWN = ("nDCG@10", "AP@10", "RR@10", "recall@10")
"""Metrics of the plot."""
BATCH, ROUNDS, DEPTH = 20, 12, 100
KEPT = 0.2
"""Share of the judgments that is known at the beginning."""

Grades = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Order = Callable[[Collection, Metric], list[tuple[str, str]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qrels", help="TREC qrels; without them there is nothing to hide")
    parser.add_argument("--run", help="TREC run")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--plot", type=Path, help="write the widths as SVG")
    options = parser.parse_args()
    if options.qrels is None or options.run is None:
        print("left out: name --qrels and --run")
        return
    judged, run = _judged(options.qrels, options.run)
    half = ROUNDS // 2
    print(
        f"{'metric':<22}{'rank order':>12}{'judge-next':>12}{'of all':>8}{'at most':>9}  (widths after {half} batches)"
    )
    curves: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name in options.metrics:
        theirs, ours = (
            np.array([_widths(order, parse(name), judged, run, seed) for seed in range(options.seeds)]).mean(axis=0)
            for order in (_by_rank, _by_gain)
        )
        open_ = theirs > 1e-3
        most = (ours[open_] / theirs[open_])[1:].max(initial=0)
        share = ours.sum() / theirs.sum()
        print(f"{name:<22}{theirs[half]:>12.3f}{ours[half]:>12.3f}{share:>8.3f}{most:>9.3f}", flush=True)
        curves[name] = theirs, ours
    if options.plot is not None:
        options.plot.write_text(_plot({name: curves[name] for name in SHOWN if name in curves}), encoding="utf-8")


def _judged(qrels: str, run: str) -> tuple[Grades, Run]:
    """All judgments, and the first hundred judged items of each ranking."""
    judged: Grades = {}
    for query, item, grade in (
        _fields(qrels, ["query", "_", "item", "grade"]).select("query", "item", "grade").iter_rows()
    ):
        judged.setdefault(query, {})[item] = max(int(grade), 0)
    ranked: Run = {}
    rows = _fields(run, ["query", "_", "item", "rank", "score", "tag"])
    for query, item, score in rows.select("query", "item", "score").iter_rows():
        if item in judged.get(query, {}) and len(ranked.setdefault(query, {})) < DEPTH:
            ranked[query][item] = float(score)
    return judged, ranked


def _fields(path: str, names: list[str]) -> pl.DataFrame:
    return pl.read_csv(path, separator=" ", has_header=False, new_columns=names, infer_schema=False)


def _widths(order: Order, metric: Metric, judged: Grades, run: Run, seed: int) -> list[float]:
    """The mean width of the intervals at the beginning and after each batch."""
    dice = np.random.default_rng(seed)
    known = {query: {i: g for i, g in judged[query].items() if dice.random() < KEPT} for query in run}
    known = {query: grades or dict(list(judged[query].items())[:1]) for query, grades in known.items()}
    top = max(grade for grades in judged.values() for grade in grades.values())
    widths: list[float] = []
    for _ in range(ROUNDS + 1):
        collection = align(known, run, keep_items=True, top_grade=top)
        scores = collection.score(metric)
        widths.append(float(np.nan_to_num(scores.high - scores.low).mean()))
        for query, item in order(collection, metric):
            known[query][item] = judged[query][item]
    return widths


def _by_gain(collection: Collection, metric: Metric) -> list[tuple[str, str]]:
    return list(judge_next(collection, metric, BATCH).select("query_id", "item").iter_rows())


def _by_rank(collection: Collection, metric: Metric) -> list[tuple[str, str]]:
    """The first unjudged items in the metric's window, rank by rank, of queries whose interval is open."""
    assert collection.items is not None  # noqa: S101 - they are kept
    scores = collection.score(metric)
    open_ = np.nan_to_num(scores.high - scores.low) > 0
    found: list[tuple[int, int, int]] = []
    for batch in collection.batches:
        assert batch.places is not None  # noqa: S101 - likewise
        window = batch.rankings.labels[:, : metric.cutoff] == UNJUDGED
        for row, column in zip(*np.nonzero(window & open_[batch.rows][:, None]), strict=True):
            found.append((int(column), int(batch.rows[row]), int(batch.places[row, column])))
    return [(collection.query_ids[query], collection.items[place]) for _, query, place in sorted(found)[:BATCH]]


def _plot(curves: dict[str, tuple[np.ndarray, np.ndarray]]) -> str:
    """Small multiples: the mean width against the items judged, rank order dashed."""
    width, height, left, top = 150, 110, 40, 30
    parts: list[str] = []
    for number, (name, pair) in enumerate(curves.items()):
        x, most = left + number * (width + 30), max(float(one.max()) for one in pair)
        parts.append(f'<text x="{x}" y="{top - 10}" font-weight="bold">{name}</text>')
        parts.append(f'<path d="M{x} {top}V{top + height}H{x + width}" fill="none" stroke="#888"/>')
        parts.append(f'<text x="{x - 4}" y="{top + 4}" text-anchor="end">{most:.2f}</text>')
        parts.append(f'<text x="{x - 4}" y="{top + height}" text-anchor="end">0</text>')
        parts.append(f'<text x="{x + width}" y="{top + height + 14}" text-anchor="end">{ROUNDS * BATCH} judged</text>')
        for values, style in zip(pair, ('stroke="#888" stroke-dasharray="4 3"', 'stroke="#06c"'), strict=True):
            steps = enumerate(values)
            places = (f"{x + width * at / ROUNDS:.1f},{top + height * (1 - value / most):.1f}" for at, value in steps)
            parts.append(f'<polyline points="{" ".join(places)}" fill="none" stroke-width="1.5" {style}/>')
    size = f'width="{left + len(curves) * (width + 30)}" height="{top + height + 24}"'
    title = "<title>Mean width of intervals against items judged: judge-next (solid) and rank order (dashed)</title>"
    style = 'font-family="sans-serif" font-size="10" fill="#444"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{title}'
    return "\n".join(
        [head, '<rect width="100%" height="100%" fill="#fff"/>', f"<g {style}>", *parts, "</g>", "</svg>", ""]
    )


if __name__ == "__main__":
    main()
