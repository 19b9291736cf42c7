"""Loading, checking and anchoring: what stands between a golden set and its first score.

`python -m benchmarks.golden_set [--cases 10000]`. The goal: 10,000 cases load and check in 3 s.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ragvet.dataset import Corpus, anchor, check_files
from ragvet.records import Passage, RetrievedItem

WORDS = [f"word{number:x}" for number in range(4000)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    cases = parser.parse_args().cases
    dice = random.Random(7)  # noqa: S311 - made-up text
    documents = [{"doc_id": f"d{number}", "text": _text(dice, 800)} for number in range(500)]
    golden = [_case(dice, number, documents) for number in range(cases)]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        corpus.write_text("\n".join(map(json.dumps, documents)))
        for name, write in (("json", json.dumps), ("jsonl", _lines), ("yaml", yaml.safe_dump)):
            path = Path(folder) / f"golden.{name}"
            path.write_text(write(golden))
            seconds, found = _timed(lambda path=path: check_files(path, corpus, judgments="listed"))
            print(f"load and check {cases:,} cases, {name}: {seconds:.2f} s CPU, {len(found.findings):,} findings")
    _anchoring(dice, documents)


def _anchoring(dice: random.Random, documents: list[dict[str, str]]) -> None:
    chunks = {
        "as cut": lambda text: text,
        "white space and case changed": lambda text: " ".join(text.upper().split()),
        "with a heading": lambda text: f"Some heading of the document\n{text}",
    }
    for name, change in chunks.items():
        corpus = Corpus.of(documents)
        items = [
            RetrievedItem(chunk_id=f"{document['doc_id']}-{start}", doc_id=document["doc_id"],
                          text=change(document["text"][start : start + 600]))
            for document in documents
            for start in range(0, len(document["text"]), 600)
        ]  # fmt: skip
        passages = [Passage(**_passage(dice, dice.choice(documents))) for _ in range(3)]
        absent = [([Passage(doc_id=item.doc_id, quote=passages[0].quote)], [item]) for item in items]
        times = {
            "among three documents": _timed(lambda c=corpus, i=items, p=passages: anchor(p, i, c))[0],
            "each to be placed": _timed(lambda c=corpus, pairs=absent: [anchor(p, i, c) for p, i in pairs])[0],
        }
        rates = ", ".join(f"{len(items) / seconds:,.0f} /s {how}" for how, seconds in times.items())
        print(f"anchor {len(items):,} chunks {name}: {rates}")


def _case(dice: random.Random, number: int, documents: list[dict[str, str]]) -> dict[str, object]:
    return {
        "id": f"q{number}",
        "question": " ".join(dice.choices(WORDS, weights=range(len(WORDS), 0, -1), k=12)) + "?",
        "category": dice.choice(["billing", "returns", "delivery"]),
        "labels": {"risk": dice.choice(["low", "high"]), "origin": "synthetic"},
        "expected_behaviour": "answer",
        "reference_answer": _text(dice, 40),
        "reference_passages": [_passage(dice, dice.choice(documents)) for _ in range(2)],
        "split": dice.choice(["dev", "holdout"]),
        "added": "2026-01-15",
    }


def _passage(dice: random.Random, document: dict[str, str]) -> dict[str, str]:
    words = document["text"].split(" ")
    start = dice.randrange(len(words) - 20)
    return {"doc_id": document["doc_id"], "quote": " ".join(words[start : start + 20])}


def _text(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def _lines(records: list[dict[str, object]]) -> str:
    return "\n".join(map(json.dumps, records))


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


if __name__ == "__main__":
    main()
