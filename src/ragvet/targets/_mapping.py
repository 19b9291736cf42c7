from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import jsonpath

from ragvet.errors import Problem, TargetReplyInvalid
from ragvet.records import Answer, RetrievedItem
from ragvet.text import nearest

__all__ = ["ReplyMapping", "fill"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_LISTS = frozenset({"retrieved", "supplied", "citations", "cache_hits"})
_RANKINGS = ("retrieved", "supplied")
_ANSWER_FIELDS = ("answer", "retrieved", *(name for name in Answer.model_fields if name != "text"))


@dataclass(frozen=True)
class ReplyMapping:
    """Where in a JSON reply the fields of an answer stand, and in one entry of its ranking those of an item.

    A path without a wildcard must find something: a field that is missing from the reply is a fault, not an empty one.
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
            TargetReplyInvalid: it holds nothing at a path.
        """
        fields = {name: _find(path, reply, name) for name, path in self.response.items()} if self.response else reply
        if not self.item or not isinstance(fields, dict):
            return fields
        mapped = cast("dict[str, Any]", fields).copy()
        for name in _RANKINGS:
            if isinstance(mapped.get(name), list):
                mapped[name] = [self._item(entry, f"{name}[{rank}]") for rank, entry in enumerate(mapped[name])]
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
    return _PLACEHOLDER.sub(lambda match: str(given.get(match[1], match[0])), template)


def _find(path: jsonpath.JSONPath, reply: Any, name: str) -> Any:
    matches = path.findall(reply)
    if name in _LISTS and not path.singular_query():
        return matches
    if not matches:
        raise TargetReplyInvalid(f"{name}: nothing at {path} in the reply")
    return matches[0]


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
