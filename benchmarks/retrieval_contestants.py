"""Measured evaluations in a process of their own: `python retrieval_contestants.py NAME QRELS RUN TIMES` prints JSON.

Every contestant reads both files and computes the means of P@5 P@10 R@10 R@100 RR@10 nDCG@10 AP (`read` only reads).
Imports are not measured; everything after them is, just-in-time compilation included, since a user waits for it.
"""

from __future__ import annotations

import importlib.metadata
import json
import resource
import sys
import time
from collections.abc import Iterator

METRICS = ["precision@5", "precision@10", "recall@10", "recall@100", "RR@10", "nDCG@10", "AP"]
Means = list[float]


def ragvet(qrels: str, run: str, judgments: str = "exhaustive") -> Iterator[Means | None]:
    from ragvet.metrics.rankings import parse
    from ragvet.retrieval import align, score

    yield None
    collection = align(qrels, run, judgments=judgments)
    yield None
    yield [score(collection, [parse(name)])["low"].mean() for name in METRICS]


def ragvet_bounds(qrels: str, run: str) -> Iterator[Means | None]:
    return ragvet(qrels, run, "listed")


def read(qrels: str, run: str) -> Iterator[Means | None]:
    import polars as pl

    yield None
    pl.read_csv(qrels, has_header=False, separator=" ", quote_char=None)
    pl.read_csv(run, has_header=False, separator=" ", quote_char=None)
    yield None
    yield []


def pytrec_eval(qrels: str, run: str) -> Iterator[Means | None]:
    import pytrec_eval as tool

    yield None
    with open(qrels) as judged, open(run) as ranked:  # noqa: PTH123 - as its documentation shows
        known, found = tool.parse_qrel(judged), tool.parse_run(ranked)
    yield None
    names = ["P_5", "P_10", "recall_10", "recall_100", "recip_rank", "ndcg_cut_10", "map"]
    values = list(tool.RelevanceEvaluator(known, set(names)).evaluate(found).values())
    for value in values:
        if value["recip_rank"] < 0.0999:  # it has no RR@10: what is below rank 10 counts 0
            value["recip_rank"] = 0.0
    yield [sum(value[name] for value in values) / len(values) for name in names]


def ir_measures(qrels: str, run: str) -> Iterator[Means | None]:
    import ir_measures as tool
    from ir_measures import AP, RR, P, R, nDCG

    yield None
    known, found = list(tool.read_trec_qrels(qrels)), list(tool.read_trec_run(run))
    yield None
    measures = [P @ 5, P @ 10, R @ 10, R @ 100, RR @ 10, nDCG @ 10, AP]
    means = tool.calc_aggregate(measures, known, found)
    yield [means[measure] for measure in measures]


def ranx(qrels: str, run: str) -> Iterator[Means | None]:
    from ranx import Qrels, Run, evaluate

    yield None
    known, found = Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec")
    yield None
    names = ["precision@5", "precision@10", "recall@10", "recall@100", "mrr@10", "ndcg@10", "map"]
    values = evaluate(known, found, names, make_comparable=True)
    yield [float(values[name]) for name in names]


PACKAGES = {"pytrec_eval": "pytrec-eval-terrier", "ir_measures": "ir-measures", "read": "polars", "ranx": "ranx"}
CONTESTANTS = {f.__name__: f for f in (ragvet, ragvet_bounds, read, pytrec_eval, ir_measures, ranx)}


def measured(name: str, qrels: str, run: str) -> dict[str, float | Means | None]:
    """Seconds on the clock to load, to compute and of both, processor seconds of both, and the means."""
    steps = CONTESTANTS[name](qrels, run)
    next(steps)
    start = time.perf_counter(), time.process_time()
    next(steps)
    loaded = time.perf_counter()
    means = next(steps)
    done = time.perf_counter(), time.process_time()
    return {
        "load": loaded - start[0],
        "compute": done[0] - loaded,
        "wall": done[0] - start[0],
        "cpu": done[1] - start[1],
        "means": means,
    }


if __name__ == "__main__":
    name, qrels, run, times = sys.argv[1:]
    rounds = [measured(name, qrels, run) for _ in range(int(times))]
    best = min(rounds, key=lambda one: one["wall"])
    best |= {
        "first": rounds[0]["wall"],
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "version": importlib.metadata.version(PACKAGES.get(name, "ragvet")),
    }
    print(json.dumps(best))
