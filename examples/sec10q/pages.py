"""Two BM25 retrievers over the single pages of the filings, to be run by ragvet: `pages:plain` and `pages:named`.

They read `pages.jsonl` in the current folder.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

COMPANIES = {"AAPL": "Apple", "AMZN": "Amazon", "INTC": "Intel", "MSFT": "Microsoft", "NVDA": "NVIDIA"}


def plain(question: str, k: int) -> list[dict[str, Any]]:
    """The best pages for the question, by their text alone."""
    return _search(question, k, headings=0)


def named(question: str, k: int) -> list[dict[str, Any]]:
    """The best pages for the question; each page is indexed with the name of its filing and company."""
    return _search(question, k, headings=3)


def _search(question: str, k: int, headings: int) -> list[dict[str, Any]]:
    rows, index, known = _index(headings)
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
def _index(headings: int) -> tuple[list[dict[str, Any]], Any, frozenset[str]]:
    with Path("pages.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    words = _words([f"{_name(row['doc']) * headings}{row['text']}" for row in rows])
    index = bm25s.BM25()
    index.index(words, show_progress=False)
    return rows, index, frozenset(word for text in words for word in text)


def _name(filing: str) -> str:
    """`2023 Q3 AAPL Apple`; written three times in front of a page, it weighs as a heading should."""
    return f"{filing} {COMPANIES[filing.rpartition(' ')[2]]} "


def _words(texts: list[str]) -> list[list[str]]:
    return bm25s.tokenize(texts, stopwords="en", return_ids=False, show_progress=False)
