"""`ragvet retrieval` and the options it shares with its kin."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._own_names import own_names
from ragvet.cli._rows import print_objects, print_rows
from ragvet.text import plain

if TYPE_CHECKING:
    import polars as pl

    from ragvet.retrieval import Notice, ReadingOptions

__all__ = ["retrieval"]


class Scope(StrEnum):
    """What the qrels say about items they do not list."""

    listed = "listed"
    exhaustive = "exhaustive"


class Ordering(StrEnum):
    """What makes the order of a ranking."""

    rank = "rank"
    score = "score"
    trec = "trec"


class Missing(StrEnum):
    """What a judged query is that the run lacks."""

    empty = "empty"
    skip = "skip"


class Assume(StrEnum):
    """What other tools take unjudged items for."""

    nonrelevant = "unjudged-as-nonrelevant"
    condensed = "condensed"


Qrels = Annotated[
    str,
    typer.Argument(help="Judgments: TREC qrels, TSV, BEIR folder, JSON lines, Parquet; - is stdin."),
]
MoreQrels = Annotated[
    list[str] | None,
    typer.Option("--more-qrels", metavar="FILE", help="Judgments beside them: a sheet of judge-next, blanks and all."),
]
RunFile = Annotated[str, typer.Argument(help="Rankings: TREC run, JSON lines, Parquet; - is stdin.")]
Judgments = Annotated[
    Scope, typer.Option(help="listed: what the qrels do not list is unknown. exhaustive: not relevant.")
]
Corpus = Annotated[str | None, typer.Option(help="The corpus file, or the number of its documents.")]
TiesOption = Annotated[
    Ordering | None, typer.Option("--ties", "--order", help="Order by rank, by score, or as trec_eval does.")
]
IdenticalIds = Annotated[
    bool, typer.Option("--ignore-identical-ids", help="Leave out ranked items with the id of their query.")
]
Depth = Annotated[int | None, typer.Option(min=1, help="Look at that many places of each ranking.")]
QrelsColumns = Annotated[str | None, typer.Option(help="Columns of a qrels file without header: query,item,grade.")]
RunColumns = Annotated[str | None, typer.Option(help="Columns of a run file without header: query,item,score.")]
BeirSplit = Annotated[str, typer.Option("--beir-split", help="Which qrels of a BEIR folder.")]
Strict = Annotated[bool, typer.Option("--strict", help="Every remark on the input is an error.")]


def retrieval(  # noqa: PLR0917 - typer reads options from the signature
    qrels: Qrels,
    run: RunFile,
    metric: Annotated[list[str], typer.Option("-m", "--metric", help="E.g. nDCG@10. May be given several times.")],
    judgments: Judgments = Scope.listed,
    more_qrels: MoreQrels = None,
    assume: Annotated[Assume | None, typer.Option(help="Also show what tools print that assume this.")] = None,
    by: Annotated[str | None, typer.Option(help="Also a row for each value of this field of the queries.")] = None,
    queries: Annotated[Path | None, typer.Option(help="Where --by finds it: queries file or golden set.")] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="A row for each query.")] = False,
    corpus: Corpus = None,
    order: TiesOption = None,
    missing: Annotated[Missing, typer.Option(help="Judged queries the run lacks: empty rankings, or skipped.")] = (
        Missing.empty
    ),
    ignore_identical_ids: IdenticalIds = False,
    depth: Depth = None,
    qrels_columns: QrelsColumns = None,
    run_columns: RunColumns = None,
    split: BeirSplit = "test",
    strict: Strict = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print means, remarks and scores as JSON.")] = False,
) -> None:
    """Score a run against qrels: published values, exact bounds where judgments are missing, ties and all."""
    from ragvet.metrics.rankings import parse_all
    from ragvet.retrieval import align, read_strata, score, summarise

    options: ReadingOptions = {
        "judgments": judgments.value, "more_qrels": more_qrels or (), "corpus": corpus_option(corpus),
        "order": order.value if order else None, "missing": missing.value,
        "ignore_identical_ids": ignore_identical_ids, "depth": depth, "strict": strict,
        "qrels_columns": qrels_columns, "run_columns": run_columns, "split": split,
    }  # fmt: skip
    metrics = parse_all(own_names(metric))
    strata = read_strata(_queries(qrels, queries), by) if by else None
    collection = align(qrels, run, **options)
    tied = any(notice.kind == "tied-scores" for notice in collection.notices)
    show = _Json(per_query=per_query) if as_json else _Tables(per_query=per_query, strata=strata is not None)
    show.remarks(collection.notices)
    means: list[dict[str, object]] = []
    for one in metrics:  # one at a time: a frame of every metric on ten million queries is large
        found = score(collection, [one], assume=assume.value if assume else None, tie_range=tied)
        means += summarise(found, strata).to_dicts()
        show.scores(found)
    show.means(means)


@dataclass
class _Tables:
    """What was found, for people, as soon as it is found."""

    per_query: bool
    strata: bool

    def remarks(self, notices: tuple[Notice, ...]) -> None:
        show_notices(notices)

    def scores(self, found: pl.DataFrame) -> None:
        if self.per_query:
            print_rows(found.drop("version", "numerator", "denominator"))

    def means(self, means: list[dict[str, object]]) -> None:
        import polars as pl

        table = pl.DataFrame(means, infer_schema_length=None)
        print_rows(table if self.strata else table.drop("stratum"))


@dataclass
class _Json:
    """The same as one JSON document; the means of all queries stand at its end."""

    per_query: bool
    _begun: bool = False

    def remarks(self, notices: tuple[Notice, ...]) -> None:
        remarks = json.dumps(notice_records(notices), ensure_ascii=False, indent=2)
        print(f'{{\n"remarks": {remarks},')

    def scores(self, found: pl.DataFrame) -> None:
        if self.per_query:
            sys.stdout.write("" if self._begun else '"scores": [\n')
            print_objects(found, first=not self._begun)
            self._begun = True

    def means(self, means: list[dict[str, object]]) -> None:
        sys.stdout.write("\n],\n" if self._begun else "")
        print(f'"means": {json.dumps(means, ensure_ascii=False, indent=2)}\n}}')


def corpus_option(text: str | None) -> str | int | None:
    """A number of documents, or the path of a corpus."""
    return int(text) if text is not None and text.isascii() and text.isdigit() else text


def notice_records(notices: tuple[Notice, ...]) -> list[dict[str, object]]:
    """The remarks for JSON."""
    return [
        {"kind": notice.kind, "count": notice.count, "what": notice.what, "action": notice.action,
         "examples": list(notice.examples)}
        for notice in notices
    ]  # fmt: skip


def show_notices(notices: tuple[Notice, ...]) -> None:
    """The remarks, on stderr."""
    for notice in notices:
        print(f"note: {plain(str(notice))}", file=sys.stderr)


def _queries(qrels: str, queries: Path | None) -> Path:
    if queries is not None:
        return queries
    if Path(qrels).is_dir():
        return Path(qrels)
    raise typer.BadParameter("say where the queries are: --queries FILE", param_hint="--by")
