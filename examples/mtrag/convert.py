"""MTRAG's human-evaluated conversations as a golden set, a corpus, and one file of recorded answers per responder.

Usage: python convert.py DATA FOLDER

DATA holds `reference_subset_with_human_evaluations.json` of github.com/IBM/mt-rag-benchmark and the passages its
retrieval drew from as `derived/corpus.jsonl.gz`, one JSON object with `document_id`, `title` and `text` a line.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

BEHAVIOUR = {"ANSWERABLE": "answer", "PARTIAL": "answer", "UNANSWERABLE": "refuse", "CONVERSATIONAL": "refuse"}
ROLES = {"user": "user", "agent": "assistant"}

NOT_A_QUESTION = {
    "agreed": False,
    "note": "A courtesy, not a question: answering, declining and asking back are all beside the point.",
}


def convert(data: Path, folder: Path) -> None:
    """Write `golden.jsonl`, `corpus.jsonl`, `answers-<responder>.jsonl` and `human.json` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    subset = json.loads((data / "reference_subset_with_human_evaluations.json").read_text("utf-8"))
    with gzip.open(data / "derived" / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        passages = {row["document_id"]: row for row in map(json.loads, file)}

    # The annotators judged what one retriever had found, not the whole corpus: what is not listed is unknown.
    _write(folder / "golden.jsonl", [{"judgments": "listed"}, *(_case(task) for task in subset["tasks"])])
    _write(folder / "corpus.jsonl", (_document(row) for row in passages.values()))
    given = {task["task_id"]: [passages[c["document_id"]] for c in task["contexts"]] for task in subset["tasks"]}
    answers: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    ratings: dict[str, list[float]] = defaultdict(list)
    for evaluation in subset["evaluations"]:
        responder = evaluation["model_id"]
        answers[responder].append(_answer(evaluation, given[evaluation["task_id"]]))
        ratings[responder] += [float(vote["value"]) for vote in evaluation["annotations"]["faithfulness"].values()]
    for responder, records in answers.items():
        _write(folder / f"answers-{responder}.jsonl", records)
    human = {responder: round(mean(votes), 2) for responder, votes in ratings.items()}
    (folder / "human.json").write_text(json.dumps({"mean faithfulness, 1 to 4": human}, indent=2), encoding="utf-8")


def _case(task: Mapping[str, Any]) -> dict[str, Any]:
    """One turn of a conversation with all turns before it."""
    (answerability,) = task["Answerability"]
    *history, question = task["input"]
    case: dict[str, Any] = {
        "id": task["task_id"],
        "question": question["text"],
        "history": [{"role": ROLES[turn["speaker"]], "content": turn["text"]} for turn in history],
        "category": answerability.lower(),
        "labels": {
            "collection": task["Collection"].removeprefix("mt-rag-").partition("-")[0],
            "question_type": (task["Question Type"] or ["none"])[0].lower(),  # the first where there are several
            "turn": (task["Multi-Turn"] or ["first"])[0].lower(),
        },
        "expected_behaviour": BEHAVIOUR[answerability],
        "reference_answer": task["targets"][0]["text"],
        "reference_passages": [{"doc_id": context["document_id"]} for context in task["contexts"]],
        "group": task["task_id"].partition("<::>")[0],
        "source": "MTRAG, human-evaluated subset",
    }
    return case | ({"adjudication": NOT_A_QUESTION} if answerability == "CONVERSATIONAL" else {})


def _document(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"doc_id": row["document_id"], "title": row.get("title") or None, "text": row["text"]}


def _answer(evaluation: Mapping[str, Any], given: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The recorded answer with the passages the responder was given: those the annotators had marked."""
    return {
        "case": evaluation["task_id"],
        "text": evaluation["model_response"],
        "supplied": [{"id": row["document_id"], "doc_id": row["document_id"], "text": row["text"]} for row in given],
        "versions": {"model": evaluation["model_id"]},
    }


def _write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
