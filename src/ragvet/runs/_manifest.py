"""What a run was made of, kept beside what came out."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shlex
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, ValidationError

from ragvet.errors import BundleError, cause
from ragvet.records import JudgmentScope, MetricDeclaration, Record
from ragvet.runs._storage import replace_text

__all__ = [
    "Counts",
    "Manifest",
    "Spend",
    "package_versions",
    "read_manifest",
    "to_go_on",
    "write_manifest",
]


class Spend(Record):
    """What some calls cost, as far as they said. `cost` is None where none of them reported a price."""

    cost: NonNegativeFloat | None = Field(default=None, description="US dollars of the items that reported it.")
    input_tokens: NonNegativeInt | None = None
    output_tokens: NonNegativeInt | None = None
    reported: NonNegativeInt = Field(default=0, description="Items that reported usage; the others are unknown.")


class Counts(Record):
    """How many items ended how. An item is one case and repeat."""

    cases: NonNegativeInt = 0
    ambiguous: NonNegativeInt = 0
    unmarked: NonNegativeInt = Field(
        default=0, description="Cases to be answered without marked evidence: retrieval is not measured for them."
    )
    left_out: Mapping[str, NonNegativeInt] = Field(
        default_factory=dict, description="Split → cases of the golden set that were not asked."
    )
    items: NonNegativeInt = 0
    answered: NonNegativeInt = 0
    failed: Mapping[str, NonNegativeInt] = Field(default_factory=dict, description="Kind of failure → items.")
    judged: NonNegativeInt = 0
    judge_failed: NonNegativeInt = 0
    stale_annotations: NonNegativeInt = Field(
        default=0, description="Gold passages whose document, version or quote the corpus no longer has."
    )
    unplaced_chunks: NonNegativeInt = Field(
        default=0,
        description="Retrieved chunks of a gold document without text or range: they may carry its passage.",
    )


class Manifest(Record):
    """What was run, with which versions. Holds no document text and no secret."""

    run_id: str
    status: Literal["running", "interrupted", "finished"]
    judged_from: str | None = Field(
        default=None, description="The run these traces were captured in, where another judge judges them here."
    )
    started_at: datetime
    finished_at: datetime | None = None
    seconds: NonNegativeFloat | None = Field(default=None, description="On a monotonic clock, over all sittings.")
    config: Mapping[str, Any] = Field(description="As written; secrets stand in it only as names of variables.")
    config_fingerprint: str
    dataset: str = Field(description="Where the golden set came from.")
    dataset_fingerprint: str
    judgments: JudgmentScope | None
    corpus_fingerprint: str | None = None
    target: str = Field(description="As the user named it.")
    target_fingerprint: str
    judge_fingerprint: str | None = None
    answers: bool = Field(default=True, description="Whether the target answers; False: it only retrieves.")
    cites: bool | None = Field(
        default=None,
        description="Whether the target cites what it says: declared, else as any answer shows. None: nobody looked.",
    )
    supplied_k: int
    deep_k: int
    repeat: int = 1
    seed: int = 0
    metrics: Mapping[str, MetricDeclaration] = Field(
        default_factory=dict, description="Every metric of the run under its printed name, e.g. nDCG@10."
    )
    code: str | None = Field(default=None, description="Commit of the project folder, +dirty where it had changes.")
    code_fingerprint: str | None = Field(
        default=None,
        description="Of the project's own Python files as they lay on disk, committed or not. None: unknown.",
    )
    policy: Mapping[str, Any] | None = Field(
        default=None,
        description="The policy beside the configuration when the run began, in full; None: none.",
    )
    components: Mapping[str, Mapping[str, NonNegativeInt]] = Field(
        default_factory=dict,
        description="What the target said its answers were made with (embedding, index, prompt, model …): part → value "
        "→ answers. What it said of no part is unknown.",
    )
    versions: Mapping[str, str] = Field(default_factory=dict, description="ragvet, python, platform, packages.")
    counts: Counts = Field(default_factory=Counts)
    serving: Spend = Field(default_factory=Spend, description="What the target spent.")
    judging: Spend = Field(default_factory=Spend, description="What the judge spent.")


def to_go_on(manifest: Manifest, folder: Path) -> str:
    """How to go on with a run that was stopped: only Python knows a target that was handed over there."""
    if manifest.judged_from is not None:
        return f"ragvet judge {shlex.quote(str(folder))}"
    if "target" in manifest.config and "dataset" not in manifest.config:
        return f"ragvet.evaluate(…, resume={str(folder)!r})"
    return f"ragvet run --resume {shlex.quote(str(folder))}"


def read_manifest(folder: Path) -> Manifest:
    """What `folder` says it holds.

    Raises:
        BundleError: it holds no readable manifest.
    """
    path = folder / "manifest.json"
    try:
        return Manifest.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BundleError(f"{folder}: is not a run: there is no manifest.json in it") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BundleError(f"{path}: cannot be read: {cause(error)}") from error
    except ValidationError as error:
        first: Any = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BundleError(
            f"{path}: {place}: {first['msg']}. Was it written by a newer ragvet? Then upgrade; else it is damaged."
        ) from error


def package_versions() -> dict[str, str]:
    """Versions that can change a number: ragvet's own, the interpreter, and the libraries that count."""
    packages = ("ragvet", "numpy", "polars", "pydantic", "rapidfuzz", "sentencex")
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: importlib.metadata.version(name) for name in packages},
    }


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest of a run, whole or not at all."""
    replace_text(folder / "manifest.json", manifest.model_dump_json(indent=2) + "\n")
