import pytest

from ragvet.judging.llm import _restated
from ragvet.judging.llm._restated import restated


@pytest.mark.parametrize(
    ("sentence", "claims", "question"),
    [
        ("Express shipping costs 9.90 euros.", ["Express shipping costs 9.90 euros."], ""),
        ("It costs 9.90 euros [1].", ["Express shipping costs 9.90 euros."], "What does express shipping cost?"),
        ("Refunds take five days, and gifts are out.", ["A refund takes 5 days", "Gifts are out"], ""),
        ("There are 1,000 seats.", ["There are 1000 seats."], ""),
        ("Die Erstattung dauert fünf Tage.", ["Eine Erstattung dauert 5 Tage."], ""),
        ("退款需要五天。", ["退款需要五天"], ""),
        ("Yes.", ["The shop is open on Sundays."], "Is the shop open on Sundays?"),
    ],
)
def test_claims_that_say_what_the_sentence_says_are_its_claims(sentence, claims, question):
    assert restated(sentence, claims, f"{sentence} {question}")


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Express shipping costs 9.90 euros.", ["This is a question about shipping costs."]),
        ("Express shipping costs 9.90 euros.", ["Express shipping costs some euros."]),  # the number is left out
        ("Opened software can be returned.", ["This is a statement about software."]),
        ("Refunds take 5 days.", ["Refunds take 5 days.", "The answer must be an integer or a decimal."]),
        ("Die Erstattung dauert fünf Tage.", ["Die Frage betrifft den Kundendienst."]),
    ],
)
def test_claims_that_are_made_up_or_leave_out_what_matters_are_not(sentence, claims):
    assert not restated(sentence, claims, sentence)


def test_the_words_of_a_long_answer_are_found_once_for_all_its_sentences(monkeypatch):
    looked_at: list[str] = []
    content_words = _restated.content_words
    monkeypatch.setattr(
        _restated, "content_words", lambda text, language: looked_at.append(text) or content_words(text, language)
    )
    sentences = [f"Counter {number} opens at noon." for number in range(50)]
    answer = " ".join(sentences)
    assert all(restated(one, [f"{one} The counters open."], answer) for one in sentences)
    assert looked_at.count(answer) == 1
