"""The demo as a project on disk: what `ragvet run` needs to do the same again."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ragvet.demo._corpus import documents, write_corpus
from ragvet.errors import InputError, Problem, cause

__all__ = ["FOLDER", "write_project"]

FOLDER = Path(".ragvet/demo")
"""Where the demo puts its golden set, corpus, config and policy; written anew each time."""

_FILES = ("golden.yaml", "policy.toml", "ragvet.toml")


def write_project(folder: Path = FOLDER) -> Path:
    """Write the demo's files into `folder`; the path of its config.

    Raises:
        InputError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            text = resources.files("ragvet.demo").joinpath("project", name).read_text("utf-8")
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        write_corpus(folder / "corpus.jsonl", documents())
    except OSError as error:
        action = "Start the demo in a folder that can be written to."
        raise InputError(Problem(str(folder), cause(error), "a folder to write to", action)) from error
    return folder / "ragvet.toml"
