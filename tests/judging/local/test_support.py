import re

import pytest
from tests.judging.local.make import WINDOW, judge, verdict


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("The return window is 14 days for unopened items.", WINDOW, "supported"),
        ("The return window is 30 days for unopened items.", WINDOW, "contradicted"),
        ("The return window is not 14 days for unopened items.", WINDOW, "contradicted"),
        ("The return window is 14 weeks for unopened items.", WINDOW, "undecided"),
        ("Penguins live in Antarctica and eat krill.", WINDOW, "unsupported"),
        ("Die Frist beträgt 14 Tage für ungeöffnete Ware.", WINDOW, "undecided"),  # another language
        (
            "The company was founded on 5 January 2020 in Berlin.",
            "The company was founded on 2020-01-05 in Berlin.",
            "supported",
        ),
        (
            "The company was founded on 5 January 2021 in Berlin.",
            "The company was founded on 2020-01-05 in Berlin.",
            "contradicted",
        ),
        (
            "The firm sold about 3 million cars that year.",
            "The firm sold about 3.1 million cars that year.",
            "undecided",
        ),
        (
            "Python 3.11.7 fixed the crash in the parser.",
            "Python 3.11.8 fixed the crash in the parser.",
            "contradicted",
        ),
        (
            "All unopened items can be returned within 14 days.",
            "Some unopened items can be returned within 14 days.",
            "undecided",
        ),
        (
            "Members can return items within 14 days of purchase.",
            "Members can return items within 14 days of purchase unless they were on sale.",
            "undecided",
        ),
        ("The mayor was born in Rome and died in Paris.", "The mayor was born in Paris and died in Rome.", "undecided"),
        (
            "Aspirin reduced mortality by 12 % in women.",
            "Aspirin reduced mortality by 12 percent in men. Placebo was used in women.",
            "undecided",
        ),
        ("No, opened items cannot be returned at all.", "Opened items cannot be returned at all.", "undecided"),
        ("The retu\u200brn win\u200bdow is 14 days for unopened items.", WINDOW, "supported"),
        ("The return window is **14 days** for <b>unopened</b> items [1].", WINDOW, "supported"),
    ],
)
def test_what_the_rules_decide_and_what_they_leave_open(claim, passage, expected):
    assert verdict(claim, passage) == expected


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Opened items can be returned within 14 days.", "Opened items cannot be returned within 14 days."),
        ("Opened items can\u2019t be returned within 14 days.", "Opened items can be returned within 14 days."),
        ("Opened items could be returned last year.", "Opened items couldn't be returned last year."),
        ("You may not open the sealed box today.", "You may open the sealed box today."),
        ("Customers mustn't open the sealed box.", "Customers must open the sealed box."),
        ("The fee isn't charged for opened items.", "The fee is charged for opened items."),
        ("Es fällt keine Gebühr für die Rücksendung an.", "Es fällt eine Gebühr für die Rücksendung an."),
    ],
)
def test_a_denied_verb_is_seen_however_it_is_written(claim, passage):
    assert verdict(claim, passage) == "contradicted"


FREE = "Unopened items are returned free of charge"


