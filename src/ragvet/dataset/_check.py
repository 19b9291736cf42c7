"""Everything that is wrong or doubtful with a golden set and its corpus, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from ragvet.dataset import _evidence_rules, _set_rules
from ragvet.dataset._corpus import Corpus, load_corpus
from ragvet.dataset._dataset import Dataset, read_dataset
from ragvet.dataset._facts import CorpusFacts, DatasetFacts, corpus_facts, dataset_facts
from ragvet.dataset._stale import stale_passages
from ragvet.errors import InputError, Problem
from ragvet.records import JudgmentScope, Record

Severity = Literal["error", "warning"]
Rule = Callable[[Dataset, Corpus | None], Iterable[Problem]]

INVALID = "invalid file"
"""The kind of a finding that keeps records from being read."""
STALE = "stale annotation"

RULES: tuple[tuple[Severity, str, Rule], ...] = (
    ("error", "judgment scope not declared", _set_rules.undeclared_scope),
    ("error", "unknown document", _evidence_rules.unknown_documents),
    ("warning", "no evidence marked", _evidence_rules.unmarked_evidence),
    ("warning", "no relevant evidence", _evidence_rules.nothing_relevant),
    ("warning", "nothing to hold an answer against", _evidence_rules.nothing_stated),
    ("warning", STALE, _evidence_rules.stale_annotations),
    ("warning", "superseded evidence", _evidence_rules.superseded_evidence),
    ("warning", "duplicate passages", _evidence_rules.duplicate_passages),
    ("warning", "group in several splits", _set_rules.split_groups),
    ("warning", "near-duplicate questions", _set_rules.near_duplicate_questions),
    ("warning", "similar case ids", _set_rules.similar_ids),
    ("warning", "duplicate documents", _evidence_rules.duplicate_documents),
    ("warning", "near-duplicate documents", _evidence_rules.near_duplicate_documents),
)


class Finding(Record):
    """One thing that is wrong (error) or doubtful (warning)."""

    severity: Severity
    kind: str
    problem: Problem


class Check(Record):
    """What a check found. Facts are None where what they count could not be read."""

    findings: tuple[Finding, ...]
    dataset: DatasetFacts | None
    corpus: CorpusFacts | None

    def with_findings(self, first: Iterable[Finding]) -> Check:
        """This check with further findings put first."""
        return self.model_copy(update={"findings": (*first, *self.findings)})

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What must be corrected before anything is measured."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What somebody should look at."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")


def check(dataset: Dataset, corpus: Corpus | None = None) -> Check:
    """Check a golden set by itself, and against its corpus where there is one."""
    findings = tuple(
        Finding(severity=severity, kind=kind, problem=problem)
        for severity, kind, rule in RULES
        for problem in rule(dataset, corpus)
    )
    stale = None
    if corpus is not None:
        unused = sum(len(stale_passages(case.reference_passages, corpus)) for case in dataset.partial)
        stale = sum(finding.kind == STALE for finding in findings) - unused
    return Check(
        findings=findings,
        dataset=dataset_facts(dataset, corpus, stale=stale) if len(dataset) else None,
        corpus=None if corpus is None else corpus_facts(corpus),
    )


def check_files(
    path: str | Path, corpus_path: str | Path | None = None, *, judgments: JudgmentScope | None = None
) -> Check:
    """Check a golden set file, and a corpus where one is named; what is wrong with the files is among the findings."""
    invalid: list[Problem] = []
    dataset = corpus = None
    try:
        dataset, problems = read_dataset(path, judgments=judgments)
        invalid += problems
    except InputError as error:
        invalid += error.problems
    try:
        corpus = None if corpus_path is None else load_corpus(corpus_path)
    except InputError as error:
        invalid += error.problems
    found = (
        Check(findings=(), dataset=None, corpus=None if corpus is None else corpus_facts(corpus))
        if dataset is None or not (dataset.cases or dataset.partial)
        else check(dataset, corpus)
    )
    return found.with_findings(Finding(severity="error", kind=INVALID, problem=problem) for problem in invalid)


def reference_problems(dataset: Dataset, corpus: Corpus | None = None) -> list[Problem]:
    """The errors alone that forbid measuring: no judgment scope, or evidence in documents the corpus does not hold."""
    return [problem for severity, _, rule in RULES if severity == "error" for problem in rule(dataset, corpus)]
