"""The system under test of the demo: a small but complete retrieval-augmented assistant.

It is also the example of how to connect a system of one's own: one function from a question to an `Answer`.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter

from ragvet.demo._answers import MOST_SENTENCES, extract
from ragvet.demo._chunks import CHUNK_SIZE, Chunk, chunks
from ragvet.demo._corpus import documents
from ragvet.demo._index import Index
from ragvet.records import Answer, RetrievalCall, RetrievedItem

__all__ = ["answer"]

SUPPLIED = 5
"""Chunks the answer is drawn from."""

ENOUGH = 4.0
"""BM25 score of the best chunk below which the assistant says that it does not know."""

DECLINED = "The documents at hand do not answer this question."


def answer(question: str, k: int) -> Answer:
    """What the assistant replies, and all it did on the way: it retrieves `k` chunks and reads the first five.

    It answers every question by itself: earlier turns of the conversation are not looked at, and it never asks back.
    """
    index = _index()
    began = perf_counter()
    found = index.search(question, k)
    searched = perf_counter()
    supplied = [chunk for chunk, _ in found[:SUPPLIED]]
    confident = bool(found) and found[0][1] >= ENOUGH
    reply = extract(question, supplied, index) if confident else None
    return Answer(
        text=reply.text if reply else DECLINED,
        behaviour="answered" if reply else "refused",
        citations=reply.citations if reply else (),
        retrievals=(RetrievalCall(query=question, items=tuple(_item(chunk, score) for chunk, score in found)),),
        supplied=tuple(_item(chunk, score) for chunk, score in found[:SUPPLIED]),
        context="\n\n".join(f"[{place}] {chunk.text}" for place, chunk in enumerate(supplied, start=1)),
        timings={"retrieval": searched - began, "generation": perf_counter() - searched},
        versions={
            "index": index.version,
            "chunking": f"paragraphs up to {CHUNK_SIZE} characters",
            "answers": f"up to {MOST_SENTENCES} sentences, at or above a score of {ENOUGH}",
        },
    )


@cache
def _index() -> Index:
    return Index(list(chunks(documents())))


def _item(chunk: Chunk, score: float) -> RetrievedItem:
    return RetrievedItem(
        chunk_id=chunk.chunk_id,
        doc_id=chunk.document.doc_id,
        doc_version=chunk.document.version,
        title=chunk.document.title,
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        score=score,
    )