@pytest.mark.parametrize(
    "passage",
    [
        f"{FREE} when they are faulty.",
        f"{FREE} for gold members.",
        f"{FREE} within 14 days.",
        "For gold members, unopened items are returned free of charge.",
        "In case of a fault, unopened items are returned free of charge.",
        "Unopened items are returned free of charge in case of a fault.",
    ],
)
def test_a_limit_that_the_claim_dropped_is_seen(passage):
    (row,) = judge(f"{FREE}.", passage).support
    assert (row.verdict, row.missing_qualification) == ("undecided", True)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (f"However, {FREE.lower()}.", f"{FREE}."),
        (f"According to the documents, {FREE.lower()}.", f"{FREE}."),
        (f"{FREE}.", f"Not always. For\n  example, {FREE.lower()}."),
        ("Außerdem, die Ware wird kostenlos zurückgenommen.", "Die Ware wird kostenlos zurückgenommen."),
        ("此外，未开封商品可以免费退货。", "未开封商品可以免费退货。"),
        ("The organisation toured the city centre.", "The organization toured the city center."),
        ("Unopened items can be returned free of charge.", f"{FREE}."),
    ],
)
def test_what_only_opens_a_sentence_another_spelling_and_a_weaker_claim_do_not_stand_in_the_way(claim, passage):
    assert verdict(claim, passage) == "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (  # the beginning of one sentence and the end of the next, which has a subject of its own
            "Premium members can return opened items and must pay a shipping fee of 5 euros.",
            "Premium members can return opened items. Basic members must pay a shipping fee of 5 euros.",
        ),
        ("It is the largest store in the world.", "It is the largest unique candy store in the world."),
        ("The reason for what I do is my need.", "Motivation is the reason for what people do and need."),
        ("You must query it to query a semicolon.", "You must change it to query a semicolon."),
    ],
)
def test_a_claim_patched_together_from_words_of_the_passage_is_not_supported(claim, passage):
    assert verdict(claim, passage) != "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (  # an insertion in brackets
            "The warranty covers parts and labour for two years.",
            "The warranty (extended by the merger of both makers) covers parts and labour for two years.",
        ),
        (  # one between commas
            "The old bridge was closed to heavy traffic in May.",
            "The old bridge, a listed monument of great beauty, was closed to heavy traffic in May.",
        ),
        ("From the main menu, select Export as table.", "Select Export as table from the main menu."),
        ("During an appeal the court charges two fees.", "The court charges two fees during an appeal."),
    ],
)
def test_an_insertion_left_out_or_a_clause_moved_does_not_stand_in_the_way(claim, passage):
    assert verdict(claim, passage) == "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (  # who did it was left out
            "The auditor, named only as Berg, resigned from the board of directors.",
            "The auditor, named only as Berg, accused the chairman who resigned from the board of directors.",
        ),
        (  # two things were joined
            "The fee is payable in March for members of the club.",
            "The fee is payable in January for guests and in March for members of the club.",
        ),
        (
            "It is open on weekdays until seven.",
            "The cafe of the museum is open on weekdays until seven.",
        ),  # what is "it"?
        ("Ms Berg was a member of the board of trustees.", "Ms Berg was formerly a member of the board of trustees."),
        ("The first stores were opened on the coast in spring.", "Stores were opened on the coast in spring."),
        (  # what it was about was left out
            "The supplier offered the factory a discount on copper cables.",
            "The supplier offered the workers of the factory who live in town a discount on copper cables.",
        ),
        ("The owner of the shop paid the owner of the house.", "The owner of the shop paid for repairs of the house."),
        (
            "Rhodes asked the club from Blackburn.",
            "The club asked about Rhodes from Blackburn.",
        ),
        (  # two pairs of brackets are no insertion
            "The auditor resigned from the board in March.",
            "The auditor (Berg) accused the chairman (Lund) who resigned from the board in March.",
        ),
        ("The pool is open to the town on Sunday.", "The pool (for members) is open to the town on Sunday."),
        ("The pool is open to the town on Sunday.", "The pool, when staffed, is open to the town on Sunday."),
        ("Lowered prices increased demand.", "Increased demand lowered prices."),  # no clause that moved
        ("Dogs bite men in cities.", "Men in cities dogs bite."),
    ],
)
def test_a_claim_with_the_middle_of_a_sentence_left_out_is_not_supported(claim, passage):
    assert verdict(claim, passage) != "supported"


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Yes, opened items can be returned within 14 days.", "Opened items can be returned within 14 days."),
        (
            "Ja, geöffnete Ware wird innerhalb von 14 Tagen ersetzt.",
            "Geöffnete Ware wird innerhalb von 14 Tagen ersetzt.",
        ),
        ("是的，已拆封的商品可以在14天内退货。", "已拆封的商品可以在14天内退货。"),
    ],
)
def test_a_yes_answers_a_question_and_is_not_supported_by_what_follows_it(answer, passage):
    assert verdict(answer, passage) == "undecided"
    assert verdict(answer, answer) == "supported"
    assert verdict(re.split("[,，]", answer)[1], passage) == "supported"


