"""`ragvet judge-next`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._retrieval import (
    BeirSplit,
    Corpus,
    Depth,
    IdenticalIds,
    MoreQrels,
    Qrels,
    QrelsColumns,
    RunColumns,
    RunFile,
    Strict,
    TiesOption,
    corpus_option,
    notice_records,
    show_notices,
)
from ragvet.errors import InputError, Problem, cause
from ragvet.text import plural

if TYPE_CHECKING:
    from ragvet.retrieval import Notice, ReadingOptions

__all__ = ["judge_next"]


def judge_next(  # noqa: PLR0917 - typer reads options from the signature
    qrels: Qrels,
    run: RunFile,
    metric: Annotated[str, typer.Option("-m", "--metric", help="The metric whose intervals should shrink: nDCG@10.")],
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="How many items.")] = 100,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file for annotators, tab separated, with an empty grade.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option(help="Queries file or golden set: the question is shown beside each item.")
    ] = None,
    more_qrels: MoreQrels = None,
    corpus: Corpus = None,
    order: TiesOption = None,
    ignore_identical_ids: IdenticalIds = False,
    depth: Depth = None,
    qrels_columns: QrelsColumns = None,
    run_columns: RunColumns = None,
    split: BeirSplit = "test",
    strict: Strict = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the items as JSON.")] = False,
) -> None:
    """List the unjudged items whose judgment would shrink a metric's intervals most, the most telling first.

    With a corpus file and --queries, the sheet holds the text and the question too.
    """
    from ragvet.metrics.rankings import parse
    from ragvet.retrieval import align, open_outside, to_sheet, with_texts
    from ragvet.retrieval import judge_next as most_telling

    options: ReadingOptions = {
        "more_qrels": more_qrels or (), "corpus": corpus_option(corpus), "order": order.value if order else None,
        "ignore_identical_ids": ignore_identical_ids, "depth": depth, "strict": strict,
        "qrels_columns": qrels_columns, "run_columns": run_columns, "split": split,
    }  # fmt: skip
    chosen = parse(metric)
    collection = align(qrels, run, keep_items=True, **options)
    found = most_telling(collection, chosen, limit)
    found, missing = with_texts(found, corpus=options["corpus"], queries=queries)
    remarks = (*collection.notices, *_left_open(open_outside(collection, chosen)), *missing)
    if output is not None:
        try:
            output.write_text(to_sheet(found), encoding="utf-8")
        except OSError as error:
            action = "Name a file that can be written."
            raise InputError(Problem(f"--output {output}", cause(error), "a file to write to", action)) from error
    if as_json:
        said = {"metric": chosen.name, "items": found.to_dicts(), "remarks": notice_records(remarks)}
        print(json.dumps(said, ensure_ascii=False, indent=2))
        return
    show_notices(remarks)
    if output is not None:
        print(f"{plural(found.height, 'item')} written to {output}; fill in grades, then add --more-qrels {output}")
        return
    print(to_sheet(found), end="")


def _left_open(queries: int) -> Iterator[Notice]:
    """That no judgment of a ranked item settles some queries."""
    from ragvet.retrieval import Notice

    if queries:
        what = "queries whose interval is open with nothing unjudged in the places the metric looks at"
        action = "What is open lies outside the ranking: name --corpus, or judge items that other systems find."
        yield Notice("open-outside", queries, what, action)
