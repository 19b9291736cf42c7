"""What the passages say about the claims, with everything a judge left open kept open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ragvet.records import SupportVerdict
from ragvet.records.lattice import any_of, supported

__all__ = ["supported_by"]


def supported_by(cells: Mapping[tuple[str, str], SupportVerdict], claim: str, passages: Iterable[str]) -> bool | None:
    """Whether one of the passages supports the claim; None: that hangs on open verdicts."""
    return any_of(supported(cells.get((claim, passage), "unsupported")) for passage in passages)
