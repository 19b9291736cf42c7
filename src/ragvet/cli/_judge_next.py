from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._retrieval import (
    Corpus,
    Depth,
    MoreQrels,
    Qrels,
    QrelsColumns,
    RunColumns,
    RunFile,
    Split,
    Strict,
    TiesOption,
    corpus_option,
    notice_records,
    show_notices,
)
from ragvet.errors import InputError, Problem
from ragvet.text import plural

if TYPE_CHECKING:
    from ragvet.retrieval import ReadingOptions

__all__ = ["judge_next"]


def judge_next(  # noqa: PLR0917 - typer reads options from the signature
    qrels: Qrels,
    run: RunFile,
    metric: Annotated[str, typer.Option("-m", "--metric", help="The metric whose intervals should shrink: nDCG@10.")],
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="How many items.")] = 100,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file for annotators, tab separated, with an empty grade.")
    ] = None,
    more_qrels: MoreQrels = None,
    corpus: Corpus = None,
    order: TiesOption = None,
    depth: Depth = None,
    qrels_columns: QrelsColumns = None,
    run_columns: RunColumns = None,
    split: Split = "test",
    strict: Strict = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the items as JSON.")] = False,
) -> None:
    """List the unjudged items whose judgment would shrink a metric's intervals most, the most telling first."""
    import polars as pl

    from ragvet.metrics.retrieval import parse
    from ragvet.retrieval import align
    from ragvet.retrieval import judge_next as most_telling

    options: ReadingOptions = {
        "more_qrels": more_qrels or (), "corpus": corpus_option(corpus), "order": order.value if order else None,
        "depth": depth, "strict": strict, "qrels_columns": qrels_columns, "run_columns": run_columns, "split": split,
    }  # fmt: skip
    chosen = parse(metric)
    collection = align(qrels, run, keep_items=True, **options)
    found = most_telling(collection, chosen, limit)
    if output is not None:
        sheet = found.with_columns(pl.lit(None, pl.String).alias("grade")).select(
            "query_id", "item", "grade", "rank", "width", "shrinks"
        )
        try:
            sheet.write_csv(output, separator="\t", float_precision=4)
        except OSError as error:
            action = "Name a file that can be written."
            raise InputError(Problem(f"--output {output}", str(error), "a file to write to", action)) from error
    if as_json:
        remarks = notice_records(collection.notices)
        print(
            json.dumps(
                {"metric": chosen.name, "items": found.to_dicts(), "remarks": remarks}, ensure_ascii=False, indent=2
            )
        )
        return
    show_notices(collection.notices)
    if output is not None:
        print(f"{plural(found.height, 'item')} written to {output}; fill in grades, then add --more-qrels {output}")
        return
    print("query_id\titem\tgrade\trank\twidth\tshrinks")
    for row in found.iter_rows(named=True):
        print(f"{row['query_id']}\t{row['item']}\t\t{row['rank']}\t{row['width']:.4f}\t{row['shrinks']:.4f}")
