"""Access: whether what was retrieved and put before the model was the caller's to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ragvet.judging import retrieved_items
from ragvet.metrics.answers._batch import AnsweredCase, Batch
from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._outcomes import Outcomes, share_of
from ragvet.records import Fault, MetricDeclaration, RetrievedItem
from ragvet.records.facts import Facts

__all__ = ["METRICS"]

_UNSTATED = "who the caller is, or who may read the documents, is not stated"
_NEEDS = "the caller's identity; a corpus register with audiences; documents named by what is retrieved"


def _share(
    items: Callable[[AnsweredCase], Sequence[RetrievedItem] | None], unreported: str, none: str
) -> Callable[[Batch], Outcomes]:
    """Items the caller may read / items."""

    def measure(batch: Batch) -> Outcomes:
        held = [items(one) for one in batch.answers]
        facts = [
            [one.evidence.permitted.get(item.chunk_id) for item in found or ()]
            for one, found in zip(batch.answers, held, strict=True)
        ]
        missing = [
            unreported if found is None
            else _UNSTATED if found and all(fact is None for fact in known)
            else None
            for found, known in zip(held, facts, strict=True)
        ]  # fmt: skip
        place = np.repeat(np.arange(len(batch)), [len(known) for known in facts])
        unknown = "who may read some of the documents is not stated"
        whole = Facts.of(fact for known in facts for fact in known)
        return share_of(whole, place, missing=missing, empty=none, unknown=unknown)

    return measure


def _retrieved(one: AnsweredCase) -> Sequence[RetrievedItem] | None:
    return retrieved_items(one.answer) if one.answer.retrievals else None


def _supplied(one: AnsweredCase) -> Sequence[RetrievedItem] | None:
    return one.answer.supplied


RETRIEVED_PERMITTED = AnswerMetric(
    MetricDeclaration(
        name="retrieved_permitted",
        version=1,
        title="The share of retrieved items that the caller may read.",
        family="Use of context and sources",
        stage="permitted",
        fault=Fault(says="retrieves what the caller may not read", gravity=22, below=1),
        direction="higher",
        applies_to="every case",
        needs=_NEEDS,
        undefined_when="the target did not report what it retrieved; nothing was retrieved; " + _UNSTATED,
        does_not_catch="Text of a forbidden document inside one that is allowed; an audience the register has wrong.",
        formula="retrieved items of documents the caller may read / retrieved items",
        reference="ragvet",
    ),
    measure=_share(_retrieved, "the target did not report what it retrieved", "nothing was retrieved"),
    applies=every_case,
    judged=False,
)


SUPPLIED_PERMITTED = AnswerMetric(
    MetricDeclaration(
        name="supplied_permitted",
        version=1,
        title="The share of items before the model that the caller may read.",
        family="Use of context and sources",
        stage="permitted",
        fault=Fault(says="puts before the model what the caller may not read", gravity=21, below=1),
        direction="higher",
        applies_to="every case",
        needs=_NEEDS,
        undefined_when="the target did not report what it supplied; nothing was supplied; " + _UNSTATED,
        does_not_catch="What the model knows from elsewhere; an audience the register has wrong.",
        formula="supplied items of documents the caller may read / supplied items",
        reference="ragvet",
    ),
    measure=_share(_supplied, "the target did not report what it supplied", "nothing was supplied"),
    applies=every_case,
    judged=False,
)


METRICS = (RETRIEVED_PERMITTED, SUPPLIED_PERMITTED)
