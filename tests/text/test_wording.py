from xml.etree import ElementTree as ET

import pytest

from ragvet.text import nearest, plain, plural, shown, xml_text


def test_the_nearest_known_word_is_named_and_none_where_none_is_close():
    assert nearest("Categry", ["category", "question"]) == "category"
    assert nearest("x", ["category", "question"]) is None
    assert nearest("x", []) is None


def test_plain_text_holds_nothing_that_moves_a_cursor():
    assert plain("a\x1b[2Jb\u202ec\ud800") == "a\\x1b[2Jb\\u202ec\\ud800"
    assert plain("नमस्\u200dते ✓") == "नमस्\u200dते ✓", "joiners shape words"


@pytest.mark.parametrize(("count", "text"), [(0, "0 cases"), (1, "1 case"), (1200, "1,200 cases")])
def test_counts_are_written_with_their_noun(count, text):
    assert plural(count, "case") == text


def test_a_value_is_shown_as_it_was_written_and_cut():
    assert [shown(value) for value in (None, True, "a", 1.5)] == ["null", "true", "'a'", "1.5"]
    assert shown("\ud800") == "'\\ud800'"
    assert shown("x" * 1000) == f"'{'x' * 78}…"


def test_xml_can_hold_any_text():
    text = "a\x00b\x1b\ud800\ufffe \t\n<&>\U0001f600"
    assert xml_text(text) == "a\ufffdb\ufffd\ufffd\ufffd \t\n<&>\U0001f600"
    element = ET.Element("a")
    element.text = xml_text(text)
    assert ET.fromstring(ET.tostring(element)).text == xml_text(text)  # noqa: S314 - our own text
