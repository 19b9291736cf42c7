"""The share of claims that are wrong and come from an irrelevant passage."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import agreement, has_reference, no_agreement
from ragvet.metrics.answers._metric import NO_CLAIMS, AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import all_of, any_of, negation, supported

__all__ = ["IRRELEVANT_CONTEXT_SENSITIVITY"]


def _misled(answer: JudgedAnswer, claim: str) -> bool | None:
    """Whether of the passages that support the claim there are some, and none is relevant.

    Each unknown stands in both halves. Both are still reached at once: a passage whose relevance is unknown is then
    irrelevant, and one that is relevant and may support the claim does not.
    """
    support = {passage: supported(verdict) for (of, passage), verdict in answer.cells.items() if of == claim}
    relevant = {passage: answer.evidence.relevant(passage) for passage in support}
    by_irrelevant = any_of(all_of((support[passage], negation(relevant[passage]))) for passage in support)
    by_relevant = any_of(all_of((support[passage], relevant[passage])) for passage in support)
    return all_of((by_irrelevant, negation(by_relevant)))


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context or no_agreement(answer)
    if missing:
        return Undefined(reason=missing)
    wrong = {
        claim: None if verdict == "undecided" else verdict == "contradict"
        for claim, verdict in agreement(answer).items()
    }
    return share_of(
        (all_of((wrong[claim.id], _misled(answer, claim.id))) for claim in answer.claims),
        empty=NO_CLAIMS,
        unknown="some verdicts are undecided or some passages unjudged",
    )


IRRELEVANT_CONTEXT_SENSITIVITY = AnswerMetric(
    MetricDeclaration(
        name="irrelevant_context_sensitivity",
        version=2,
        title="The share of claims that are wrong and come from irrelevant passages alone.",
        direction="lower",
        applies_to="cases expected to be answered that have a reference answer",
        needs=(
            "a reference answer; agreement of the claims with it; claim support by passage; relevance "
            "judgments of the supplied passages"
        ),
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
            "nothing was supplied to the model; agreement with the reference was not judged"
        ),
        does_not_catch=(
            "Right claims drawn from irrelevant passages; wrong claims drawn from relevant ones; wrong claims the "
            "reference does not speak about."
        ),
        formula=(
            "claims that contradict the reference and are supported by a passage judged irrelevant, and by no relevant "
            "one / claims that need evidence"
        ),
        reference=(
            "Ru et al. 2024, RAGChecker (NeurIPS): noise sensitivity, irrelevant part; there a claim the reference is "
            "silent about counts as wrong too"
        ),
    ),
    measure=_measure,
    applies=has_reference,
)
