"""What two runs were made of differently, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragvet.runs._manifest import Manifest

__all__ = ["Difference", "difference"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same.

    Attributes:
        what: its name, in dots: `dataset`, `config.retrieval.supplied_k`, `components.prompt`, `metrics.coverage@5`.
        before: what it was; None: not known, or not there.
        after: what it is.
    """

    what: str
    before: Any
    after: Any

    @property
    def known(self) -> bool:
        """Whether both sides are known, so that it has changed for sure."""
        return self.before is not None and self.after is not None


def difference(before: Manifest, after: Manifest) -> list[Difference]:
    """Everything in which two runs differ: inputs, configuration, policy, judge, metrics, code, libraries, components.

    When they ran and what came out is no difference. What is unknown on both sides is not listed; what is unknown on
    one side is, with None there.
    """
    was, now = dict(_facts(before)), dict(_facts(after))
    names = dict.fromkeys([*was, *now])
    return [Difference(name, was.get(name), now.get(name)) for name in names if was.get(name) != now.get(name)]


def _facts(manifest: Manifest) -> Iterator[tuple[str, Any]]:
    yield "dataset", manifest.dataset_fingerprint
    yield "judgments", manifest.judgments
    yield "corpus", manifest.corpus_fingerprint
    yield "target", manifest.target_fingerprint
    yield "judge", manifest.judge_fingerprint
    yield "supplied_k", manifest.supplied_k
    yield "deep_k", manifest.deep_k
    yield "repeat", manifest.repeat
    yield "seed", manifest.seed
    yield "code", manifest.code
    yield "code_fingerprint", manifest.code_fingerprint
    yield from _flat("config", manifest.config)
    yield from _flat("policy", manifest.policy or {})
    yield from ((f"components.{part}", sorted(values)) for part, values in manifest.components.items())
    yield from ((f"metrics.{name}", declared.version) for name, declared in manifest.metrics.items())
    yield from ((f"versions.{name}", version) for name, version in manifest.versions.items())


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Each leaf of nested tables under its name in dots; a list is one value."""
    if isinstance(value, Mapping):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType] - parsed JSON
            yield from _flat(f"{name}.{key}", inner)
    else:
        yield name, value
