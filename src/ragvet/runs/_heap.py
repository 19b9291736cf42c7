from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["frozen_heap"]


@contextmanager
def frozen_heap() -> Generator[None]:
    """Spares the garbage collector what is in memory already; with a large golden set it is half of the work otherwise.

    The collector walks all long-lived objects again and again while many short-lived ones come and go.
    """
    mine = gc.get_freeze_count() == 0  # whoever froze the heap before keeps it so
    if mine:
        gc.freeze()
    try:
        yield
    finally:
        if mine:
            gc.unfreeze()
