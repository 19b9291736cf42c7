import random
from itertools import combinations

import pytest

from ragvet.dataset import Corpus, Dataset
from ragvet.dataset._copying import copying
from ragvet.dataset._likeness import near_duplicates, words_of


def cases(*questions, **fields):
    base = {"category": "c", "expected_behaviour": "refuse"}
    return Dataset.of(
        base | {"id": f"q{number}"} | fields | (question if isinstance(question, dict) else {"question": question})
        for number, question in enumerate(questions)
    ).cases


def pairs(*questions, **fields):
    return {(case.id, other.id) for case, other in near_duplicates(cases(*questions, **fields))}


def brute_force(items):
    """From the definition: Jaccard of the word sets at least 4/5, the same numbers, not the same split and group."""
    found = {False: {}, True: {}}
    for earlier, later in combinations(items, 2):
        one, two = set(words_of(earlier.question)), set(words_of(later.question))
        numbers = [{word for word in words if any(sign.isdigit() for sign in word)} for words in (one, two)]
        alike = bool(one | two) and 5 * len(one & two) >= 4 * len(one | two) and numbers[0] == numbers[1]
        crossing = earlier.split != later.split
        if alike and (crossing or earlier.group is None or earlier.group != later.group):
            found[crossing].setdefault(later.id, set()).add(earlier.id)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_filtered_search_finds_what_comparing_all_pairs_finds(seed):
    dice = random.Random(seed)  # noqa: S311 - words for a test
    words = [f"w{letter}" for letter in "abcdefghijklmn"] + ["7", "8"]
    questions = [
        {
            "question": " ".join(dice.choices(words, k=dice.randint(1, 8), weights=range(16, 0, -1))),
            "split": dice.choice(["dev", "holdout", None]),
            "group": dice.choice(["g", "h", None, None]),
        }
        for _ in range(80)
    ]
    items = cases(*questions)
    expected = brute_force(items)
    found = near_duplicates(items)
    by_id = {case.id: case for case in items}
    got = {False: {}, True: {}}
    for case, other in found:
        crossing = by_id[case.id].split != by_id[other.id].split
        assert case.id not in got[crossing], "one partner of a kind"
        got[crossing][case.id] = other.id
    for crossing in (False, True):
        assert set(got[crossing]) == set(expected[crossing])
        assert all(other in expected[crossing][case] for case, other in got[crossing].items())


def test_white_space_case_and_punctuation_make_no_difference():
    assert pairs("What is the RETURN period?", "what  is the return-period") == {("q1", "q0")}


def test_different_numbers_are_different_questions():
    assert not pairs(
        "What was the net revenue of all stores in 2022?", "What was the net revenue of all stores in 2023?"
    )


def test_a_shared_group_in_one_split_is_as_it_should_be():
    assert not pairs("How long is it open?", "How long is it open?", group="g")
    assert pairs("How long is it open?", "How long is it open?") == {("q1", "q0")}


def test_a_shared_group_does_not_excuse_two_splits():
    apart = [{"question": "How long is it open?", "split": split, "group": "g"} for split in ("dev", "holdout")]
    assert pairs(*apart) == {("q1", "q0")}


def test_scripts_without_spaces_are_compared_by_sign():
    assert pairs("退货期限是多少天呢", "退货期限是多少天") == {("q1", "q0")}
    assert not pairs("退货期限是多少天呢", "保修期有多长时间")


def test_questions_without_words_are_no_duplicates():
    assert not pairs("???", "!!!")


EVIDENCE = "Goods can be returned within 30 days of delivery for a full refund, unopened."


def copied(question, **passage):
    fields = {"doc_id": "terms"} | passage
    (case,) = cases({"question": question, "expected_behaviour": "answer", "reference_passages": [fields]})
    return copying([case], Corpus.of([{"doc_id": "terms", "text": EVIDENCE}])).get("q0")


@pytest.mark.parametrize(
    ("question", "is_copied"),
    [
        ("Can goods be returned within 30 days of delivery?", True),  # 7 of 9 words in a row
        ("When can goods be sent back for a full refund please?", False),  # 4 in a row
        ("Returned within 30 days?", None),  # fewer than five words
        # 5 of 12 words in a row is less than half.
        ("My parcel came yesterday, is that WITHIN 30 days of delivery or not?", False),
    ],
)
def test_a_question_copies_when_half_of_it_stands_in_a_row_in_the_evidence(question, is_copied):
    assert copied(question) is is_copied
    assert copied(question, quote=EVIDENCE) is is_copied


def test_only_relevant_evidence_with_text_counts():
    question = "Can goods be returned within 30 days of delivery?"
    assert copied(question, quote="something else entirely") is False
    assert copied(question, doc_id="unknown") is None
    one = {"doc_id": "terms"}
    (case,) = cases(
        {"question": question, "reference_passages": [one | {"grade": 0}]},
    )
    assert copying([case], Corpus.of([one | {"text": EVIDENCE}])) == {}
