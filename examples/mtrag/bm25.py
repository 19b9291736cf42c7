"""Two retrievers over the passages of MTRAG, to be run by ragvet: `bm25:last_turn` and `bm25:conversation`.

They read `corpus.jsonl` in the current folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

from ragvet.records import Turn


def last_turn(question: str, k: int) -> list[tuple[str, float]]:
    """The best passages for the last question alone, as the user typed it."""
    return _search(question, k)


def conversation(question: str, k: int, history: Sequence[Turn]) -> list[tuple[str, float]]:
    """The best passages for all the user has said so far."""
    said = [turn.content for turn in history if turn.role == "user"]
    return _search(" ".join([*said, question]), k)


def _search(query: str, k: int) -> list[tuple[str, float]]:
    ids, index, known = _index()
    words = [word for word in _words([query])[0] if word in known]
    if not words:
        return []
    scores = index.get_scores(words)
    best = np.argsort(-scores, kind="stable")[:k]
    return [(ids[place], float(scores[place])) for place in best if scores[place] > 0]


@cache
def _index() -> tuple[list[str], Any, frozenset[str]]:
    rows = [json.loads(line) for line in Path("corpus.jsonl").read_text("utf-8").splitlines()]
    words = _words([f"{row['title'] or ''} {row['text']}" for row in rows])
    index = bm25s.BM25()
    index.index(words, show_progress=False)
    return [row["doc_id"] for row in rows], index, frozenset(word for text in words for word in text)


def _words(texts: list[str]) -> list[list[str]]:
    return bm25s.tokenize(texts, stopwords="en", return_ids=False, show_progress=False)
