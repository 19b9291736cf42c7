"""The share of sentences whose citations together support all their claims (ALCE)."""

from __future__ import annotations

from ragvet.metrics.answers._alce import ALCE_UNDEFINED_WHEN, alce_undefined, sentences
from ragvet.metrics.answers._citations import UNCHECKED
from ragvet.metrics.answers._metric import NO_CLAIMS, AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["ALCE_CITATION_RECALL"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = alce_undefined(answer)
    if missing:
        return Undefined(reason=missing)
    return share_of(
        (sentence.supported for sentence in sentences(answer)),
        empty=NO_CLAIMS,
        unknown=UNCHECKED,
    )


ALCE_CITATION_RECALL = AnswerMetric(
    MetricDeclaration(
        name="alce_citation_recall",
        version=2,
        title="The share of sentences whose citations together support all their claims (ALCE).",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=ALCE_UNDEFINED_WHEN,
        does_not_catch=(
            "Citations that support nothing, beside those that do; claims of one sentence that only two "
            "passages together entail."
        ),
        formula=(
            "sentences each of whose claims some citation of the sentence supports / sentences with claims "
            "that need evidence"
        ),
        reference=(
            "Gao et al. 2023, Enabling LLMs to Generate Text with Citations: ALCE (EMNLP), section 4; joint "
            "entailment by claim"
        ),
    ),
    measure=_measure,
)
