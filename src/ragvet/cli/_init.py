"""`ragvet init`."""

from __future__ import annotations

import json
import re
import shlex
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._activation import activation
from ragvet.errors import InputError, Problem, cause

if TYPE_CHECKING:
    from ragvet.dataset import Dataset
    from ragvet.runs import RetrievalConfig

__all__ = ["init"]

_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".ndjson")

_PLACED = {"gitignore": ".gitignore", "ragvet.yml": ".github/workflows/ragvet.yml"}
"""Files of the sample project that lie elsewhere in a real one."""


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write it; made if it is not there.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write a small project that runs at once.

    It holds a golden set, documents, an assistant, config, policy and a CI job. A
    file that is already there is left as it is. Beside a golden set that is already
    there, golden.yaml, golden.json or the one ragvet.toml names, only what is missing
    is written, to fit it.
    """
    written: list[str] = []
    kept: list[str] = []
    sample = dict(_sample(files("ragvet.cli") / "project"))
    for place, text in _fitting(folder, sample).items():
        (written if _write_new(folder / place, text) else kept).append(place)
    enter = [] if folder == Path() else [f"cd {shlex.quote(str(folder))}"]
    first = [*activation(), *enter]
    commands = [*first, "ragvet check", "ragvet run", "ragvet gate --policy policy.toml"]
    if as_json:
        print(json.dumps({"folder": str(folder), "written": written, "kept": kept, "next": commands}, indent=2))
        return
    for place in written:
        print(f"wrote  {folder / place}")
    for place in kept:
        print(f"kept   {folder / place}  (already there)")
    print("\nNext:", *commands, sep="\n  ")
    if "golden.yaml" in written:
        print("\nThen put your questions into golden.yaml and call your system from assistant.py.")
    elif "assistant.py" in written:
        print("\nThen call your system from assistant.py, which stands in for it.")


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


def _fitting(folder: Path, sample: dict[str, str]) -> dict[str, str]:
    """What to write: the sample, or, where there is a golden set, what fits it.

    Raises:
        InputError: that golden set cannot be read.
    """
    from ragvet.dataset import load_dataset
    from ragvet.runs import RetrievalConfig, load_config

    config = folder / "ragvet.toml"
    settings = load_config(config) if config.exists() else None
    named = [folder / f"golden{suffix}" for suffix in _SUFFIXES] if settings is None else [Path(settings.dataset.path)]
    golden = next((path for path in named if path.exists()), None)
    if golden is None:
        return sample
    dataset = load_dataset(golden, judgments=None if settings is None else settings.dataset.judgments)
    kept_out = () if golden.name == "golden.yaml" else ("golden.yaml",)
    fitting = {
        place: text
        for place, text in sample.items()
        if place not in kept_out
        and not place.startswith("documents/")
        and (settings is None or place != "assistant.py")
    }
    scope = "" if dataset.judgments else 'judgments = "listed"      # what is not listed is unknown\n'
    corpus = 'corpus = "documents"\n' if (folder / "documents").is_dir() else ""
    fitting["ragvet.toml"] = sample["ragvet.toml"].replace(
        'path = "golden.yaml"\ncorpus = "documents"\n', f'path = "{golden.name}"\n{scope}{corpus}'
    )
    retrieval = RetrievalConfig(supplied_k=1, deep_k=3) if settings is None else settings.retrieval
    policy = _policy(sample["policy.toml"], dataset, retrieval)
    if policy is None:
        del fitting["policy.toml"]
    else:
        fitting["policy.toml"] = policy
    return fitting


def _policy(text: str, dataset: Dataset, retrieval: RetrievalConfig) -> str | None:
    """The rules of the sample that a run of the golden set can answer; None: there are none."""
    from ragvet.gate import read_policy, unanswerable

    head, *tables = re.split(r"(?m)^(?=\[\[)", text.replace("coverage@1", f"coverage@{retrieval.supplied_k}"))
    kept = [table for table in tables if not unanswerable(read_policy(table, "policy.toml"), dataset, retrieval)]
    return "".join([head, *kept]) if kept else None


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
        missing = isinstance(error, FileNotFoundError)  # the folder was made just now, so nothing can be made there
        found = "a folder in which nothing can be made" if missing else cause(error)
        action = "Choose a folder that can be written to."
        raise InputError(Problem(str(path.parent), found, "a place for new files", action)) from error
    return True
