import pytest

from ragvet.judging.llm._quoted import NOTHING_SHARED, SINGLE_WORD, not_about


@pytest.mark.parametrize(
    ("quote", "claim", "passage"),
    [
        ("opens at nine", "Gift cards are refunded.", "The museum opens at nine every day."),
        ("in the", "Gift cards are refunded.", "Gift cards are kept in the drawer."),
        ("die Öffnungszeiten", "Der Vertrag endet im März.", "Hier sind die Öffnungszeiten und der Vertrag."),
        ("营业时间", "退款需要十天", "营业时间：九点，退款需要十天"),
    ],
)
def test_a_quote_without_a_content_word_of_the_claim_is_not_about_it(quote, claim, passage):
    assert not_about(quote, claim, passage) == NOTHING_SHARED


@pytest.mark.parametrize(("quote", "passage"), [("refunds", "All refunds take 5 days."), ("退", "退款需要五天")])
def test_a_single_word_of_a_longer_passage_carries_no_claim(quote, passage):
    assert not_about(quote, "Refunds take 5 days.", passage) == SINGLE_WORD


@pytest.mark.parametrize(
    ("quote", "claim", "passage"),
    [
        ("You are refunded soon", "Refunds come soon.", "You are refunded soon."),  # inflected
        ("it costs 5 dollars", "Entry is five euros.", "We say it costs 5 dollars."),  # the number
        ("Die Frist beträgt", "Es gibt eine Rückgabefrist.", "Die Frist beträgt einen Monat."),  # compound
        ("وثائق جديدة هنا", "تم حفظ الوثائق.", "وثائق جديدة هنا في المكتب"),  # the article
        ("退还款项需要", "退款很快", "退还款项需要五天"),
        ("Die Öffnungszeiten sind", "The museum is closed.", "Die Öffnungszeiten sind auf der Seite."),  # languages
        ("the drawer is", "It is so.", "Look, the drawer is open."),  # nothing to share
        ("Refunds", "Refunds exist.", "Refunds"),  # all there is
    ],
)
def test_a_quote_may_carry_a_claim_in_other_forms_and_languages(quote, claim, passage):
    assert not_about(quote, claim, passage) is None
