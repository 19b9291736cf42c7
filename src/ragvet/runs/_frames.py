"""The tables of a run."""

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
        "redundant": pl.Boolean(),
        "passages": pl.List(pl.UInt32()),
        "unplaced": pl.List(pl.UInt32()),
        "reached": pl.List(pl.Struct({"passage": pl.UInt32(), "share": pl.Float64(), "found": pl.Boolean()})),
        "supplied": pl.Boolean(),
        "permitted": pl.Boolean(),
    }
)
"""One ranked chunk of one view. `unplaced` are the gold passages of which nobody can tell whether it carries them;
`reached` those of which more is reached with it than above it: the share in [0, 1], and whether that is found;
`supplied` is null where the target did not report what the model saw, `permitted` (the caller may read its document)
where nobody states who the caller is or who may read it."""

CASES = pl.Schema(
    {
        "case_id": pl.String(),
        "fingerprint": pl.String(),
        "ambiguous": pl.Boolean(),
        "expected_behaviour": pl.String(),
        "strata": pl.List(pl.String()),
        "group": pl.String(),
        "split": pl.String(),
        "risk": pl.String(),
        "identity": pl.String(),
        "effective_date": pl.Date(),
        "weight": pl.Float64(),
        "evidence": pl.List(pl.UInt32()),
        "units": pl.List(pl.UInt32()),
        "stale": pl.List(pl.UInt32()),
        "denied": pl.List(pl.UInt32()),
        "lapsed": pl.List(pl.UInt32()),
    }
)
"""What is to be known of a case where its text is not. No document text.

`fingerprint` is that of what is asked and expected; `risk` the label of that name; `identity` the id of the caller;
`weight` the inverse of the probability with which the case was drawn, 1 where nothing was. The lists are indexes of
gold passages: `evidence` those that are relevant, `units` beside them the first of the alternatives each is one of, or
itself; `stale` those the corpus no longer bears out, which count neither for
nor against a target; `denied` those the caller may not read, which are nothing to be found; `lapsed` those whose
document is not in force on the date of the question.
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
