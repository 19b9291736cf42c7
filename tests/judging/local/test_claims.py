import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.judging import split_claims

ANSWER = """# Refunds

Sure, here are the rules:

1. Refunds take 14 days. [1] They cost nothing. [2, 3]
2. Dr. Smith approves them [doc-7].

| Plan | Price |
|------|-------|
| Basic | $5 |
| Pro | $10 |

```python
x = 1.
print(x)
```
<p>A paragraph with <b>bold</b> text.</p><ul><li>First item</li><li>Second item</li></ul>
Let me know if you need more!

## Sources
[1] Refund policy
[2]: http://example.org
"""


def test_sentences_items_rows_and_fences_are_claims_headings_and_link_definitions_are_not():
    assert [(claim.needs_evidence, claim.text) for claim in split_claims(ANSWER)] == [
        (False, "Sure, here are the rules:"),
        (True, "Refunds take 14 days. [1]"),
        (True, "They cost nothing. [2, 3]"),
        (True, "Dr. Smith approves them [doc-7]."),
        (True, "Basic | $5"),
        (True, "Pro | $10"),
        (True, "```python\nx = 1.\nprint(x)\n```"),
        (True, "A paragraph with <b>bold</b> text."),
        (True, "First item"),
        (True, "Second item"),
        (False, "Let me know if you need more!"),
        (False, "[1] Refund policy"),
    ]


@given(st.text(max_size=400))
def test_claims_are_exact_disjoint_slices_in_order(text):
    claims = split_claims(text)
    assert [claim.id for claim in claims] == [f"c{number}" for number in range(1, len(claims) + 1)]
    end = 0
    for claim in claims:
        assert end <= claim.start < claim.end <= len(text)
        assert claim.text == text[claim.start : claim.end]
        end = claim.end


def test_a_lone_surrogate_reads_as_the_replacement_character_and_moves_nothing():
    (claim,) = split_claims("It \ud800 costs 5 euros.")
    assert (claim.text, claim.start, claim.end) == ("It \ufffd costs 5 euros.", 0, 19)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("这是第一句。这是第二句！第三句", 3),
        ("यह पहला वाक्य है। यह दूसरा वाक्य है।", 2),
        ("هذه جملة أولى. وهذه جملة ثانية؟", 2),
        ("Das kostet z. B. 5 Euro. Mehr nicht.", 2),
        ("\u202bשלום עולם.\u202c", 1),
        ("e\u0301te\u0301 comme hiver.", 1),
        ("", 0),
        (" \n\t", 0),
        ("—", 0),
        ("🎉🎉", 0),
    ],
)
def test_every_script_is_split_into_its_sentences(text, count):
    assert len(split_claims(text)) == count


@pytest.mark.parametrize(
    ("statement", "stated"),
    [
        ("The limit is 5 days.", True),
        ("Unfortunately, the fee is 5 dollars.", True),
        ("The gene is not found in the liver.", True),
        ("I am not sure, but the fee is waived in June.", True),
        ("Hello!", False),
        ("Which plan do you mean?", False),
        ("The document does not mention the 2023 fee.", False),
        ("The documents at hand do not answer this question.", False),
        ("The document does not need a signature.", True),
        ("I hope this helps with the 3 plans.", False),
    ],
)
def test_only_what_says_something_about_the_world_needs_evidence(statement, stated):
    (claim,) = split_claims(statement)
    assert claim.needs_evidence is stated


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            'It raises an error in the "from" clause: [1] The clause is optional. [2]',
            ['It raises an error in the "from" clause: [1]', "The clause is optional. [2]"],
        ),
        (
            "Note on keys [1] In every case pop() returns it. [2]",
            ["Note on keys [1]", "In every case pop() returns it. [2]"],
        ),
        ("Both Apple [1] and Google [2] NASDAQ shares rose.", ["Both Apple [1] and Google [2] NASDAQ shares rose."]),
        ("As shown in [3] it is fast.", ["As shown in [3] it is fast."]),
    ],
)
def test_a_marker_ends_a_claim_where_another_sentence_follows(text, claims):
    assert [claim.text for claim in split_claims(text)] == claims


def test_a_wrapped_line_goes_on_and_a_short_line_is_its_own_claim():
    wrapped = "This sentence is longer than sixty characters and so it is wrapped\nin the middle."
    assert len(split_claims(wrapped)) == 1
    assert [claim.text for claim in split_claims("First point\nSecond point")] == ["First point", "Second point"]


@pytest.mark.parametrize(
    "unit", ["<", "[", "|", "a", "*", "```\n", "<h1>", "1. ", "| a |\n", "> ", "[1]", "not found in the "]
)
def test_a_hundred_thousand_characters_of_markup_are_split(unit):
    text = unit * (100_000 // len(unit))
    for claim in split_claims(text):
        assert claim.text == text[claim.start : claim.end]


@pytest.mark.parametrize(
    "answer",
    ["**It may be returned within 60 days.**", "## It may be returned within 60 days.", "__It may come back soon.__"],
)
def test_a_sentence_in_bold_or_written_as_a_heading_is_a_claim(answer):
    claims = split_claims(f"{answer}\n\nOpened items stay.")
    assert [claim.needs_evidence for claim in claims] == [True, True]


@pytest.mark.parametrize("answer", ["**Returns**", "## Returns within 60 days", "**Note well.**", "# 1. Returns"])
def test_a_title_is_no_claim(answer):
    assert len(split_claims(f"{answer}\n\nOpened items stay.")) == 1
