"""Which documents say almost the same."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from ragvet.dataset._likeness import words_of
from ragvet.records import DocumentVersion

_RUN = 5
"""Words in a row that are compared as one."""
_ALIKE = 0.8
"""Least share of the runs of both documents that they have in common (Jaccard)."""
_SKETCH = 24
"""Runs of a document by which its like are looked for: those with the smallest checksums."""
_SHARED = 10
"""Of so many of them two documents that are alike share at least: 19 are to be expected, fewer than 10 are rarer than
one pair in ten thousand."""
_MOST_COMPARED = 3
"""So many candidates are compared in full, the likeliest first."""
_MOST_LISTED = 100
"""So many documents are remembered of a run: beyond, it is boilerplate, and tells nothing."""


def near_duplicates(documents: Iterable[DocumentVersion]) -> Iterator[tuple[DocumentVersion, DocumentVersion]]:
    """Each document with an earlier one of another id that says almost the same, compared run by run.

    Candidates are found by the smallest checksums of their runs (Broder, On the resemblance and containment of
    documents, 1997), and each is then compared in full. Documents of fewer than five words have no run.
    """
    held = list(documents)
    found: dict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(held):
        runs = _runs(document)
        sketch = sorted({zlib.crc32(run) for run in runs})[:_SKETCH]
        shared: Counter[int] = Counter()
        for mark in sketch:
            shared.update(found[mark])
            if len(found[mark]) < _MOST_LISTED:
                found[mark].append(place)
        needed = min(_SHARED, len(sketch) // 2)
        likely = (held[other] for other, count in shared.most_common() if count >= needed)
        candidates = islice((other for other in likely if other.doc_id != document.doc_id), _MOST_COMPARED)
        first = next((other for other in candidates if _alike(runs, _runs(other))), None)
        if first is not None:
            yield document, first


def _runs(document: DocumentVersion) -> set[bytes]:
    words = words_of(document.text or "")
    return {" ".join(words[start : start + _RUN]).encode() for start in range(len(words) - _RUN + 1)}


def _alike(runs: set[bytes], others: set[bytes]) -> bool:
    common = len(runs & others)
    return common / (len(runs) + len(others) - common) >= _ALIKE
