from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import jsonpath
from jsonpath.selectors import Filter, SliceSelector, WildcardSelector

from ragvet.errors import Problem, TargetReplyInvalid
from ragvet.records import Answer, RetrievedItem
from ragvet.text import nearest

__all__ = ["ReplyMapping", "check_placeholders", "fill"]

_FILLED_IN = ("question", "k", "identity", "history", "case_id")
"""What a request may ask to be filled in."""

_PLACEHOLDER = re.compile(r"\{(?P<literal>\{\w+\})\}|\{(?P<name>\w+)\}")
_MANY = (WildcardSelector, SliceSelector, Filter)
"""Selectors that may rightly find nothing: in a list that is empty."""

_LISTS = frozenset({"retrieved", "supplied", "citations", "cache_hits"})
_RANKINGS = ("retrieved", "supplied")
_ANSWER_FIELDS = ("answer", "retrieved", *(name for name in Answer.model_fields if name != "text"))


@dataclass(frozen=True)
class ReplyMapping:
    """Where in a JSON reply the fields of an answer stand, and in one entry of its ranking those of an item.

    A path must find something: a field that is missing from the reply is a fault, not an empty one. Only the list a
    wildcard stands for may be empty, and an entry of it may lack a field that others have.
    """

    response: Mapping[str, jsonpath.JSONPath]
    item: Mapping[str, jsonpath.JSONPath]

    @classmethod
    def compile(cls, response: Mapping[str, str], item: Mapping[str, str], problems: list[Problem]) -> Self:
        """The mapping; what is wrong with it goes to `problems`."""
        return cls(
            _compiled(response, _ANSWER_FIELDS, "[target.http.response]", problems),
            _compiled(item, tuple(RetrievedItem.model_fields), "[target.http.item]", problems),
        )

    def apply(self, reply: Any) -> Any:
        """The reply in the fields of an answer.

        Raises:
            TargetReplyInvalid: it holds nothing at a path; no entry holds anything at a path of an item.
        """
        fields = {name: _find(path, reply, name) for name, path in self.response.items()} if self.response else reply
        if not self.item or not isinstance(fields, dict):
            return fields
        mapped = cast("dict[str, Any]", fields).copy()
        for name in _RANKINGS:
            if isinstance(mapped.get(name), list):
                mapped[name] = [self._item(entry, f"{name}[{rank}]") for rank, entry in enumerate(mapped[name])]
        items = [item for name in _RANKINGS if name in mapped for item in mapped[name] or ()]
        unfound = [f"{name} at {path}" for name, path in self.item.items() if not any(name in item for item in items)]
        if items and unfound:
            raise TargetReplyInvalid(f"no entry of the ranking has {', '.join(unfound)}: see [target.http.item]")
        return mapped

    def _item(self, entry: Any, place: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, path in self.item.items():
            matches = path.findall(entry)
            if matches:
                found[name] = matches[0]
            elif name == "chunk_id":
                raise TargetReplyInvalid(f"{place}: nothing at {path} for chunk_id")
        return found


def fill(template: Any, given: Mapping[str, Any]) -> Any:
    """The template with its placeholders filled in: alone in a text a value keeps its type, inside one it is text.

    Doubled braces stand for themselves: `{{question}}` is sent as `{question}`.

    >>> fill({"query": "{question}", "top": "{k}", "note": "top {k}"}, {"question": "Why?", "k": 3})
    {'query': 'Why?', 'top': 3, 'note': 'top 3'}
    """
    if isinstance(template, Mapping):
        return {name: fill(value, given) for name, value in cast("Mapping[str, Any]", template).items()}
    if isinstance(template, list | tuple):
        return [fill(value, given) for value in cast("list[Any]", template)]
    if not isinstance(template, str):
        return template
    alone = template.removeprefix("{").removesuffix("}")
    if template == f"{{{alone}}}" and alone in given:
        return given[alone]
    return _PLACEHOLDER.sub(lambda match: match["literal"] or str(given.get(match["name"], match[0])), template)


def check_placeholders(template: Any, problems: list[Problem]) -> None:
    """Notes in `problems` every placeholder of the template that nothing would fill in."""
    for text in _texts(template):
        for match in _PLACEHOLDER.finditer(text):
            name = match["name"]
            if name is None or name in _FILLED_IN:
                continue
            meant = nearest(name, _FILLED_IN)
            hint = f"Did you mean {{{meant}}}?" if meant else f"To send the braces as they are, write {{{{{name}}}}}."
            known = ", ".join(f"{{{known}}}" for known in _FILLED_IN)
            problems.append(
                Problem(
                    "[target.http]", f"{match[0]}, which nothing fills in", f"one of {known}", hint, field="request"
                )
            )


def _texts(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, Mapping):
        for value in cast("Mapping[str, Any]", template).values():
            yield from _texts(value)
    elif isinstance(template, list | tuple):
        for value in cast("list[Any]", template):
            yield from _texts(value)


def _find(path: jsonpath.JSONPath, reply: Any, name: str) -> Any:
    matches = path.findall(reply)
    many = name in _LISTS and not path.singular_query()
    if not matches:
        lost = _lost(path, reply)
        if lost is not None or not many:
            raise TargetReplyInvalid(f"{name}: nothing at {lost or path} in the reply")
    return matches if many else matches[0]


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
