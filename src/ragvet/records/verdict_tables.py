"""Judged facts as tables: what a run keeps of its verdicts, one row a fact, to be queried with Polars or DuckDB.

Every table begins with `case_id, repeat, member`; `member` is null for the verdict itself and, of a panel, the place of
the judge whose own word the row is. A quote is kept as `quote_start`/`quote_end` in a text the run holds anyway; its
words stand in `quote` only where they are not exactly what stands there. Columns that tell how a row was decided:
`question` (hash of all that was shown), `stage`, `score`, `rater`; see `Decided`.
"""

from __future__ import annotations

from typing import get_args

import polars as pl

from ragvet.records._verdicts import AgreementVerdict, CoverageVerdict, SupportVerdict

__all__ = [
    "AGREEMENT",
    "CITATIONS",
    "CLAIMS",
    "CONFLICTS",
    "COVERAGE",
    "JUDGED",
    "REFERENCE_SUPPORT",
    "SUPPORT",
    "TABLES",
]

_KEY = {"case_id": pl.String(), "repeat": pl.UInt32(), "member": pl.UInt16()}
_QUOTE = {"quote_start": pl.UInt32(), "quote_end": pl.UInt32(), "edit_distance": pl.UInt32(), "quote": pl.String()}
_REASON = {"reason": pl.String()}
_DECIDED = {
    "question": pl.String(),
    "stage": pl.String(),
    "score": pl.Float64(),
    "rater": pl.String(),
}
_SUPPORT_VERDICT = pl.Enum(get_args(SupportVerdict))
_COVERAGE_VERDICT = pl.Enum(get_args(CoverageVerdict))
_AGREEMENT_VERDICT = pl.Enum(get_args(AgreementVerdict))

JUDGED = pl.Schema(
    {
        **_KEY,
        "judge": pl.String(),
        "failure": pl.String(),
        "raw": pl.String(),
        "behaviour": pl.String(),
        "behaviour_source": pl.String(),
        "addresses_question": pl.Boolean(),
        "reference_judged": pl.Boolean(),
        "conflicts_judged": pl.Boolean(),
        "support_score": pl.Float64(),
        "input_tokens": pl.UInt64(),
        "output_tokens": pl.UInt64(),
        "cost": pl.Float64(),
        "reported": pl.Boolean(),
    }
)
"""One row for each answer that was judged, or on which the judge failed: then `failure` says how, `raw` is its reply.

`reported`: whether the judge said what it spent; the amounts it did not tell are null.
"""

CLAIMS = pl.Schema(
    {
        **_KEY,
        "claim": pl.String(),
        "text": pl.String(),
        "start": pl.UInt32(),
        "end": pl.UInt32(),
        "needs_evidence": pl.Boolean(),
        "addresses_question": pl.Boolean(),
    }
)
"""The claims of each answer in their order. `text` is null where it is exactly what stands in the answer."""

SUPPORT = pl.Schema(
    {
        **_KEY,
        "claim": pl.String(),
        "passage": pl.String(),
        "verdict": _SUPPORT_VERDICT,
        "missing_qualification": pl.Boolean(),
        **_QUOTE,
        **_REASON,
        **_DECIDED,
    }
)
"""What one passage says about one claim. The quote is from the passage."""

CITATIONS = pl.Schema(
    {
        **_KEY,
        "citation": pl.UInt32(),
        "claims": pl.List(pl.String()),
        "resolves": pl.Boolean(),
        "retrieved": pl.Boolean(),
        "right_version": pl.Boolean(),
        "permitted": pl.Boolean(),
        "verdict": _SUPPORT_VERDICT,
        **_QUOTE,
        **_REASON,
        **_DECIDED,
    }
)
"""What one citation is worth. The quote is from one of the cited passages, and always kept in words."""

COVERAGE = pl.Schema(
    {**_KEY, "required_claim": pl.String(), "verdict": _COVERAGE_VERDICT, **_QUOTE, **_REASON, **_DECIDED}
)
"""Whether the answer makes one required claim. The quote is from the answer."""

AGREEMENT = pl.Schema({**_KEY, "claim": pl.String(), "verdict": _AGREEMENT_VERDICT, **_REASON, **_DECIDED})
"""How one claim stands to the reference answer."""

REFERENCE_SUPPORT = pl.Schema(
    {**_KEY, "statement": pl.String(), "verdict": _SUPPORT_VERDICT, "passage": pl.String(), **_QUOTE, **_DECIDED}
)
"""Whether the supplied context supports one statement of the reference. The quote is from the passage."""

CONFLICTS = pl.Schema(
    {**_KEY, "first": pl.String(), "second": pl.String(), "about": pl.String(), "surfaced": pl.Boolean()}
)
"""Two passages that disagree, and whether the answer tells its reader."""

TABLES: dict[str, pl.Schema] = {
    "judged": JUDGED,
    "claims": CLAIMS,
    "support": SUPPORT,
    "citations": CITATIONS,
    "coverage": COVERAGE,
    "agreement": AGREEMENT,
    "reference_support": REFERENCE_SUPPORT,
    "conflicts": CONFLICTS,
}
"""Name of the table, and of its file below `verdicts/` in the folder of a run → its columns."""
