"""What judging would take, found out by going through it with a model that is never asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ragvet.calling import run_to_end
from ragvet.judging._judge_answer import judge_answer
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._protocol import Judge, Scope
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._cache import Completion, ReplyCache
from ragvet.judging.llm._fingerprint import Pinned
from ragvet.judging.llm._modes import messages
from ragvet.judging.llm._money import Pricing, tokens_of
from ragvet.judging.llm._pipeline import Pipeline
from ragvet.judging.llm._probe import remembered
from ragvet.judging.llm._prompts import load_prompts
from ragvet.judging.llm._replies import FIELDS, reply_form
from ragvet.judging.llm._request import Request
from ragvet.judging.llm._transport import Mode
from ragvet.records import Case, Question, Record, Rulings, Segmentation, Trace, Usage

_TOKENS_OF_ROW = {"claims": 30, "support": 70, "coverage": 45, "agreement": 15, "relevance": 15}
"""About how long the reply is for one id, without the words it repeats."""
_TOKENS_OF_REPLY = 40


class Estimate(Record):
    """What judging would take. `cost` is in US dollars, None where the price of a model is not known.

    Requests and tokens are those still to be sent, `stored` the replies that are kept already. They are for a judge
    that makes no mistake; one that splits sentences into more claims costs more. Of answers that are not given yet
    `assumes` says what they are taken to be, and `unknown` how many are left out: the golden set tells nothing of them.
    """

    answers: int
    decided_by_rule: int
    stored: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    unknown: int = 0
    assumes: str | None = None


def estimate_judging(judge: Judge | None, models: Sequence[Rehearsal], items: Iterable[tuple[Case, Trace]]) -> Estimate:
    """What judging these answers would take; nothing is sent, and no key is needed.

    Args:
        judge: in which rehearsals stand in for models; None: no model judges.
        models: these rehearsals.
        items: cases with their traces; one without an answer is left out.
    """
    return run_to_end(lambda: _rehearsed(judge, models, items))


async def _rehearsed(judge: Judge | None, models: Sequence[Rehearsal], items: Iterable[tuple[Case, Trace]]) -> Estimate:
    answers = by_rule = 0
    for case, trace in items:
        if trace.answer is None:
            continue
        before = sum(one.asked for one in models)
        if judge is not None:
            await judge_answer(judge, case, trace)
        answers += 1
        by_rule += sum(one.asked for one in models) == before
    costs = [one.cost for one in models]
    return Estimate(
        answers=answers,
        decided_by_rule=by_rule,
        stored=sum(one.stored for one in models),
        requests=sum(one.requests for one in models),
        input_tokens=sum(one.input_tokens for one in models),
        output_tokens=sum(one.output_tokens for one in models),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


class Rehearsal:
    """Stands in for a model: replies from what is kept, else makes up a reply and counts what it would have taken."""

    fingerprint = "rehearsal"

    def __init__(self, settings: ModelSettings, store: ReplyStore | None) -> None:
        self.settings = settings
        self._pipeline = Pipeline(settings, self, self.fingerprint)
        self._prompts = load_prompts(settings.language, settings.prompts)
        probe = None if store is None else remembered(store, settings)
        likely: Mode = "json_schema" if settings.mode == "auto" else settings.mode
        self._mode: Mode = likely if probe is None else probe.mode
        self._cache: ReplyCache | None = None
        if store is not None and probe is not None:
            pinned = Pinned(settings, probe.mode, self._prompts, probe.server_fingerprint)
            self._cache = ReplyCache(store, pinned.asked, settings.repeat)
        self.stored = self.requests = self.input_tokens = self.output_tokens = 0

    @property
    def scope(self) -> Scope:
        """What the model would be asked."""
        return self._pipeline.scope

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """What the model would be asked to say of the answer."""
        return await self._pipeline.segment(case, trace)

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """What it would be asked to decide."""
        return await self._pipeline.decide(questions)

    @property
    def asked(self) -> int:
        """Requests so far, whether or not their replies are kept."""
        return self.stored + self.requests

    @property
    def cost(self) -> float | None:
        """Of what is not kept, in US dollars; None: the price is not known."""
        return 0.0 if not self.requests else Pricing(self.settings).cost(self.input_tokens, self.output_tokens)

    async def get(self, request: Request) -> Completion:
        """The kept reply, or a made-up one."""
        kept = None if self._cache is None else self._cache.find(self._cache.address(request), request)
        if kept is not None:
            self.stored += 1
            return kept
        exact = self.settings.questions == "single"
        chat = request.chat(self._prompts.system(request.topics), self._mode, "00000000", exact=exact)
        self.requests += 1
        self.input_tokens += sum(tokens_of(message.content) for message in messages(chat))
        self.input_tokens += tokens_of(json.dumps(chat.schema)) if self._mode not in {"text", "json_object"} else 0
        self.output_tokens += _reply_tokens(request)
        return Completion(reply_form(request.topics).model_validate(_made_up(request)), Usage(), None)


def _reply_tokens(request: Request) -> int:
    texts = dict(request.blocks)
    said = sum(tokens_of(texts[id_]) for id_ in request.ids.get("claims", ()))
    rows = sum(_TOKENS_OF_ROW[topic] * len(ids) for topic, ids in request.ids.items())
    return _TOKENS_OF_REPLY + said + rows


def _made_up(request: Request) -> dict[str, Any]:
    """A reply of the right form in which each sentence is one claim and nothing is found."""
    texts = dict(request.blocks)
    row: Mapping[str, Callable[[str], dict[str, Any]]] = {
        "claims": lambda id_: {"claims": [{"text": texts[id_], "needs_evidence": True}]},
        "support": lambda _: {"evidence": []},
        "coverage": lambda _: {"quote": "", "verdict": "missing"},
        "agreement": lambda _: {"verdict": "extra"},
        "relevance": lambda _: {"addresses": True},
    }
    whole: Mapping[str, Any] = {"behaviour": "answered", "conflicts": [], "addressed": True}

    def of(topic: str) -> Any:
        return whole[topic] if topic in whole else [{"id": id_, **row[topic](id_)} for id_ in request.ids[topic]]

    return {"key": ""} | {FIELDS[topic][0]: of(topic) for topic in request.topics}
