import asyncio
import datetime as dt
import hashlib
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from ragvet.errors import InputError, TargetError, TargetRefused, TargetReplyInvalid
from ragvet.records import Case, Identity, Turn
from ragvet.targets import HttpEndpoint, HttpTarget

CASE = Case(
    id="q1",
    question='Say "{k}" {not_a_placeholder}',
    category="a",
    expected_behaviour="refuse",
    identity=Identity(id="ann", groups=("staff",)),
    history=(Turn(role="user", content="Hello"),),
)


@asynccontextmanager
async def server(handler):
    application = web.Application()
    application.router.add_post("/ask", handler)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/ask"
    finally:
        await runner.cleanup()


def ask(handler, *, k=3, retriever=False, deadline=None, **endpoint):
    async def main():
        async with server(handler) as url:
            target = HttpTarget(HttpEndpoint(url=url, **endpoint), retriever=retriever)
            try:
                return await asyncio.wait_for(target.answer(CASE, k), deadline)
            finally:
                await target.close()

    return asyncio.run(main())


def replying(body, **options):
    async def handler(request):
        return web.json_response(body, **options)

    return handler


def test_the_body_is_the_template_filled_in_with_types_kept():
    seen = {}

    async def handler(request):
        seen.update(await request.json())
        return web.json_response({"text": "ok"})

    template = {
        "q": "{question}",
        "top": "{k}",
        "who": "{identity}",
        "turns": "{history}",
        "note": ["case {case_id}, top {k}", 7, {"fixed": True}],
        "day": dt.date(2026, 3, 1),  # as TOML gives it
    }
    assert ask(handler, request=template).text == "ok"
    assert seen == {
        "q": 'Say "{k}" {not_a_placeholder}',  # what a question says is never filled in again
        "top": 3,
        "who": {"id": "ann", "groups": ["staff"], "attributes": {}},
        "turns": [{"role": "user", "content": "Hello"}],
        "note": ["case q1, top 3", 7, {"fixed": True}],
        "day": "2026-03-01",
    }


def test_fields_are_found_by_path_and_items_mapped_by_their_own_paths():
    body = {
        "data": {
            "reply": "Because.",
            "hits": [
                {"meta": {"key": "c1", "file": "d1"}, "body": "one", "rank_score": 0.9},
                {"meta": {"key": "c2"}, "body": "two"},
            ],
            "used": ["c1"],
        }
    }
    answer = ask(
        replying(body),
        response={"answer": "$.data.reply", "retrieved": "$.data.hits[*]", "citations": "$.data.used"},
        item={"chunk_id": "$.meta.key", "doc_id": "$.meta.file", "text": "$.body", "score": "$.rank_score"},
    )
    assert answer.text == "Because."
    assert [(i.chunk_id, i.doc_id, i.text, i.score) for i in answer.retrievals[0].items] == [
        ("c1", "d1", "one", 0.9),
        ("c2", None, "two", None),
    ]
    assert [citation.chunk_id for citation in answer.citations] == ["c1"]


def test_a_field_that_is_missing_is_a_fault_and_an_empty_list_is_none():
    paths = {"answer": "$.reply", "retrieved": "$.hits"}
    assert ask(replying({"reply": "x", "hits": []}), response=paths).retrievals[0].items == ()
    with pytest.raises(TargetReplyInvalid, match="retrieved: nothing at"):
        ask(replying({"reply": "x"}), response=paths)
    with pytest.raises(TargetReplyInvalid, match="chunk_id"):
        ask(replying({"hits": [{"no": "id"}]}), response={"retrieved": "$.hits"}, item={"chunk_id": "$.key"})


@pytest.mark.parametrize(
    ("path", "reply", "missing"),
    [
        ("$.results[*]", {"hits": [{"id": "a"}]}, "results"),
        ("$.results[*]", {"results": None}, "results"),
        ("$.data.results[0:3]", {"data": {}}, "results"),
        ("$.results[*].key", {"results": [{"id": "a"}]}, "key"),
        ("$..results[*]", {"data": {"hits": []}}, "results"),
    ],
)
def test_a_path_into_a_list_that_is_not_there_is_a_fault(path, reply, missing):
    with pytest.raises(TargetReplyInvalid, match=f"retrieved: nothing at .*{missing}"):
        ask(replying(reply), response={"retrieved": path})


