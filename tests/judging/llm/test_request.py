from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.llm.scripted_server import Asked, honest

from ragvet.judging.llm._passages import passage_groups, passage_parts, pieces
from ragvet.judging.llm._request import Request, visible
from ragvet.records import ShownText

TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)


@given(st.text(max_size=3000), st.integers(1, 500))
def test_pieces_are_the_text_and_none_is_too_long(text, longest):
    cut = list(pieces(text, longest))
    assert "".join(cut) == text
    assert all(len(piece) <= longest for piece in cut)
    assert all(cut) or cut == [""]


@given(st.lists(st.text(min_size=1, max_size=120), max_size=12), st.integers(50, 400))
def test_groups_hold_every_part_once_in_order_and_only_a_single_part_may_be_too_long(texts, most):
    parts = passage_parts([ShownText(str(i), text) for i, text in enumerate(texts)], most)
    groups = list(passage_groups(parts, most))
    assert [part for group in groups for part in group] == list(parts)
    assert all(len(group) == 1 or sum(len(part.named[1]) for part in group) <= most for group in groups)


@given(st.text(st.characters(), max_size=400))  # lone surrogates as well
def test_whatever_a_model_says_is_read_or_refused_with_reasons(text):
    question = Request(("claims",), (("s1", "a"),), {"claims": ("s1",)})
    reply, problems = question.read(text, "00000000")
    assert (reply is None) == bool(problems)


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_texts_arrive_in_their_places_whatever_they_say(texts):
    """The fences are as a careful reader finds them, for texts with fences, line ends and nothing in them."""
    blocks = tuple((f"s{number}", text.replace("\r", "")) for number, text in enumerate(texts, start=1))
    question = Request(("claims",), blocks, {"claims": tuple(name for name, _ in blocks)})
    key = question.new_key()
    request = question.chat("Rules.", "text", key)
    messages = [{"role": said.role, "content": said.content} for said in request.messages]
    messages[0]["content"] += f"\nIts JSON Schema:\n{json.dumps(request.schema)}"
    asked = Asked.read({"messages": messages})
    assert asked.ids == {"sentences": [name for name, _ in blocks]}
    assert asked.blocks == {name: visible(text) for name, text in blocks}
    reply, problems = question.read(json.dumps(honest(asked)), key)
    assert problems == []
    assert [row.id for row in reply.sentences] == [name for name, _ in blocks]


def claims_reply(**fields):
    row = {"id": "s1", "claims": [{"text": "a", "needs_evidence": True}]}
    return json.dumps({"key": "00000000", "sentences": [row], **fields})


GOOD = claims_reply()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (GOOD[:-1] + ', "sentences": []}', "the key 'sentences' twice in one object"),
        (GOOD.replace('"id": "s1"', '"id": "s9", "id": "s1"'), "the key 'id' twice in one object"),
        ("[" * 100_000 + "]" * 100_000, "nested more than 200 levels deep"),
        ('{"key": ' * 50_000 + "1" + "}" * 50_000, "nested more than 200 levels deep"),
        (GOOD.replace("true", "NaN"), "NaN, which is not a number"),
        (GOOD.replace("true", "-Infinity"), "-Infinity, which is not a number"),
        (GOOD.replace("true", "1e999"), "1e999, which is too large"),
        (GOOD.replace("true", "9" * 5000), "a number of 5,000 digits"),
        (GOOD.replace("true", '"true"'), "valid boolean"),
        (GOOD.replace('"a"', r'"\ud800"'), "half a character"),
        (GOOD.replace('"s1"', r'"\udfff"'), "half a character"),
        (GOOD.replace('"00000000"', "0"), "key"),
        (GOOD.replace('"00000000"', '"00000001"'), "`key` must be 00000000"),
        (claims_reply(verdict="supported"), "verdict: Extra inputs"),
        (GOOD + GOOD, "More text after the end"),
        (f"The answer is {GOOD}", "no JSON object"),
        (f'"{{}}" {GOOD}', "More text after the end"),
        (f"[{GOOD}]", "valid dictionary"),
        ("null", "valid dictionary"),
        ("\x00", "no JSON object"),
        ("", "no JSON object"),
    ],
)
def test_a_reply_that_can_be_taken_two_ways_or_none_is_refused_with_the_reason(reply, told):
    question = Request(("claims",), (("s1", "a"),), {"claims": ("s1",)})
    read, problems = question.read(reply, "00000000")
    assert read is None
    assert told in " ".join(problems)


def test_a_whole_surrogate_pair_is_one_character():
    question = Request(("claims",), (("s1", "a"),), {"claims": ("s1",)})
    read, _ = question.read(GOOD.replace('"a"', r'"\ud83d\ude00"'), "00000000")
    assert read.sentences[0].claims[0].text == "\U0001f600"


@pytest.mark.parametrize("reply", [GOOD, "\ufeff" + GOOD, f"\n```json\n{GOOD}\n```", f"<think>{{</think>{GOOD}"])
def test_a_byte_order_mark_a_fence_and_thoughts_do_not_make_a_reply_worthless(reply):
    question = Request(("claims",), (("s1", "a"),), {"claims": ("s1",)})
    read, problems = question.read(reply, "00000000")
    assert problems == []
    assert read.sentences[0].claims[0].text == "a"
