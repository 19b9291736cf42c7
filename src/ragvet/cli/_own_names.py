"""Names that other tools have for metrics, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from ragvet.errors import InputError
from ragvet.text import plain

__all__ = ["own_names"]


def own_names(written: Iterable[str]) -> Iterator[str]:
    """The names of metrics as they are here; those of other tools are told on stderr."""
    from ragvet.metrics.rankings import parse, renamed

    for name in written:
        ours = renamed(name)
        try:
            own = None if ours is None else parse(ours).name
        except InputError:  # it fits no name of ours as it is: whoever reads it says what is missing
            own = None
        if own is not None:
            print(f"note: {plain(name)} is called {own} here.", file=sys.stderr)
        yield own or name
