"""What an answer is held against: the passages the model saw, as far as the trace tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ragvet.records import Answer, RetrievedItem

CONTEXT_ID = "context"
"""Passage id of an assembled context that was reported as one text."""


@dataclass(frozen=True, slots=True)
class SuppliedContext:
    """The passages an answer is held against, each with text, and how they are known.

    Attributes:
        passages: in the order the model saw them.
        origin: `supplied` (reported item by item), `assembled` (reported as one text, passage id `context`),
            `retrieved` (not reported: what was retrieved stands in), `unknown` (no text at all).
        silent: ids of supplied items whose text is nowhere in the trace; a claim may stand in one of them.
    """

    passages: tuple[RetrievedItem, ...]
    origin: Literal["supplied", "assembled", "retrieved", "unknown"]
    silent: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the text of all that the model saw is known."""
        return self.origin != "unknown" and not self.silent


def supplied_context(answer: Answer) -> SuppliedContext:
    """What the model saw, by rule: the supplied items, else the assembled context, else all that was retrieved.

    A supplied item without text takes the text of the retrieved item of the same id. An empty `supplied` says that the
    model saw nothing: there are no passages then, whatever was retrieved.
    """
    retrieved = retrieved_items(answer)
    if answer.supplied is not None:
        texts = {item.chunk_id: item for item in retrieved}
        items = tuple(item if item.text else texts.get(item.chunk_id, item) for item in answer.supplied)
        silent = tuple(item.chunk_id for item in items if item.text is None)
        if not (silent and answer.context):
            return SuppliedContext(_with_text(items), "supplied", silent)
    if answer.context is not None:
        return SuppliedContext(_with_text((RetrievedItem(chunk_id=CONTEXT_ID, text=answer.context),)), "assembled")
    silent = tuple(item.chunk_id for item in retrieved if item.text is None)
    passages = _with_text(retrieved)
    return SuppliedContext(passages, "retrieved" if passages else "unknown", silent)


def retrieved_items(answer: Answer) -> tuple[RetrievedItem, ...]:
    """Everything any retrieval call returned, each chunk once, in order of first appearance."""
    seen: dict[str, RetrievedItem] = {}
    for call in answer.retrievals:
        for item in call.ranking:
            if item.chunk_id not in seen or not seen[item.chunk_id].text:
                seen[item.chunk_id] = item
    return tuple(seen.values())


def _with_text(items: Iterable[RetrievedItem]) -> tuple[RetrievedItem, ...]:
    seen: dict[str, RetrievedItem] = {}
    for item in items:
        if item.text and item.text.strip():
            seen.setdefault(item.chunk_id, item)
    return tuple(seen.values())
