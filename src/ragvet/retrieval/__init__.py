"""Qrels and runs: read them, bring them together, score them, and say what to judge next."""

from ragvet.retrieval._assemble import align
from ragvet.retrieval._collection import Batch, Collection
from ragvet.retrieval._evaluate import evaluate, score
from ragvet.retrieval._judge_next import judge_next, open_outside
from ragvet.retrieval._notices import InputWarning, Notice
from ragvet.retrieval._options import Reading, ReadingOptions
from ragvet.retrieval._qrels import Qrels, read_qrels
from ragvet.retrieval._sheet import to_sheet, with_texts
from ragvet.retrieval._strata import read_strata
from ragvet.retrieval._summary import summarise
from ragvet.retrieval._typed import Place, TypedRanking
from ragvet.retrieval._write import write_qrels, write_run

__all__ = [
    "Batch",
    "Collection",
    "InputWarning",
    "Notice",
    "Place",
    "Qrels",
    "Reading",
    "ReadingOptions",
    "TypedRanking",
    "align",
    "evaluate",
    "judge_next",
    "open_outside",
    "read_qrels",
    "read_strata",
    "score",
    "summarise",
    "to_sheet",
    "with_texts",
    "write_qrels",
    "write_run",
]
