from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.judging.llm.scripted_server import Asked, honest

from ragvet.judging.llm._material import passage_groups, passage_parts, pieces
from ragvet.judging.llm._question import Question, visible
from ragvet.records import RetrievedItem

TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)


@given(st.text(max_size=3000), st.integers(1, 500))
def test_pieces_are_the_text_and_none_is_too_long(text, longest):
    cut = list(pieces(text, longest))
    assert "".join(cut) == text
    assert all(len(piece) <= longest for piece in cut)
    assert all(cut) or cut == [""]


@given(st.lists(st.text(min_size=1, max_size=120), max_size=12), st.integers(50, 400))
def test_groups_hold_every_part_once_in_order_and_only_a_single_part_may_be_too_long(texts, most):
    parts = passage_parts([RetrievedItem(chunk_id=str(i), text=text) for i, text in enumerate(texts)], most)
    groups = list(passage_groups(parts, most))
    assert [part for group in groups for part in group] == list(parts)
    assert all(len(group) == 1 or sum(len(part.block[1]) for part in group) <= most for group in groups)


@given(st.text(max_size=400))
def test_whatever_a_model_says_is_read_or_refused_with_reasons(text):
    question = Question(("claims",), (("s1", "a"),), {"claims": ("s1",)})
    reply, problems = question.read(text, "00000000")
    assert (reply is None) == bool(problems)


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_texts_arrive_in_their_places_whatever_they_say(texts):
    """The fences are as a careful reader finds them, for texts with fences, line ends and nothing in them."""
    blocks = tuple((f"s{number}", text.replace("\r", "")) for number, text in enumerate(texts, start=1))
    question = Question(("claims",), blocks, {"claims": tuple(name for name, _ in blocks)})
    key = question.new_key()
    request = question.ask("Rules.", "text", key)
    messages = [{"role": said.role, "content": said.content} for said in request.messages]
    messages[0]["content"] += f"\nIts JSON Schema:\n{json.dumps(request.schema)}"
    asked = Asked.read({"messages": messages})
    assert asked.ids == {"sentences": [name for name, _ in blocks]}
    assert asked.blocks == {name: visible(text) for name, text in blocks}
    reply, problems = question.read(json.dumps(honest(asked)), key)
    assert problems == []
    assert [row.id for row in reply.sentences] == [name for name, _ in blocks]
