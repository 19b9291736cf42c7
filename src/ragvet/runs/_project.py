"""The code of a project as it lies on disk, whether it is committed or not."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

__all__ = ["code_fingerprint", "code_version"]

_LEFT_OUT = frozenset({"__pycache__", "node_modules", "site-packages", "docs", "tests", "build", "dist"})
"""Folders that change nothing a system answers; hidden ones and virtual environments are left out as well."""
_MOST = 5000
"""Files above which nobody can say what belongs to the project."""


def code_fingerprint(folder: Path) -> str | None:
    """Of the Python files below `folder`, by path and content, 16 hexadecimal digits.

    None where there is none, where one cannot be read, or where there are so many that the folder is no project.
    """
    digest = hashlib.sha256()
    count = 0
    for path in _python_files(folder):
        count += 1
        if count > _MOST:
            return None
        try:
            content = path.read_bytes()
        except OSError:
            return None
        digest.update(path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16] if count else None


def _python_files(folder: Path) -> Iterator[Path]:
    """In an order that hangs on the names alone."""
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _LEFT_OUT and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (here / name for name in sorted(files) if name.endswith(".py"))


def code_version(folder: Path) -> str | None:
    """The commit checked out in `folder`, marked where it has uncommitted changes; None outside version control."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty=+dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
