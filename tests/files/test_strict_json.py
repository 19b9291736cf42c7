"""What the strict decoder takes and refuses, and that reading lines at once finds what reading them singly finds."""

import json
import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.errors import InputError
from ragvet.files import Block, json_value
from ragvet.retrieval._lines import frame_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(VALUES)
def test_every_value_json_can_hold_is_read_as_it_was_written(value):
    assert json_value(json.dumps(value, ensure_ascii=False)) == value
    assert json_value(f" \n{json.dumps(value)}\r\n") == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', "the key 'c' twice"),
        ('{"a": 1, "\\u0061": 2}', "the key 'a' twice"),
        ("[1, NaN]", "NaN, which is not a number"),
        ("[[1e999]]", "1e999, which is too large"),
        ("-1e999", "-1e999, which is too large"),
        ('{"a": {"b": [2, -1e400]}}', "-1e400, which is too large"),
        ("9" * 5000, "a number of 5,000 digits"),
        ('"\\udead"', "half a character"),
        ("[" * 201 + "]" * 201, "more than 200 levels"),
        ('{"a": ' * 201 + "1" + "}" * 201, "more than 200 levels"),
        ("1 2", "More text after the end"),
        ("\ufeff1", "BOM|Expecting value"),
    ],
)
def test_what_two_readers_could_take_for_two_things_is_refused(text, told):
    with pytest.raises(ValueError, match=told):
        json_value(text)


def test_what_only_some_programs_can_hold_may_be_let_pass():
    assert json_value("1e999", limits=False) == math.inf
    assert json_value('"\\udead"', limits=False) == "\udead"
    assert json_value("[" * 300 + "]" * 300, limits=False) is not None
    with pytest.raises(ValueError, match="twice"):
        json_value('{"a": 1, "a": 1}', limits=False)


def test_two_hundred_levels_are_not_too_many():
    assert json_value("[" * 200 + "]" * 200) is not None


def test_an_object_of_very_many_keys_that_all_stand_twice_is_refused_at_once():
    # counting each key among all of them would take 10 ** 10 steps
    keys = ", ".join(f'"{number}": 0' for number in range(100_000))
    with pytest.raises(ValueError, match="the key '0' twice"):
        json_value(f"{{{keys}, {keys}}}")


KEYS = st.sampled_from(["a", "b", "\\u0061", 'a\\"', "a\\\\", "x" * 30, "", "a:", '\\"a'])
TEXTS = st.sampled_from(['"a"', '":"', '"\\":"', '"\\\\"', "1", "null", "[]", '{"a": 1}', '" :"', '"\\u00e9"'])
PAIRS = st.lists(st.tuples(KEYS, st.sampled_from(["", " ", "\t"]), TEXTS), max_size=4)


@given(st.lists(PAIRS, min_size=1, max_size=4))
def test_a_key_twice_is_found_among_any_lines_read_at_once(rows):
    """The second, slow implementation: the keys of each line, decoded by the standard library, all different."""
    lines = [", ".join(f'"{key}"{space}: {value}' for key, space, value in pairs) for pairs in rows]
    content = "".join(f"{{{line}}}\n" for line in lines).encode()
    twice = any(len({json.loads(f'"{key}"') for key, _, _ in pairs}) < len(pairs) for pairs in rows)
    for fields in (None, ["a"]):
        try:
            frame = frame_of(Block(content, 1), "x", fields)
        except InputError as error:
            refused = str(error)
        else:
            refused = ""
            assert frame.height in {len(rows), 0}  # polars counts no rows without a column
        assert ("twice in one object" in refused) == twice
        assert twice or not refused or "values of one kind" in refused


def test_rows_read_at_once_are_those_read_one_by_one():
    rows = [{"query": "q:1", "doc": f"d{number}", "rank": number, "score": number / 7} for number in range(50)]
    plain = "".join(json.dumps(row) + "\n" for row in rows)
    torn = plain + json.dumps(rows[0] | {"doc": "\U0001f600"}) + "\n"  # spelt with surrogates: read one by one
    frame = frame_of(Block(torn.encode(), 1), "x")
    assert frame[:50].equals(frame_of(Block(plain.encode(), 1), "x"))
    assert frame[:50].equals(pl.DataFrame(rows))
    assert frame["doc"][50] == "\U0001f600"
