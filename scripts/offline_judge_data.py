"""The public judged texts that the offline judge is tuned on and measured with; they lie beside the repository."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragvet.records import Answer, Case, RetrievedItem, Trace

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
SETS = ("wice", "begin", "mtrag")
SPLIT_RULE = "sha256(group, UTF-8) as an integer, even: tuned on; odd: held out"
FAITHFUL, FULLY_FAITHFUL = 3.0, 4.0


@dataclass(frozen=True)
class Item:
    """One judged text: an answer, what it may draw on, and what people said of it.

    `supported` is the strict label: everything in it is shown. `flawless` is False where anybody found a flaw; what is
    called unsupported must be False there.
    """

    dataset: str
    group: str
    text: str
    passages: tuple[str, ...]
    supported: bool
    flawless: bool

    @property
    def held_out(self) -> bool:
        """Whether the item is only reported on, never tuned on."""
        return int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % 2 == 1


def load(data: Path = DATA) -> list[Item]:
    """Every item of the three sets."""
    return [*_wice(data / "wice"), *_begin(data / "begin"), *_mtrag(data / "mtrag")]


def _wice(folder: Path) -> Iterator[Item]:
    with gzip.open(folder / "claim_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            right = row["label"] == "supported"
            evidence = ("\n".join(row["evidence"]),)
            yield Item("wice", row["meta"]["claim_title"], row["claim"], evidence, right, right)


def _begin(folder: Path) -> Iterator[Item]:
    for path in sorted(folder.glob("begin_dev_*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                right = row["begin_label"] == "Fully attributable"
                yield Item("begin", row["knowledge"], row["response"], (row["knowledge"],), right, right)


def _mtrag(folder: Path) -> Iterator[Item]:
    content = json.loads((folder / "reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    texts = {document["document_id"]: document["text"] for document in content["documents"]}
    tasks = {task["task_id"]: task for task in content["tasks"]}
    for row in content["evaluations"]:
        passages = tuple(texts[context["document_id"]] for context in tasks[row["task_id"]]["contexts"])
        rating = statistics.mean(int(one["value"]) for one in row["annotations"]["faithfulness"].values())
        conversation = row["task_id"].split("<::>")[0]
        text = row["model_response"]
        yield Item("mtrag", conversation, text, passages, rating >= FAITHFUL, rating >= FULLY_FAITHFUL)


def as_trace(item: Item) -> tuple[Case, Trace]:
    """The item as a case and the trace of a system that was given exactly those passages."""
    supplied = tuple(RetrievedItem(chunk_id=f"p{n}", text=text) for n, text in enumerate(item.passages))
    case = Case(id="1", question="?", category=item.dataset, expected_behaviour="answer")
    return case, Trace(case_id="1", question="?", answer=Answer(text=item.text, supplied=supplied, citations=()))
