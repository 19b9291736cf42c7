"""How many ordinary quotes the rules on what surrounds a quote take for denied or cut off from a condition.

For each claim of an answer people found faultless: the sentence that shares most of its words, quoted from the first to
the last of them, as a model quotes that looks for the shortest run.
"""

import importlib
import re
import sys
from pathlib import Path

import pytest
from tests.shared_data import shared

from ragvet.judging import split_claims
from ragvet.judging._sentences import sentence_spans
from ragvet.judging.llm._quoted import not_about
from ragvet.judging.llm._surroundings import conditional, denied
from ragvet.records import Quote
from ragvet.text import fold_text

SCRIPTS = Path(__file__).parents[3] / "scripts"
WORD = re.compile(r"\w{4,}")


@pytest.fixture(scope="module")
def quoted():
    """Data set → (quote, claim, passage)."""
    folder = shared("wice").parent
    sys.path.insert(0, str(SCRIPTS))
    try:
        data = importlib.import_module("offline_judge_data")
    finally:
        sys.path.remove(str(SCRIPTS))
    found = {name: [] for name in data.SETS}
    for item in data.load(folder):
        if item.flawless:
            sentences = [(text[a:b], text, a) for text in item.passages for a, b in sentence_spans(text, "en")]
            for claim in split_claims(item.text):
                found[item.dataset] += shortest(claim.text, sentences)
    return found


def shortest(claim, sentences):
    wanted = set(WORD.findall(fold_text(claim)))
    runs = [
        (hits, passage, start)
        for sentence, passage, start in sentences
        if (hits := [word for word in WORD.finditer(sentence) if fold_text(word.group()) in wanted])
    ]
    if runs:
        hits, passage, start = max(runs, key=lambda run: len({fold_text(word.group()) for word in run[0]}))
        first, last = start + hits[0].start(), start + hits[-1].end()
        quote = Quote(text=passage[first:last], start=first, end=last)
        if not_about(quote.text, claim, passage) is None:
            yield quote, claim, passage


@pytest.mark.parametrize("dataset", ["wice", "begin", "mtrag"])
def test_few_ordinary_quotes_are_denied_or_cut_off_from_a_condition(quoted, dataset):
    cases = quoted[dataset]
    share = {rule: sum(rule(*one) for one in cases) / len(cases) for rule in (denied, conditional)}
    assert share[denied] <= 0.03
    assert share[conditional] <= 0.05
