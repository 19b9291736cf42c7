from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ragvet.errors import JudgeError
from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, Register, citation_verdicts, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import supplied_context
from ragvet.judging._languages import language_of, load_languages
from ragvet.judging._markers import KnownItems, read_markers
from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._claims_in_context import judge_passage, support_in_context
from ragvet.judging.local._expectations import agreement, coverage, reference_support
from ragvet.judging.local._model import load_model
from ragvet.judging.local._rules import Rules
from ragvet.records import Answer, Case, CitationVerdict, Claim, Support, Trace, Verdicts

RULES_VERSION = 6
"""Raised with every change of a rule that can change a verdict."""


class OfflineJudge:
    """Decides what rules can decide about an answer and says `undecided` otherwise. No network, no model server.

    Args:
        languages: further language files like `judging/languages/en.toml`, e.g. with the project's own refusal phrases.
        register: the corpus, to look citations up in: does the document exist, in which version, and for whom.
    """

    def __init__(self, *, languages: Iterable[Path] = (), register: Register | None = None) -> None:
        self._rules = Rules(load_languages(tuple(languages)), load_model())
        self._register = register
        corpus = "" if register is None else register.fingerprint
        content = "\0".join((str(RULES_VERSION), self._rules.model.source, self._rules.languages.source, corpus))
        self._fingerprint = f"offline-{hashlib.sha256(content.encode()).hexdigest()[:16]}"

    @property
    def fingerprint(self) -> str:
        """Rules, model, language files and corpus: whatever can change a verdict."""
        return self._fingerprint

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """The verdicts on the answer in `trace`; see `judge_now`, which this only wraps."""
        return self.judge_now(case, trace)

    def judge_now(self, case: Case, trace: Trace) -> Verdicts:
        """The verdicts on the answer in `trace`.

        Raises:
            JudgeError: the trace holds an error instead of an answer.
        """
        answer = trace.answer
        if answer is None:
            raise JudgeError("there is no answer to judge: the target failed on this case")
        rules, text = self._rules, answer.text or ""
        language = _language(case, text, rules)
        claims = split_claims(text, language=language, languages=rules.languages)
        readable = _without_markers(text, answer)
        stated = [(c, rules.claim(readable[c.start : c.end], language)) for c in claims if c.needs_evidence]
        context = supplied_context(answer)
        passages = [(item.chunk_id, rules.passage(item.text or "")) for item in context.passages]
        behaviour = observe_behaviour(answer, rules.languages)
        support = support_in_context(stated, context, passages, rules, refused=behaviour.observed == "refused")
        placed = place_citations(case, trace, claims, self._register)
        return Verdicts(
            case_id=trace.case_id,
            repeat=trace.repeat,
            judge=self.fingerprint,
            behaviour=behaviour,
            claims=claims,
            support=support.rows,
            citations=_citation_verdicts(placed, stated, support.rows, rules),
            coverage=coverage(case, text, rules),
            agreement=agreement(stated, case.reference_answer, rules),
            reference_support=reference_support(case.reference_answer, context, passages, rules),
            support_score=support.score if text.strip() else None,
        )


def _language(case: Case, text: str, rules: Rules) -> str:
    """The language of the answer: as the case is labelled where that is a code a language file has, else as found."""
    label = case.labels.get("language", "").lower().replace("_", "-").split("-")[0]
    return label if label in rules.languages.by_code else language_of(text, rules.languages)


def _without_markers(text: str, answer: Answer) -> str:
    """The answer with its citation markers blanked, at the same length: their numbers say nothing about the world."""
    characters = list(text)
    for marker in read_markers(answer, KnownItems.of(answer)):
        characters[marker.position : marker.position + len(marker.text)] = " " * len(marker.text)
    return "".join(characters)


def _citation_verdicts(
    placed: Sequence[PlacedCitation],
    stated: Sequence[tuple[Claim, ClaimText]],
    rows: Sequence[Support],
    rules: Rules,
) -> tuple[CitationVerdict, ...]:
    """The citations, judged by the support rows; what is cited and was not supplied is held against the claims now."""
    judged = {(row.claim, row.passage): row for row in rows}
    ready = {claim.id: text for claim, text in stated}
    held = {(id(citation.claims), item.chunk_id): (citation, item) for citation in placed for item in citation.items}
    for citation, item in held.values():
        for claim in citation.claims or ready:
            if item.text and claim in ready and (claim, item.chunk_id) not in judged:
                judged[claim, item.chunk_id] = judge_passage(claim, ready[claim], item.chunk_id, item.text, rules)
    return citation_verdicts(placed, judged, [claim for claim, _ in stated])
