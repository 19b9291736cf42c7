import pytest

from ragvet.errors import InputError
from ragvet.judging import language_of, load_languages, observe_behaviour, split_claims
from ragvet.records import Answer

REFUSALS = {
    "en": "I'm sorry, but the provided documents do not contain information about that.",
    "de": "Leider kann ich diese Frage nicht beantworten.",
    "fr": "Je n'ai pas trouvé cette information.",
    "es": "Lo siento, no tengo información sobre eso.",
    "hi": "क्षमा करें, मुझे नहीं पता।",
    "zh": "抱歉，我无法回答这个问题。",
    "ja": "申し訳ありませんが、お答えできません。",
    "ar": "عذرا، لا توجد معلومات حول ذلك.",
}
QUESTIONS = {
    "en": "Could you clarify which plan you mean?",
    "de": "Welchen Tarif meinen Sie?",
    "fr": "Pourriez-vous préciser votre question ?",
    "es": "¿Podría especificar a qué plan se refiere?",
    "hi": "क्या आप स्पष्ट कर सकते हैं?",
    "zh": "您是指哪个计划？",
    "ja": "どのプランのことでしょうか？",
    "ar": "هل يمكنك توضيح سؤالك؟",
}
HAND_OVERS = {
    "en": "I'll transfer you to a human agent.",
    "de": "Bitte wenden Sie sich an den Kundendienst.",
    "fr": "Veuillez contacter le service client.",
    "es": "Póngase en contacto con el servicio de atención.",
    "hi": "कृपया ग्राहक सेवा से संपर्क करें।",
    "zh": "请联系客服。",
    "ja": "サポートにお問い合わせください。",
    "ar": "يرجى الاتصال بخدمة العملاء.",
}
ANSWERS = {
    "en": "The return window is 14 days.",
    "de": "Die Rückgabefrist beträgt 14 Tage.",
    "fr": "Le délai de retour est de 14 jours.",
    "es": "El plazo de devolución es de 14 días.",
    "hi": "वापसी की अवधि 14 दिन है।",
    "zh": "退货期限为14天。",
    "ja": "返品期限は14日間です。",
    "ar": "مدة الإرجاع هي 14 يوما.",
}


@pytest.mark.parametrize("code", REFUSALS)
@pytest.mark.parametrize(
    ("texts", "behaviour"),
    [(REFUSALS, "refused"), (QUESTIONS, "clarified"), (HAND_OVERS, "routed"), (ANSWERS, "answered")],
    ids=["refused", "clarified", "routed", "answered"],
)
def test_what_an_answer_does_is_seen_in_every_language(texts, behaviour, code):
    assert observe_behaviour(Answer(text=texts[code])).observed == behaviour


@pytest.mark.parametrize("code", ANSWERS)
def test_the_language_of_a_sentence_is_found(code):
    assert language_of(ANSWERS[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "The documents at hand do not answer this question.",
        "None of the provided sources mention it.",
        "Die vorliegenden Dokumente beantworten diese Frage nicht.",
        "Les documents fournis ne répondent pas à cette question.",
        "Los documentos no responden a esta pregunta.",
        "उपलब्ध दस्तावेज़ इस प्रश्न का उत्तर नहीं देते।",
        "现有文档没有回答这个问题。",
        "この資料はこの質問に答えていません。",
        "لا تجيب الوثائق المتاحة عن هذا السؤال.",
        "In den bereitgestellten Dokumenten finde ich dazu nichts.",
        "Tut mir leid, dabei kann ich nicht helfen.",
        "Los documentos no contienen esa información.",
        "لا تحتوي الوثائق على هذه المعلومات.",
    ],
)
def test_documents_that_do_not_answer_are_a_refusal_and_no_claim(text):
    assert observe_behaviour(Answer(text=text)).observed == "refused"
    assert not any(claim.needs_evidence for claim in split_claims(text))


@pytest.mark.parametrize(
    "text",
    [
        "In den Dokumenten finde ich zwei Fristen.",
        "Dabei kann ich helfen: der Antrag dauert drei Tage.",
        "El formulario no contiene esa casilla.",
        "لا تحتوي القهوة على السكر.",
    ],
)
def test_answers_that_only_resemble_such_a_refusal_are_answers(text):
    assert observe_behaviour(Answer(text=text)).observed == "answered"


def test_the_targets_own_flag_wins_over_its_words():
    verdict = observe_behaviour(Answer(text="The limit is 5 days.", behaviour="refused"))
    assert (verdict.observed, verdict.source) == ("refused", "target")


@pytest.mark.parametrize("text", [None, "", " \n\t", "\u200b"])
def test_a_blank_answer_is_no_behaviour(text):
    assert observe_behaviour(Answer(text=text)).observed is None


@pytest.mark.parametrize(
    ("text", "observed"),
    [
        ("I don't have information on that. The guide discusses cats and their habits.", None),
        ("The fee is 5 euros. The documents do not mention a discount.", "answered"),
        ('The error "we are unable to process your request" means that the card was declined.', "answered"),
        ("Similar series are A and B, but the document does not state that they are rivals.", "answered"),
        ("I cannot answer that. Please contact the billing team.", "routed"),
        ("Hello!", None),
    ],
)
def test_mixed_answers_are_decided_only_where_the_rule_can(text, observed):
    assert observe_behaviour(Answer(text=text)).observed == observed


def test_a_file_of_the_user_adds_phrases_and_languages(tmp_path):
    english, dutch = tmp_path / "en.toml", tmp_path / "nl.toml"
    english.write_text('refused = ["computer says no"]', encoding="utf-8")
    dutch.write_text('refused = ["dat weet ik niet"]', encoding="utf-8")
    languages = load_languages((english, dutch))
    for text in ("Computer says no.", "Sorry, dat weet ik niet.", "I don't know."):
        assert observe_behaviour(Answer(text=text), languages).observed == "refused"
    assert observe_behaviour(Answer(text="Computer says no.")).observed == "answered"


def test_every_fault_of_language_files_is_named_at_once(tmp_path):
    broken, odd = tmp_path / "en.toml", tmp_path / "fr.toml"
    broken.write_text("refused = [", encoding="utf-8")
    odd.write_text('refuse = ["x"]\nclarified = "x"\nmonths = ["jan"]\nunits = []', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_languages((broken, odd, tmp_path / "absent.toml"))
    assert [problem.field for problem in caught.value.problems] == [
        None,
        None,
        "refuse",
        "clarified",
        "months",
        "units",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Desculpe, não encontrei isso nos documentos.",
        "Извините, этого здесь нет.",
        "죄송합니다. 찾을 수 없습니다.",
        "متاسفم، در این مورد چیزی پیدا نکردم.",
    ],
)
def test_what_is_said_in_a_language_without_lists_leaves_the_behaviour_open(text):
    assert observe_behaviour(Answer(text=text)).observed is None


@pytest.mark.parametrize("text", ["N/A", "Unknown.", "**NOT_FOUND**", "Insufficient information.", "Keine Angabe."])
def test_a_word_that_is_the_whole_answer_and_stands_for_a_refusal_is_one(text):
    assert observe_behaviour(Answer(text=text)).observed == "refused"


@pytest.mark.parametrize(
    "text",
    ['{\n  "answer": "Goods can be returned within 30 days.",\n  "followups": ["Who pays?"]\n}', '[{"days": 30}]'],
)
def test_json_is_data_whose_contract_decides_not_its_sentences(text):
    verdict = observe_behaviour(Answer(text=text))
    assert (verdict.observed, verdict.source) == (None, "rule: JSON, not prose")
    assert split_claims(text) == ()
