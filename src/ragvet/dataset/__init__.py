"""Golden sets, corpora, what is wrong with them, and which chunk carries which evidence."""

from ragvet.dataset._anchor import Gain, Holding, Reached, anchor, hold, reach
from ragvet.dataset._check import INVALID, Check, Finding, check, check_files, reference_problems
from ragvet.dataset._corpus import Corpus, load_corpus
from ragvet.dataset._dataset import Dataset, load_dataset
from ragvet.dataset._facts import CorpusFacts, DatasetFacts
from ragvet.dataset._ids import KnownIds
from ragvet.dataset._schemas import corpus_schema, golden_set_schema
from ragvet.dataset._stale import stale_passages
from ragvet.dataset._standing import Standing, standing
from ragvet.dataset._validation import repeated, validate

__all__ = [
    "INVALID",
    "Check",
    "Corpus",
    "CorpusFacts",
    "Dataset",
    "DatasetFacts",
    "Finding",
    "Gain",
    "Holding",
    "KnownIds",
    "Reached",
    "Standing",
    "anchor",
    "check",
    "check_files",
    "corpus_schema",
    "golden_set_schema",
    "hold",
    "load_corpus",
    "load_dataset",
    "reach",
    "reference_problems",
    "repeated",
    "stale_passages",
    "standing",
    "validate",
]
