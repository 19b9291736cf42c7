import pytest

from ragvet.judging import load_languages
from ragvet.judging.local._value import ValueIndex
from ragvet.judging.local._values import find_values
from ragvet.text import fold

LANGUAGES = load_languages()


def values(text, code):
    return find_values(fold(text).text, LANGUAGES.get(code), LANGUAGES)


def shows(passage, claim, code="en"):
    (value,) = values(claim, code)
    return ValueIndex(values(passage, code)).shows(value)


@pytest.mark.parametrize(
    ("claim", "passage", "code"),
    [
        ("1,000", "1000", "en"),
        ("1.000", "1000", "de"),
        ("1 000", "1.000", "de"),
        ("10,00,000", "1000000", "en"),
        ("12 %", "12 percent", "en"),
        ("12 Prozent", "12%", "de"),
        ("12,5 %", "12,50 pour cent", "fr"),
        ("$3.5 million", "3,500,000 dollars", "en"),
        ("3 Mio. Euro", "€3.000.000", "de"),
        ("2 millones", "2.000.000", "es"),
        ("३ लाख", "300000", "hi"),
        ("١٢٣", "123", "ar"),
        ("3万", "30000", "ja"),
        ("三百万", "3000000", "zh"),
        ("twenty-five", "25", "en"),
        ("three hundred", "300", "en"),
        ("5 January 2020", "2020-01-05", "en"),
        ("January 5th, 2020", "5 Jan 2020", "en"),
        ("5. Januar 2020", "05.01.2020", "de"),
        ("5 janvier 2020", "2020-01-05", "fr"),
        ("5 de enero de 2020", "2020-01-05", "es"),
        ("2020年1月5日", "2020-01-05", "ja"),
        ("٥ يناير 2020", "2020-01-05", "ar"),
        ("5 जनवरी 2020", "2020-01-05", "hi"),
        ("January 2020", "5 January 2020", "en"),
        ("2020", "5 January 2020", "en"),
        ("10:30 pm", "22:30", "en"),
        ("v3.11.7", "3.11.7", "en"),
        ("１２", "12", "ja"),
    ],
)
def test_a_value_is_the_same_however_it_is_written(claim, passage, code):
    assert shows(passage, claim, code)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("1,000", "1,001"),
        ("12 %", "$12"),
        ("-5", "5"),
        ("3 million", "3 billion"),
        ("5 January 2020", "January 2020"),  # less exact than what is claimed
        ("5 January 2020", "6 January 2020"),
        ("2019", "5 January 2020"),
        ("10:30 am", "22:30"),
        ("3.11.7", "3.11.8"),
        ("1.5", "15"),
    ],
)
def test_another_value_unit_or_precision_is_not_the_same(claim, passage):
    assert not shows(passage, claim)


def test_a_part_of_a_date_is_no_number_too():
    assert [value.kind for value in values("on 5 January 2020 at 10:30", "en")] == ["date", "time"]


@pytest.mark.parametrize("text", ["9" * 5000, "1," * 2000, "1." * 2000, "1 " * 2000, "99/99/9999", "0000-00-00", "²³"])
def test_odd_digits_break_nothing(text):
    for code in ("en", "de", "zh"):
        assert isinstance(values(text, code), tuple)
