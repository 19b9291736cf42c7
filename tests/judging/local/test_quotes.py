import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.judging import find_quote

TEXT = "Refunds take 14 days.\nThe café\u2019s  opening\u00a0hours are posted at the front door of the building."


@pytest.mark.parametrize(
    ("quote", "found", "edits"),
    [
        ("Refunds take 14 days.", "Refunds take 14 days.", 0),
        ("refunds take 14 days", "Refunds take 14 days", 1),  # R for r
        ("“The cafe\u0301's opening hours”", "The café\u2019s  opening\u00a0hours", 0),
        # one letter changed: building -> buildeng
        ("at the front door of the buildeng", "at the front door of the building", 1),
    ],
)
def test_a_quote_is_found_whatever_its_white_space_unicode_form_and_typography(quote, found, edits):
    result = find_quote(quote, TEXT)
    assert result is not None
    assert (result.text, result.edit_distance) == (found, edits)
    assert TEXT[result.start : result.end] == result.text


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "Refunds take 15 days.",  # another number
        "fund",  # inside a word
        "opening hours are poste at the front door",  # a typo, but in a short word
        "opening hours are announced at the main gate of the park",
        "opening hours are posted at the front door of the 2 building",
    ],
)
def test_other_numbers_parts_of_words_and_other_wordings_are_not_found(quote):
    assert find_quote(quote, TEXT) is None


def test_a_quote_may_start_anywhere_in_a_script_without_spaces():
    result = find_quote("期限为14天", "退货期限为14天。")
    assert result is not None
    assert (result.start, result.end) == (2, 8)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("ภายใน 14 วัน", "คืนสินค้าได้ภายใน 14 วันหลังได้รับ"),  # Thai
        ("返品は14日以内", "当社では返品は14日以内です。"),  # Japanese
        ("១៤ថ្ងៃ", "អតិថិជនអាចប្រគល់ទំនិញវិញក្នុងរយៈពេល១៤ថ្ងៃបន្ទាប់"),  # Khmer
        ("၁၄ရက်", "ပစ္စည်းကို၁၄ရက်အတွင်းပြန်အပ်နိုင်သည်"),  # Burmese
        ("14일 이내", "반품은 14일 이내에 가능합니다."),  # Korean: a particle follows
    ],
)
def test_a_quote_is_found_in_the_middle_of_a_text_without_spaces(quote, text):
    result = find_quote(quote, text)
    assert result is not None
    assert text[result.start : result.end] == quote


def test_a_quote_does_not_end_before_the_vowel_sign_of_its_last_letter():
    assert find_quote("कर", "वापसी करना संभव है") is None
    assert find_quote("वापस", "वापसी संभव है") is None
    assert find_quote("वापसी", "वापसी संभव है") is not None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Gift cards are ever refunded.", "Gift cards are never refunded."),
        ("Returns are possible after the sale has ended.", "Returns are not possible after the sale has ended."),
        ("Holders of a paid invoice may cancel the order.", "Holders of an unpaid invoice may cancel the order."),
        ("The warranty ends after five years of normal use.", "The warranty ends after nine years of normal use."),
        ("You may pay with any debit card in our shops.", "You may pay with any credit card in our shops."),
        ("The inspector found damage to the roof.", "The inspector found no damage to the roof."),
        ("The head office of the company is in Dublin.", "The head office of the company is in Berlin."),
        ("Die Garantie gilt für gebrauchte Geräte.", "Die Garantie gilt nicht für gebrauchte Geräte."),
        ("本规定适用于在网上购买的所有打折商品和礼品卡。", "本规定不适用于在网上购买的所有打折商品和礼品卡。"),
        ("适用于礼品卡", "本规定不适用于礼品卡"),
        ("返品を適用", "返品を適用ない"),
        ("refundable deposits are listed below", "Non-refundable deposits are listed below"),
        ("uniformed visitors wait at the gate", "uninformed visitors wait at the gate"),
        ("the employee pays the contribution", "the employer pays the contribution"),
        ("the loss was 5 million in that year", "the loss was -5 million\nin that year"),
        ("an order takes 1 day", "an order takes 1.5 days or an order takes 1,5 days"),
        ("5 days in all", "it takes 1.5 days in all"),
        ("this is for all members", "this is <not> for all members"),
        ("it costs $20 a month in every country", "it costs €20 a month  in every country"),
    ],
)
def test_one_word_or_part_of_a_word_that_turns_the_meaning_is_never_overlooked(quote, text):
    assert find_quote(quote, text) is None
    assert find_quote(text, quote) is None
    assert find_quote(text, text) is not None


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("customers get refunds soon", "All customers get re-\nfunds soon.", "customers get re-\nfunds soon"),
        ("the final offer of the office", "It is the ﬁnal oﬀer of the oﬃce.", "the ﬁnal oﬀer of the oﬃce"),
        ("the 'opening' hours", "See the “opening” hours.", "the “opening” hours"),
        ("opening hours are posted", "The opening-hours,\r\n  are posted.", "opening-hours,\r\n  are posted"),
        ("gift cards are never refunded", "Note: **gift cards** are <b>never</b> refunded", None),
        ("the accomodation is free", "For staff the accommodation is free.", "the accommodation is free"),
        ("退货期限为14天", "退货\n期限为14天。", "退货\n期限为14天"),
    ],
)
def test_what_exports_and_hands_do_to_the_form_of_words_does_not_hide_a_quote(quote, text, found):
    result = find_quote(quote, text)
    assert result is not None
    assert text[result.start : result.end] == result.text == (found or text.removeprefix("Note: **"))


def test_verbatim_allows_no_edit():
    assert find_quote("the front door of the buildeng", TEXT, verbatim=True) is None


@given(st.text(max_size=120), st.data())
def test_every_slice_at_word_edges_is_found_where_it_stands(text, data):
    words = [word for word in text.split() if any(character.isalnum() for character in word)]
    if words:
        quote = find_quote(data.draw(st.sampled_from(words)), text)
        assert quote is None or text[quote.start : quote.end] == quote.text


def test_long_texts_and_long_quotes_end():
    assert find_quote("zebra " * 2000, "lorem ipsum dolor " * 6000) is None
