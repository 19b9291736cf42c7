"""A BM25 retriever over the single pages of the filings, to be run by ragvet: `pages:search`.

It reads `pages.jsonl` in the current folder.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import bm25s
import numpy as np


def search(question: str, k: int) -> list[dict[str, Any]]:
    """The best pages for the question, each with the filing it is from."""
    rows, index, known = _index()
    words = [word for word in _words([question])[0] if word in known]
    if not words:
        return []
    scores = index.get_scores(words)
    best = [int(place) for place in np.argsort(-scores, kind="stable")[:k] if scores[place] > 0]
    return [
        {
            "chunk_id": f"{rows[place]['doc']}, page {rows[place]['page']}",
            "doc_id": rows[place]["doc"],
            "text": rows[place]["text"],
            "score": float(scores[place]),
        }
        for place in best
    ]


@cache
def _index() -> tuple[list[dict[str, Any]], Any, frozenset[str]]:
    with Path("pages.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    words = _words([row["text"] for row in rows])
    index = bm25s.BM25()
    index.index(words, show_progress=False)
    return rows, index, frozenset(word for text in words for word in text)


def _words(texts: list[str]) -> list[list[str]]:
    return bm25s.tokenize(texts, stopwords="en", return_ids=False, show_progress=False)
