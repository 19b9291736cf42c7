"""Real public data beside the repository; tests that need it skip, with the reason, where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared(name: str) -> Path:
    """The folder of one data set, e.g. ``shared("mtrag")``; skips the calling test where it is absent."""
    folder = _FOLDER / name
    if not folder.is_dir():
        pytest.skip(f"real data set {name!r} is not at {_FOLDER}")
    return folder
