"""From qrels and a run, in whatever form, to rankings that metrics take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings import EMPTY, UNBOUNDED, UNJUDGED, Rankings
from ragvet.retrieval._align import Labelled, T, labelled, matrix
from ragvet.retrieval._collection import Batch, Collection
from ragvet.retrieval._corpus import corpus_ids
from ragvet.retrieval._ids import look_alike_notice
from ragvet.retrieval._index import PairIndex, Places
from ragvet.retrieval._notices import Notice, merged, refuse
from ragvet.retrieval._options import Reading, ReadingOptions
from ragvet.retrieval._order import Order
from ragvet.retrieval._qrels import Qrels, read_qrels
from ragvet.retrieval._run import run_name
from ragvet.retrieval._spelling import Spelling
from ragvet.retrieval._tables import Source
from ragvet.text import plural

_WASTE = 4
"""A matrix may hold that many times as many places as there are items, before queries are batched by length."""
_SMALL = 1 << 26


def align(qrels: Source, run: Source, *, keep_items: bool = False, **options: Unpack[ReadingOptions]) -> Collection:
    """The rankings of a run with what the qrels know about them.

    Args:
        qrels: where they come from, see `evaluate`.
        run: likewise.
        keep_items: keep the ids of ranked items, which `judge_next` needs.
        **options: the fields of `Reading`.

    Raises:
        InputError: a file cannot be read, or with `strict` anything was remarked.
    """
    reading = Reading(**options)
    if sum(isinstance(source, str) and source == "-" for source in (qrels, *reading.more_qrels, run)) > 1:
        raise InputError(
            Problem("-", "more than one of the files", "one of them on standard input", "Name files for the others.")
        )
    judged = read_qrels(
        qrels_path(qrels, reading.split),
        reading.qrels_columns,
        more=[qrels_path(source, reading.split) for source in reading.more_qrels],
    )
    if reading.judgments == "exhaustive":
        _refuse_open(judged)
    parts: list[Labelled] = []
    notices = list(judged.notices)
    spelling = Spelling(judged, everything=reading.strict)
    for part, remarks in labelled(judged, run, reading):
        notices += remarks
        spelling.see(part)
        parts.append(_cut(part if keep_items else replace(part, items=None), reading.depth))
    notices += spelling.notices()
    whole = _joined(parts)
    notices += _nothing_judged(judged, whole)
    notices += _tied_queries(whole, reading.order)
    query_ids, whole, remarks = _with_missing(judged, whole, reading, run_name(run))
    notices += remarks
    size, remarks = _corpus_size(judged, reading)
    notices += remarks
    found = merged(notices)
    if reading.strict:
        refuse(found, f"{judged.source} and {run_name(run)}")
    return Collection(query_ids, _batches(judged, whole, reading, size), found, whole.items)


def _refuse_open(qrels: Qrels) -> None:
    """Refuse qrels that list an item as unjudged where everything is said to be judged."""
    open_ = next((notice for notice in qrels.notices if notice.kind == "listed-unjudged"), None)
    if open_ is not None:
        raise InputError(
            Problem(qrels.source, f"{open_.what}: {open_.count:,}", "a grade everywhere, as judgments are exhaustive",
                    "Give them grade 0, delete the rows, or read the judgments as listed.", field="grade",
                    record=", ".join(f"item {item}" for item in open_.examples))
        )  # fmt: skip


def qrels_path(source: Source, split: str) -> Source:
    """The qrels file inside a BEIR folder; any other source as it is."""
    if not isinstance(source, str | Path) or not Path(source).is_dir():
        return source
    folder = Path(source) / "qrels"
    found = sorted(folder.glob(f"{split}.tsv*"))
    if found:
        return found[0]
    there = ", ".join(sorted(path.name.split(".")[0] for path in folder.glob("*.tsv*"))) or "none"
    raise InputError(
        Problem(str(source), f"no qrels/{split}.tsv (splits: {there})", "a BEIR folder", "Name the split.")
    )


@dataclass(frozen=True, slots=True)
class _Whole:
    """All parts of a run as one; as `Labelled`, `queries` the place in the collection."""

    queries: Places
    lengths: Places
    labels: NDArray[np.int8]
    tied: NDArray[np.bool_] | None
    items: pl.Series | None


def _cut(part: Labelled, depth: int | None) -> Labelled:
    if depth is None or not (part.lengths > depth).any():
        return part
    place = np.arange(len(part.labels)) - np.repeat(np.cumsum(part.lengths) - part.lengths, part.lengths)
    keep = place < depth
    return replace(
        part,
        lengths=np.minimum(part.lengths, depth),
        labels=part.labels[keep],
        tied=None if part.tied is None else part.tied[keep],
        items=None if part.items is None else part.items.filter(keep),
    )


def _joined(parts: list[Labelled]) -> _Whole:
    tied = [part.tied for part in parts if part.tied is not None]
    items = [part.items for part in parts if part.items is not None]
    any_tied = len(tied) == len(parts) and any(bool(one.any()) for one in tied)
    return _Whole(
        np.concatenate([part.queries for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.labels for part in parts]) if len(parts) > 1 else parts[0].labels,
        np.concatenate(tied) if any_tied else None,
        pl.concat(items) if items else None,
    )


def _nothing_judged(qrels: Qrels, whole: _Whole) -> list[Notice]:
    """The remark that qrels and run have queries, but no item in common: likely they write ids differently."""
    if not len(whole.labels) or (whole.labels != UNJUDGED).any():
        return []
    examples = ", ".join(qrels.items.unique(maintain_order=True).head(3).to_list())
    action = f"Check that both mean the same ids; the qrels have {examples or 'none'}."
    return [Notice("nothing-judged-ranked", len(whole.labels), "ranked items, none of which is judged", action)]


def _tied_queries(whole: _Whole, order: Order | None) -> list[Notice]:
    if whole.tied is None:
        return []
    count = int(np.count_nonzero(whole.tied))
    starts = np.cumsum(whole.lengths) - whole.lengths
    queries = int(np.count_nonzero(np.add.reduceat(whole.tied, starts[whole.lengths > 0])))
    what = "items with the score of the item before them"
    kept = (
        "are ordered by descending id, as trec_eval does in single precision,"
        if order == "trec"
        else "stay as declared"
    )
    action = f"In {plural(queries, 'ranking')}, they {kept}; the tie range says how much that matters."
    return [Notice("tied-scores", count, what, action)]


def _with_missing(qrels: Qrels, whole: _Whole, reading: Reading, name: str) -> tuple[pl.Series, _Whole, list[Notice]]:
    """The queries to score, those without a ranking included or left out as asked."""
    present = np.zeros(len(qrels), np.bool_)
    present[whole.queries] = True
    absent = np.flatnonzero(~present)
    if not present.any():
        examples = ", ".join(qrels.queries.head(3).to_list())
        raise InputError(
            Problem(name, f"none of the {len(qrels)} judged queries ({examples}, …)", "rankings for them",
                    "Check that qrels and run belong together and write query ids the same way.")
        )  # fmt: skip
    empty = reading.missing == "empty"
    action = "They count as rankings without items." if empty else "They are not scored."
    names = qrels.queries.gather(absent).to_list() if len(absent) else []
    notices = [Notice.of("query-not-in-run", names, "judged queries without a ranking in the run", action)]
    if empty:
        queries = np.concatenate((whole.queries, absent))
        lengths = np.concatenate((whole.lengths, np.zeros(len(absent), np.int64)))
        return qrels.queries, replace(whole, queries=queries, lengths=lengths), notices
    return qrels.queries.filter(present), replace(whole, queries=whole.queries), notices


def _corpus_size(qrels: Qrels, reading: Reading) -> tuple[float, list[Notice]]:
    """How many documents there are, and judged ids that are none of them."""
    if reading.corpus is None:
        return UNBOUNDED, []
    if isinstance(reading.corpus, int):
        return float(reading.corpus), []
    ids = corpus_ids(reading.corpus)
    distinct = ids.unique()
    judged = qrels.items.unique(maintain_order=True)
    unknown = judged.filter(PairIndex.of_ids(distinct).find_ids(judged) < 0)
    notices = [
        Notice.of("document-twice", [None] * (len(ids) - len(distinct)), "repeated ids in the corpus", "Remove them."),
        Notice.of(
            "judged-not-in-corpus", unknown.to_list(), "judged items that the corpus lacks", "No system can find them."
        ),
        look_alike_notice("judged-look-alike", unknown, distinct, "judged items whose id the corpus has"),
    ]
    return float(len(distinct)), notices


def _batches(qrels: Qrels, whole: _Whole, reading: Reading, corpus_size: float) -> tuple[Batch, ...]:
    """Matrices of rankings, in one batch unless lengths differ so much that it would be mostly empty."""
    top_grade = max(int(qrels.grades.max(initial=1)), reading.top_grade or 1)
    counts = qrels.counts(top_grade)
    starts = np.cumsum(whole.lengths) - whole.lengths
    longest = int(whole.lengths.max(initial=1))
    place = np.unique(whole.queries, return_inverse=True)[1] if len(whole.queries) < len(qrels) else whole.queries
    if len(whole.queries) * longest <= max(_WASTE * len(whole.labels), _SMALL):
        groups = [np.argsort(whole.queries)]
    else:
        size = np.ceil(np.log2(np.maximum(whole.lengths, 1))).astype(np.int64)
        groups = [np.flatnonzero(size == one) for one in np.unique(size)]
    batches: list[Batch] = []
    for group in groups:
        labels = _rows(whole.labels, starts, whole.lengths, group, EMPTY)
        tied = None if whole.tied is None else _rows(whole.tied, starts, whole.lengths, group, fill=False)
        rankings = _known(labels, counts[whole.queries[group]], reading, corpus_size)
        items = None if whole.items is None else _rows(np.arange(len(whole.labels)), starts, whole.lengths, group, -1)
        batches.append(Batch(place[group], rankings, tied, items))
    return tuple(batches)


def _rows(flat: NDArray[T], starts: Places, lengths: Places, group: Places, fill: int) -> NDArray[T]:
    """The values of some queries as the rows of a matrix."""
    depth = max(int(lengths[group].max(initial=0)), 1)
    if len(group) == len(lengths) and bool((np.diff(group) == 1).all()):
        return matrix(lengths, flat, fill, depth)
    result = np.full((len(group), depth), fill, flat.dtype)
    inside = np.arange(depth) < lengths[group][:, None]
    result[inside] = flat[(starts[group][:, None] + np.arange(depth))[inside]]
    return result


def _known(labels: NDArray[np.int8], judged: NDArray[np.int64], reading: Reading, corpus_size: float) -> Rankings:
    unjudged = np.count_nonzero(labels == UNJUDGED, axis=1)
    elsewhere = corpus_size - judged.sum(axis=1) - unjudged
    if (elsewhere < 0).any():
        most = int((judged.sum(axis=1) + unjudged).max())
        raise InputError(
            Problem("corpus", f"{corpus_size:.0f} documents", f"at least {most}, as many as one query has",
                    "Correct the number, or leave it out.")
        )  # fmt: skip
    if reading.judgments == "exhaustive":
        counted = corpus_size != UNBOUNDED
        judged = judged.copy()
        judged[:, 0] += unjudged + (elsewhere.astype(np.int64) if counted else 0)
        labels = np.where(labels == UNJUDGED, np.int8(0), labels)
        return Rankings(labels, judged, np.zeros(len(labels)), uncounted=not counted)
    return Rankings(labels, judged, elsewhere)
