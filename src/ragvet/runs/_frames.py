from __future__ import annotations

import polars as pl

from ragvet.records.outcomes import SCORES

__all__ = ["CASES", "RANKINGS", "SCORES", "TRACES", "compact"]

RANKINGS = pl.Schema(
    {
        "case_id": pl.String(),
        "repeat": pl.UInt32(),
        "view": pl.String(),
        "rank": pl.UInt32(),
        "chunk_id": pl.String(),
        "doc_id": pl.String(),
        "score": pl.Float64(),
        "grade": pl.Int32(),
        "repeats": pl.Boolean(),
        "passages": pl.List(pl.UInt32()),
        "unplaced": pl.List(pl.UInt32()),
        "supplied": pl.Boolean(),
    }
)
"""One ranked chunk of one view. `unplaced` are the gold passages of which nobody can tell whether it carries them;
`supplied` is null where the target did not report what the model saw."""

CASES = pl.Schema(
    {
        "case_id": pl.String(),
        "ambiguous": pl.Boolean(),
        "expected_behaviour": pl.String(),
        "strata": pl.List(pl.String()),
        "stale": pl.List(pl.UInt32()),
    }
)
"""What a summary needs to know of a case. No document text.

`stale` are the indexes of gold passages the corpus no longer bears out; they count neither for nor against a target.
"""

TRACES = pl.Schema(
    {
        "case_id": pl.String(),
        "repeat": pl.UInt32(),
        "error": pl.String(),
        "case": pl.String(),
        "trace": pl.String(),
    }
)
"""The evidence: `case` and `trace` are the records as JSON, `error` is the kind of failure."""


def compact(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with texts as categories: scores say the same few words millions of times."""
    return frame.with_columns(pl.col(pl.String).cast(pl.Categorical))
