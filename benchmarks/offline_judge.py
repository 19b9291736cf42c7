"""Claims the offline judge decides per second on one core, against 200 words of evidence.

`python -m benchmarks offline_judge [--claims 2000]`. The goal: at least 500 claims a second, each with a passage of its
own, so that nothing is saved by preparing a passage once; and time that grows with the length of an answer, not its
square.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from ragvet.judging.local import OfflineJudge
from ragvet.records import Answer, Case, RetrievedItem, Trace

CASE = Case(id="1", question="q", category="x", expected_behaviour="answer")
WORDS = 200
SENTENCE = 20
CLAIM = 18


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=2000)
    claims = parser.parse_args().claims
    rng = np.random.default_rng(0)
    judge = OfflineJudge()
    judge.judge_now(CASE, _trace("The fee is 5 euros.", "The fee is 5 euros."))
    traces = [_made(rng) for _ in range(claims)]
    began = time.process_time()
    for trace in traces:
        judge.judge_now(CASE, trace)
    spent = time.process_time() - began
    print(f"one claim, {WORDS} words of evidence: {claims / spent:,.0f} claims/s of CPU")
    passage = _text(rng, WORDS)
    for length in (12_500, 25_000, 50_000, 100_000):
        answer = _text(rng, length // 6)[:length]
        began = time.process_time()
        verdicts = judge.judge_now(CASE, _trace(answer, passage))
        spent = time.process_time() - began
        print(f"an answer of {length:,} characters, {len(verdicts.claims):,} claims: {spent:.2f} s CPU")


def _made(rng: np.random.Generator) -> Trace:
    """A passage and a claim that is one of its sentences, or words of it in another order and with another number."""
    passage = _text(rng, WORDS)
    sentence = passage.split(". ")[int(rng.integers(5))].rstrip(".").split()[:CLAIM]
    if rng.random() < 0.5:
        rng.shuffle(sentence)
        sentence[int(rng.integers(len(sentence)))] = str(rng.integers(1000))
    return _trace(" ".join(sentence) + ".", passage)


def _text(rng: np.random.Generator, words: int) -> str:
    """Text with the word lengths and frequencies of prose, names and numbers among it."""
    ranks = rng.zipf(1.3, size=words) % 5000
    made = [_word(int(rank)) for rank in ranks]
    for start in range(0, words, SENTENCE):
        made[start] = made[start].capitalize()
        made[min(start + SENTENCE, words) - 1] += "."
    return " ".join(made)


def _word(rank: int) -> str:
    common = ("the", "of", "and", "to", "in", "is", "not", "for", "with", "as", "only", "all", "by", "on", "was")
    if rank < len(common):
        return common[rank]
    if rank % 23 == 0:
        return str(rank)
    syllables = ("ka", "ro", "min", "tel", "sa", "dor", "vi", "len", "pu", "gra")
    word = "".join(syllables[int(digit)] for digit in str(rank))
    return word.capitalize() if rank % 17 == 0 else word


def _trace(answer: str, passage: str) -> Trace:
    supplied = (RetrievedItem(chunk_id="p", text=passage),)
    return Trace(case_id="1", question="q", answer=Answer(text=answer, supplied=supplied))


if __name__ == "__main__":
    main()
