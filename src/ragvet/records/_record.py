from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value; an unknown field is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
