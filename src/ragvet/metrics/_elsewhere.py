"""What other tools call a metric."""

from __future__ import annotations

__all__ = ["counterpart"]

_COUNTERPARTS = {
    "answeraccuracy": "reference_agreement",
    "answercorrectness": "reference_agreement",
    "answerrelevance": "relevance",
    "answerrelevancy": "relevance",
    "answersimilarity": "reference_agreement",
    "citationaccuracy": "citation_precision",
    "contextentitiesrecall": "context_recall",
    "contextentityrecall": "context_recall",
    "contextprecision": "context_precision",
    "contextrecall": "context_recall",
    "contextrelevance": "precision",
    "contextrelevancy": "precision",
    "contextualprecision": "context_precision",
    "contextualrecall": "context_recall",
    "contextualrelevancy": "precision",
    "contextutilization": "context_use",
    "correctness": "reference_agreement",
    "factualcorrectness": "reference_agreement",
    "factuality": "reference_agreement",
    "groundedness": "faithfulness",
    "hallucination": "unsupported_share",
    "idbasedcontextprecision": "precision",
    "idbasedcontextrecall": "coverage",
    "jsoncorrectness": "json_schema_valid",
    "llmcontextprecisionwithoutreference": "context_precision",
    "llmcontextprecisionwithreference": "context_precision",
    "llmcontextrecall": "context_recall",
    "negativerejection": "missed_refusal",
    "noisesensitivity": "irrelevant_context_sensitivity",
    "nonllmcontextprecisionwithreference": "precision",
    "nonllmcontextrecall": "coverage",
    "promptinjection": "forbidden_text",
    "qacorrectness": "reference_agreement",
    "responsegroundedness": "faithfulness",
    "responserelevance": "relevance",
    "responserelevancy": "relevance",
    "semanticsimilarity": "reference_agreement",
}
"""What ragas, DeepEval, TruLens, Phoenix and others call it, in small letters alone → our metric next to it."""


def counterpart(name: str) -> str | None:
    """The metric here that is next to what other tools call so; None where nobody does, or nothing is.

    They need not be equal: docs/coming-from.md says what differs.

    >>> counterpart("answer_relevancy"), counterpart("AnswerRelevancyMetric")
    ('relevance', 'relevance')
    """
    letters = "".join(letter for letter in name.partition("@")[0].casefold() if letter.isalnum())
    return _COUNTERPARTS.get(letters.removesuffix("metric"))
