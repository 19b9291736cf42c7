from datetime import date

import pytest

from ragvet.judging import answer_citations, citation_verdict, place_citations, split_claims
from ragvet.records import Answer, Case, Citation, DocumentVersion, Identity, Passage, RetrievedItem, Support, Trace

ITEMS = tuple(
    RetrievedItem(chunk_id=f"c{n}", doc_id=f"d{n // 2}", doc_version="v1", text=f"Text {n}.") for n in range(4)
)


class Register:
    fingerprint = "r"

    def __init__(self, *documents):
        self._documents = documents

    def get(self, doc_id, version=None):
        found = [d for d in self._documents if d.doc_id == doc_id and version in (None, d.version)]
        return found[0] if found else None

    def __contains__(self, doc_id):
        return any(document.doc_id == doc_id for document in self._documents)


def place(text, *, register=None, identity=None, effective=None, gold=(), **fields):
    answer = Answer(text=text, **{"supplied": ITEMS, **fields})
    case = Case(
        id="1",
        question="q",
        category="x",
        expected_behaviour="answer",
        effective_date=effective,
        reference_passages=gold,
    )
    trace = Trace(case_id="1", question="q", answer=answer, identity=identity)
    return place_citations(case, trace, split_claims(text), register)


def facts(placed):
    return [(one.citation.marker, [item.chunk_id for item in one.items], one.claims) for one in placed]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "One thing. [1] Two things [2, 3].",
            [("[1]", ["c0"], ("c1",)), ("[2, 3]", ["c1"], ("c2",)), ("[2, 3]", ["c2"], ("c2",))],
        ),
        ("A range [2-3].", [("[2-3]", ["c1"], ("c1",)), ("[2-3]", ["c2"], ("c1",))]),
        ("甲是乙。【1】丙是丁【2†source】。", [("【1】", ["c0"], ("c1",)), ("【2†source】", ["c1"], ("c2",))]),
        ("A footnote[^4].", [("[^4]", ["c3"], ("c1",))]),
        ("From zero [0].", [("[0]", ["c0"], ("c1",))]),
        ("By id [c3] and by document [d1].", [("[c3]", ["c3"], ("c1",)), ("[d1]", ["c2", "c3"], ("c1",))]),
        ("Named [Source 2].", [("[Source 2]", ["c1"], ("c1",))]),
        ("In parentheses (1), and (2) of them in 2019 (3).", [("(1)", ["c0"], ("c1",)), ("(3)", ["c2"], ("c1",))]),
        ("Code `x[1]` and [sic] cite nothing.", []),
        ("```\ny[2]\n```", []),
        ("It is so.\n\nSources:\n[1] The guide", []),
    ],
)
def test_markers_are_read_from_the_text_and_back_the_sentence_they_follow(text, expected):
    assert facts(place(text)) == expected


def test_a_number_beyond_the_passages_is_an_invented_citation():
    (placed,) = place("It is free [9].")
    assert (placed.resolves, placed.retrieved, placed.claims) == (False, False, ("c1",))
    assert citation_verdict(placed, {}, split_claims("It is free [9].")).verdict == "unsupported"


def test_reported_citations_win_over_markers_and_keep_their_index():
    answer = Answer(text="It is free [9].", supplied=ITEMS, citations=("c1",))
    assert [citation.chunk_id for citation in answer_citations(answer)] == ["c1"]


def test_a_span_backs_the_claims_it_meets_and_a_marker_those_it_stands_in():
    text = "A first thing. B second thing [2]."
    placed = place(text, citations=(Citation(chunk_id="c1", start=0, end=8), Citation(marker="[2]")))
    assert [(one.claims, one.items[0].chunk_id) for one in placed] == [(("c1",), "c1"), (("c2",), "c1")]


def test_numbers_may_count_the_reported_citations_where_that_places_more():
    placed = place("A first thing. [1] B second thing. [2]", citations=("c3", "c1"))
    assert [one.claims for one in placed] == [("c1",), ("c2",)]


