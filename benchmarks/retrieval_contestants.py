"""Measured evaluations in a process of their own: `python retrieval_contestants.py NAME QRELS RUN TIMES` prints JSON.

Every contestant reads both files and computes P@5 P@10 R@10 R@100 RR@10 nDCG@10 AP (`read` only reads). Imports are not
measured; everything after them is, just-in-time compilation included, since a user waits for it.
"""

from __future__ import annotations

import importlib.metadata
import json
import resource
import sys
import time

METRICS = ["precision@5", "precision@10", "recall@10", "recall@100", "RR@10", "nDCG@10", "AP"]


def ragvet(qrels: str, run: str, judgments: str = "exhaustive") -> tuple[float, float, float]:
    from ragvet.metrics.retrieval import parse
    from ragvet.retrieval import align, score

    start = time.perf_counter()
    collection = align(qrels, run, judgments=judgments)
    loaded = time.perf_counter()
    means = {name: score(collection, [parse(name)])["low"].mean() for name in METRICS}
    done = time.perf_counter()
    return loaded - start, done - loaded, means["nDCG@10"]


def ragvet_bounds(qrels: str, run: str) -> tuple[float, float, float]:
    return ragvet(qrels, run, "listed")


def read(qrels: str, run: str) -> tuple[float, float, float]:
    import polars as pl

    start = time.perf_counter()
    pl.read_csv(qrels, has_header=False, separator=" ", quote_char=None)
    pl.read_csv(run, has_header=False, separator=" ", quote_char=None)
    return time.perf_counter() - start, 0.0, float("nan")


def pytrec_eval(qrels: str, run: str) -> tuple[float, float, float]:
    import pytrec_eval as tool

    start = time.perf_counter()
    with open(qrels) as judged, open(run) as ranked:  # noqa: PTH123 - as its documentation shows
        known, found = tool.parse_qrel(judged), tool.parse_run(ranked)
    loaded = time.perf_counter()
    names = {"P_5", "P_10", "recall_10", "recall_100", "recip_rank", "ndcg_cut_10", "map"}
    values = tool.RelevanceEvaluator(known, names).evaluate(found)
    done = time.perf_counter()
    return loaded - start, done - loaded, sum(value["ndcg_cut_10"] for value in values.values()) / len(values)


def ir_measures(qrels: str, run: str) -> tuple[float, float, float]:
    import ir_measures as tool
    from ir_measures import AP, RR, P, R, nDCG

    start = time.perf_counter()
    known, found = list(tool.read_trec_qrels(qrels)), list(tool.read_trec_run(run))
    loaded = time.perf_counter()
    measures = [P @ 5, P @ 10, R @ 10, R @ 100, RR @ 10, nDCG @ 10, AP]
    values = [value.value for value in tool.iter_calc(measures, known, found) if value.measure == nDCG @ 10]
    done = time.perf_counter()
    return loaded - start, done - loaded, sum(values) / len(values)


def ranx(qrels: str, run: str) -> tuple[float, float, float]:
    from ranx import Qrels, Run, evaluate

    start = time.perf_counter()
    known, found = Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec")
    loaded = time.perf_counter()
    names = ["precision@5", "precision@10", "recall@10", "recall@100", "mrr@10", "ndcg@10", "map"]
    values = evaluate(known, found, names, make_comparable=True)
    done = time.perf_counter()
    return loaded - start, done - loaded, float(values["ndcg@10"])


PACKAGES = {"pytrec_eval": "pytrec-eval-terrier", "ir_measures": "ir-measures", "read": "polars", "ranx": "ranx"}
CONTESTANTS = {f.__name__: f for f in (ragvet, ragvet_bounds, read, pytrec_eval, ir_measures, ranx)}

if __name__ == "__main__":
    name, qrels, run, times = sys.argv[1:]
    before = time.process_time()
    rounds = [CONTESTANTS[name](qrels, run) for _ in range(int(times))]
    load, compute, ndcg = min(rounds, key=lambda one: one[0] + one[1])
    measured = {
        "load": load,
        "compute": compute,
        "first": sum(rounds[0][:2]),
        "cpu": (time.process_time() - before) / len(rounds),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "nDCG@10": ndcg,
        "version": importlib.metadata.version(PACKAGES.get(name, "ragvet")),
    }
    print(json.dumps(measured))
