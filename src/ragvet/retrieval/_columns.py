"""Which column of a file is what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragvet.errors import InputError, Problem
from ragvet.text import plural

Role = Literal["query", "item", "grade", "rank", "score", "skip"]

_NAMES: dict[Role, tuple[str, ...]] = {
    "query": ("query", "query_id", "query-id", "qid", "q_id", "topic", "topic_id"),
    "item": ("item", "doc_id", "doc-id", "docid", "docno", "doc", "corpus-id", "corpus_id", "document_id", "pid",
             "passage_id", "chunk_id", "item_id"),
    "grade": ("grade", "relevance", "rel", "relevance_grade"),
    "rank": ("rank", "position"),
    "score": ("score", "sim", "similarity"),
    "skip": ("skip", "q0", "iteration", "iter", "tag", "run", "run_id", "runid", "system"),
}  # fmt: skip
"""What columns are called in the files of this field; the first name of each role is ours."""

_ROLES: dict[str, Role] = {name: role for role, names in _NAMES.items() for name in names}


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column of a text file holds what.

    Attributes:
        roles: by position.
        header: whether the first line holds names.
        tail: whether anything may follow, as the tag of a run does.
        note: what a reader should know about how it was found out.
    """

    roles: tuple[Role, ...]
    header: bool = False
    tail: bool = False
    note: str | None = None


TREC = {
    "qrels": Layout(("query", "skip", "item", "grade")),
    "run": Layout(("query", "skip", "item", "rank", "score"), tail=True),
}


def role_of(name: str, kind: Literal["qrels", "run"]) -> Role | None:
    """What a column of that name holds; BEIR calls the grade of a qrels file `score`."""
    role = _ROLES.get(name.strip().lower())
    if role == "score" and kind == "qrels":
        return "grade"
    return role


def declared(columns: str, kind: Literal["qrels", "run"]) -> Layout:
    """The layout a caller states: ``query,item,grade``.

    Raises:
        InputError: an unknown name, or a needed one missing.
    """
    names = columns.replace(",", " ").split()
    roles: list[Role | None] = [role_of(name, kind) for name in names]
    unknown = [name for name, role in zip(names, roles, strict=True) if role is None]
    needed = {"query", "item", "grade"} if kind == "qrels" else {"query", "item"}
    if unknown or not needed <= set(roles) or (kind == "run" and not {"rank", "score"} & set(roles)):
        expected = "query, item, grade (and skip)" if kind == "qrels" else "query, item, rank or score (and skip)"
        found = f"unknown {', '.join(unknown)}" if unknown else f"{' '.join(names)}"
        raise InputError(Problem(f"{kind} columns", found, expected, "Name the columns from left to right."))
    return Layout(_once(roles, kind))


def detect(first: Sequence[str], kind: Literal["qrels", "run"], source: str) -> Layout:
    """The layout of a text file from its first line.

    Raises:
        InputError: it is neither the usual TREC layout, nor has it a header.
    """
    named: list[Role | None] = [role_of(field, kind) for field in first]
    if {"query", "item"} <= set(named) and ({"grade"} if kind == "qrels" else {"rank", "score"}) & set(named):
        return Layout(_once(named, kind), header=True)
    if kind == "qrels" and len(first) == len(TREC[kind].roles):
        return TREC[kind]
    if kind == "run" and len(first) > len(TREC[kind].roles):  # and a tag
        return TREC[kind]
    if kind == "run" and len(first) == 3 and first[2].isdecimal():  # noqa: PLR2004 - MS MARCO
        return Layout(("query", "item", "rank"), note="three columns read as query, item, rank")
    usual = "4 columns: query iteration item grade" if kind == "qrels" else "6 columns: query Q0 item rank score tag"
    found = f"{plural(len(first), 'column')} ({' '.join(first)[:80]})"
    raise InputError(Problem(source, found, usual, _what_to_do(first, kind), record="line 1"))


def _what_to_do(first: Sequence[str], kind: Literal["qrels", "run"]) -> str:
    """About a line in no known layout."""
    if len(first) == 1 and "," in first[0]:
        return "Separate the fields by tabs or spaces, or use JSON lines or Parquet."
    if kind == "qrels" and len(first) >= 6 and first[3].isdecimal():  # noqa: PLR2004 - TREC
        return "It looks like a run: name the qrels first, then the run."
    if kind == "run" and len(first) == 4 and first[3].lstrip("-").isdecimal():  # noqa: PLR2004 - TREC
        return "It looks like qrels: name the qrels first, then the run."
    example = "query,item,grade" if kind == "qrels" else "query,item,score"
    columns = f"--{kind}-columns {example} ({kind}_columns in Python)"
    return f"Say what the columns are, {columns}, or give the file a header."


def _once(named: Sequence[Role | None], kind: Literal["qrels", "run"]) -> tuple[Role, ...]:
    """The roles a file of that kind can use, each at its first place; all other columns are skipped."""
    used: set[Role] = {"query", "item", "grade"} if kind == "qrels" else {"query", "item", "rank", "score"}
    roles: list[Role] = []
    for role in named:
        roles.append(role if role is not None and role in used and role not in roles else "skip")
    return tuple(roles)
