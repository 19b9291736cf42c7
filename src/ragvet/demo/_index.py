"""A BM25 index over chunks, through `bm25s`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import bm25s
import numpy as np
from bm25s.stopwords import STOPWORDS_EN

from ragvet.demo._chunks import Chunk

__all__ = ["Index", "words"]


_WORD = re.compile(r"\w\w+")


def words(text: str) -> list[str]:
    """The words the index knows a text by: lower case, no English stop words, no single letters, no stemming."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOPWORDS_EN]


class Index:
    """Ranks chunks by BM25; equal scores keep the order of the corpus, so a ranking never depends on the machine."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        self.version = f"bm25s {version('bm25s')}"
        tokens = [words(chunk.text) for chunk in self.chunks]
        self._carried = Counter(word for document in tokens for word in set(document))
        self._ranker: Any = bm25s.BM25()  # its signatures are typed in part only
        self._ranker.index(tokens, show_progress=False)

    def search(self, query: str, k: int) -> list[tuple[Chunk, float]]:
        """The best `k` chunks that share a word with the query, best first, with their scores."""
        known = [word for word in words(query) if word in self._carried]
        if not known:
            return []
        scores = self._ranker.get_scores(known)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self.chunks[place], float(scores[place])) for place in best if scores[place] > 0]

    def rarity(self, word: str) -> float:
        """How much a word says: the fewer chunks carry it, the more; 0 for a word no chunk carries."""
        return math.log(1 + len(self.chunks) / self._carried[word]) if word in self._carried else 0.0
