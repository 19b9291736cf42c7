"""The SEC 10-Q questions of KG-RAG-datasets as a golden set with document-level evidence, and the filings as a corpus.

Usage: python convert.py DATA FOLDER

DATA holds `qna_data.csv` of github.com/docugami/KG-RAG-datasets and the text of the filings as
`derived/pages.jsonl.gz`, one JSON object with `doc`, `page` and `text` a line.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import Any


def convert(data: Path, folder: Path) -> None:
    """Write `golden.json`, `corpus.jsonl` and `pages.jsonl` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(data / "derived" / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
        pages = [json.loads(line) for line in file]
    with (data / "qna_data.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))

    filings = {name: list(own) for name, own in groupby(pages, key=lambda page: page["doc"])}
    # The annotators named all filings a question is about, out of these twenty: the others are not relevant to it.
    cases = [_case(number, row, filings) for number, row in enumerate(rows, start=1)]
    golden = {"judgments": "exhaustive", "cases": cases}
    (folder / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=1), encoding="utf-8")
    _write(folder / "corpus.jsonl", (_document(name, own) for name, own in filings.items()))
    _write(folder / "pages.jsonl", (page for page in pages if page["text"].strip()))


def _case(number: int, row: Mapping[str, str], filings: Iterable[str]) -> dict[str, Any]:
    """One question. `Source Docs` is a glob: `*2023 Q3 AAPL*` names one filing, `*AAPL*` all of a company."""
    glob = row["Source Docs"].strip()
    return {
        "id": f"sec10q-{number:03}",
        "question": row["Question"],
        "category": row["Question Type"].removesuffix(" RAG").lower(),
        "labels": {"source": row["Source Chunk Type"].lower(), "company": glob.strip("*").rpartition(" ")[2]},
        "expected_behaviour": "answer",
        "reference_answer": row["Answer"],
        "reference_passages": [{"doc_id": name} for name in filings if fnmatchcase(name, glob)],
        "source": "KG-RAG-datasets, SEC 10-Q, reviewed by its authors",
    }


def _document(name: str, pages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """One filing: its pages in order."""
    text = "\n".join(page["text"] for page in pages)
    return {"doc_id": name, "title": f"Form 10-Q, {name}", "owner": name.rpartition(" ")[2], "text": text}


def _write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
