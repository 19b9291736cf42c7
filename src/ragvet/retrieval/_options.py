"""How qrels and runs are to be understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict

from ragvet.errors import InputError, Problem
from ragvet.records import JudgmentScope
from ragvet.retrieval._order import Order
from ragvet.retrieval._tables import Source

Missing = Literal["empty", "skip"]


class ReadingOptions(TypedDict, total=False):
    """The fields of `Reading`, for keyword arguments."""

    judgments: JudgmentScope
    more_qrels: Sequence[Source]
    corpus: str | Path | int | None
    order: Order | None
    missing: Missing
    ignore_identical_ids: bool
    depth: int | None
    top_grade: int | None
    strict: bool
    qrels_columns: str | None
    run_columns: str | None
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How qrels and a run are to be understood.

    Attributes:
        judgments: `listed`: only what the qrels list is judged. `exhaustive`: what they do not list is not relevant.
        more_qrels: further judgments beside the qrels, e.g. a filled-in sheet of `judge_next`.
        corpus: the documents (JSON lines or a folder of them), or just their number: it bounds how many unjudged
            items there can be outside a ranking, and unknown ids are found. None: unbounded.
        order: see `Order`. None: the declared rank where there is one, else the score.
        missing: what a query is that the run lacks: a ranking without items, or nothing to score.
        ignore_identical_ids: whether ranked items with the id of their query are left out, as BEIR does.
        depth: places of each ranking that are looked at; None: all.
        top_grade: top of the grading scale; None: the highest grade in the qrels.
        strict: whether remarks on the input are errors.
        qrels_columns: the columns of a qrels file without a header, e.g. ``query,item,grade``.
        run_columns: the columns of a run file without a header, e.g. ``query,item,score``.
        split: which qrels of a BEIR folder.
    """

    judgments: JudgmentScope = "listed"
    more_qrels: Sequence[Source] = ()
    corpus: str | Path | int | None = None
    order: Order | None = None
    missing: Missing = "empty"
    ignore_identical_ids: bool = False
    depth: int | None = None
    top_grade: int | None = None
    strict: bool = False
    qrels_columns: str | None = None
    run_columns: str | None = None
    split: str = "test"

    def __post_init__(self) -> None:
        chosen = (
            ("judgments", self.judgments, ("listed", "exhaustive")),
            ("order", self.order, (None, "rank", "score", "trec")),
            ("missing", self.missing, ("empty", "skip")),
        )
        problems = [
            Problem(name, repr(value), " or ".join(str(option) for option in allowed), "Choose one of them.")
            for name, value, allowed in chosen
            if value not in allowed
        ]
        problems += [
            Problem(name, str(value), "a whole number from 1", "Change it.")
            for name, value in (("depth", self.depth), ("top_grade", self.top_grade))
            if value is not None and value < 1
        ]
        if problems:
            raise InputError(problems)
