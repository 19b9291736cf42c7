"""Which requests the questions about an answer take, at most three: its claims; their support; their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragvet.judging.llm._passages import NamedText, PassagePart, batches, setting_texts
from ragvet.judging.llm._request import Request
from ragvet.records import Claim, Question, Setting

_ROWS_AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Batching:
    """How questions become requests: everything together, or one question a request for small models."""

    single: bool

    @property
    def rows(self) -> int:
        """How many ids one request is about at most, so that its reply fits the output limit."""
        return 1 if self.single else _ROWS_AT_ONCE

    def claims(
        self, setting: Setting, answer: str, sentences: Sequence[Claim], *, behaviour: bool
    ) -> Iterator[Request]:
        """First: what the answer claims, sentence by sentence, and, where it is not known yet, what it does."""
        named = [(f"s{number}", sentence.text) for number, sentence in enumerate(sentences, start=1)]
        groups = batches(named, self.rows)
        together = behaviour and len(groups) == 1 and not self.single
        for group in groups:
            topics = ("claims", "behaviour") if together else ("claims",)
            shown = named if self.single else group
            yield Request(topics, (*setting_texts(setting), *shown), {"claims": _ids(group)})
        if behaviour and not together:
            yield Request(("behaviour",), (*setting_texts(setting), ("answer", answer)))

    def support(
        self, statements: Sequence[NamedText], parts: Sequence[PassagePart], conflicts: Question | None, cited: Cited
    ) -> Iterator[Request]:
        """Second: what these passages say about the statements, and whether they contradict each other.

        Args:
            statements: id and text.
            parts: the passages of this request.
            conflicts: the question whether they do, where it is asked.
            cited: statement id → passage ids on which a verdict must come back.
        """
        passages = tuple(part.named for part in parts)
        setting = ()
        if conflicts is not None and len({part.source.id for part in parts}) > 1:
            setting = (*setting_texts(conflicts.setting), ("answer", conflicts.texts[0].text))
        together = setting and not self.single and len(statements) > 0
        for number, group in enumerate(batches(statements, self.rows)):
            topics, texts = ("support",), (*group, *passages)
            if together and number == 0:
                topics, texts = ("support", "conflicts"), (*setting, *texts)
            pairs = {
                id_: tuple(part.id for part in parts if part.source.id in cited[id_])
                for id_, _ in group
                if any(part.source.id in cited.get(id_, ()) for part in parts)
            }
            yield Request(topics, texts, {"support": _ids(group)}, pairs)
        if setting and not together:
            yield Request(("conflicts",), (*setting, *passages))

    def comparison(self, questions: Mapping[str, Sequence[Question]]) -> Iterator[Request]:
        """Third: the answer against what it had to say, against the reference, and against the question."""
        about_answer = [*self._coverage(questions["coverage"]), *self._addressed(questions["addressed"])]
        about_claims = [*self._agreement(questions["agreement"]), *self._relevance(questions["relevance"])]
        if self.single:
            yield from (*about_answer, *about_claims)
            return
        together: list[Request] = []
        for request in (*about_answer, *about_claims):
            if set(request.topics) & {topic for other in together for topic in other.topics}:
                yield _joined(together)
                together = []
            together.append(request)
        if together:
            yield _joined(together)

    def _coverage(self, questions: Sequence[Question]) -> Iterator[Request]:
        for group in batches(questions, self.rows):
            required = [(required_id(one), "\nor: ".join((one.statement or "", *one.note))) for one in group]
            yield Request(("coverage",), (("answer", group[0].texts[0].text), *required), {"coverage": _ids(required)})

    def _addressed(self, questions: Sequence[Question]) -> Iterator[Request]:
        for one in questions:
            yield Request(("addressed",), (*setting_texts(one.setting), ("answer", one.texts[0].text)))

    def _agreement(self, questions: Sequence[Question]) -> Iterator[Request]:
        for group in batches(questions, self.rows):
            claims = [claim_text(one) for one in group]
            yield Request(("agreement",), (("reference", group[0].texts[0].text), *claims), {"agreement": _ids(claims)})

    def _relevance(self, questions: Sequence[Question]) -> Iterator[Request]:
        for group in batches(questions, self.rows):
            claims = [claim_text(one) for one in group]
            yield Request(("relevance",), (*setting_texts(group[0].setting), *claims), {"relevance": _ids(claims)})


Cited = Mapping[str, frozenset[str]]


def claim_text(question: Question) -> NamedText:
    """The claim a question is about, under the id the model knows it by."""
    return f"c{question.place.number}", question.statement or ""


def required_id(question: Question) -> str:
    """The id the model knows a required claim, or a statement of the reference, by."""
    return f"r{question.place.number}"


def _ids(named: Sequence[NamedText]) -> tuple[str, ...]:
    return tuple(id_ for id_, _ in named)


def _joined(requests: Sequence[Request]) -> Request:
    """One request for several, each judged text sent once."""
    texts = dict(text for request in requests for text in request.blocks)
    ids = {topic: ids for request in requests for topic, ids in request.ids.items()}
    return Request(tuple(topic for request in requests for topic in request.topics), tuple(texts.items()), ids)
