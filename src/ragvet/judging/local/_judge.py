"""The offline judge: cuts answers into claims and decides questions by rule."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._claims import split_claims
from ragvet.judging._context import supplied_context
from ragvet.judging._judge_answer import judge_answer
from ragvet.judging._languages import answer_language, language_of, load_languages
from ragvet.judging._protocol import Scope
from ragvet.judging._register import Register
from ragvet.judging.local._bench import Bench, probability
from ragvet.judging.local._model import load_model
from ragvet.judging.local._rules import Rules
from ragvet.judging.local._workers import Workers, worthwhile
from ragvet.records import Answer, Case, Question, Rulings, Segmentation, Trace, Verdicts

RULES_VERSION = 8
"""Raised with every change of a rule that can change a verdict."""


_REFUSED, _STATES_NOTHING = 0.0, -2.0
"""Log odds that an answer is well supported which makes no claim: one that refuses, and any other."""


_SCOPE = Scope(frozenset({"support", "citation", "reference", "coverage", "agreement"}), free=True)


class OfflineJudge:
    """Decides what rules can decide about an answer and says `undecided` otherwise. No network, no model server.

    Args:
        languages: further language files like `judging/languages/en.toml`, e.g. with the project's own refusal phrases.
        register: the corpus, to look citations up in: does the document exist, in which version, and for whom.
        processes: how many share the work where there are hundreds of answers; by default as many as there are cores,
            four at most. 1: only this one.
    """

    def __init__(
        self, *, languages: Iterable[Path] = (), register: Register | None = None, processes: int | None = None
    ) -> None:
        self._languages = tuple(languages)
        self._processes = processes
        self._rules = Rules(load_languages(self._languages), load_model())
        self._register = register
        corpus = "" if register is None else register.fingerprint
        content = "\0".join((str(RULES_VERSION), self._rules.model.source, self._rules.languages.source, corpus))
        self._fingerprint = f"offline-{hashlib.sha256(content.encode()).hexdigest()[:16]}"

    @property
    def fingerprint(self) -> str:
        """Rules, model, language files and corpus: whatever can change a verdict."""
        return self._fingerprint

    @property
    def scope(self) -> Scope:
        """Support, citations, reference, required claims and agreement: rules cost nothing, whatever they look at."""
        return _SCOPE

    @property
    def register(self) -> Register | None:
        """Where citations are looked up."""
        return self._register

    def judge_now(self, case: Case, trace: Trace) -> Verdicts:
        """The verdicts on the answer in `trace`, for callers without an event loop: rules never wait.

        Raises:
            JudgeError: the trace holds an error instead of an answer.
        """
        judging = judge_answer(self, case, trace)
        try:
            judging.send(None)
        except StopIteration as done:
            return done.value
        raise AssertionError("rules never wait")

    def in_processes(self) -> Workers | None:
        """Processes that judge as this judge does; None where it does as well alone."""
        count = worthwhile() if self._processes is None else self._processes
        return Workers(count, self._languages, self._register, self._fingerprint) if count > 1 else None

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """The claims of the answer, statement by statement, and of the reference; what the answer does."""
        answer, languages = trace.answer or Answer(), self._rules.languages
        text = answer.text or ""
        language = answer_language(case, text, languages)
        claims = split_claims(text, language=language, languages=languages)
        behaviour = observe_behaviour(answer, languages)
        reference, reference_language = self._reference(case, answer)
        return Segmentation(
            behaviour,
            claims,
            language=language,
            reference=reference,
            reference_language=reference_language,
            support_score=probability(_REFUSED if behaviour.observed == "refused" else _STATES_NOTHING),
        )

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """The rulings; none on conflicts and relevance."""
        bench = Bench(self._rules)
        rulings = tuple(map(bench.decide, questions))
        odds = bench.log_odds
        return Rulings(rulings, support_score=probability(sum(odds) / len(odds)) if odds else None)

    def _reference(self, case: Case, answer: Answer) -> tuple[tuple[str, ...] | None, str | None]:
        """The statements of the reference answer that need evidence, and their language.

        None where rules have nothing to hold it against: they do not tell silence from a text that is not known.
        """
        reference, languages = case.reference_answer, self._rules.languages
        if reference is None or not reference.strip() or not supplied_context(answer).complete:
            return None, None
        language = language_of(reference, languages)
        stated = split_claims(reference, language=language, languages=languages)
        return tuple(claim.text for claim in stated if claim.needs_evidence), language
