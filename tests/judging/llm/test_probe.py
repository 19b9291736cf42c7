from __future__ import annotations

import asyncio

import pytest
from tests.judging.llm.material import case, settings_for, trace, verdicts_of
from tests.judging.llm.scripted_server import Say, plainly, serving

from ragvet.errors import JudgeError
from ragvet.judging import ReplyStore, judge_answer
from ragvet.judging.llm import build_judge, open_transport, probe_server
from ragvet.judging.llm._modes import response_format
from ragvet.judging.llm._probe import probe
from ragvet.judging.llm._transport import MODES


def mode_of(body):
    form = body.get("response_format", {}).get("type")
    if "tools" in body:
        return "tool"
    return "json_object_schema" if form == "json_object" and "schema" in body["response_format"] else form or "text"


def refusing(*refused, say):
    return lambda body, number: say if mode_of(body) in refused else plainly(body, number)


def probed(server, **given):
    return asyncio.run(probe_server(settings_for(server, **{"mode": "auto", **given})))


def test_every_mode_is_recognised_by_the_script():
    assert [mode_of(response_format(mode, {})) for mode in MODES] == list(MODES)


@pytest.mark.parametrize("say", [Say(status=500), Say(status=400), Say(status=422), Say("Sure!"), Say(body="<html>")])
@pytest.mark.parametrize("count", range(len(MODES)))
def test_the_strictest_mode_that_works_is_found_and_each_is_tried_once(count, say):
    with serving(refusing(*MODES[:count], say=say)) as server:
        found = probed(server)
    assert found.mode == MODES[count]
    assert [mode_of(body) for body in server.bodies] == list(MODES[: count + 1])
    assert [attempt.refused is None for attempt in found.attempts] == [False] * count + [True]
    assert found.server_fingerprint == "fp_1"


def test_a_server_that_can_do_no_mode_is_an_error_naming_each():
    with serving(lambda body, number: Say("Hello.")) as server, pytest.raises(JudgeError) as failure:
        probed(server)
    assert all(f"{mode}: " in str(failure.value) for mode in MODES)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_says_nothing_about_a_mode(status):
    with serving(lambda body, number: Say(status=status)) as server, pytest.raises(JudgeError, match=str(status)):
        probed(server)
    assert len(server.bodies) == 1


def test_a_busy_server_is_waited_for():
    busy = Say(status=429, headers={"Retry-After": "0"})
    with serving(lambda body, number: busy if number == 0 else plainly(body, number)) as server:
        assert probed(server).mode == "json_schema"


def test_a_mode_the_settings_name_is_the_only_one_tried():
    with serving() as server:
        assert probed(server, mode="tool").mode == "tool"
        server.script = refusing("tool", say=Say(status=500))
        with pytest.raises(JudgeError):
            probed(server, mode="tool")
    assert {mode_of(body) for body in server.bodies} == {"tool"}


def test_a_probe_is_remembered_in_the_project_and_used_from_inside_a_running_loop(tmp_path):
    database = tmp_path / "r.db"
    with serving(refusing("json_schema", say=Say(status=500))) as server:
        settings = settings_for(server, mode="auto", ask=["support"])

        async def go():
            return await judge_answer(build_judge(settings, database=database), case(), trace())

        asyncio.run(go())
        modes = [mode_of(body) for body in server.bodies]
        assert modes == ["json_schema", *["json_object_schema"] * 3]  # two probes, two questions
        again = build_judge(settings, database=database)
        verdicts_of(again)
    assert len(server.bodies) == 4
    store = ReplyStore(database)
    assert store.get_probe(f'["{server.base_url}", "m"]').mode == "json_object_schema"
    store.close()


def test_a_reply_that_only_repeats_the_schema_or_another_word_does_not_count():
    with serving(lambda body, number: Say('{"word": "abcdef", "letters": 6}')) as server:
        transport = open_transport(settings_for(server))

        async def go():
            try:
                await probe(transport)
            finally:
                await transport.close()

        with pytest.raises(JudgeError, match="can do none"):
            asyncio.run(go())
