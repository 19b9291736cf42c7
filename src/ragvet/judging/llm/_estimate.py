from __future__ import annotations

import json
from collections.abc import Iterable

from ragvet.judging.llm._docket import Docket
from ragvet.judging.llm._modes import messages
from ragvet.judging.llm._money import Pricing, tokens_of
from ragvet.judging.llm._prompts import load_prompts
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._settings import ModelSettings
from ragvet.records import Case, Record, Trace

_TOKENS_OF_ROW = {"claims": 30, "support": 70, "coverage": 45, "agreement": 15, "relevance": 15}
"""About how long the reply is for one id, without the words it repeats."""
_TOKENS_OF_REPLY = 40


class Estimate(Record):
    """What judging would take. `cost` is in US dollars, None where the price of the model is not known.

    `requests` and tokens are for a judge that has nothing stored and makes no mistake; a judge that splits sentences
    into more claims costs more.
    """

    answers: int
    decided_by_rule: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def estimate(settings: ModelSettings, items: Iterable[tuple[Case, Trace]]) -> Estimate:
    """What judging these answers would take; nothing is sent, and no key is needed."""
    prompts = load_prompts(settings.language, settings.prompts)
    mode = "json_schema" if settings.mode == "auto" else settings.mode
    answers = by_rule = requests = tokens_in = tokens_out = 0
    for case, trace in items:
        if trace.answer is None:
            continue
        answers += 1
        questions = list(Docket(settings, case, trace, trace.answer).foreseen())
        by_rule += not questions
        requests += len(questions)
        for question in questions:
            request = question.ask(prompts.system(question.topics), mode, "00000000")
            tokens_in += sum(tokens_of(message.content) for message in messages(request))
            tokens_in += tokens_of(json.dumps(question.schema)) if mode != "text" else 0
            tokens_out += _reply_tokens(question)
    return Estimate(
        answers=answers,
        decided_by_rule=by_rule,
        requests=requests,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost=Pricing(settings).cost(tokens_in, tokens_out),
    )


def _reply_tokens(question: Question) -> int:
    texts = dict(question.blocks)
    said = sum(tokens_of(texts[id_]) for id_ in question.ids.get("claims", ()))
    rows = sum(_TOKENS_OF_ROW[topic] * len(ids) for topic, ids in question.ids.items())
    return _TOKENS_OF_REPLY + said + rows
