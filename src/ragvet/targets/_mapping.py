"""Where in the reply of an endpoint the fields of an answer stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import jsonpath
from jsonpath.selectors import Filter, SliceSelector, WildcardSelector

from ragvet.errors import Problem, TargetReplyInvalid
from ragvet.records import Answer, CacheLookup, Citation, Record, RetrievalCall, RetrievedItem, ToolCall
from ragvet.text import nearest

__all__ = ["ReplyMapping"]

_MANY = (WildcardSelector, SliceSelector, Filter)
"""Selectors that may rightly find nothing: in a list that is empty."""


@dataclass(frozen=True)
class _Entries:
    """A list of the answer whose entries have paths of their own: its record, and the field no entry may lack."""

    holder: str
    record: type[Record]
    must_have: str | None


_ENTRIES = {
    "call": _Entries("retrievals", RetrievalCall, "items"),
    "citation": _Entries("citations", Citation, None),
    "cache": _Entries("cache", CacheLookup, "stage"),
    "tool_call": _Entries("tool_calls", ToolCall, "name"),
}
"""By the table of the configuration that holds their paths."""

_RANKINGS = ("retrieved", "supplied")
_STAGES = ("items", "reranked")
_LISTS = frozenset({*_RANKINGS, *_STAGES, "cache_hits", *(entries.holder for entries in _ENTRIES.values())})
_ANSWER_FIELDS = (
    *("answer", "retrieved", "refused", "cache_hits"),
    *(name for name in Answer.model_fields if name != "text"),
)


@dataclass(frozen=True)
class ReplyMapping:
    """Where in a JSON reply the fields of an answer stand, and in one entry of its lists those of an entry.

    Attributes:
        response: field of the answer → path in the reply; `refused` leads to true or false. Empty: it is an answer.
        item: field of a retrieved item → path in one entry of a ranking, also of a ranking inside a retrieval call.
        entries: likewise for the entries of other lists, by table: `call` for those of `retrievals`, `citation`,
            `cache`, `tool_call`.

    A path must find something: a field that is missing from the reply is a fault, not an empty one. Only the list a
    wildcard stands for may be empty, and an entry of it may lack a field that others have.
    """

    response: Mapping[str, jsonpath.JSONPath]
    item: Mapping[str, jsonpath.JSONPath]
    entries: Mapping[str, Mapping[str, jsonpath.JSONPath]]

    @classmethod
    def compile(
        cls,
        response: Mapping[str, str],
        problems: list[Problem],
        *,
        item: Mapping[str, str],
        entries: Mapping[str, Mapping[str, str]],
    ) -> Self:
        """The mapping; what is wrong with it goes to `problems`."""
        _check_together(response, entries, problems)
        return cls(
            _compiled(response, _ANSWER_FIELDS, "[target.http.response]", problems),
            _compiled(item, tuple(RetrievedItem.model_fields), "[target.http.item]", problems),
            {
                table: _compiled(paths, tuple(_ENTRIES[table].record.model_fields), f"[target.http.{table}]", problems)
                for table, paths in entries.items()
            },
        )

    def apply(self, reply: Any) -> Any:
        """The reply in the fields of an answer.

        Raises:
            TargetReplyInvalid: it holds nothing at a path; no entry holds anything at a path of an entry.
        """
        fields = {name: _find(path, reply, name) for name, path in self.response.items()} if self.response else reply
        if not isinstance(fields, dict):
            return fields
        mapped = cast("dict[str, Any]", fields).copy()
        if "refused" in self.response:
            mapped |= _behaviour(mapped.pop("refused"))
        for table, paths in self.entries.items():
            holder, must_have = _ENTRIES[table].holder, _ENTRIES[table].must_have
            if paths and isinstance(mapped.get(holder), list):
                mapped[holder] = _entries(mapped[holder], holder, paths, must_have)
                _insist_on_all(paths, mapped[holder], f"`{holder}`", f"[target.http.{table}]")
        return self._with_items(mapped) if self.item else mapped

    def _with_items(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields with the entries of every ranking in them mapped."""
        items: list[Any] = []

        def ranked(holder: dict[str, Any], names: tuple[str, ...], place: str = "") -> dict[str, Any]:
            found = {
                name: _entries(holder[name], f"{place}{name}", self.item, must_have="chunk_id")
                for name in names
                if isinstance(holder.get(name), list)
            }
            items.extend(item for entries in found.values() for item in entries)
            return holder | found

        mapped = ranked(fields, _RANKINGS)
        if isinstance(mapped.get("retrievals"), list):
            mapped["retrievals"] = [
                ranked(cast("dict[str, Any]", call), _STAGES, f"retrievals[{number}].")
                if isinstance(call, dict)
                else call
                for number, call in enumerate(mapped["retrievals"])
            ]
        _insist_on_all(self.item, items, "the ranking", "[target.http.item]")
        return mapped


