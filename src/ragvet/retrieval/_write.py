"""Qrels and runs in the files of TREC."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._tables import Source, tables


def write_qrels(qrels: Source, path: str | Path) -> None:
    """Judgments as a TREC qrels file.

    Args:
        qrels: whatever `read_qrels` takes: a frame with its column names, a dict, or a file in another form.
        path: the file to write.

    Raises:
        InputError: a column is missing, a value is not what its column asks for, or an id is empty or holds white
            space, which the format cannot carry.
    """
    frame = pl.concat([part for part, _ in tables(qrels, "qrels")])
    _refuse_spaces(frame, str(path))
    _write(frame.select("query", pl.lit("0").alias("iteration"), "item", "grade"), path)


def write_run(run: Source, path: str | Path, tag: str = "ragvet") -> None:
    """Rankings as a TREC run file.

    Ranks that the run lacks come from its scores: descending, equal ones as they stand. Scores that it lacks come from
    its ranks: 1 for the first of a query, then 1/2, 1/3, so that tools which sort by score find the same order.

    Args:
        run: whatever `evaluate` takes: a frame with its column names, a dict, or a file in another form.
        path: the file to write.
        tag: the name of the run, the last field of each line.

    Raises:
        InputError: as `write_qrels`.
    """
    frame = pl.concat([part for part, _ in tables(run, "run")])
    if not {"rank", "score"} & set(frame.columns):  # a frame without rows or columns
        frame = frame.with_columns(rank=pl.lit(1, pl.Int64))
    _refuse_spaces(frame, str(path), tag)
    rank, score = pl.col("rank"), pl.col("score")
    if "rank" not in frame.columns:
        rank = (-score).rank("ordinal").over("query")
    if "score" not in frame.columns:
        score = 1 / (rank - rank.min().over("query") + 1)
    fields = (pl.lit("Q0").alias("Q0"), "item", rank.alias("rank"), score.alias("score"), pl.lit(tag).alias("tag"))
    _write(frame.select("query", *fields), path)


def _write(frame: pl.DataFrame, path: str | Path) -> None:
    frame.write_csv(path, separator=" ", include_header=False, quote_style="never")


def _refuse_spaces(frame: pl.DataFrame, path: str, tag: str = "tag") -> None:
    problems = [
        Problem(path, f"{column} id {value!r}", "ids without white space", "TREC files cannot hold it; rename it.")
        for column in ("query", "item")
        for value in frame[column].filter(frame[column].str.contains(r"\s|^$")).head(20).to_list()
    ]
    if not tag or any(letter.isspace() for letter in tag):
        problems.append(Problem(path, f"tag {tag!r}", "a name without white space", "Choose another one."))
    if problems:
        raise InputError(problems)