@pytest.mark.parametrize("path", ["$.results[*]", "$.results[*].id", "$.results[?@.score > 0]", "$..results[0:3]"])
def test_a_list_that_is_empty_is_an_empty_ranking(path):
    assert ask(replying({"results": []}), response={"retrieved": path}).retrievals[0].items == ()


def test_a_path_of_an_item_that_finds_nothing_in_any_entry_is_a_fault():
    paths = {"chunk_id": "$.id", "doc_id": "$.src", "text": "$.txt", "score": "$.score"}
    hits = [{"id": "a", "source": "d", "text": "one", "score": 0.5}, {"id": "b", "source": "d", "text": "two"}]
    with pytest.raises(TargetReplyInvalid, match=r"doc_id at \$.*src.*, text at \$.*txt") as caught:
        ask(replying({"hits": hits}), response={"retrieved": "$.hits[*]"}, item=paths)
    assert "score" not in str(caught.value)  # one entry has it
    assert ask(replying({"hits": []}), response={"retrieved": "$.hits[*]"}, item=paths).retrievals[0].items == ()


CALLS = {
    "response": {"retrievals": "$.steps[*]"},
    "call": {"query": "$.q", "items": "$.hits[*]", "reranked": "$.best[*]"},
    "item": {"chunk_id": "$.key", "doc_id": "$.src"},
}


def test_retrieval_calls_are_mapped_with_their_items():
    first = {"q": "one", "hits": [{"key": "a", "src": "d"}, {"key": "b"}], "best": [{"key": "b"}]}
    answer = ask(replying({"steps": [first, {"q": None, "hits": []}]}), **CALLS)
    assert [(call.query, [(i.chunk_id, i.doc_id) for i in call.items]) for call in answer.retrievals] == [
        ("one", [("a", "d"), ("b", None)]),
        (None, []),
    ]
    assert [item.chunk_id for item in answer.retrievals[0].reranked] == ["b"]
    assert answer.retrievals[1].reranked is None  # not said, which is not an empty order
    assert ask(replying({"steps": []}), **CALLS).retrievals == ()


@pytest.mark.parametrize(
    ("steps", "cause"),
    [
        ([{"q": "x", "hits": [{"key": "a", "src": "d"}]}], r"no entry of `retrievals` has reranked at .*best"),
        ([{"hits": [], "best": []}], r"no entry of `retrievals` has query at .*\['q'\].*target\.http\.call"),
        ([{"q": "x", "best": []}], r"retrievals\[0\]: nothing at .*hits.* for items"),
        ([{"q": "x", "hits": [{"id": "a"}], "best": []}], r"retrievals\[0\]\.items\[0\]: nothing at .*key"),
        ([{"q": "x", "hits": [{"key": "a"}], "best": []}], r"no entry of the ranking has doc_id"),
        (["x"], r"retrievals\[0\]: nothing at"),
    ],
)
def test_a_path_of_a_call_that_finds_nothing_is_a_fault(steps, cause):
    with pytest.raises(TargetReplyInvalid, match=cause):
        ask(replying({"steps": steps}), **CALLS)


def test_citations_are_mapped_and_a_path_no_citation_has_is_a_fault():
    mapping = {"response": {"citations": "$.refs"}, "citation": {"chunk_id": "$.ref", "marker": "$.label"}}
    refs = [{"ref": "a", "label": "[1]"}, {"ref": "b"}]
    citations = ask(replying({"refs": refs}), **mapping).citations
    assert [(citation.chunk_id, citation.marker) for citation in citations] == [("a", "[1]"), ("b", None)]
    assert ask(replying({"refs": []}), **mapping).citations == ()
    assert ask(replying({"refs": None}), **mapping).citations is None
    with pytest.raises(TargetReplyInvalid, match=r"no entry of `citations` has marker at .*label"):
        ask(replying({"refs": [{"ref": "a"}]}), **mapping)
    with pytest.raises(TargetReplyInvalid, match=r"citations\[1\]: nothing at"):
        ask(replying({"refs": [*refs[:1], {"source": "b"}]}), **mapping)


