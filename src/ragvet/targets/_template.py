"""The body that is posted to an endpoint: a template in which the case is filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from ragvet.errors import Problem
from ragvet.text import nearest

__all__ = ["check_placeholders", "fill"]

_FILLED_IN = ("question", "k", "identity", "history", "case_id")
"""What a request may ask to be filled in."""

_PLACEHOLDER = re.compile(r"\{(?P<literal>\{\w+\})\}|\{(?P<name>\w+)\}")


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
