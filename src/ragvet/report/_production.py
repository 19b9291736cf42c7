"""How many items were tested, produced an answer, and produced a validated one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from ragvet.records import MetricDeclaration
from ragvet.report._model import BehaviourCell, Production

__all__ = ["production", "production_flags"]


def production_flags(
    scores: pl.LazyFrame, agreed: Sequence[str], declarations: Mapping[str, MetricDeclaration]
) -> pl.DataFrame:
    """Of the scores of these cases those `production` counts, and as what: an answer was `produced`, or `validated`."""
    counted = {name: one.production for name, one in declarations.items() if one.production is not None}
    flags = scores.filter(pl.col("metric").is_in(list(counted)) & pl.col("case_id").is_in(agreed)).collect()
    return flags.with_columns(production=pl.col("metric").replace_strict(counted, return_dtype=pl.String))


def production(flags: pl.DataFrame, cells: Sequence[BehaviourCell]) -> tuple[Production, ...]:
    """Tested, produced and validated items: expected answers from their scores, abstentions from their behaviour.

    An item whose target failed was tested and produced nothing. Of one whose judge failed nobody knows.
    """
    rows: list[Production] = []
    unjudged = sum(cell.judge_failed for cell in cells if cell.expected == "answer")
    produced = flags.filter(pl.col("production") == "produced")
    if not produced.is_empty():
        validated = flags.filter((pl.col("production") == "validated") & (pl.col("status") != "undefined"))
        declared = not validated.filter(pl.col("status") != "failed").is_empty()
        rows.append(
            Production(
                family="answer",
                tested=produced.height,
                produced=_certain(produced),
                produced_undecided=_undecided(produced) + unjudged,
                validated=_certain(validated) if declared else None,
                validated_undecided=_undecided(validated) + unjudged if declared else 0,
            )
        )
    abstentions = [cell for cell in cells if cell.expected != "answer"]
    if abstentions:
        rows.append(
            Production(
                family="abstention",
                tested=sum(cell.items for cell in abstentions),
                produced=sum(cell.items for cell in abstentions if cell.observed == "answered"),
                produced_undecided=sum(
                    cell.items if cell.observed == "undecided" else cell.judge_failed for cell in abstentions
                ),
                validated=None,
            )
        )
    return tuple(rows)


def _certain(flags: pl.DataFrame) -> int:
    return flags.filter(pl.col("low") == 1).height


def _undecided(flags: pl.DataFrame) -> int:
    return flags.filter(pl.col("status") == "bounded").height