@pytest.mark.parametrize(
    "before",
    [
        "Beside the casino, there is a pool.",  # ends in "no,"
        "Is the sauna open? No, it is not.",  # answers another question
    ],
)
def test_a_no_elsewhere_in_the_passage_is_not_the_one_before_the_claim(before):
    claim = "No, guests pay an entrance fee on Sundays."
    assert verdict(claim, f"{before} Guests pay an entrance fee on Sundays.") == "undecided"
    assert verdict(claim, f"{before} Well, no, guests pay an entrance fee on Sundays.") == "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("该公司于2020年1月5日在上海成立。", "该公司于2020-01-05在上海成立。"),
        ("該公司於二〇二〇年一月五日在上海成立。", "該公司於2020年1月5日在上海成立。"),
        ("会社は2020年1月5日に東京で設立された。", "会社は2020/01/05に東京で設立された。"),
    ],
)
def test_dates_of_china_and_japan_are_compared_by_value(claim, passage):
    assert verdict(claim, passage) == "supported"
    assert verdict(claim, passage.replace("05", "06").replace("5日", "6日")) == "contradicted"


def test_a_missing_name_or_number_tells_more_than_missing_words():
    passage = "The library opens at nine and lends books, films and games to everybody who lives in the town."
    assert verdict("The library lends books and hosts yearly concerts and lectures.", passage) == "undecided"
    assert verdict("The library lends books in Kassel and hosts 40 concerts.", passage) == "unsupported"


@pytest.mark.parametrize(
    ("claim", "wrong", "passage"),
    [
        (
            "Die Frist beträgt 14 Tage für ungeöffnete Ware.",
            "30",
            "Regel: Die Frist beträgt 14 Tage für ungeöffnete Ware.",
        ),
        (
            "Le délai de retour est de 14 jours pour les articles non ouverts.",
            "30",
            "Le délai de retour est de 14 jours pour les articles non ouverts.",
        ),
        (
            "El plazo de devolución es de 14 días para artículos sin abrir.",
            "30",
            "El plazo de devolución es de 14 días para artículos sin abrir.",
        ),
        ("वापसी की अवधि 14 दिन है और सामान बंद होना चाहिए।", "30", "वापसी की अवधि 14 दिन है और सामान बंद होना चाहिए।"),
        ("退货期限为14天,适用于未开封商品。", "30", "退货政策：退货期限为14天,适用于未开封商品。其他商品不适用。"),
        ("返品期限は未開封品について14日間です。", "30", "返品期限は未開封品について14日間です。"),
        ("مدة إرجاع المنتجات المغلقة هي 14 يوما من الشراء.", "30", "مدة إرجاع المنتجات المغلقة هي 14 يوما من الشراء."),
    ],
)
def test_verbatim_support_and_another_number_are_seen_in_every_language(claim, wrong, passage):
    assert verdict(claim, passage) == "supported"
    assert verdict(claim.replace("14", wrong), passage) == "contradicted"


def test_a_yes_and_a_no_before_the_same_words_are_two_claims():
    said = judge(
        "Yes, the pool is open in June. No, the pool is open in June.", "Is it open? Yes, the pool is open in June."
    )
    assert [row.verdict for row in said.support] == ["supported", "undecided"]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Podem devolver-se artigos usados.", "Não podem devolver-se artigos usados."),
        ("Разрешён возврат вскрытых вещей.", "Не разрешён возврат вскрытых вещей."),
    ],
)
def test_the_same_words_in_a_language_without_lists_may_say_the_opposite(claim, passage):
    assert {row.verdict for row in judge(claim, passage).support} == {"undecided"}


def test_a_list_that_is_not_limited_to_what_it_names_denies_nothing():
    claim = "Items that may need a second check include glass, paint and tools."
    passage = "Items that may need a second check include, but are not limited to, glass, paint and tools."
    assert {row.verdict for row in judge(claim, passage).support} <= {"supported", "undecided"}
