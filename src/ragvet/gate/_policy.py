"""The policy file: what a run must reach, who agreed to it, and when."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import ConfigDict, Field, PositiveInt, ValidationError, model_validator

from ragvet.errors import InputError, Problem, cause
from ragvet.gate._range import declared, impossible
from ragvet.records import Record
from ragvet.text import nearest

__all__ = ["Policy", "PolicyFile", "Rule", "load_policy"]

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Words = Annotated[str, Field(min_length=1, pattern=r"\S")]


_NO_THRESHOLD = "min or max, or both: a rule without a threshold asks for nothing"
_NO_GAP = "min no greater than max"


class Rule(Record):
    """One threshold with the terms under which it decides. There is no default: every number is somebody's decision."""

    model_config = ConfigDict(strict=True)

    metric: Words = Field(description="the metric as the run prints it, e.g. nDCG@10")
    stratum: Words = Field(description='"all", "every", "every label" (e.g. "every category") or "label=value"')
    min: float | None = Field(default=None, description="the smallest value that passes")
    max: float | None = Field(default=None, description="the largest value that passes")
    minimum_n: PositiveInt = Field(description="the fewest cases with a value that can decide the rule")
    allowed_undefined_share: Share = Field(
        description="the share of eligible cases, 0 to 1, that may have nothing to measure"
    )
    allowed_failed_share: Share = Field(description="the share of eligible cases, 0 to 1, that may have failed")
    agreed_by: Words = Field(description="who agreed to it")
    agreed_on: date = Field(description="the day it was agreed, before measuring, e.g. 2026-03-01 without quotes")
    why: Words = Field(description="why this number, in a sentence")

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError(_NO_THRESHOLD)
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"{_NO_GAP}, not {self.min:g} and {self.max:g}")
        return self

    @property
    def threshold(self) -> str:
        """As it reads: ≥ 0.9."""
        return " and ".join(
            f"{sign} {bound:g}" for sign, bound in (("≥", self.min), ("≤", self.max)) if bound is not None
        )


class PolicyFile(Record):
    """A `policy.toml`: `[[rule]]` decide on means, `[[critical]]` on every single case."""

    model_config = ConfigDict(strict=True)

    rule: Annotated[tuple[Rule, ...], Field(strict=False)] = Field(
        default=(), description="A mean over cases must be on the right side."
    )
    critical: Annotated[tuple[Rule, ...], Field(strict=False)] = Field(
        default=(), description="Zero tolerance: no single case may be on the wrong side, whatever the mean."
    )


class Policy(Record):
    """A checked policy and the file it stands in.

    Attributes:
        source: the file as the user named it.
        fingerprint: changes with every byte of the file.
    """

    source: str
    fingerprint: str
    rules: tuple[Rule, ...]
    critical: tuple[Rule, ...]


def load_policy(path: Path | str) -> Policy:
    """The policy in a TOML file.

    Raises:
        InputError: naming every problem of the file: what is missing, misspelt, or cannot be.
    """
    source = str(path)
    try:
        content = Path(path).read_bytes()
        written = tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError:
        action = "Write one (`ragvet init` in an empty folder shows how), or name it with --policy."
        raise InputError(Problem(source, "no such file", "a policy", action)) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            Problem(source, f"no readable TOML: {cause(error)}", "a TOML file in UTF-8", "Mend the file.")
        ) from error
    undecidable = list(_undecidable(source, written))
    try:
        file = PolicyFile.model_validate(written)
    except ValidationError as error:
        raise InputError([*_problems(error, source, written), *undecidable]) from error
    if undecidable:
        raise InputError(undecidable)
    if not file.rule and not file.critical:
        action = "Write at least one: a gate without rules passes everything."
        raise InputError(Problem(source, "no rule", "[[rule]] or [[critical]] tables", action))
    return Policy(
        source=source,
        fingerprint=hashlib.sha256(content).hexdigest()[:16],
        rules=file.rule,
        critical=file.critical,
    )


def _problems(error: ValidationError, source: str, written: dict[str, Any]) -> Iterator[Problem]:
    for fault in error.errors(include_url=False):
        table, *place = fault["loc"]
        record = _named(table, place, written)
        field = str(place[1]) if len(place) > 1 else None
        if fault["type"] == "extra_forbidden":
            known = list((Rule if place else PolicyFile).model_fields)
            name = str(fault["loc"][-1])
            meant = nearest(name, known)
            action = f"Did you mean {meant!r}?" if meant else "Remove it."
            yield Problem(source, f"an unknown name {name!r}", f"one of {', '.join(known)}", action, record)
        elif fault["type"] == "missing":
            expected = Rule.model_fields[str(field)].description or str(field)
            action = "There is no default: agree on it and write it down."
            yield Problem(source, "nothing", expected, action, record, field)
        elif fault["type"] == "value_error":
            continue  # a rule that cannot decide: `_undecidable` says so of every rule, whatever else is wrong with it
        else:
            described = Rule.model_fields[field].description if field in Rule.model_fields else None
            expected = described or f"[[{table}]] tables"
            needed = fault["msg"].removeprefix("Input should be ")
            yield Problem(source, repr(fault["input"]), f"{expected}: {needed}", "Correct it.", record, field)


def _undecidable(source: str, written: dict[str, Any]) -> Iterator[Problem]:
    """Rules on a metric there is none of, or with a threshold that asks for nothing or for what cannot be."""
    for table in ("rule", "critical"):
        rules = written.get(table)
        for place in range(len(cast("list[object]", rules)) if isinstance(rules, list) else 0):
            entry = _entry(written, table, place)
            for problem in _faults_of(entry) if entry else ():
                yield replace(problem, source=source, record=_named(table, [place], written))


def _faults_of(entry: dict[str, Any]) -> Iterator[Problem]:
    bounds = {field: entry[field] for field in ("min", "max") if field in entry}
    metric = entry.get("metric")
    if isinstance(metric, str) and metric.strip():
        try:
            yield from impossible(bounds, metric, declared(metric))
        except InputError as error:
            yield from error.problems
    if not bounds:
        yield Problem("", "no threshold", _NO_THRESHOLD, "Agree on it and write it down.")
    elif len(bounds) == 2 and all(type(bound) in {int, float} for bound in bounds.values()):  # noqa: PLR2004 - both
        least, most = bounds["min"], bounds["max"]
        if least > most:
            yield Problem("", f"min {least:g} above max {most:g}", _NO_GAP, "Correct one of them.")


def _entry(written: dict[str, Any], table: str, place: int) -> dict[str, Any]:
    """One rule as it stands in the file; empty where it is no table."""
    entry = written[table][place]
    return cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}


def _named(table: int | str, place: list[int | str], written: dict[str, Any]) -> str | None:
    """`rule 3 (faithfulness)`: the place in the file, and the metric if it says one."""
    if not place or not isinstance(place[0], int):
        return None
    metric = _entry(written, str(table), place[0]).get("metric")
    return f"{table} {place[0] + 1}" + (f" ({metric})" if isinstance(metric, str) else "")
