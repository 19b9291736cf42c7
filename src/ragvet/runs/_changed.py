"""Whether a run still speaks about what lies in the project: nobody should gate yesterday's golden set unknowingly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragvet.dataset import load_dataset
from ragvet.errors import InputError
from ragvet.runs._config import load_config
from ragvet.runs._manifest import Manifest
from ragvet.runs._plan import config_fingerprint

__all__ = ["changed_since"]


def changed_since(manifest: Manifest, config: Path) -> Iterator[str]:
    """What was changed, or broken, since the run: its golden set, and the configuration in `config` where that exists.

    A run that was started from Python names no files, and nothing is said of it.
    """
    named: Mapping[str, Any] = manifest.config.get("dataset", {})
    if "path" not in named or manifest.judged_from is not None:
        return
    path = named["path"]
    try:
        now = load_dataset(path, judgments=named.get("judgments"))
    except InputError as error:
        yield f"{path} cannot be read any more: {error.problems[0]}"
    else:
        if now.fingerprint != manifest.dataset_fingerprint:
            yield f"{path} has changed since this run"
    if not config.is_file():
        return
    try:
        fingerprint = _settings(load_config(config).model_dump(mode="json", exclude_unset=True))
    except InputError as error:
        yield f"{config} cannot be read any more: {error.problems[0]}"
    else:
        if fingerprint != _settings(manifest.config):
            yield f"{config} has changed since this run, or another one was used"


def _settings(written: Mapping[str, Any]) -> str:
    """The fingerprint of a configuration without what the command line may say otherwise."""
    target = {name: value for name, value in written.get("target", {}).items() if name != "repeat"}
    return config_fingerprint({**written, "target": target})
