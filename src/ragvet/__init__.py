"""Find out whether a retrieval-augmented assistant can be trusted, and if not, exactly where it breaks."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragvet import retrieval
    from ragvet._api import aevaluate, evaluate
    from ragvet.dataset import Corpus, Dataset, load_corpus, load_dataset
    from ragvet.errors import (
        BundleError,
        InputError,
        JudgeError,
        RagvetError,
        TargetError,
    )
    from ragvet.records import (
        Answer,
        CacheLookup,
        Case,
        Citation,
        Passage,
        RetrievalCall,
        RetrievedItem,
        ToolCall,
        Trace,
        Usage,
    )
    from ragvet.runs import CallPolicy, Run

__all__ = [
    "Answer",
    "BundleError",
    "CacheLookup",
    "CallPolicy",
    "Case",
    "Citation",
    "Corpus",
    "Dataset",
    "InputError",
    "JudgeError",
    "Passage",
    "RagvetError",
    "RetrievalCall",
    "RetrievedItem",
    "Run",
    "TargetError",
    "ToolCall",
    "Trace",
    "Usage",
    "aevaluate",
    "evaluate",
    "load_corpus",
    "load_dataset",
    "retrieval",
]

_HOMES = {
    "ragvet._api": ("aevaluate", "evaluate"),
    "ragvet.dataset": ("Corpus", "Dataset", "load_corpus", "load_dataset"),
    "ragvet.errors": ("BundleError", "InputError", "JudgeError", "RagvetError", "TargetError"),
    "ragvet.records": (
        "Answer",
        "CacheLookup",
        "Case",
        "Citation",
        "Passage",
        "RetrievalCall",
        "RetrievedItem",
        "ToolCall",
        "Trace",
        "Usage",
    ),
    "ragvet.runs": ("CallPolicy", "Run"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Loads what is asked for, so that `import ragvet` itself costs nothing (PEP 562)."""
    if name == "retrieval":
        return importlib.import_module("ragvet.retrieval")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
