import pytest

from ragvet.judging import find_quote
from ragvet.judging.llm._surroundings import conditional, denied


def is_denied(quote, passage, claim=None):
    return denied(find_quote(quote, passage), claim or quote, passage)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("refunds take 5 days", "It is not true that refunds take 5 days."),
        ("refunds take 5 days", "Nobody at the shop said refunds take 5 days."),
        ("refunds take 5 days", "That refunds take 5 days isn't what we promise."),
        ("Erstattungen fünf Tage dauern", "Es ist nicht wahr, dass Erstattungen fünf Tage dauern."),
        ("Die Erstattung dauert fünf Tage", "Die Erstattung dauert fünf Tage nicht."),
        ("les remboursements prennent cinq jours", "Il n'est pas vrai que les remboursements prennent cinq jours."),
        ("los reembolsos tardan cinco días", "No es cierto que los reembolsos tardan cinco días."),
        ("रिफंड में पाँच दिन लगते", "रिफंड में पाँच दिन लगते नहीं हैं।"),
        ("रिफंड में पाँच दिन लगते हैं", "यह सही नहीं है, कि रिफंड में पाँच दिन लगते हैं।"),
        ("退款需要五天", "退款需要五天的说法不正确。"),
        ("返金に五日かかる", "返金に五日かかるとは言っていません。"),
        ("الاسترداد يستغرق خمسة أيام", "ليس صحيحا أن الاسترداد يستغرق خمسة أيام."),
    ],
)
def test_words_cut_out_of_a_clause_that_denies_them_are_denied(quote, passage):
    assert is_denied(quote, passage)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("refunds take 5 days", "Gift cards are not refunded, refunds take 5 days."),
        ("refunds take 5 days", "Not today. All refunds take 5 days. No exceptions."),
        ("refunds take 5 days", "All refunds take 5 days (not hours)."),
        ("Die Erstattung dauert fünf Tage", "Sie kommt nicht sofort, die Erstattung dauert fünf Tage ab Eingang."),
        ("आधार पंक्ति", "आधार पंक्ति का नाम"),  # a negation is no part of another word
        ("نقطة الإرساء", "نقطة الإرساء لإرساء الصندوق"),
        ("退款需要五天", "现在不行，退款需要五天时间。"),
    ],
)
def test_a_negation_of_another_clause_does_not_count(quote, passage):
    assert not is_denied(quote, passage)


def test_a_negation_the_claim_has_too_denies_nothing():
    passage = "Gift cards will not be refunded in any case."
    assert not is_denied("be refunded in any case", passage, "Gift cards are never refunded.")
    assert is_denied("be refunded in any case", passage, "Gift cards are refunded.")
    doubled = "It is not true that gift cards are never refunded."
    assert is_denied("gift cards are never refunded", doubled, "Gift cards are never refunded.")


def test_a_negation_inside_the_quote_is_the_judge_s_to_read():
    assert not is_denied("is not open on Sundays", "The desk is not open on Sundays.", "It is closed on Sundays.")


@pytest.mark.parametrize(
    ("quote", "passage", "claim"),
    [
        ("refunds take 5 days", "With a receipt refunds take 5 days.", "Refunds take 5 days."),
        ("refunds take 5 days", "Unless it rains we open. All refunds take 5 days.", "Refunds take 5 days."),
        ("refunds take 5 days", "If you ask, refunds take 5 days.", "If asked for, refunds take 5 days."),
    ],
)
def test_a_condition_elsewhere_or_in_the_claim_is_not_missing(quote, passage, claim):
    assert not conditional(find_quote(quote, passage), claim, passage)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("refunds take 5 days", "Except on holidays, refunds take 5 days."),
        ("Erstattungen dauern fünf Tage", "Erstattungen dauern fünf Tage, falls die Ware da ist."),
        ("الاسترداد يستغرق خمسة أيام", "الاسترداد يستغرق خمسة أيام إذا طلبته."),
    ],
)
def test_a_condition_in_the_sentence_around_the_quote_is_missing_from_the_claim(quote, passage):
    assert conditional(find_quote(quote, passage), quote, passage)