def test_looks_into_caches_and_tool_calls_are_mapped_with_the_rest_of_the_circumstances():
    body = {
        "choices": [{"text": "x", "finish_reason": "stop"}],
        "conversation": {"id": "c-1"},
        "meta": {
            "tries": {"generation": 1},
            "layers": [{"layer": "retrieval", "found": False}, {"layer": "answer", "found": True, "by": "tenant"}],
            "tools": [{"function": {"name": "search", "arguments": '{"q": 1}'}}, {"function": {"name": "stop"}}],
        },
    }
    mapping = {
        "response": {
            "answer": "$.choices[0].text",
            "finish_reason": "$.choices[0].finish_reason",
            "session": "$.conversation.id",
            "retries": "$.meta.tries",
            "cache": "$.meta.layers[*]",
            "tool_calls": "$.meta.tools[*]",
        },
        "cache": {"stage": "$.layer", "hit": "$.found", "scope": "$.by"},
        "tool_call": {"name": "$.function.name", "arguments": "$.function.arguments"},
    }
    answer = ask(replying(body), **mapping)
    assert (answer.finish_reason, answer.session, answer.retries) == ("stop", "c-1", {"generation": 1})
    assert [(look.stage, look.hit, look.scope) for look in answer.cache] == [
        ("retrieval", False, None),
        ("answer", True, "tenant"),
    ]
    assert [(call.name, call.arguments, call.result) for call in answer.tool_calls] == [
        ("search", '{"q": 1}', None),
        ("stop", None, None),
    ]
    body["meta"]["tools"] = [{"function": {"arguments": "{}"}}]
    with pytest.raises(TargetReplyInvalid, match=r"tool_calls\[0\]: nothing at .*name"):
        ask(replying(body), **mapping)
    body["meta"] |= {"tools": [], "layers": [{"layer": "retrieval", "found": True}]}
    with pytest.raises(TargetReplyInvalid, match=r"no entry of `cache` has scope at .*target\.http\.cache"):
        ask(replying(body), **mapping)


def test_stages_that_hit_a_cache_and_a_whole_number_of_retries_are_mapped_as_before():
    answer = ask(replying({"t": "x", "c": ["retrieval"], "r": 2}), response={"cache_hits": "$.c[*]", "retries": "$.r"})
    assert [(look.stage, look.hit) for look in answer.cache] == [("retrieval", True)]
    assert answer.retries == {"unknown": 2}


def test_an_endpoint_that_maps_no_caches_or_tools_keeps_its_fingerprint():
    paths = {"response": {"answer": "$.a"}, "item": {"chunk_id": "$.id"}}
    endpoint = HttpEndpoint(url="http://localhost/ask", **paths)
    # sha256 of [url, headers, request, response, item, call, citation] as JSON with sorted keys: what it was before
    said = ["http://localhost/ask", {}, {"question": "{question}", "k": "{k}"}, *paths.values(), {}, {}]
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    assert HttpTarget(endpoint).fingerprint == f"http:{digest[:16]}"
    cached = endpoint.model_copy(update={"response": {"cache": "$.c"}, "cache": {"stage": "$.s"}})
    other = cached.model_copy(update={"cache": {"stage": "$.t"}})
    assert HttpTarget(cached).fingerprint != HttpTarget(other).fingerprint


@pytest.mark.parametrize(("flag", "behaviour"), [(True, "refused"), (False, "answered"), (None, None)])
def test_a_boolean_says_whether_the_system_refused(flag, behaviour):
    paths = {"answer": "$.text", "refused": "$.declined"}
    assert ask(replying({"text": "x", "declined": flag}), response=paths).behaviour == behaviour


def test_a_refusal_flag_that_is_missing_or_no_boolean_is_a_fault():
    paths = {"answer": "$.text", "refused": "$.declined"}
    with pytest.raises(TargetReplyInvalid, match="refused: nothing at"):
        ask(replying({"text": "x"}), response=paths)
    for flag in ("false", 0):
        with pytest.raises(TargetReplyInvalid, match="refused: true, false or null"):
            ask(replying({"text": "x", "declined": flag}), response=paths)


def test_paths_that_exclude_each_other_or_lead_nowhere_are_named_before_anything_is_sent():
    with pytest.raises(InputError) as caught:
        HttpTarget(
            HttpEndpoint(
                url="http://localhost/",
                response={"refused": "$.a", "behaviour": "$.b", "cache_hits": "$.c", "cache": "$.d"},
                call={"itms": "$.x"},
                citation={"chunk_id": "$.y"},
                tool_call={"nme": "$.z"},
            )
        )
    text = "\n".join(map(str, caught.value.problems))
    for named in (
        *("refused beside behaviour", "cache_hits beside cache"),
        *("`retrievals`", "`citations`", "`tool_calls`", "'items'", "'name'"),
    ):
        assert named in text


