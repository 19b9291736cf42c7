"""What a golden set is made of: counts, no scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from ragvet.dataset._copying import copying
from ragvet.dataset._corpus import Corpus
from ragvet.dataset._dataset import Dataset
from ragvet.records import Case, JudgmentScope, Passage, Record

NOT_STATED = "not stated"


class DatasetFacts(Record):
    """Counts over a golden set. None: could not be counted, because there was no corpus to look at."""

    cases: int
    judgments: JudgmentScope | None
    fingerprint: str
    by_category: Mapping[str, int]
    by_behaviour: Mapping[str, int]
    by_split: Mapping[str, int]
    by_label: Mapping[str, Mapping[str, int]] = Field(description="Label → value → cases.")
    by_origin: Mapping[str, int] = Field(description="synthetic, real, not stated: from the labels.")
    ambiguous: int = Field(description="Cases whose reviewers did not agree.")
    unmarked: int = Field(description="Cases to be answered without marked evidence: retrieval is not measured.")
    passages: int
    passages_by_mark: Mapping[str, int] = Field(description="How they are marked: chunk ids, range, quote, document.")
    stale_passages: int | None
    uncheckable_passages: int | None = Field(description="Marked by quote or range in documents without text.")
    copying_questions: int = Field(description="Half of their words, and five, stand in a row in the evidence.")
    copying_eligible: int = Field(description="Questions of at least five words whose evidence has text.")


class CorpusFacts(Record):
    """Counts over a corpus."""

    documents: int
    versions: int
    without_text: int
    by_status: Mapping[str, int]
    without_owner: int
    without_authority: int
    fingerprint: str


def dataset_facts(dataset: Dataset, corpus: Corpus | None, *, stale: int | None) -> DatasetFacts:
    """The counts of a golden set; `stale` has been counted while looking for findings."""
    cases = dataset.cases
    passages = [passage for case in cases for passage in case.reference_passages]
    copied = copying(cases, corpus)
    return DatasetFacts(
        cases=len(cases),
        judgments=dataset.judgments,
        fingerprint=dataset.fingerprint,
        by_category=_counted(case.category for case in cases),
        by_behaviour=_counted(case.expected_behaviour for case in cases),
        by_split=_counted(case.split or NOT_STATED for case in cases),
        by_label=_by_label(cases),
        by_origin=_counted(_origin(case) for case in cases),
        ambiguous=sum(case.ambiguous for case in cases),
        unmarked=sum(case.unmarked for case in cases),
        passages=len(passages),
        passages_by_mark=_counted(_mark(passage) for passage in passages),
        stale_passages=stale,
        uncheckable_passages=None if corpus is None else sum(_uncheckable(passage, corpus) for passage in passages),
        copying_questions=sum(copied.values()),
        copying_eligible=len(copied),
    )


def corpus_facts(corpus: Corpus) -> CorpusFacts:
    """The counts of a corpus."""
    return CorpusFacts(
        documents=len({document.doc_id for document in corpus}),
        versions=len(corpus),
        without_text=sum(not document.text for document in corpus),
        by_status=_counted(document.status or NOT_STATED for document in corpus),
        without_owner=sum(document.owner is None for document in corpus),
        without_authority=sum(document.authority is None for document in corpus),
        fingerprint=corpus.fingerprint,
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _by_label(cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    keys = dict.fromkeys(key for case in cases for key in case.labels)
    return {key: _counted(case.labels[key] for case in cases if key in case.labels) for key in keys}


def _origin(case: Case) -> str:
    """Synthetic or real, however the labels say it: `origin: synthetic`, `synthetic: yes`."""
    said = {"true": "synthetic", "yes": "synthetic", "false": "real", "no": "real"}
    values = {value.casefold() for value in case.labels.values()}
    named = said.get(case.labels.get("synthetic", "").casefold())
    return named or next((origin for origin in ("synthetic", "real") if origin in values), NOT_STATED)


def _mark(passage: Passage) -> str:
    if passage.chunk_ids:
        return "chunk ids"
    if passage.start is not None:
        return "range"
    return "document" if passage.quote is None else "quote"


def _uncheckable(passage: Passage, corpus: Corpus) -> bool:
    document = corpus.get(passage.doc_id, passage.doc_version)
    marked = passage.start is not None or passage.quote is not None
    return marked and document is not None and document.text is None
