"""Change sentences so that their passage no longer says them, and count what the offline judge makes of them.

    python scripts/fool_offline_judge.py      # the table of docs/offline-judge.md

The sentences come from the passages of the `mtrag` conversations that the model is not trained on.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from measure_offline_judge import whole_verdict
from offline_judge_data import DATA, Item, as_trace, load

from ragvet.judging import load_languages, split_claims
from ragvet.judging.local import OfflineJudge

VERDICTS = ("supported", "contradicted", "unsupported", "undecided")
FEWEST_WORDS, MOST_WORDS = 6, 40
NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w.,]*\d)")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")
VERB = re.compile(r"\b(is|are|was|were|can|will|must|should)\b(?! not)")
CONDITION = re.compile(r",? (?:unless|except|if|only|provided that|as long as) [^.]+(?=\.$)")
LIMIT = re.compile(r" (?:when|for|within|during|until|in case of) [^.,]+(?=\.$)")
WORD = re.compile(r"\b[a-z]{5,}\b")
QUANTIFIER = re.compile(r"\b(some|most|many|several)\b", re.IGNORECASE)

Change = Callable[[str, str, random.Random], str | None]
"""(sentence, passage, chance) → the sentence changed, or None where it has nothing to change."""


def swapped(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """The first two names of the sentence change places."""
    names = list(NAME.finditer(sentence))
    if len(names) < 2 or names[0].group() == names[1].group():  # noqa: PLR2004  # a swap takes two
        return None
    first, second = names[:2]
    between = sentence[first.end() : second.start()]
    return sentence[: first.start()] + second.group() + between + first.group() + sentence[second.end() :]


def other_number(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A number becomes another one of the passage."""
    found = NUMBER.search(sentence)
    others = sorted({n for n in NUMBER.findall(passage) if found and n != found.group()})
    return sentence[: found.start()] + chance.choice(others) + sentence[found.end() :] if found and others else None


def new_number(sentence: str, passage: str, _chance: random.Random) -> str | None:
    """A number becomes one that stands nowhere in the passage."""
    found = NUMBER.search(sentence)
    if not found:
        return None
    value = int(found.group()) + 1
    while str(value) in passage:
        value += 1
    return sentence[: found.start()] + str(value) + sentence[found.end() :]


def negated(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """The first verb is denied."""
    return VERB.sub(r"\1 not", sentence, count=1).replace("can not", "cannot") if VERB.search(sentence) else None


def added(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """Something is added that the passage does not say."""
    return sentence.rstrip(".") + " and costs nothing in Norway."


def condition_dropped(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """What restricts the sentence at its end is cut off."""
    return CONDITION.sub("", sentence) if CONDITION.search(sentence) else None


def limit_dropped(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """What says when, how long or for whom at its end is cut off."""
    return LIMIT.sub("", sentence) if LIMIT.search(sentence) else None


def other_word(sentence: str, passage: str, chance: random.Random) -> str | None:
    """A content word in lower case becomes another one of the passage."""
    is_content = load_languages().get("en").is_content
    others = sorted(set(filter(is_content, WORD.findall(passage))).difference(WORD.findall(sentence)))
    found = [word for word in WORD.finditer(sentence) if is_content(word.group())]
    if not found or not others:
        return None
    word = chance.choice(found)
    return sentence[: word.start()] + chance.choice(others) + sentence[word.end() :]


def widened(sentence: str, _passage: str, _chance: random.Random) -> str | None:
    """Some, most, many become all."""
    return QUANTIFIER.sub("all", sentence, count=1) if QUANTIFIER.search(sentence) else None


CHANGES: dict[str, Change] = {
    "none: the sentence itself": lambda sentence, _passage, _chance: sentence,
    "two names swapped": swapped,
    "a number from elsewhere in the passage": other_number,
    "a number from nowhere": new_number,
    "negated": negated,
    "words added": added,
    "a condition at the end dropped": condition_dropped,
    "a limit at the end dropped": limit_dropped,
    "widened to all": widened,
    "a word from elsewhere in the passage": other_word,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with wice, begin and mtrag")
    items = [item for item in load(parser.parse_args().data) if item.dataset == "mtrag" and item.held_out]
    passages = sorted({passage for item in items for passage in item.passages})
    judge, chance = OfflineJudge(), random.Random(0)  # noqa: S311  # no secret
    print(f"{len(passages)} passages\n\n| change | n | {' | '.join(VERDICTS)} |\n|---|---|---|---|---|---|")
    for name, change in CHANGES.items():
        counts = Counter[str]()
        for passage in passages:
            for claim in split_claims(passage):
                if not FEWEST_WORDS <= len(claim.text.split()) <= MOST_WORDS or not claim.text.endswith("."):
                    continue
                changed = change(claim.text, passage, chance)
                if changed is not None:
                    counts[_verdict(judge, changed, passage)] += 1
        shares = (f"{counts[verdict] / max(counts.total(), 1):.1%}" for verdict in VERDICTS)
        print(f"| {name} | {counts.total():,} | {' | '.join(shares)} |")


def _verdict(judge: OfflineJudge, text: str, passage: str) -> str:
    return whole_verdict(judge.judge_now(*as_trace(Item("mtrag", "", text, (passage,), supported=True, flawless=True))))


if __name__ == "__main__":
    main()
