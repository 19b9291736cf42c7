"""The share of citations that their sentence needs (ALCE)."""

from __future__ import annotations

from ragvet.metrics.answers._alce import ALCE_UNDEFINED_WHEN, alce_undefined, sentences, unattached
from ragvet.metrics.answers._citations import UNCHECKED
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["ALCE_CITATION_PRECISION"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = alce_undefined(answer)
    if missing:
        return Undefined(reason=missing)
    parts = sentences(answer)
    ranges = [sentence.needed_citations() for sentence in parts]
    return share(
        sum(low for low, _ in ranges),
        sum(high for _, high in ranges),
        sum(sentence.citations for sentence in parts) + unattached(answer),
        empty="the answer cites nothing",
        unknown=UNCHECKED,
    )


ALCE_CITATION_PRECISION = AnswerMetric(
    MetricDeclaration(
        name="alce_citation_precision",
        version=2,
        title="The share of citations that their sentence needs (ALCE).",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=ALCE_UNDEFINED_WHEN + "; it cites nothing",
        does_not_catch="Sentences without any citation.",
        formula=(
            "citations that support their whole sentence, or without which its other citations would not, in "
            "a supported sentence / citations; one that belongs to no sentence counts as not needed"
        ),
        reference=(
            "Gao et al. 2023, Enabling LLMs to Generate Text with Citations: ALCE (EMNLP), section 4; joint "
            "entailment by claim"
        ),
    ),
    measure=_measure,
)
