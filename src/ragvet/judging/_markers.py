"""The citation markers in an answer, and what they name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from ragvet.judging._blocks import mask_markup
from ragvet.judging._claims import stating_blocks
from ragvet.judging._context import retrieved_items
from ragvet.judging._languages import load_languages
from ragvet.records import Answer, Citation, RetrievedItem

_BRACKETED = re.compile(r"\[([^\[\]\n]{1,200})\]|【([^【】\n]{1,200})】")
_PARENTHESISED = re.compile(
    r"(?<=[\w.!?。\"'”’])[ \t]?\((\d{1,2}(?:\s*[,;]\s*\d{1,2}){0,9})\)(?=[ \t]*(?:[.,;:!?。]|\n|$))"
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
_PARTS = re.compile(r"\s*[,;，、]\s*")
_NUMBER = re.compile(
    r"(?:\^|(?:sources?|src|docs?|documents?|passages?|ref|chunk|context|quelle|fuente|資料|来源|文档|出典)?[\s#.:_-]{0,3})"
    r"(\d{1,3})(?::\d{1,3})?(?:†.*)?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")
_WIDEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class KnownItems:
    """The items of one trace, found by number, chunk id, document id or title."""

    numbered: tuple[RetrievedItem, ...]
    chunks: Mapping[str, RetrievedItem]
    documents: Mapping[str, tuple[RetrievedItem, ...]]
    titles: Mapping[str, tuple[RetrievedItem, ...]]
    reported: bool

    @classmethod
    def of(cls, answer: Answer) -> KnownItems:
        """What the trace supplied and retrieved; numbers count what was supplied, else what was retrieved, from 1."""
        retrieved = {item.chunk_id: item for item in retrieved_items(answer)}
        supplied = tuple(item if item.text else retrieved.get(item.chunk_id, item) for item in answer.supplied or ())
        chunks = {**retrieved, **{item.chunk_id: item for item in supplied}}
        documents: dict[str, list[RetrievedItem]] = defaultdict(list)
        titles: dict[str, list[RetrievedItem]] = defaultdict(list)
        for item in {**{item.chunk_id: item for item in supplied}, **chunks}.values():
            if item.doc_id:
                documents[item.doc_id].append(item)
            if item.title:
                titles[item.title.strip().casefold()].append(item)
        return cls(
            numbered=supplied if answer.supplied is not None else tuple(retrieved.values()),
            chunks=chunks,
            documents={key: tuple(items) for key, items in documents.items()},
            titles={key: tuple(items) for key, items in titles.items()},
            reported=answer.supplied is not None or bool(answer.retrievals),
        )

    def cited(self, citation: Citation) -> tuple[RetrievedItem, ...]:
        """The items a citation points at: its chunk, the chunks of its document version, or what its marker names."""
        if citation.chunk_id is not None:
            if citation.chunk_id in self.chunks:
                return (self.chunks[citation.chunk_id],)
            items = self.documents.get(citation.chunk_id, ()) if citation.doc_id is None else ()
            if items:
                return items
        if citation.doc_id is not None:
            version = citation.doc_version
            items = self.documents.get(citation.doc_id, ())
            return tuple(i for i in items if version is None or i.doc_version in (None, version))
        if citation.chunk_id is None and citation.marker:
            named = [self.named(part) for part in _parts(citation.marker.strip("[]【】() "))]
            return tuple(item for items in named for item in items)
        return ()

    def named(self, name: str) -> tuple[RetrievedItem, ...]:
        """The items a part of a marker names, counting from 1."""
        for id_ in (name, f"[{name}]"):  # an id may have brackets of its own
            if id_ in self.chunks:
                return (self.chunks[id_],)
            if id_ in self.documents:
                return self.documents[id_]
        number = _NUMBER.fullmatch(name)
        if number:
            place = int(number.group(1)) - 1
            return (self.numbered[place],) if 0 <= place < len(self.numbered) else ()
        return self.titles.get(name.casefold(), ())


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation marker as it stands in the answer, and one thing it names."""

    text: str
    name: str
    position: int
    items: tuple[RetrievedItem, ...]


def answer_citations(answer: Answer) -> tuple[Citation, ...]:
    """The citations of an answer: those the target reported, else those read from the text.

    Read are numbers in brackets ([1], [2, 3], [4-6], [^1], 【1】, [Source 2]; (1) at the end of a clause where no
    bracketed number occurs) and bracketed ids or titles of retrieved chunks and documents, outside code and lists of
    sources. A number counts the supplied items from 1, or from 0 where a [0] occurs. One that names no item is a
    citation all the same: it does not resolve.
    """
    if answer.citations is not None:
        return answer.citations
    if not _candidates(answer.text or ""):
        return ()
    citations: list[Citation] = []
    for marker in read_markers(answer, KnownItems.of(answer)):
        one = marker.items[0] if len(marker.items) == 1 else None
        document = marker.items[0].doc_id if marker.items else None
        citations.append(Citation(marker=marker.text, chunk_id=one.chunk_id if one else None, doc_id=document))
    return tuple(citations)


