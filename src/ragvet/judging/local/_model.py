"""The trained weights behind the score of support."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragvet.judging.local._features import FEATURES

_FILE = "model.json"
Absence = Literal["nothing", "few words", "many words", "anchors"]
"""What is missing of a claim: nothing that tells, words, or words with a number, a name or the speaker among them."""


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression over `FEATURES`; made by `scripts/train_offline_judge.py`, described in its model card.

    Attributes:
        coefficients: one per feature, for features as they are (standardisation is folded in).
        intercept: of the same scale.
        unsupported_below: logit under which nothing in the passage shows the claim, by what is missing of it.
        source: the text of the file, for a fingerprint.
    """

    coefficients: npt.NDArray[np.float64]
    intercept: float
    unsupported_below: Mapping[Absence, float]
    source: str

    def logit(self, features: Sequence[float]) -> float:
        """How well the passage covers the claim: 0 is even odds."""
        return float(np.array(features, dtype=np.float64) @ self.coefficients) + self.intercept


@cache
def load_model() -> Model:
    """The model of the package."""
    return read_model((files("ragvet.judging.local") / _FILE).read_text(encoding="utf-8"))


def read_model(text: str) -> Model:
    """The model that the text of a model file describes."""
    fields = json.loads(text)
    if tuple(fields["coefficients"]) != FEATURES:
        raise RuntimeError(f"{_FILE} was made for other features; run scripts/train_offline_judge.py")
    return Model(
        coefficients=np.array(list(fields["coefficients"].values()), dtype=np.float64),
        intercept=fields["intercept"],
        unsupported_below={"nothing": -math.inf, **fields["unsupported_below"]},
        source=text,
    )
