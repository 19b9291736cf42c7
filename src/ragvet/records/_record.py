"""What all records have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from ragvet.errors import InputError
from ragvet.records._faults import NOT_REPEATED, faults


def _not_a_number(value: object) -> object:
    """Keep numbers from becoming days: read as seconds since 1970, 20240115 would be a day in August 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and "-" not in value.strip("-")):
        raise ValueError("a day is written YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_not_a_number)]
"""A calendar day, written YYYY-MM-DD."""


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _name_of_variable(value: object) -> object:
    if not isinstance(value, str) or _VARIABLE.fullmatch(value) is None:
        raise PydanticCustomError(NOT_REPEATED, "the name of an environment variable, not the value itself")
    return value


def _names_of_variables(value: object) -> object:
    if not isinstance(value, Mapping):
        raise PydanticCustomError(NOT_REPEATED, "a table, each name in it with that of an environment variable")
    return cast("object", value)


EnvironmentName = Annotated[
    str, BeforeValidator(_name_of_variable), Field(json_schema_extra={"pattern": f"^{_VARIABLE.pattern}$"})
]
"""Where a secret is to be found. What stands there instead may be the secret itself, and no message repeats it."""

EnvironmentNames = Annotated[Mapping[str, EnvironmentName], BeforeValidator(_names_of_variables)]
"""Where secrets are to be found, by what they are for; likewise never repeated."""


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
