from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragvet.text import fold, fold_text, plain_typography, without_surrogates

TEXTS = st.text(alphabet=st.characters() | st.sampled_from(" \n\t\u00a0\u00ad\u200b\u2019\ufb01\u00df\u0301\u3099aZ9"))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example(" a\u00a0b\u200b \u00ad c ")
@example("x \u037a \u00a8 y")
@example("\ufdfa\ud800\x00")
def test_a_folded_text_is_the_same_with_and_without_the_way_back(text):
    assert fold(text).text.strip(" ") == fold_text(text)
    assert "  " not in fold_text(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.data())
def test_every_span_leads_back_to_characters_that_fold_to_it(text, data):
    folded = fold(text)
    assert len(folded.origin) == len(folded.text) + 1
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    first, last = folded.span(start, end)
    assert 0 <= first <= last <= len(text)
    assert folded.text[start:end].strip(" ") in fold_text(text[first:last])
    assert start < end or first == last


def test_what_people_and_exporters_change_is_levelled():
    assert fold_text("\ufb01ne \u201cStra\u00dfe\u201d") == 'fine "strasse"'
    assert fold_text("re\u00adturn") == "return"
    assert fold_text("caf\u00e9") == fold_text("cafe\u0301") == "cafe"
    assert fold_text("\uff13\uff10 days") == "30 days"
    assert fold_text("\u304c") == fold_text("\u304b\u3099"), "both forms of one Japanese sign"


def test_typography_and_lone_surrogates_change_without_moving_anything():
    assert plain_typography("\u00aba\u00bb \u2013 b\u2019s") == '"a" - b\'s'
    assert without_surrogates("a\ud800b") == "a\ufffdb"
