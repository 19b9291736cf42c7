"""Golden sets, corpora, what is wrong with them, and which chunk carries which evidence."""

from ragvet.dataset._anchor import anchor, unplaced
from ragvet.dataset._check import INVALID, Check, Finding, check, check_files, reference_problems
from ragvet.dataset._corpus import Corpus, load_corpus
from ragvet.dataset._dataset import Dataset, load_dataset
from ragvet.dataset._facts import CorpusFacts, DatasetFacts
from ragvet.dataset._ids import KnownIds, nearest
from ragvet.dataset._stale import stale_passages

__all__ = [
    "INVALID",
    "Check",
    "Corpus",
    "CorpusFacts",
    "Dataset",
    "DatasetFacts",
    "Finding",
    "KnownIds",
    "anchor",
    "check",
    "check_files",
    "load_corpus",
    "load_dataset",
    "nearest",
    "reference_problems",
    "stale_passages",
    "unplaced",
]
