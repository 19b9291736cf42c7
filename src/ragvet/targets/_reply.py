"""What systems under test reply with, read as an `Answer`; everything else is named for what it is."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ragvet.errors import TargetReplyInvalid
from ragvet.records import Answer, Trace, faults
from ragvet.text import shown

__all__ = ["describe_faults", "read_answer", "read_retrieval"]

_MOST_RANKED = 100_000
"""A longer ranking is taken for one that never ends."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_ACCEPTED = "Return an Answer, a dict with its fields, or for a retriever a list of ids, of (id, score), or of items"


def read_answer(reply: object) -> Answer:
    """The `Answer` a callable meant.

    Taken are: an `Answer`; a dict or dataclass with its fields; a list of chunk ids, of `(id, score)` pairs or of
    items with their fields, best first (a retriever's reply); a plain string (an answer text alone).

    Raises:
        TargetReplyInvalid: anything else, with what it was.
    """
    match reply:
        case Answer():
            return reply
        case None:
            raise TargetReplyInvalid(f"returned nothing (None). {_ACCEPTED}")
        case str():
            return _answer({"text": reply})
        case Mapping():
            return _answer(_named_fields(cast("Mapping[object, object]", reply)))
        case BaseModel():
            return _answer(reply.model_dump(exclude_unset=True))
        case _ if dataclasses.is_dataclass(reply) and not isinstance(reply, type):
            return _answer(dataclasses.asdict(reply))
        case _:
            return _answer({"retrieved": _ranking(reply)})


def read_retrieval(reply: object) -> Answer:
    """The ranking a retriever returned, as an `Answer` without a text.

    Raises:
        TargetReplyInvalid: it returned no ranking: nothing, a text, an answer without retrieval.
    """
    if isinstance(reply, str | bytes):
        raise TargetReplyInvalid(
            f"returned a text where a list of ids was expected: {shown(reply)}. A retriever returns ids, best first"
        )
    answer = read_answer(reply)
    if not answer.retrievals:
        raise TargetReplyInvalid("returned no retrieval: `retrieved` is missing. A retriever returns ids, best first")
    return answer


def _answer(fields: Mapping[str, object]) -> Answer:
    try:
        return Answer.model_validate(fields)
    except ValidationError as error:
        raise TargetReplyInvalid(describe_faults(error, Answer)) from error


def _named_fields(reply: Mapping[object, object]) -> dict[str, object]:
    if not reply:
        raise TargetReplyInvalid(f"returned an empty dict. {_ACCEPTED}")
    for name in reply:
        if not isinstance(name, str):
            raise TargetReplyInvalid(f"returned a dict with the key {name!r}; keys are the field names of Answer")
    fields = {str(name): value for name, value in reply.items()}
    if "answer" in fields and "text" not in fields:
        fields["text"] = fields.pop("answer")
    retrieved = fields.get("retrieved")
    if retrieved is not None:
        fields["retrieved"] = _ranking(retrieved)
    return fields


def _ranking(reply: object) -> list[object]:
    if isinstance(reply, set | frozenset):
        raise TargetReplyInvalid("returned a set where a ranking was expected: a set has no order. Return a list")
    if isinstance(reply, Iterable) and not isinstance(reply, str | bytes | Mapping):
        entries = itertools.islice(cast("Iterable[object]", reply), _MOST_RANKED + 1)
        ranking = [_item(entry, rank) for rank, entry in enumerate(entries, start=1)]
        if len(ranking) > _MOST_RANKED:
            raise TargetReplyInvalid(f"returned a ranking of more than {_MOST_RANKED:,} entries, or one without end")
        return ranking
    wrong = cast("object", reply)
    said = _ADDRESS.sub("", shown(wrong))  # else the same fault reads differently in every case
    raise TargetReplyInvalid(f"returned {_kind(wrong)} where a ranking was expected: {said}. {_ACCEPTED}")


def _item(entry: object, rank: int) -> object:
    match entry:
        case str():
            if not entry:
                raise TargetReplyInvalid(f"rank {rank} is an empty id")
            return entry
        case BaseModel():
            return entry.model_dump(exclude_unset=True)
        case Mapping():
            return cast("object", entry)
        case tuple() | list() if len(pair := cast("Sequence[object]", entry)) == len(("id", "score")):
            return {"chunk_id": _identifier(pair[0], rank), "score": _score(pair[1], rank)}
        case _ if dataclasses.is_dataclass(entry) and not isinstance(entry, type):
            return dataclasses.asdict(entry)
        case _:
            return _identifier(entry, rank)


def _identifier(value: object, rank: int) -> str:
    """An id as text. Whole numbers are taken: many indexes number their chunks."""
    if isinstance(value, str):
        return value
    number = getattr(value, "item", None)
    plain = number() if callable(number) else value
    if isinstance(plain, int) and not isinstance(plain, bool):
        return str(plain)
    raise TargetReplyInvalid(f"rank {rank} is {_kind(value)}, not an id: {shown(value)}. {_ACCEPTED}")


def _score(value: object, rank: int) -> float | None:
    if value is None:
        return None
    try:
        score = float(cast("Any", value))
    except (TypeError, ValueError):
        raise TargetReplyInvalid(f"rank {rank} has {_kind(value)} for a score: {shown(value)}") from None
    if not math.isfinite(score):
        raise TargetReplyInvalid(f"rank {rank} has the score {score}; a score is a finite number or None")
    return score


def describe_faults(error: ValidationError, model: type[Answer | Trace]) -> str:
    """Every fault of the reply, each with its place, in the reply's own terms."""
    return " ".join(
        f"{fault.field or 'the reply'}: found {fault.found}; expected {fault.expected}. {fault.action}"
        for fault in faults(error, model, "")
    )


def _kind(value: object) -> str:
    names: dict[type, str] = {str: "a text", bool: "a truth value", dict: "a dict", type(None): "nothing (None)"}
    return names.get(type(value), f"a value of type {type(value).__name__}")
