"""Judged answers from a few words, for hand cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragvet.metrics.answers import REGISTRY, AnsweredCase, AnswerMetric, Batch, ChunkGrades, Condition, Judged
from ragvet.records import Answer, Bounded, Case, Outcome, Scored, Trace, Undefined, Verdicts

TEXT = "One is so. Two is so. Three is so. Four is so."
"""Four sentences of known place: claims c1 to c4 stand in them."""

_STARTS = (0, 11, 22, 35)


@dataclass(frozen=True)
class JudgedAnswer:
    """One answer, what was asked, and what was judged."""

    case: Case
    trace: Trace
    verdicts: Verdicts | None = None
    evidence: ChunkGrades = field(default_factory=ChunkGrades)
    validated: tuple[Condition, ...] = ()
    cites: bool | None = None

    def batch(self) -> Batch:
        answered = AnsweredCase(self.case, self.trace, self.trace.answer, self.evidence)
        return Batch([answered], Judged.of_verdicts([self.verdicts]), self.validated, cites=self.cites)

    def measured(self, metric: AnswerMetric) -> Outcome:
        return metric.measure(self.batch())[0]


def case(**changes) -> Case:
    expectations = {"id": "c", "question": "What is so?", "category": "x", "expected_behaviour": "answer"}
    return Case.model_validate(expectations | changes)


def claims(count: int, **changes) -> list[dict]:
    """c1 … c4, one in each sentence of TEXT."""
    return [
        {"id": f"c{number}", "text": "is so", "start": _STARTS[number - 1], "end": _STARTS[number - 1] + 3, **changes}
        for number in range(1, count + 1)
    ]


def support(**rows: str) -> list[dict]:
    """c1="p1:supported p2:undecided" → the verdict of each passage on each claim."""
    return [
        {"claim": claim, "passage": cell.split(":")[0], "verdict": cell.split(":")[1]}
        for claim, cells in rows.items()
        for cell in cells.split()
    ]


FOUR_CLAIMS = case(
    required_claims=[
        {"text": "a"},
        {"id": "exception", "text": "b", "kind": "exception"},
        {"text": "c", "materiality": "minor"},
        {"text": "d", "materiality": "minor"},
    ]
)
"""Two material required claims, `1` and `exception`, and two minor ones, `3` and `4`."""


def covering(metric: str, **verdicts: str) -> Outcome:
    """The metric for FOUR_CLAIMS, of which the answer covers what is said: _1="covered", exception="partial"."""
    rows = [{"required_claim": claim.strip("_"), "verdict": verdict} for claim, verdict in verdicts.items()]
    return measure(metric, asked=FOUR_CLAIMS, coverage=rows)


FOUR_FIELDS = case(
    output_contract={"fields": {"/invoice/total": 12.5, "currency": "EUR", "/lines/0/item": "café", "paid": True}}
)


def written(metric: str, text: str, evidence: Mapping[str, int]) -> Outcome:
    """The metric for an answer of this text to FOUR_FIELDS, whose passages carry evidence as graded."""
    return measure(metric, asked=FOUR_FIELDS, answer={"text": text}, evidence=evidence)


ACCURATE = Condition(REGISTRY["accuracy"], low=1.0)
CITED = Condition(REGISTRY["citation_precision"], low=0.5)


def validating(metric: str, observed: str | None = "answered", **given) -> Outcome:
    """The metric for an answer that agrees with its reference, cites what supports it, and must do both to be valid.

    agreement="contradict", cited="undecided", asked=…, validated=(…): what is otherwise.
    """
    agreement = given.get("agreement", "agree")
    return measure(
        metric,
        observed,
        asked=given.get("asked", case(reference_answer="One is so.")),
        claims=claims(1),
        agreement=[{"claim": "c1", "verdict": agreement}] if agreement else [],
        citations=[citation(0, given.get("cited", "supported"), "c1")],
        validated=given.get("validated", (ACCURATE, CITED)),
    )


def citation(number: int, verdict: str, *backed: str, **changes) -> dict:
    facts = {"resolves": True, "retrieved": True, "right_version": True, "permitted": True}
    return {"citation": number, "claims": backed, "verdict": verdict, **facts, **changes}


def judged(
    observed: str | None = "answered",
    *,
    asked: Case | None = None,
    answer: Mapping | None = None,
    evidence: Mapping[str, int] | None = None,
    validated=(),
    cites: bool | None = None,
    latency: float | None = None,
    **verdicts,
) -> JudgedAnswer:
    """An answer of four sentences to which passages p1, p2 and p3 were supplied, judged as `verdicts` say."""
    items = [{"chunk_id": f"p{number}", "text": f"passage {number}"} for number in (1, 2, 3)]
    defaults = {"text": TEXT, "retrieved": items, "supplied": items}
    if answer and "retrievals" in answer:
        del defaults["retrieved"]
    given = Answer.model_validate({**defaults, **(answer or {})})
    facts = Verdicts.model_validate(
        {"case_id": "c", "judge": "j", "behaviour": {"observed": observed, "source": "test"}, **verdicts}
    )
    trace = Trace(case_id="c", question="What is so?", answer=given, latency=latency)
    return JudgedAnswer(asked or case(), trace, facts, ChunkGrades(evidence or {}), validated, cites)


def measure(metric: str, *arguments, **changes) -> Outcome:
    return judged(*arguments, **changes).measured(REGISTRY[metric])


def value(outcome: Outcome) -> float:
    assert isinstance(outcome, Scored), outcome
    return outcome.value


def bounds(outcome: Outcome) -> tuple[float, float]:
    assert isinstance(outcome, Bounded), outcome
    return outcome.low, outcome.high


def reason(outcome: Outcome) -> str:
    assert isinstance(outcome, Undefined), outcome
    return outcome.reason
