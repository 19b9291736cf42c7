"""Which questions an answer takes, in at most three requests: its claims; their support; their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragvet.judging.llm._material import Block, PassagePart, batches, question_blocks
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._settings import ModelSettings, Topic
from ragvet.records import Case, Claim

_ROWS_AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """How one answer is asked about: everything together, or one question a request for small models."""

    case: Case
    answer: str
    ask: frozenset[Topic]
    single: bool

    @classmethod
    def about(cls, case: Case, answer: str, settings: ModelSettings) -> Questionnaire:
        """The questionnaire for one answer under these settings."""
        return cls(case, answer, frozenset(settings.ask), settings.questions == "single")

    @property
    def rows(self) -> int:
        """How many ids one request is about at most, so that its reply fits the output limit."""
        return 1 if self.single else _ROWS_AT_ONCE

    def claims(self, sentences: Sequence[Claim], *, behaviour: bool) -> Iterator[Question]:
        """First: what the answer claims, sentence by sentence, and, where it is not known yet, what it does."""
        groups = batches(sentences, self.rows)
        together = behaviour and len(groups) == 1 and not self.single
        for group in groups:
            topics = ("claims", "behaviour") if together else ("claims",)
            shown = sentences if self.single else group
            blocks = (*question_blocks(self.case), *((s.id, s.text) for s in shown))
            yield Question(topics, blocks, {"claims": tuple(s.id for s in group)})
        if behaviour and not together:
            yield Question(("behaviour",), (*question_blocks(self.case), ("answer", self.answer)))

    def support(
        self, statements: Sequence[Block], parts: Sequence[PassagePart], cited: Mapping[str, set[str]]
    ) -> Iterator[Question]:
        """Second: what these passages say about the statements, and whether they contradict each other.

        Args:
            statements: id and text.
            parts: the passages of this request.
            cited: statement id → chunk ids on which a verdict must come back.
        """
        passages = tuple(part.block for part in parts)
        conflicts = "conflicts" in self.ask and len({part.item.chunk_id for part in parts}) > 1
        setting = (*question_blocks(self.case), ("answer", self.answer))
        together = conflicts and not self.single and len(statements) > 0
        for number, group in enumerate(batches(statements, self.rows)):
            topics, blocks = ("support",), (*group, *passages)
            if together and number == 0:
                topics, blocks = ("support", "conflicts"), (*setting, *blocks)
            pairs = {
                id_: tuple(part.id for part in parts if part.item.chunk_id in cited[id_])
                for id_, _ in group
                if any(part.item.chunk_id in cited.get(id_, ()) for part in parts)
            }
            yield Question(topics, blocks, {"support": tuple(id_ for id_, _ in group)}, pairs)
        if conflicts and not together:
            yield Question(("conflicts",), (*setting, *passages))

    def comparison(self, claims: Sequence[Claim], required: Sequence[Block]) -> Iterator[Question]:
        """Third: the answer against what it had to say, against the reference, and against the question."""
        about_answer = [*self._coverage(required), *self._addressed()]
        about_claims = [*self._agreement(claims), *self._relevance(claims)]
        if self.single:
            yield from (*about_answer, *about_claims)
            return
        together: list[Question] = []
        for question in (*about_answer, *about_claims):
            if set(question.topics) & {topic for other in together for topic in other.topics}:
                yield _joined(together)
                together = []
            together.append(question)
        if together:
            yield _joined(together)

    def _coverage(self, required: Sequence[Block]) -> Iterator[Question]:
        if "coverage" in self.ask:
            for group in batches(required, self.rows):
                blocks = (("answer", self.answer), *group)
                yield Question(("coverage",), blocks, {"coverage": tuple(id_ for id_, _ in group)})

    def _addressed(self) -> Iterator[Question]:
        if "relevance" in self.ask:
            yield Question(("addressed",), (*question_blocks(self.case), ("answer", self.answer)))

    def _agreement(self, claims: Sequence[Claim]) -> Iterator[Question]:
        reference = self.case.reference_answer
        if "agreement" in self.ask and reference and reference.strip():
            for group in batches(claims, self.rows):
                blocks = (("reference", reference), *((claim.id, claim.text) for claim in group))
                yield Question(("agreement",), blocks, {"agreement": tuple(claim.id for claim in group)})

    def _relevance(self, claims: Sequence[Claim]) -> Iterator[Question]:
        if "relevance" in self.ask:
            for group in batches(claims, self.rows):
                blocks = (*question_blocks(self.case), *((claim.id, claim.text) for claim in group))
                yield Question(("relevance",), blocks, {"relevance": tuple(claim.id for claim in group)})


def _joined(questions: Sequence[Question]) -> Question:
    """One request for several questions, each judged text sent once."""
    blocks = dict(block for question in questions for block in question.blocks)
    ids = {topic: ids for question in questions for topic, ids in question.ids.items()}
    return Question(tuple(topic for question in questions for topic in question.topics), tuple(blocks.items()), ids)
