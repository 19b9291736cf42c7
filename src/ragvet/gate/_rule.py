"""The commonest entry of a policy: a metric in one or several strata."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from ragvet.gate._entry import STRATUM, Entry, Words

__all__ = ["Rule"]

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Rule(Entry):
    """`subject = "score"`: a metric in one or several strata."""

    subject: str = Field(default="score", pattern="^score$", description="a metric; meant where nothing is said")
    metric: Words = Field(description="the metric as the run prints it, e.g. nDCG@10")
    stratum: Words = Field(description=STRATUM)
    statistic: Literal["mean", "every case"] = Field(
        default="mean", description="what the bound is about: the mean over cases, or every single case and repeat"
    )
    minimum_n: PositiveInt = Field(description="the fewest cases with a value that can decide the rule")
    allowed_undefined_share: Share = Field(
        description="the share of eligible cases, 0 to 1, that may have nothing to measure"
    )
    allowed_failed_share: Share = Field(description="the share of eligible cases, 0 to 1, that may have failed")

    @property
    def about(self) -> str:
        """The metric."""
        return self.metric
