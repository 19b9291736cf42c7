"""The folder of a run: found, made, and kept from a second writer."""

from __future__ import annotations

import secrets
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from ragvet.errors import BundleError
from ragvet.runs._storage import disk_errors

__all__ = ["RUNS", "create_folder", "locate_run", "locked"]

RUNS = Path(".ragvet/runs")
"""Where runs are kept, below the project folder."""


def locate_run(name: Path | str, runs: Path = RUNS) -> Path:
    """The folder of a run, finished or not, given as a path, as a run id, or as `latest`.

    Raises:
        BundleError: there is no such run; the message lists the newest ones.
    """
    given = Path(name)
    if _holds_a_run(given):
        return given
    if _holds_a_run(runs / name):
        return runs / name
    if _is_folder(given):
        raise BundleError(f"{given}: is not a run: there is no manifest.json in it")
    known = sorted((path.parent.name for path in runs.glob("*/manifest.json")), reverse=True)
    if str(name) == "latest" and known:
        return runs / known[0]
    newest = (
        f"the newest are: {', '.join(known[:5])}"
        if known
        else f"there is none in {runs} yet: start one with ragvet run"
    )
    raise BundleError(f"no run {str(name)!r}; {newest}")


def _is_folder(given: Path) -> bool:
    try:
        return given.is_dir()
    except OSError:  # no name a folder can have
        return False


def _holds_a_run(folder: Path) -> bool:
    try:
        return (folder / "manifest.json").is_file()
    except PermissionError:  # reading it will say so
        return True
    except OSError:  # no name a folder can have
        return False


def create_folder(runs: Path, started_at: datetime) -> Path:
    """A new, empty run folder that only its owner may look into; its name sorts by time and is nobody else's."""
    _refuse_link(runs.parent)
    _refuse_link(runs)
    with disk_errors(runs):
        runs.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignored = runs.parent / ".gitignore"
        if runs.parent.name == ".ragvet" and not ignored.exists():
            ignored.write_text("*\n", encoding="utf-8")  # evidence may be confidential: it is not to be committed
        while True:
            folder = runs / f"{started_at:%Y%m%dT%H%M%S.%f}Z-{secrets.token_hex(3)}"
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Keeps every other process from writing to the run while this one does.

    Raises:
        BundleError: another process is at it, or the folder is a link.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - needed for writing alone

    _refuse_link(folder)
    with disk_errors(folder):
        lock = FileLock(folder / ".lock", timeout=0, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            raise BundleError(f"{folder}: another process is working on this run; wait for it, or stop it") from None
    try:
        yield
    finally:
        lock.release()


def _refuse_link(folder: Path) -> None:
    if folder.is_symlink():
        raise BundleError(
            f"{folder}: is a symbolic link to {folder.readlink()}. Evidence is written to real folders only: "
            f"name the real one with --runs"
        )
