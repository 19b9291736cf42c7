from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _not_a_number(value: object) -> object:
    """Keep numbers from becoming days: read as seconds since 1970, 20240115 would be a day in August 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and "-" not in value.strip("-")):
        raise ValueError("a day is written YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_not_a_number)]
"""A calendar day, written YYYY-MM-DD."""


class Record(BaseModel):
    """A frozen value; an unknown field is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
