"""Sparing the garbage collector walks over millions of long-lived objects in which it finds nothing."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["collector_paused", "frozen_heap"]


@contextmanager
def collector_paused() -> Generator[None]:
    """For work of our own that makes many objects and no cycles: reading, counting, reporting.

    Ten megabytes of YAML are read in a fifth of the time, traces counted in two thirds. What nobody refers to is freed
    as ever.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def frozen_heap() -> Generator[None]:
    """For work in which other people's code runs, whose cycles must be found: spares what is in memory already."""
    mine = gc.get_freeze_count() == 0  # whoever froze the heap before keeps it so
    if mine:
        gc.freeze()
    try:
        yield
    finally:
        if mine:
            gc.unfreeze()
