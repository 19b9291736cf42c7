"""Rules about gold passages and the documents they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragvet.dataset._case_rules import same_mark
from ragvet.dataset._corpus import Corpus
from ragvet.dataset._dataset import Dataset
from ragvet.dataset._near_documents import near_duplicates
from ragvet.dataset._salvage import UNREADABLE
from ragvet.dataset._stale import stale_passages
from ragvet.errors import Problem
from ragvet.records import Case, DocumentVersion, Passage
from ragvet.text import fold_text, shown


def unmarked_evidence(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Cases to be answered of which nobody has said what from, though what a right answer says is known."""
    for case in dataset:
        if case.unmarked and _states_answer(case):
            yield Problem(
                dataset.source,
                "no evidence marked",
                "the document that holds the answer, or a passage of it",
                "Retrieval is not measured for this case until it is named; its answer is judged all the same.",
                record=dataset.place(case),
                field="reference_passages",
            )


def nothing_relevant(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Cases to be answered whose every passage was judged and found useless."""
    for case in dataset:
        if (
            case.expected_behaviour == "answer"
            and case.reference_passages
            and not any(passage.grade > 0 for passage in case.reference_passages)
        ):
            yield Problem(
                dataset.source,
                "only passages of grade 0",
                "a relevant passage for a case to be answered",
                "Name the document that holds the answer, or set expected_behaviour to refuse, clarify or route: as it "
                "is, recall and coverage are undefined, and nothing that is retrieved is known to be right.",
                record=dataset.place(case),
                field="reference_passages",
            )


def nothing_stated(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Cases to be answered that state neither the evidence nor anything the answer must be."""
    for case in dataset:
        if case.unmarked and not _states_answer(case):
            yield Problem(
                dataset.source,
                "neither evidence, nor a reference answer, nor required claims",
                "at least one of them for a case to be answered",
                "Until then neither retrieval nor rightness is measured: only whether the answer is borne out by what "
                "was retrieved. Is it not to be answered? Then set expected_behaviour to refuse, clarify or route.",
                record=dataset.place(case),
            )


def _states_answer(case: Case) -> bool:
    return bool(case.reference_answer or case.required_claims or case.output_contract)


def unknown_documents(dataset: Dataset, corpus: Corpus | None) -> Iterator[Problem]:
    """Gold passages of documents the corpus does not hold, with the id that was likely meant."""
    if corpus is None:
        return
    unknown: dict[str, tuple[str, str, str]] = {}
    examples: dict[tuple[str, bool], str] = {}
    for case in (*dataset, *dataset.partial):
        for index, passage in enumerate(case.reference_passages):
            doc_id = passage.doc_id
            if passage is UNREADABLE or doc_id in corpus:
                continue
            if doc_id not in unknown:
                unknown[doc_id] = _moved(doc_id, corpus, examples) or _not_held(doc_id, corpus)
            found, expected, action = unknown[doc_id]
            place, field = dataset.place(case), f"reference_passages[{index}].doc_id"
            yield Problem(dataset.source, found, expected, action, record=place, field=field)


def _not_held(doc_id: str, corpus: Corpus) -> tuple[str, str, str]:
    meant = corpus.resembling(doc_id)
    action = f"Did you mean {meant!r}?" if meant else "Correct the id, or add the document to the corpus."
    return f"the document {shown(doc_id)}, which {corpus.source} does not hold", "a document of the corpus", action


def _moved(doc_id: str, corpus: Corpus, examples: dict[tuple[str, bool], str]) -> tuple[str, str, str] | None:
    """One message for all ids that lack, or have too much, the same folders; the first of them is its example."""
    moved = corpus.moved(doc_id)
    if moved is None:
        return None
    one = f"{shown(doc_id)} is {shown(moved.known)} there"
    example = examples.setdefault((moved.folders, moved.added), one)
    folders = shown(moved.folders)
    if moved.added:
        return (
            f"{folders} in front of a document of {corpus.source} ({example})",
            "ids as the corpus has them, in a folder the path from there",
            f"Leave {folders} out here, and in what your system returns; or name the folder above as corpus.",
        )
    return (
        f"a document of {corpus.source} without {folders} in front ({example})",
        "ids as the corpus has them, in a folder the path from there",
        f"Write {folders} in front here, and in what your system returns; or name that folder as corpus.",
    )


def stale_annotations(dataset: Dataset, corpus: Corpus | None) -> Iterator[Problem]:
    """Gold passages whose version, quote or range the corpus no longer bears out."""
    if corpus is None:
        return
    for case in (*dataset, *dataset.partial):
        for index, reason in stale_passages(case.reference_passages, corpus).items():
            document = shown(case.reference_passages[index].doc_id)
            yield Problem(
                dataset.source,
                reason,
                f"words that stand in {document} of {corpus.source}",
                "Look at the document and renew the passage; until then it is left out of the scores.",
                record=dataset.place(case),
                field=f"reference_passages[{index}]",
            )


def superseded_evidence(dataset: Dataset, corpus: Corpus | None) -> Iterator[Problem]:
    """Relevant passages in document versions that do not hold: by their status, or on the case's effective date."""
    if corpus is None:
        return
    for case in (*dataset, *dataset.partial):
        for index, passage in enumerate(case.reference_passages):
            document = corpus.get(passage.doc_id, passage.doc_version)
            found = None if document is None or passage.grade == 0 else _no_longer_holds(document, case, passage)
            if found is not None:
                yield Problem(
                    dataset.source,
                    found,
                    "evidence that holds for this case",
                    "Name the version that holds, or give the effective_date the question is asked for.",
                    record=dataset.place(case),
                    field=f"reference_passages[{index}]",
                )


def duplicate_passages(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Passages a case names twice over; those of different grades are an error of the case already."""
    for case in dataset:
        for first, *copies in same_mark(case):
            groups = {(p.any_of, p.all_of) for p in map(case.reference_passages.__getitem__, (first, *copies))}
            if len(groups) == 1:
                yield Problem(
                    dataset.source,
                    f"the same passage as reference_passages[{first}]",
                    "each passage once",
                    "Remove the copy: where it is not found, it counts as a second miss.",
                    record=dataset.place(case),
                    field=f"reference_passages[{copies[-1]}]",
                )


def duplicate_documents(_dataset: Dataset, corpus: Corpus | None) -> Iterator[Problem]:
    """Documents with different ids and the same text, white space and case aside."""
    same: dict[str, dict[str, None]] = defaultdict(dict)
    for document in corpus or ():
        if document.text and (text := fold_text(document.text)):
            same[text][document.doc_id] = None
    for first, *others in (list(ids) for ids in same.values()):
        if others:
            more = f" and {len(others) - 3} more" if len(others) > 3 else ""  # noqa: PLR2004 - enough to recognise
            yield Problem(
                "" if corpus is None else corpus.source,
                f"the same text in {', '.join(map(shown, others[:3]))}{more}",
                "each text once",
                "Keep one: copies crowd other evidence out of the ranking, and only the listed one counts as evidence.",
                record=first,
                field="text",
            )


def near_duplicate_documents(_dataset: Dataset, corpus: Corpus | None) -> Iterator[Problem]:
    """Documents with different ids and almost the same text."""
    for document, other in near_duplicates(corpus or ()):
        if fold_text(document.text or "") != fold_text(other.text or ""):
            yield Problem(
                "" if corpus is None else corpus.source,
                f"almost the text of {shown(other.doc_id)}",
                "texts that can be told apart",
                "Keep one, or list both as alternatives (any_of) where either is evidence: a retriever mixes them up.",
                record=document.doc_id,
                field="text",
            )


def _no_longer_holds(document: DocumentVersion, case: Case, passage: Passage) -> str | None:
    name = shown(passage.doc_id)
    day = case.effective_date
    if day is None:
        return f"{name}, whose status is {document.status}" if document.status in {"superseded", "archived"} else None
    if document.valid_until is not None and document.valid_until < day:
        return f"{name}, valid until {document.valid_until}, for a question of {day}"
    if document.valid_from is not None and document.valid_from > day:
        return f"{name}, valid from {document.valid_from}, for a question of {day}"
    return None
