"""What a target reports of one answer, in each form it may be written in."""

import json

import pytest

from ragvet.errors import InputError
from ragvet.records import UNKNOWN_STAGE, Answer, CacheLookup, ToolCall

TOLD = ("cache", "tool_calls", "finish_reason", "session", "retries")


def test_what_is_not_reported_is_unknown_and_not_empty():
    assert {name: getattr(Answer(text="x"), name) for name in TOLD} == dict.fromkeys(TOLD)


def test_what_is_reported_to_be_nothing_is_nothing():
    answer = Answer(text="x", cache=(), tool_calls=(), retries={})
    assert (answer.cache, answer.tool_calls, answer.retries) == ((), (), {})


def test_everything_reported_survives_being_written_and_read():
    answer = Answer(
        text="x",
        cache=(CacheLookup(stage="retrieval", hit=False, key="k", scope="tenant"),),
        tool_calls=(ToolCall(name="search", arguments={"q": ["a", 1]}, result=[{"id": 7}]), ToolCall(name="stop")),
        finish_reason="tool_calls",
        session="s",
        retries={"generation": 2, "embedding": 0},
    )
    assert Answer.model_validate_json(answer.model_dump_json()) == answer


def test_a_text_is_a_stage_that_hit_or_the_name_of_a_tool():
    answer = Answer.model_validate({"cache": ["retrieval"], "tool_calls": ["search"]})
    assert answer.cache == (CacheLookup(stage="retrieval", hit=True),)
    assert answer.tool_calls == (ToolCall(name="search"),)


def test_stages_alone_as_earlier_versions_took_them_are_hits():
    hits = (CacheLookup(stage="embedding", hit=True), CacheLookup(stage="generation", hit=True))
    assert Answer.model_validate({"cache_hits": ["embedding", "generation"]}).cache == hits
    assert Answer(cache_hits=("embedding", "generation")).cache == hits  # pyright: ignore[reportCallIssue]


def test_a_whole_number_of_retries_belongs_to_a_stage_nobody_named():
    assert Answer.model_validate({"retries": 3}).retries == {UNKNOWN_STAGE: 3}


def test_a_trace_of_an_earlier_version_that_reported_nothing_is_unknown():
    """Such a trace holds every field; where nothing was reported stood an empty list and 0."""
    written = json.dumps({"text": "x", "cache_hits": [], "retries": 0})
    answer = Answer.model_validate_json(written)
    assert (answer.cache, answer.retries) == (None, None)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"cache_hits": ["a"], "cache": ["b"]}, "not both"),
        ({"cache": [{"stage": "a"}]}, r"cache\[0\]\.hit: found nothing"),
        ({"cache": "retrieval"}, "cache: found 'retrieval'"),
        ({"cache": [""]}, r"cache\[0\]\.stage: found an empty text"),
        ({"tool_calls": [{"arguments": {}}]}, r"tool_calls\[0\]\.name: found nothing"),
        ({"retries": -1}, r"retries\.unknown: found -1"),
        ({"retries": True}, "retries: found true, a truth value"),
        ({"retries": {"generation": 1.5}}, r"retries\.generation: found 1\.5"),
        ({"session": 7}, "session: found 7"),
    ],
)
def test_what_cannot_be_is_named_with_its_place(fields, told):
    with pytest.raises(InputError, match=told):
        Answer(**fields)