def test_a_placeholder_nothing_fills_in_is_refused_before_anything_is_sent():
    template = {"query": "{qestion}", "more": ["top {k}", {"x": "{zzz}"}], "kept": "{{question}}"}
    with pytest.raises(InputError) as caught:
        HttpTarget(HttpEndpoint(url="http://localhost/", request=template))
    assert [(problem.found, problem.action) for problem in caught.value.problems] == [
        ("{qestion}, which nothing fills in", "Did you mean {question}?"),
        ("{zzz}, which nothing fills in", "To send the braces as they are, write {{zzz}}."),
    ]


def test_doubled_braces_are_sent_as_they_are():
    seen = {}

    async def handler(request):
        seen.update(await request.json())
        return web.json_response({"text": "ok"})

    ask(handler, request={"prompt": "Fill {{name}} for {case_id}: {'a': {'b': 1}}"})
    assert seen == {"prompt": "Fill {name} for q1: {'a': {'b': 1}}"}


def test_without_a_mapping_the_reply_is_an_answer_or_a_ranking():
    assert ask(replying({"answer": "x", "retrieved": ["a"]})).text == "x"
    assert ask(replying(["a", "b"]), retriever=True).retrievals[0].items[1].chunk_id == "b"


@pytest.mark.parametrize("status", [500, 502, 503, 429, 408])
def test_what_may_pass_is_an_error_to_retry(status):
    with pytest.raises(TargetError, match=f"HTTP {status}") as caught:
        ask(replying({}, status=status, headers={"Retry-After": "7"}))
    assert not isinstance(caught.value, TargetRefused)
    assert caught.value.retry_after == 7.0


@pytest.mark.parametrize(("status", "overloaded"), [(429, True), (503, True), (504, True), (500, False), (409, False)])
def test_an_endpoint_that_is_asked_too_much_says_so(status, overloaded):
    with pytest.raises(TargetError, match=f"HTTP {status}") as caught:
        ask(replying({}, status=status, headers={"Retry-After": "soon"}))
    assert (caught.value.overloaded, caught.value.retry_after) == (overloaded, None)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 302])
def test_what_will_not_pass_is_refused_for_good(status):
    with pytest.raises(TargetRefused, match=f"HTTP {status}"):
        ask(replying({}, status=status, headers={"Location": "http://elsewhere.invalid/"}))


@pytest.mark.parametrize("body", ["<html>oops</html>", "", '{"text": NaN}', "[1, 2"])
def test_a_reply_that_is_no_json_is_named(body):
    async def handler(request):
        return web.Response(text=body, content_type="application/json")

    with pytest.raises(TargetReplyInvalid, match="not JSON"):
        ask(handler)


def test_a_reply_without_end_is_cut_off():
    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b" " * 4096)
        except ConnectionError:
            return response

    with pytest.raises(TargetReplyInvalid, match="more than 20,000 bytes"):
        ask(handler, max_bytes=20_000)


def test_the_deadline_ends_a_server_that_drips_bytes_forever():
    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" ")
            await asyncio.sleep(0.005)

    with pytest.raises(TimeoutError):
        ask(handler, deadline=0.1)


def test_every_case_is_a_session_of_its_own():
    seen = []

    async def handler(request):
        seen.append(request.headers.get("Cookie"))
        return web.json_response(["d"], headers={"Set-Cookie": "session=1"})

    async def main():
        async with server(handler) as url:
            by_name = url.replace("127.0.0.1", "localhost")  # cookies of bare addresses are not kept anyway
            target = HttpTarget(HttpEndpoint(url=by_name))
            for _ in range(2):
                await target.answer(CASE, 1)
            await target.close()

    asyncio.run(main())
    assert seen == [None, None]


def test_nobody_listening_is_an_error_of_the_target():
    async def main():
        target = HttpTarget(HttpEndpoint(url="http://127.0.0.1:9/ask"))
        try:
            await target.answer(CASE, 1)
        finally:
            await target.close()

    with pytest.raises(TargetError, match=r"127\.0\.0\.1:9"):
        asyncio.run(main())


def test_headers_come_from_the_environment_and_are_never_repeated(monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "Bearer s3cret-value")

    async def handler(request):
        assert request.headers["Authorization"] == "Bearer s3cret-value"
        return web.json_response({"you sent": request.headers["Authorization"]}, status=500)

    with pytest.raises(TargetError) as caught:
        ask(handler, headers={"Authorization": "SHOP_TOKEN"})
    assert "s3cret" not in str(caught.value)
    endpoint = HttpEndpoint(url="http://127.0.0.1/ask", headers={"Authorization": "SHOP_TOKEN"})
    before = HttpTarget(endpoint).fingerprint
    monkeypatch.setenv("SHOP_TOKEN", "another")
    assert HttpTarget(endpoint).fingerprint == before  # a new key is no new system


