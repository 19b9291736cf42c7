"""Scores of labels that people declare about answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationInfo, field_validator

from ragvet.dataset import Dataset, repeated, validate
from ragvet.errors import InputError, Problem
from ragvet.files import read_records
from ragvet.judging import as_judge
from ragvet.records import BehaviourVerdict, Case, Claim, Passage, Record, Support, Trace, Verdicts
from ragvet.runs._bundle import RUNS, Run
from ragvet.runs._config import CallPolicy, RetrievalConfig
from ragvet.runs._execute import start
from ragvet.runs._plan import Plan
from ragvet.targets import RecordedTraces

__all__ = ["Label", "labels_run", "load_labels"]

JUDGE = "declared labels"


class Label(Record):
    """What people say about one answer: the right ids, the retrieved ids, and how many of its claims are supported."""

    case: str = Field(min_length=1)
    gold: tuple[str, ...]
    retrieved: tuple[str, ...]
    supported_claims: int = Field(ge=0, strict=True)
    total_claims: int = Field(ge=0, strict=True)

    @field_validator("gold", "retrieved", mode="after")
    @classmethod
    def _each_once(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        twice = [value for value, count in Counter(ids).items() if count > 1]
        if twice:
            raise ValueError(f"each id once; {', '.join(map(repr, twice))} stands there twice")
        return ids

    @field_validator("total_claims", mode="after")
    @classmethod
    def _possible(cls, total: int, info: ValidationInfo) -> int:
        supported = info.data.get("supported_claims", 0)
        if supported > total:
            raise ValueError(f"no fewer than supported_claims ({supported})")
        return total


def load_labels(path: Path) -> list[Label]:
    """The labels in a JSON, JSON Lines or YAML file.

    Raises:
        InputError: with every problem: impossible labels, misspelt fields, a case twice.
    """
    file = read_records(path, records_key="labels")
    placed, invalid = validate(Label, file.records, file.source, id_field="case")
    again = repeated(file.records, file.source, "each case once", id_field="case")
    problems = [*file.problems, *invalid, *again]
    if not placed and not problems:
        problems.append(Problem(file.source, "no labels", "a list of labels", "Write one record per case."))
    if problems:
        raise InputError(problems)
    return [label for label, _ in placed]


def labels_run(labels: list[Label], *, source: str, runs: Path = RUNS) -> Run:
    """A finished run of what is declared: id recall and precision over all that was retrieved, and claim support.

    It takes the way of every run: the labels are its golden set, its recorded traces and its judge.
    """
    depth = max(1, *(len(label.retrieved) for label in labels))
    retrieval = RetrievalConfig(supplied_k=depth, deep_k=depth, metrics=(f"precision_returned@{depth}",))
    plan = Plan(
        dataset=Dataset(tuple(map(_case, labels)), judgments="exhaustive", source=source),
        corpus=None,
        target=RecordedTraces.of([_trace(label) for label in labels], name=source),
        judge=as_judge(_DeclaredJudge({label.case: label for label in labels})),
        policy=CallPolicy(),
        repeats={label.case: 1 for label in labels},
        retrieval=retrieval,
        written={"labels": source, "retrieval": retrieval.model_dump(mode="json", exclude_defaults=True)},
    )
    return start(plan, runs=runs)


@dataclass(frozen=True)
class _DeclaredJudge:
    """Passes on what people declared."""

    labels: dict[str, Label]
    fingerprint: str = JUDGE

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        label = self.labels[case.id]
        claims = [str(number) for number in range(1, label.total_claims + 1)]
        return Verdicts(
            case_id=case.id,
            repeat=trace.repeat,
            judge=self.fingerprint,
            behaviour=BehaviourVerdict(observed="answered", source=JUDGE),
            claims=tuple(Claim(id=claim, text="", start=0, end=0) for claim in claims),
            support=tuple(
                Support(
                    claim=claim,
                    passage=JUDGE,
                    verdict="supported" if number < label.supported_claims else "unsupported",
                )
                for number, claim in enumerate(claims)
            ),
        )


def _case(label: Label) -> Case:
    gold = tuple(Passage(doc_id=identifier, chunk_ids=(identifier,)) for identifier in label.gold)
    judged = Passage(doc_id=label.case, grade=0)  # somebody looked: nothing is relevant
    return Case(
        id=label.case,
        question=label.case,
        category=JUDGE,
        expected_behaviour="answer",
        reference_passages=gold or (judged,),
    )


def _trace(label: Label) -> dict[str, object]:
    said = f"{label.supported_claims} of {label.total_claims} claims supported, as declared"
    return {"case": label.case, "answer": said, "retrieved": label.retrieved, "context": JUDGE}
