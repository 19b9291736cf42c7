"""One request: what is sent, and what an acceptable reply to it is."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from ragvet.files import json_value
from ragvet.judging.llm._replies import (
    FIELDS,
    Part,
    StatementEvidence,
    json_text,
    narrowed,
    reply_form,
    reply_schema,
)
from ragvet.judging.llm._transport import ChatRequest, Message, Mode
from ragvet.text import without_surrogates

_SHAPING = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2\U000110bd\U000110cd")
"""Joiners, and signs of Arabic, Syriac and Kaithi, which Unicode calls format characters though they are seen."""
_KEY = "^[0-9a-f]{8}$"
_SUSPECT = re.compile(
    "[^\t\n\r -~\u00a1-\u00ac\u00ae-\u05ff\u0620-\u06dc\u06de-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff]"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What one request asks.

    Attributes:
        topics: names of the prompt files, in the order they are told.
        blocks: (name, text) of the judged texts; only these are data.
        ids: topic → the ids its reply must be about, all of them and no other.
        pairs: statement id → passages on which a verdict must come back.
    """

    topics: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...]
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def passages(self) -> frozenset[str]:
        """Ids of the passages among the blocks."""
        return frozenset(name for name, _ in self.blocks if name.startswith("p"))

    def schema(self, *, exact: bool) -> Mapping[str, Any]:
        """The JSON Schema of the reply; an exact one knows the ids, and is another one for each number of them.

        It keeps a small model from making ids up. Of the key it tells the form alone: a reply shows by its key that the
        model has read this request.
        """
        schema = reply_schema(self.topics)
        if not exact:
            return schema
        known = {FIELDS[topic][0]: list(ids) for topic, ids in self.ids.items()}
        return narrowed(schema, known, sorted(self.passages), key=_KEY)

    def content(self) -> str:
        """All that decides the reply apart from the judge: the same text for the same request, whatever its key."""
        return json.dumps([self.topics, self.blocks, self.ids, self.pairs])

    def chat(self, system: str, mode: Mode, key: str, *, exact: bool = False) -> ChatRequest:
        """The request as sent, its data fenced by `key`."""
        conversation = Message("system", system), Message("user", self._fenced(key))
        return ChatRequest(conversation, self.schema(exact=exact), mode)

    def new_key(self) -> str:
        """A random key that stands nowhere in the data: no judged text can have known it."""
        key = secrets.token_hex(4)
        while any(key in text for _, text in self.blocks):
            key = secrets.token_hex(4)
        return key

    def _fenced(self, key: str) -> str:
        lines = [f"The key of this request is {key}."]
        for topic, ids in self.ids.items():
            lines.append(f"`{FIELDS[topic][0]}`: reply for {', '.join(ids)}.")
        if self.pairs:
            pairs = "; ".join(f"{statement}: {', '.join(passages)}" for statement, passages in self.pairs.items())
            lines.append(f"Pairs to judge: {pairs}.")
        for name, text in self.blocks:
            lines += [f"<<{key} {name}>>", visible(text)]
        lines.append(f"<<{key} end>>")
        return "\n".join(lines)

    def read(self, text: str, key: str) -> tuple[Part | None, list[str]]:
        """The reply in `text`, or None and everything that is wrong with it, in words for the model."""
        try:
            reply = reply_form(self.topics).model_validate(json_value(json_text(text)))
        except ValidationError as error:
            return None, [_place(fault) for fault in error.errors(include_url=False)[:8]]
        except ValueError as error:
            return None, [f"it is no JSON object of the required form: {error}"]
        problems = list(self._problems(reply, key))
        return (None, problems) if problems else (reply, [])

    def _problems(self, reply: Part, key: str) -> Iterator[str]:
        if getattr(reply, "key") != key:  # noqa: B009 - the form is made at run time
            yield f"`key` must be {key}"
        for topic, ids in self.ids.items():
            name = FIELDS[topic][0]
            yield from _id_problems(f"`{name}`", (row.id for row in getattr(reply, name)), ids)
        passages = self.passages
        if "support" in self.topics:
            for row in getattr(reply, "statements"):  # noqa: B009 - the form is made at run time
                yield from self._evidence_problems(row, passages)
        if "conflicts" in self.topics:
            for found in getattr(reply, "conflicts"):  # noqa: B009 - the form is made at run time
                pair = {found.first_passage, found.second_passage}
                if len(pair) == 1 or not pair <= passages:
                    yield f"a conflict is between two different passages out of {', '.join(sorted(passages))}"

    def _evidence_problems(self, row: StatementEvidence, passages: frozenset[str]) -> Iterator[str]:
        named = [evidence.passage for evidence in row.evidence]
        for passage in sorted(set(named) - passages):
            yield f"{row.id}: there is no passage {passage[:40]!r}"
        for passage, count in Counter(named).items():
            if count > 1:
                yield f"{row.id}: {count} entries for passage {passage[:40]}; give one"
        for passage in self.pairs.get(row.id, ()):
            if passage not in named:
                yield f"{row.id}: the entry for {passage} is missing"


def visible(text: str) -> str:
    """`text` without characters a reader cannot see and a model can: tags, direction overrides, zero-width spaces.

    The joiners that Indic and Arabic scripts and emoji need are kept; a lone surrogate becomes U+FFFD.
    """
    if not _SUSPECT.search(text):
        return text
    shown = without_surrogates(text)
    return "".join(
        character
        for character in shown
        if character in _SHAPING or character.isspace() or unicodedata.category(character) not in {"Cf", "Cc", "Co"}
    )


def _id_problems(where: str, got: Iterable[str], asked: tuple[str, ...]) -> Iterator[str]:
    counts = Counter(got)
    missing = [one for one in asked if one not in counts]
    extra = [one[:40] for one in counts if one not in asked]
    twice = [one for one, count in counts.items() if count > 1 and one in asked]
    if missing:
        yield f"{where}: {', '.join(missing)} missing"
    if extra:
        yield f"{where}: not asked for: {', '.join(map(repr, extra))}"
    if twice:
        yield f"{where}: given more than once: {', '.join(twice)}"


def _place(fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]
