from __future__ import annotations

from pathlib import Path

import polars as pl

from ragvet.errors import InputError, Problem


def write_qrels(frame: pl.DataFrame, path: str | Path) -> None:
    """Judgments as a TREC qrels file: columns query, item, grade.

    Raises:
        InputError: an id holds white space, which the format cannot carry.
    """
    _refuse_spaces(frame, str(path))
    _write(frame.select("query", pl.lit("0").alias("iteration"), "item", "grade"), path)


def write_run(frame: pl.DataFrame, path: str | Path, tag: str = "ragvet") -> None:
    """Rankings as a TREC run file: columns query, item, rank and, if there is one, score; else 1/rank stands for it.

    Raises:
        InputError: an id holds white space, which the format cannot carry.
    """
    _refuse_spaces(frame, str(path))
    score = pl.col("score") if "score" in frame.columns else 1 / pl.col("rank")
    _write(
        frame.select("query", pl.lit("Q0").alias("Q0"), "item", "rank", score.alias("score"), pl.lit(tag).alias("tag")),
        path,
    )


def _write(frame: pl.DataFrame, path: str | Path) -> None:
    frame.write_csv(path, separator=" ", include_header=False, quote_style="never")


def _refuse_spaces(frame: pl.DataFrame, path: str) -> None:
    problems = [
        Problem(path, f"{column} id {value!r}", "ids without white space", "TREC files cannot hold it; rename it.")
        for column in ("query", "item")
        for value in frame[column].filter(frame[column].str.contains(r"\s|^$")).head(20).to_list()
    ]
    if problems:
        raise InputError(problems)