@pytest.mark.parametrize("fill", [0, 180, 195, 199])
def test_a_secret_at_the_end_of_what_a_message_repeats_is_not_cut_in_half(monkeypatch, fill):
    monkeypatch.setenv("SHOP_TOKEN", "s3cret-value")

    async def handler(request):
        return web.Response(text="x" * fill + " s3cret-value", status=403, headers={"Location": "/s3cret-value"})

    with pytest.raises(TargetRefused) as caught:
        ask(handler, headers={"X-Key": "SHOP_TOKEN"})
    assert "s3" not in str(caught.value)


def test_a_secret_an_answer_repeats_is_masked_wherever_it_stands(monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "Bearer s3cret-value")

    async def handler(request):
        sent = request.headers["Authorization"]
        hit = {"id": "s3cret-value", "text": f"debug: {sent}"}
        return web.json_response({"text": json.dumps({"sent": sent}), "retrieved": [hit], "versions": {sent: sent}})

    answer = ask(handler, headers={"Authorization": "SHOP_TOKEN"})
    assert answer.text == '{"sent": "***"}'
    assert "s3cret" not in answer.model_dump_json()


@pytest.mark.parametrize(
    ("header", "masked"), [("X-Collection", False), ("api-version", False), ("X-Collection-Key", True), ("X-Own", True)]
)
def test_a_header_that_holds_no_secret_by_its_name_leaves_documents_as_they_are(monkeypatch, header, masked):
    monkeypatch.setenv("VALUE", "handbook-2024")
    hit = {"id": "handbook-2024/leave.md", "text": "See the handbook-2024."}

    found = ask(replying({"text": "x", "retrieved": [hit]}), headers={header: "VALUE"}).retrievals[0].items[0]
    assert found.chunk_id == ("***/leave.md" if masked else hit["id"])


@pytest.mark.parametrize(
    "headers", ["Bearer s3cret", ["s3cret"], {"A": "Bearer s3cret"}, {"A": ["s3cret"]}, {"A": {"value": "s3cret"}}]
)
def test_a_secret_in_place_of_the_name_of_its_variable_is_not_repeated(headers):
    with pytest.raises(InputError, match="a value that may be secret") as caught:
        HttpEndpoint(url="http://127.0.0.1/ask", headers=headers)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("honoured", [True, False])
def test_a_proxy_of_the_environment_is_used_where_the_configuration_says_so(monkeypatch, honoured):
    asked_of_proxy = []

    async def forward(reader, writer):
        asked_of_proxy.append((await reader.readline()).split()[1].decode())
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"text": "far"}')
        writer.close()

    async def main():
        proxy = await asyncio.start_server(forward, "127.0.0.1", 0)
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        async with proxy, server(replying({"text": "near"})) as url:
            target = HttpTarget(HttpEndpoint(url=url, proxy_from_environment=honoured))
            try:
                return (await target.answer(CASE, 1)).text, url
            finally:
                await target.close()

    text, url = asyncio.run(main())
    assert (text, asked_of_proxy) == (("far", [url]) if honoured else ("near", []))


def test_every_fault_of_an_endpoint_is_named_at_once(monkeypatch):
    monkeypatch.delenv("NOT_SET", raising=False)
    monkeypatch.setenv("TWO_LINES", "a\nX-Injected: b")
    with pytest.raises(InputError) as caught:
        HttpTarget(
            HttpEndpoint(
                url="https://user:pass@example.invalid/ask",
                headers={"A": "NOT_SET", "B": "TWO_LINES"},
                response={"answr": "$.x", "retrieved": "$.["},
                item={"chunk": "$.id"},
            )
        )
    text = "\n".join(map(str, caught.value.problems))
    for named in ("password", "NOT_SET", "TWO_LINES", "'answer'", "JSONPath", "'chunk_id'"):
        assert named in text
    assert len(caught.value.problems) == 6


def test_large_and_multilingual_replies_arrive_whole():
    text = "مرحبا 世界 é̂ " * 10_000

    assert ask(replying({"text": text}, dumps=lambda body: json.dumps(body, ensure_ascii=False))).text == text