def marker_positions(answer: Answer, known: KnownItems) -> list[Sequence[int]]:
    """Per citation of `answer_citations`, the positions of its markers in the answer text.

    Citations that stand at the same places share one sequence: thousands of them take no more room than one.
    """
    markers = read_markers(answer, known)
    if answer.citations is None:
        return [(marker.position,) for marker in markers]
    written = _written(answer.text or "", {citation.marker for citation in answer.citations if citation.marker})
    positions: list[Sequence[int]] = [written.get(citation.marker or "", ()) for citation in answer.citations]
    shared = Counter(citation.marker for citation in answer.citations)
    turn: Counter[str | None] = Counter()
    for index, citation in enumerate(answer.citations):
        if shared[citation.marker] > 1 and len(positions[index]) == shared[citation.marker]:
            positions[index] = (positions[index][turn[citation.marker]],)
            turn[citation.marker] += 1
    if not any(positions):
        positions = _inferred(answer.citations, markers, known)
    return positions


def _written(text: str, markers: AbstractSet[str]) -> Mapping[str, Sequence[int]]:
    """Where each marker stands in the text, found in one pass over the places where one may begin."""
    lengths: dict[str, set[int]] = defaultdict(set)
    for marker in markers:
        lengths[marker[0]].add(len(marker))
    found: dict[str, list[int]] = defaultdict(list)
    if not lengths:
        return found
    for opening in re.finditer("|".join(map(re.escape, lengths)), text):
        start = opening.start()
        for length in lengths[opening.group()]:
            marker = text[start : start + length]
            if marker in markers:
                found[marker].append(start)
    return found


def _inferred(citations: Sequence[Citation], markers: Sequence[Marker], known: KnownItems) -> list[Sequence[int]]:
    """Positions for citations reported without markers: [n] is the n-th supplied item or the n-th citation.

    The reading that places more citations holds, the first one where both place as many.
    """
    at_chunk: dict[str, list[int]] = defaultdict(list)
    at_number: dict[int, list[int]] = defaultdict(list)
    for marker in markers:
        for item in marker.items:
            at_chunk[item.chunk_id].append(marker.position)
        if number := _NUMBER.fullmatch(marker.name):
            at_number[int(number.group(1))].append(marker.position)
    together: dict[frozenset[str], Sequence[int]] = {}
    by_item: list[Sequence[int]] = []
    for citation in citations:
        ids = frozenset(item.chunk_id for item in known.cited(citation))
        if ids not in together:
            together[ids] = sorted({position for one in ids for position in at_chunk.get(one, ())})
        by_item.append(together[ids])
    by_number: list[Sequence[int]] = [at_number.get(number, ()) for number in range(1, len(citations) + 1)]
    return by_number if sum(map(bool, by_number)) > sum(map(bool, by_item)) else by_item


def read_markers(answer: Answer, known: KnownItems) -> tuple[Marker, ...]:
    """Every marker of the answer text, one entry per thing named, in order."""
    found = _candidates(answer.text or "")
    from_zero = any(name == "0" for _, name, _, bracketed in found if bracketed)
    numbers_bracketed = any(_NUMBER.fullmatch(name) for _, name, _, bracketed in found if bracketed)
    markers: list[Marker] = []
    for text, name, position, bracketed in found:
        if not bracketed and numbers_bracketed:
            continue
        plain = name.isdecimal() and from_zero and name not in known.chunks
        items = known.named(str(int(name) + 1) if plain else name)
        if items or _NUMBER.fullmatch(name):
            markers.append(Marker(text, name, position, items))
    return tuple(markers)


@lru_cache(maxsize=64)
def _candidates(text: str) -> tuple[tuple[str, str, int, bool], ...]:
    """(marker, name, position, in brackets or only in parentheses) of all that looks like a marker."""
    if not any(opening in text for opening in "[【("):
        return ()
    masked = mask_markup(text)
    found: list[tuple[str, str, int, bool]] = []
    for block, listed in stating_blocks(masked, load_languages()):
        if listed or block.kind == "code":
            continue
        body = _INLINE_CODE.sub(lambda code: " " * len(code.group()), masked[block.start : block.end])
        hits = [(m.start(), m.group(), m.group(1) or m.group(2), True) for m in _BRACKETED.finditer(body)]
        hits += [(m.start(1) - 1, m.group().strip(), m.group(1), False) for m in _PARENTHESISED.finditer(body)]
        for start, marker, inside, bracketed in sorted(hits):
            found.extend((marker, name, block.start + start, bracketed) for name in _parts(inside))
    return tuple(found)


def _parts(inside: str) -> Iterator[str]:
    """The names inside one marker: "2, 4-6" gives 2, 4, 5, 6; a name that holds a comma is also given whole."""
    for part in _PARTS.split(inside.strip()):
        ends = _RANGE.fullmatch(part)
        if ends and 0 <= int(ends.group(2)) - int(ends.group(1)) <= _WIDEST_RANGE:
            yield from map(str, range(int(ends.group(1)), int(ends.group(2)) + 1))
        elif part:
            yield part
