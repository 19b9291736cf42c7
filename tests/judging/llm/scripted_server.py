"""A model server for tests and benchmarks: OpenAI-compatible, on loopback, saying what a script tells it to."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Asked:
    """What a request of ragvet's asks, read back from its last user message with the data."""

    key: str
    ids: dict[str, list[str]]
    pairs: dict[str, list[str]]
    blocks: dict[str, str]
    fields: list[str]

    @classmethod
    def read(cls, body: dict[str, Any]) -> Asked:
        text = next(m["content"] for m in body["messages"] if m["role"] == "user")
        head, *blocks = re.split(r"^<<(?=[0-9a-f]{8} )", text, flags=re.MULTILINE)
        key = re.search(r"The key of this request is ([0-9a-f]{8})\.", head).group(1)
        ids = {name: ids.split(", ") for name, ids in re.findall(r"^`(\w+)`: reply for (.*)\.$", head, re.MULTILINE)}
        pairs = re.search(r"^Pairs to judge: (.*)\.$", head, re.MULTILINE)
        named = dict(pair.split(": ") for pair in pairs.group(1).split("; ")) if pairs else {}
        texts: dict[str, str] = {}
        for block in blocks:
            line, _, rest = block.partition("\n")
            if line.startswith(key):
                texts[line[9:-2]] = rest.removesuffix("\n")
            else:  # a fence with another key is part of the text it stands in
                texts[list(texts)[-1]] += f"\n<<{block.removesuffix(chr(10))}"
        texts.pop("end")
        return cls(key, ids, {s: p.split(", ") for s, p in named.items()}, texts, _fields(body))

    @property
    def passages(self) -> dict[str, str]:
        return {name: text for name, text in self.blocks.items() if re.fullmatch(r"p\d+", name)}


def _fields(body: dict[str, Any]) -> list[str]:
    if "tools" in body:
        schema = body["tools"][0]["function"]["parameters"]
    else:
        form = body.get("response_format", {})
        schema = form.get("json_schema", {}).get("schema") or form.get("schema")
    if schema is None:
        schema = json.loads(body["messages"][0]["content"].rsplit("Its JSON Schema:\n", 1)[1])
    return list(schema["properties"])


def honest(asked: Asked) -> dict[str, Any]:
    """A judge that goes by the words: what stands verbatim in a text is supported, covered, agreed."""
    said = {
        "key": lambda: asked.key,
        "behaviour": lambda: "answered",
        "sentences": lambda: [
            {"id": id_, "claims": [{"text": asked.blocks[id_], "needs_evidence": True}]}
            for id_ in asked.ids["sentences"]
        ],
        "statements": lambda: [{"id": id_, "evidence": _evidence(asked, id_)} for id_ in asked.ids["statements"]],
        "conflicts": list,
        "coverage": lambda: [_coverage(asked, id_) for id_ in asked.ids["coverage"]],
        "agreement": lambda: [
            {"id": id_, "verdict": "agree" if _within(asked.blocks[id_], asked.blocks["reference"]) else "extra"}
            for id_ in asked.ids["agreement"]
        ],
        "relevance": lambda: [{"id": id_, "addresses": True} for id_ in asked.ids["relevance"]],
        "addresses_question": lambda: True,
    }
    return {name: said[name]() for name in asked.fields}


def _within(part: str, whole: str) -> bool:
    return part.rstrip(". ").casefold() in whole.casefold()


def _coverage(asked: Asked, id_: str) -> dict[str, Any]:
    words = asked.blocks[id_].rstrip(". ")
    covered = _within(words, asked.blocks["answer"])
    return {"id": id_, "quote": words if covered else "", "verdict": "covered" if covered else "missing"}


def _evidence(asked: Asked, id_: str) -> list[dict[str, Any]]:
    words = re.sub(r"\s*\[\d+\]", "", asked.blocks[id_]).rstrip(". ")
    rows: list[dict[str, Any]] = []
    for passage, text in asked.passages.items():
        supported = _within(words, text)
        if supported or passage in asked.pairs.get(id_, ()):
            verdict = "supported" if supported else "unsupported"
            quote = words if supported else ""
            rows.append({"passage": passage, "quote": quote, "verdict": verdict, "missing_qualification": False})
    return rows


@dataclass(frozen=True)
class Say:
    """One response. `text` is what the model says; `body` replaces the whole body; `drip` sends it forever."""

    text: str = ""
    status: int = 200
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: bool = False
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: dict[str, int] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10})
    fingerprint: str | None = "fp_1"


Script = Callable[[dict[str, Any], int], Say]
"""The request's body and its number from 0 → the response."""


_PROBE = re.compile(r"Reply with the JSON object (\{.*\})\.$")


def is_probe(body: dict[str, Any]) -> bool:
    return _PROBE.match(str(body["messages"][-1]["content"])) is not None


def plainly(body: dict[str, Any], _number: int) -> Say:
    """Every request of ragvet's answered honestly, the probe included."""
    if is_probe(body):
        return Say(_PROBE.match(body["messages"][-1]["content"]).group(1))
    return Say(json.dumps(honest(Asked.read(body))))


class Server:
    """What the server was asked so far, and where it is."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.base_url = ""
        self.most_at_once = 0
        self._at_once = 0

    async def respond(self, request: web.Request) -> web.StreamResponse:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._respond(request)
        finally:
            self._at_once -= 1

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        number = len(self.bodies)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        say = self.script(body, number)
        if say.delay:
            await asyncio.sleep(say.delay)
        if say.drip:
            response = web.StreamResponse()
            await response.prepare(request)
            while True:
                await response.write(b" ")
                await asyncio.sleep(0.02)
        if say.status != 200 or say.body is not None:
            return web.Response(status=say.status, text=say.body or '{"error": "scripted"}', headers=say.headers)
        return web.Response(body=completion(body, say), content_type="application/json", headers=say.headers)


def completion(body: dict[str, Any], say: Say) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": say.text, "refusal": say.refusal}
    if "tools" in body:
        name = body["tools"][0]["function"]["name"]
        message["content"] = None
        message["tool_calls"] = [
            {"id": "call_1", "type": "function", "function": {"name": name, "arguments": say.text}}
        ]
    reply: dict[str, Any] = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish_reason}],
    }
    if say.usage is not None:
        reply["usage"] = {**say.usage, "total_tokens": sum(say.usage.values())}
    if say.fingerprint is not None:
        reply["system_fingerprint"] = say.fingerprint
    return json.dumps(reply).encode()


async def _serve(server: Server, port: int = 0) -> web.AppRunner:
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", server.respond)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    host, bound = runner.addresses[0][:2]
    server.base_url = f"http://{host}:{bound}/v1"
    return runner


@contextmanager
def serving(script: Script = plainly) -> Iterator[Server]:
    """A server in a thread of its own, so that code under test may block."""
    server = Server(script)
    loop = asyncio.new_event_loop()
    runner = loop.run_until_complete(_serve(server))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(_end(runner), loop).result(timeout=60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=60)
        loop.close()


async def _end(runner: web.AppRunner) -> None:
    """Stop the server and whatever still waits in it, e.g. a response that was to come in an hour."""
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await runner.cleanup()
