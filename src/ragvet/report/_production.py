from __future__ import annotations

from ragvet.report._finished import FinishedRun
from ragvet.report._model import Production

__all__ = ["production"]


def production(run: FinishedRun) -> tuple[Production, ...]:
    return ()
