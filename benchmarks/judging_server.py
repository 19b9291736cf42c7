"""The scripted model server as a process of its own, for ragvet and its peers, counting what it is asked.

`GET /stats` returns and resets the number of requests and the bytes of prompt they carried.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from typing import Any

from aiohttp import web
from tests.judging.llm.scripted_server import Asked, Say, completion, honest, is_probe, plainly

ROWS = 4
"""How long the lists are that peers get: as many as each answer has sentences."""


def instance(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:  # noqa: PLR0911 - one return a kind
    """A value that satisfies the schema: what a judge content with everything would say."""
    if "$ref" in schema:
        return instance(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    if "anyOf" in schema:
        return instance(schema["anyOf"][0], definitions)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if kind == "object":
        return {name: instance(value, definitions) for name, value in schema.get("properties", {}).items()}
    if kind == "array":
        return [instance(schema["items"], definitions)] * ROWS
    return {"string": "The clause is binding.", "integer": 1, "number": 1.0, "boolean": True}.get(str(kind))


def written_schema(body: dict[str, Any]) -> dict[str, Any]:
    """The schema of the reply where it stands in the prompt: the last one, after any examples."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] = {}
    for message in body["messages"]:
        content = str(message["content"])
        start = content.find("{")
        while start >= 0:
            try:
                value, end = decoder.raw_decode(content, start)
            except ValueError:
                end, value = start + 1, None
            if isinstance(value, dict) and "properties" in value:
                found = value
            start = content.find("{", end)
    return found


def said(body: dict[str, Any]) -> str:
    """The reply to ragvet, read from its question, or to a peer, made from the schema it sent."""
    content = str(body["messages"][1]["content"]) if len(body["messages"]) > 1 else ""
    if content.startswith("The key of this request is"):
        return json.dumps(honest(Asked.read(body)))
    if "tools" in body:
        schema = body["tools"][0]["function"]["parameters"]
    else:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema") or written_schema(body)
    return json.dumps(instance(schema, schema.get("$defs", {})))


class Counting:
    def __init__(self, delay: float, *, faults: bool, seed: int) -> None:
        self.delay, self.faults, self.chance = delay, faults, random.Random(seed)  # noqa: S311 - draws faults
        self.requests = self.prompt_bytes = 0

    async def respond(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        self.requests += 1
        self.prompt_bytes += sum(len(str(message["content"]).encode()) for message in body["messages"])
        if is_probe(body):
            return web.Response(body=completion(body, plainly(body, 0)), content_type="application/json")
        draw = self.chance.random() if self.faults else 1.0
        await asyncio.sleep(3600 if 0.30 <= draw < 0.32 else self.delay)
        if 0.10 <= draw < 0.20:
            return web.Response(status=429, text="{}", headers={"Retry-After": "0.2"})
        if 0.20 <= draw < 0.30:
            return web.Response(status=500, text="{}")
        text = '{"key": "' if draw < 0.10 else said(body)
        return web.Response(body=completion(body, Say(text)), content_type="application/json")

    async def stats(self, _: web.Request) -> web.Response:
        counted = {"requests": self.requests, "prompt_bytes": self.prompt_bytes}
        self.requests = self.prompt_bytes = 0
        return web.json_response(counted)


async def serve(counting: Counting) -> None:
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", counting.respond)
    app.router.add_get("/stats", counting.stats)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=2048).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(serve(Counting(given.delay, faults=given.faults, seed=given.seed)))
