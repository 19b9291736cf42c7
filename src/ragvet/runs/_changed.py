"""Whether a run still speaks about what lies in the project: nobody should gate yesterday's golden set unknowingly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragvet.dataset import load_corpus, load_dataset
from ragvet.errors import InputError
from ragvet.runs._config import load_config
from ragvet.runs._difference import difference
from ragvet.runs._manifest import Manifest
from ragvet.runs._project import code_fingerprint

__all__ = ["changed_since"]

_Named = Mapping[str, Any]


def changed_since(manifest: Manifest, config: Path) -> Iterator[str]:
    """What was changed, or broken, since the run: golden set, corpus, the project's code, and the configuration.

    What cannot be looked up (a corpus that is not on this machine) is not known to have changed, and nothing is said of
    it. Of a run that was started from Python, which names no files, nothing is said at all.

    Args:
        manifest: of the run.
        config: the configuration now; left out where there is no such file.
    """
    named: _Named = manifest.config.get("dataset", {})
    if "path" not in named or manifest.judged_from is not None:
        return
    now: dict[str, Any] = {}
    for what, look_up in {
        "dataset_fingerprint": lambda: _asked_now(named),
        "corpus_fingerprint": lambda: _corpus_now(manifest, named),
    }.items():
        try:
            now[what] = look_up()
        except InputError as error:
            file = named["path"] if what == "dataset_fingerprint" else named["corpus"]
            yield f"{file} cannot be read any more: {error.problems[0]}"
    if manifest.code_fingerprint is not None:
        now["code_fingerprint"] = code_fingerprint(Path.cwd()) or manifest.code_fingerprint
    if config.is_file():
        try:
            written = load_config(config).model_dump(mode="json", exclude_unset=True)
        except InputError as error:
            yield f"{config} cannot be read any more: {error.problems[0]}"
        else:
            now["config"] = _settings(written)
    was = manifest.model_copy(update={"config": _settings(manifest.config)} if "config" in now else {})
    yield from _in_words(was, was.model_copy(update=now), named, config)


def _asked_now(named: _Named) -> str:
    return load_dataset(named["path"], judgments=named.get("judgments")).asked(named.get("split")).fingerprint


def _corpus_now(manifest: Manifest, named: _Named) -> str | None:
    """The fingerprint of the corpus; as it was where it is not on this machine."""
    path = named.get("corpus")
    return manifest.corpus_fingerprint if path is None or not Path(path).exists() else load_corpus(path).fingerprint


def _in_words(was: Manifest, now: Manifest, named: _Named, config: Path) -> Iterator[str]:
    found = {one.what: one for one in difference(was, now)}
    settings = [name.removeprefix("config.") for name in found if name.startswith("config.")]
    if "dataset" in found:
        yield f"{named['path']} has changed since this run"
    if "corpus" in found:
        yield f"{named['corpus']} has changed since this run"
    if "code_fingerprint" in found:
        yield "the Python files of the project have changed since this run"
    if settings:
        yield f"{config} has changed since this run, or another one was used: {', '.join(settings)}"


def _settings(written: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration by full paths, without what the command line may say otherwise and what changes no score."""
    judge = {name: value for name, value in written.get("judge", {}).items() if name != "budget"}
    dataset, target = dict(written.get("dataset", {})), dict(written.get("target", {}))
    dataset.pop("split", None)
    target.pop("repeat", None)
    for table, name in ((dataset, "path"), (dataset, "corpus"), (target, "recorded")):
        if table.get(name) is not None:
            table[name] = str(Path(table[name]).absolute())
    return {**written, "dataset": dataset, "target": target, "judge": judge}