def test_reported_citations_are_placed_in_time_that_grows_with_their_number():
    count = 20_000  # squared, more than the test run has time for
    text = "One thing" + "[1]" * count
    by_marker = place(text, citations=tuple(Citation(marker="[1]") for _ in range(count)))
    by_chunk = place(text, citations=("c0",) * count)
    assert {one.claims for one in by_marker} == {one.claims for one in by_chunk} == {("c1",)}


def test_a_citation_without_a_place_stands_for_the_whole_answer():
    text = "A first thing. B second thing."
    (placed,) = place(text, citations=("c0",))
    claims = split_claims(text)
    rows = {
        ("c1", "c0"): Support(claim="c1", passage="c0", verdict="unsupported"),
        ("c2", "c0"): Support(claim="c2", passage="c0", verdict="supported"),
    }
    assert (placed.placed, citation_verdict(placed, rows, claims).verdict) == (False, "supported")


def test_a_placed_citation_must_support_every_claim_it_backs():
    text = "A first thing. B second thing."
    (placed,) = place(text, citations=(Citation(chunk_id="c0", start=0, end=len(text)),))
    rows = {
        ("c1", "c0"): Support(claim="c1", passage="c0", verdict="undecided"),
        ("c2", "c0"): Support(claim="c2", passage="c0", verdict="supported"),
    }
    assert citation_verdict(placed, rows, split_claims(text)).verdict == "undecided"


@pytest.mark.parametrize(
    ("effective", "right"), [(date(2024, 1, 1), True), (date(2025, 1, 1), False), (date(2024, 12, 31), True)]
)
def test_the_version_that_held_on_the_effective_date_is_the_right_one(effective, right):
    register = Register(
        DocumentVersion(doc_id="d0", version="v1", valid_from=date(2024, 1, 1), valid_until=date(2024, 12, 31))
    )
    (placed,) = place("It is so [1].", register=register, effective=effective)
    assert placed.right_version is right


def test_without_a_register_the_gold_version_tells_right_from_wrong_and_nothing_else_is_known():
    (right,) = place("It is so [1].", gold=(Passage(doc_id="d0", doc_version="v1"),))
    (wrong,) = place("It is so [1].", gold=(Passage(doc_id="d0", doc_version="v2"),))
    (unknown,) = place("It is so [1].")
    assert [one.right_version for one in (right, wrong, unknown)] == [True, False, None]
    assert unknown.permitted is None


@pytest.mark.parametrize(("groups", "permitted"), [(("staff",), True), (("guests",), False)])
def test_the_audience_of_the_document_says_who_may_open_it(groups, permitted):
    register = Register(DocumentVersion(doc_id="d0", version="v1", audience=("staff",)))
    (placed,) = place("It is so [1].", register=register, identity=Identity(id="u", groups=groups))
    assert placed.permitted is permitted


@pytest.mark.parametrize(
    ("citation", "resolves"),
    [
        ("d9", True),
        (Citation(doc_id="d9"), True),
        (Citation(doc_id="d8"), False),
        (Citation(doc_id="d9", doc_version="v7"), False),
        ("c77", None),
    ],
)
def test_what_was_not_retrieved_is_looked_up_in_the_corpus(citation, resolves):
    register = Register(DocumentVersion(doc_id="d9", version="v1"))
    (placed,) = place("It is so.", citations=(citation,), register=register)
    assert (placed.resolves, placed.retrieved) == (resolves, False)


def test_ids_that_have_brackets_of_their_own_are_what_markers_name():
    items = (RetrievedItem(chunk_id="[2]", text="Two."), RetrievedItem(chunk_id="[3]", text="Three."))
    placed = place("Two is here [2]. Three is here [3].", supplied=items)
    assert facts(placed) == [("[2]", ["[2]"], ("c1",)), ("[3]", ["[3]"], ("c2",))]
