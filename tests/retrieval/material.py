"""Judgments and a run to be read, and what is made of them."""

from __future__ import annotations

from pathlib import Path

from ragvet.retrieval import Collection, align

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
RUN = "q1 Q0 a 1 3.0 t\nq1 Q0 x 2 2.0 t\nq2 Q0 c 1 1.0 t\n"
LABELS = [[1, -1], [2, -2]]


def aligned(folder: Path, qrels: object = QRELS, run: object = RUN, **options: object) -> Collection:
    """Text and bytes are written to files first."""
    return align(file(folder / "qrels.txt", qrels), file(folder / "run.txt", run), **options)


def file(path: Path, content: object) -> object:
    if isinstance(content, str):
        path.write_bytes(content.encode())
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        return content
    return path


def labels(collection: Collection) -> list[list[int]]:
    return collection.batches[0].rankings.labels.tolist()


def kinds(collection: Collection) -> dict[str, int]:
    return {notice.kind: notice.count for notice in collection.notices}
