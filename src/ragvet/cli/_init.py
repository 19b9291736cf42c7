from __future__ import annotations

import json
import shlex
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from ragvet.cli._activation import activation
from ragvet.errors import InputError, Problem

__all__ = ["init"]

_PLACED = {"gitignore": ".gitignore", "ragvet.yml": ".github/workflows/ragvet.yml"}
"""Files of the sample project that lie elsewhere in a real one."""


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write it; made if it is not there.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write a small project that runs at once.

    It holds a golden set, documents, an assistant, config, policy and a CI job. A
    file that is already there is left as it is.
    """
    written: list[str] = []
    kept: list[str] = []
    for place, text in _sample(files("ragvet.cli") / "project"):
        (written if _write_new(folder / place, text) else kept).append(place)
    enter = [] if folder == Path() else [f"cd {shlex.quote(str(folder))}"]
    first = [*activation(), *enter]
    commands = [*first, "ragvet check golden.yaml --corpus documents", "ragvet run", "ragvet gate --policy policy.toml"]
    if as_json:
        print(json.dumps({"folder": str(folder), "written": written, "kept": kept, "next": commands}, indent=2))
        return
    for place in written:
        print(f"wrote  {folder / place}")
    for place in kept:
        print(f"kept   {folder / place}  (already there)")
    print("\nNext:", *commands, sep="\n  ")
    print("\nThen put your questions into golden.yaml and call your system from assistant.py.")


def _sample(folder: Traversable, inside: str = "") -> list[tuple[str, str]]:
    """Every file of the sample project: its place in a project and its text."""
    found: list[tuple[str, str]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{inside}{entry.name}"
        if entry.is_dir():
            found += [] if entry.name == "__pycache__" else _sample(entry, f"{name}/")
        else:
            found.append((_PLACED.get(name, name), entry.read_text("utf-8")))
    return found


def _write_new(path: Path, text: str) -> bool:
    """Whether the file was written; one that is there is not touched."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        if path.parent.is_dir():
            return False
        problem = Problem(str(path.parent), "a file", "a folder", "Choose another place for the project.")
        raise InputError(problem) from None
    except OSError as error:
        action = "Choose a folder that can be written to."
        raise InputError(Problem(str(path), str(error), "a place for a new file", action)) from error
    return True