def _check_together(
    response: Mapping[str, str], entries: Mapping[str, Mapping[str, str]], problems: list[Problem]
) -> None:
    """Notes in `problems` what would be mapped twice or never."""
    for short, full in (("refused", "behaviour"), ("cache_hits", "cache")):
        if short in response and full in response:
            found, expected = f"{short} beside {full}", "one of the two: they say the same"
            problems.append(Problem("[target.http.response]", found, expected, "Remove one.", field=short))
    for table, paths in entries.items():
        holder = _ENTRIES[table].holder
        if paths and response and holder not in response:
            found, action = f"paths into `{holder}`, which no path leads to", "Add it to [target.http.response]."
            problems.append(Problem(f"[target.http.{table}]", found, f"a path for {holder}", action))


def _behaviour(refused: Any) -> dict[str, str]:
    if refused is None:
        return {}
    if not isinstance(refused, bool):
        raise TargetReplyInvalid(f"refused: true, false or null expected, not {refused!r}; a name goes to behaviour")
    return {"behaviour": "refused" if refused else "answered"}


def _entries(
    entries: list[Any], place: str, paths: Mapping[str, jsonpath.JSONPath], must_have: str | None = None
) -> list[dict[str, Any]]:
    """Each entry in the fields the paths name; one may lack what others have, but not `must_have`, nor all of it."""
    mapped: list[dict[str, Any]] = []
    for number, entry in enumerate(entries):
        found = {name: value for name, path in paths.items() for value in _at(path, entry, name)}
        if must_have is not None and must_have in paths and must_have not in found:
            raise TargetReplyInvalid(f"{place}[{number}]: nothing at {paths[must_have]} for {must_have}")
        if not found:
            raise TargetReplyInvalid(f"{place}[{number}]: nothing at {', '.join(map(str, paths.values()))}")
        mapped.append(found)
    return mapped


def _insist_on_all(
    paths: Mapping[str, jsonpath.JSONPath], mapped: list[dict[str, Any]], where: str, table: str
) -> None:
    unfound = [f"{name} at {path}" for name, path in paths.items() if not any(name in entry for entry in mapped)]
    if mapped and unfound:
        raise TargetReplyInvalid(f"no entry of {where} has {', '.join(unfound)}: see {table}")


def _find(path: jsonpath.JSONPath, reply: Any, name: str) -> Any:
    found = _at(path, reply, name)
    if not found:
        raise TargetReplyInvalid(f"{name}: nothing at {_lost(path, reply) or path} in the reply")
    return found[0]


def _at(path: jsonpath.JSONPath, data: Any, name: str) -> list[Any]:
    """The one value that stands there, in a list; nothing there: an empty list."""
    matches = path.findall(data)
    if name in _LISTS and not path.singular_query():
        return [matches] if matches or _lost(path, data) is None else []
    return matches[:1]


def _lost(path: jsonpath.JSONPath, reply: Any) -> jsonpath.JSONPath | None:
    """The shortest part of a path without match that should have one; None: it leads into a list that is empty."""
    parents: list[Any] = [reply]
    for length, segment in enumerate(path.segments, start=1):
        part = jsonpath.JSONPath(env=path.env, segments=path.segments[:length])
        found = part.findall(reply)
        if not found:
            into_list = all(isinstance(selector, _MANY) for selector in segment.selectors)
            return None if into_list and any(isinstance(parent, list | dict) for parent in parents) else part
        parents = found
    return None


def _compiled(
    paths: Mapping[str, str], known: tuple[str, ...], table: str, problems: list[Problem]
) -> dict[str, jsonpath.JSONPath]:
    compiled: dict[str, jsonpath.JSONPath] = {}
    for name, path in paths.items():
        if name not in known:
            meant = nearest(name, known)
            action = f"Did you mean {meant!r}?" if meant else "Remove it."
            problems.append(
                Problem(table, f"an unknown name {name!r}", f"one of {', '.join(known)}", action, field=name)
            )
            continue
        try:
            query = jsonpath.compile(path)
        except jsonpath.JSONPathError as error:
            problems.append(Problem(table, f"{path!r} ({error})", "a JSONPath, e.g. $.hits[*]", "Mend it.", field=name))
            continue
        if isinstance(query, jsonpath.JSONPath):
            compiled[name] = query
        else:
            problems.append(Problem(table, f"{path!r}", "a single JSONPath", "Give one path.", field=name))
    return compiled
