"""TREC files of a given size, the same for the same name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

DOCUMENTS = 8_841_823  # the passages of MS MARCO


@dataclass(frozen=True)
class Size:
    """`relevant` judged items a query if binary; graded ones have 210 judged items of grade 0 to 3."""

    queries: int
    depth: int
    graded: bool = False


SIZES = {
    "a": Size(6_980, 1_000),  # MS MARCO dev: about one relevant passage a query
    "b": Size(50, 1_000, graded=True),  # a TREC track
    "c": Size(1_000_000, 10),
    "d": Size(10_000_000, 10),
}


def files(name: str, folder: Path) -> tuple[Path, Path]:
    """Qrels and run of that size, made unless they are there."""
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.run"
    if not run.exists():
        unfinished = run.with_suffix(".part")
        _write(SIZES[name], qrels, unfinished)
        unfinished.rename(run)
    return qrels, run


def _write(size: Size, qrels: Path, run: Path) -> None:
    rng = np.random.default_rng(0)
    with qrels.open("w") as judged, run.open("w") as ranked:
        for query in range(1_000_000, 1_000_000 + size.queries):
            items = rng.permutation(np.unique(rng.integers(0, DOCUMENTS, size.depth + 20)))[: size.depth].tolist()
            scores = np.sort(rng.random(len(items)) * 20)[::-1].tolist()
            ranked.writelines(
                f"{query} Q0 {item} {rank} {score:.6f} bm25\n"
                for rank, (item, score) in enumerate(zip(items, scores, strict=True), start=1)
            )
            if size.graded:
                pool = {*rng.choice(items, 150, replace=False).tolist(), *rng.integers(0, DOCUMENTS, 60).tolist()}
                judged.writelines(f"{query} 0 {item} {rng.integers(0, 4)}\n" for item in sorted(pool))
            else:
                found = rng.random() < 0.6
                item = items[int(rng.integers(0, len(items)))] if found else int(rng.integers(0, DOCUMENTS))
                judged.write(f"{query} 0 {item} 1\n")
