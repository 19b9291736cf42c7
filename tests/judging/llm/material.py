"""Cases, traces and judges for the tests of model judges."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.judging.llm.scripted_server import Asked, Say, Script, Server, honest

from ragvet.judging import ModelSettings, ReplyStore, judge_answer
from ragvet.judging.llm import ModelJudge, Probe, open_transport
from ragvet.records import Case, RequiredClaim, Trace, Verdicts

REFUNDS = "Our policy: refunds take 5 days, always. Gift cards are never refunded."
POST = "Parcels are collected on Mondays."


def settings_for(server: Server, **given: Any) -> ModelSettings:
    return ModelSettings.model_validate({"model": "m", "base_url": server.base_url, "mode": "json_schema", **given})


def judge_for(server: Server, *, database: Path | None = None, fresh: bool = False, **given: Any) -> ModelJudge:
    settings = settings_for(server, **given)
    store = None if database is None else ReplyStore(database, fresh=fresh)
    mode = "json_schema" if settings.mode == "auto" else settings.mode
    return ModelJudge(settings, open_transport(settings), Probe(mode, "fp_1", ()), store=store)


def case(**given: Any) -> Case:
    claims = (
        RequiredClaim(id="time", text="refunds take 5 days"),
        RequiredClaim(id="cards", text="gift cards are out"),
    )
    fields = {
        "id": "1",
        "question": "When do refunds arrive?",
        "category": "billing",
        "expected_behaviour": "answer",
        "reference_answer": "Refunds take 5 days.",
        "required_claims": claims,
    }
    return Case.model_validate({**fields, **given})


def trace(text: str = "Refunds take 5 days. They come by post.", **given: Any) -> Trace:
    supplied = [{"chunk_id": "policy", "text": REFUNDS}, {"chunk_id": "post", "title": "Post", "text": POST}]
    answer = {"text": text, "supplied": supplied, **given}
    return Trace.model_validate({"case_id": "1", "question": "When do refunds arrive?", "answer": answer})


def verdicts_of(judge: ModelJudge, case_: Case | None = None, trace_: Trace | None = None) -> Verdicts:
    return asyncio.run(judge_answer(judge, case_ or case(), trace_ or trace()))


def changed(**fields: Any) -> Script:
    """An honest judge, but with these fields of the reply replaced where they are asked for."""

    def script(body: dict[str, Any], number: int) -> Say:
        asked = Asked.read(body)
        return Say(json.dumps({**honest(asked), **{k: v for k, v in fields.items() if k in asked.fields}}))

    return script


def evidence(*rows: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Evidence as a model lists it, of (passage, quote, verdict)."""
    return [
        {"passage": passage, "quote": quote, "verdict": verdict, "missing_qualification": False}
        for passage, quote, verdict in rows
    ]
