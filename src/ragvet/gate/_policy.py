"""The policy file: what a run must reach, who agreed to it, and when."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import ValidationError

from ragvet.errors import InputError, Problem, cause
from ragvet.gate._entry import NO_GAP, NO_THRESHOLD, OWN, Entry, Placed, Table
from ragvet.gate._rule import Rule
from ragvet.gate._subjects import SUBJECTS, subject
from ragvet.records import Record
from ragvet.text import nearest, shown

__all__ = ["Policy", "load_policy", "policy_schema", "read_policy"]

_TABLES: tuple[Table, ...] = get_args(Table)
_DEFAULTS = "defaults"
_EVERY_CASE = "every case"


class Policy(Record):
    """A checked policy and the file it stands in.

    Attributes:
        source: the file as the user named it.
        fingerprint: changes with every byte of the file.
        entries: what it asks for, in the order of the file, critical ones first.
    """

    source: str
    fingerprint: str
    entries: tuple[Placed, ...]


def load_policy(path: Path | str) -> Policy:
    """The policy in a TOML file.

    Raises:
        InputError: naming every problem of the file: what is missing, misspelt, or cannot be.
    """
    source = str(path)
    try:
        content = Path(path).read_bytes()
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        action = "Write one (`ragvet init` in an empty folder shows how), or name it with --policy."
        raise InputError(Problem(source, "no such file", "a policy", action)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(_unreadable(source, error)) from error
    return read_policy(text, source).model_copy(update={"fingerprint": hashlib.sha256(content).hexdigest()[:16]})


def read_policy(text: str, source: str) -> Policy:
    """The policy in a text, as `load_policy` reads it from a file."""
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(_unreadable(source, error)) from error
    problems = list(_structure(written))
    defaults, faults = _defaults(written.get(_DEFAULTS))
    problems += faults
    drafts = [draft for table in _TABLES for draft in _drafts(written.get(table), table, defaults)]
    problems += [problem for draft in drafts for problem in draft.problems()]
    if not problems and not drafts:
        action = "Write at least one: a gate without rules passes everything."
        problems.append(Problem("", "no rule", "[[rule]] or [[critical]] tables", action))
    if problems:
        raise InputError(replace(problem, source=source) for problem in problems)
    entries = sorted((draft.placed() for draft in drafts), key=lambda placed: placed.table != "critical")
    return Policy(source=source, fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16], entries=tuple(entries))


def policy_schema() -> dict[str, Any]:
    """The JSON Schema of a policy file, with every subject there is. What `[defaults]` may hold no entry needs."""
    forms: list[dict[str, Any]] = []
    for name in SUBJECTS:
        form = subject(name).entry.model_json_schema()
        form["required"] = [field for field in form.get("required", ()) if field in OWN]
        forms.append(form)
    shared = {field: fields for form in forms for field, fields in form["properties"].items() if field not in OWN}
    tables = {
        "rule": "Each must hold; a score by its mean over cases.",
        "critical": "Zero tolerance: no single case may be on the wrong side, whatever the mean.",
    }
    listed = {
        table: {"type": "array", "items": {"anyOf": forms}, "description": said} for table, said in tables.items()
    }
    stated = {
        "type": "object", "properties": shared, "additionalProperties": False,
        "description": "What every entry says that does not say otherwise.",
    }  # fmt: skip
    return {
        "title": "Policy",
        "type": "object",
        "properties": {_DEFAULTS: stated, **listed},
        "additionalProperties": False,
    }


def _unreadable(source: str, error: Exception) -> Problem:
    return Problem(source, f"no readable TOML: {cause(error)}", "a TOML file in UTF-8", "Mend the file.")


def _structure(written: Mapping[str, Any]) -> Iterator[Problem]:
    known = (*_TABLES, _DEFAULTS)
    for name, value in written.items():
        if name not in known:
            yield _unknown(name, known, None)
        elif name in _TABLES and not isinstance(value, list):
            yield Problem("", shown(value), f"[[{name}]] tables", "Correct it.", field=name)


def _defaults(written: Any) -> tuple[dict[str, Any], list[Problem]]:
    """What stands once for all entries; a field of no subject, or one an entry must say itself, is a problem."""
    if written is None:
        return {}, []
    if not isinstance(written, dict):
        return {}, [Problem("", shown(written), "a [defaults] table", "Correct it.", field=_DEFAULTS)]
    fields = cast("dict[str, Any]", written)
    known = {field for name in SUBJECTS for field in subject(name).entry.model_fields} - OWN
    return fields, [_unknown(name, sorted(known), _DEFAULTS) for name in fields if name not in known]


def _unknown(name: str, known: Iterator[str] | tuple[str, ...] | list[str], record: str | None) -> Problem:
    names = list(known)
    meant = nearest(name, names)
    action = f"Did you mean {meant!r}?" if meant else "Remove it."
    return Problem("", f"an unknown name {name!r}", f"one of {', '.join(names)}", action, record)


def _drafts(written: Any, table: Table, defaults: Mapping[str, Any]) -> Iterator[_Draft]:
    entries = cast("list[Any]", written) if isinstance(written, list) else []
    for number, entry in enumerate(entries, start=1):
        yield _Draft(table, number, entry, defaults)


@dataclass(frozen=True)
class _Draft:
    """One entry as it was written."""

    table: Table
    number: int
    written: Any
    defaults: Mapping[str, Any]

    @cached_property
    def own(self) -> dict[str, Any]:
        """What it says itself; empty where it is no table."""
        return cast("dict[str, Any]", self.written) if isinstance(self.written, dict) else {}

    @property
    def subject(self) -> Any:
        """What it is about: a score, where it does not say."""
        return self.own.get("subject", "score")

    @cached_property
    def form(self) -> type[Entry]:
        """What its subject lets it hold."""
        return subject(self.subject).entry if self.subject in SUBJECTS else Rule

    @cached_property
    def fields(self) -> dict[str, Any]:
        """With what it takes from the defaults, and what its table means."""
        taken = {name: value for name, value in self.defaults.items() if name in self.form.model_fields}
        meant = {"statistic": _EVERY_CASE} if self.table == "critical" and "statistic" in self.form.model_fields else {}
        return {**taken, **meant, "subject": self.subject, **self.own}

    @property
    def name(self) -> str | None:
        """`rule 3 (faithfulness)`: its place in the file, and the metric or subject if it says one."""
        about = self.own.get("metric", self.own.get("subject"))
        return f"{self.table} {self.number}" + (f" ({about})" if isinstance(about, str) else "")

    def placed(self) -> Placed:
        """The entry, once it has no problem."""
        taken = tuple(name for name in self.defaults if name in self.form.model_fields and name not in self.own)
        entry = self.form.model_validate(self.fields)
        return Placed(table=self.table, number=self.number, entry=entry, defaults=taken)

    def problems(self) -> Iterator[Problem]:
        """Everything wrong with it, each with its record and field."""
        if not isinstance(self.written, dict):
            yield Problem("", shown(self.written), f"[[{self.table}]] tables", "Correct it.", self.name)
            return
        if self.subject not in SUBJECTS:
            action = "Correct it, or leave it out for a score."
            yield Problem("", shown(self.subject), f"one of {', '.join(SUBJECTS)}", action, self.name, "subject")
            return
        yield from self._misfits()
        for problem in (*self._bounds(), *subject(self.subject).faults(self.own)):
            yield replace(problem, record=self.name)

    def _misfits(self) -> Iterator[Problem]:
        try:
            self.form.model_validate(self.fields)
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                found = self._misfit(fault["type"], str(fault["loc"][0]) if fault["loc"] else None, fault)
                if found is not None:
                    yield found

    def _misfit(self, kind: str, field: str | None, fault: Any) -> Problem | None:
        known = self.form.model_fields
        if kind == "extra_forbidden":
            return _unknown(str(fault["loc"][-1]), list(known), self.name)
        if kind == "value_error":
            return (
                None  # an entry that asks for nothing: `_bounds` says so of every one, whatever else is wrong with it
            )
        described = known[field].description if field in known else None
        if kind == "missing":
            action = "There is no default: agree on it and write it down."
            return Problem("", "nothing", described or str(field), action, self.name, field)
        needed = fault["msg"].removeprefix("Input should be ")
        return Problem("", repr(fault["input"]), f"{described}: {needed}", "Correct it.", self.name, field)

    def _bounds(self) -> Iterator[Problem]:
        """A threshold that asks for nothing, or for what cannot be."""
        bounds = {field: self.own[field] for field in ("min", "max") if field in self.own}
        if not bounds:
            yield Problem("", "no threshold", NO_THRESHOLD, "Agree on it and write it down.")
        elif len(bounds) == 2 and all(type(bound) in {int, float} for bound in bounds.values()):  # noqa: PLR2004 - both
            least, most = bounds["min"], bounds["max"]
            if least > most:
                yield Problem("", f"min {least:g} above max {most:g}", NO_GAP, "Correct one of them.")
