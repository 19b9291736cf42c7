from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ragvet.errors import InputError
from ragvet.records._faults import faults


def _not_a_number(value: object) -> object:
    """Keep numbers from becoming days: read as seconds since 1970, 20240115 would be a day in August 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and "-" not in value.strip("-")):
        raise ValueError("a day is written YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_not_a_number)]
"""A calendar day, written YYYY-MM-DD."""


class Record(BaseModel):
    """A frozen value; an unknown field is an error, never ignored.

    Raises:
        InputError: made in Python with values it cannot hold; every one of them is named.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    if not TYPE_CHECKING:  # type checkers go on seeing the fields

        def __init__(self, /, **fields: Any) -> None:
            try:
                super().__init__(**fields)
            except ValidationError as error:
                raise InputError(faults(error, type(self), type(self).__name__)) from None

        __init__.__pydantic_base_init__ = True  # records inside others are validated with them: all faults at once
