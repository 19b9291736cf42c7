"""What a metric of rankings is: its definition, its parameters, its cutoff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ragvet.metrics.rankings._rankings import MAX_GRADE
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window
from ragvet.records import MetricDeclaration

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter that takes one of a few words."""

    name: str
    default: str
    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        """What may stand there, in words."""
        return " or ".join(self.options)

    def read(self, text: str) -> Value | None:
        """The value written as `text`; None where it is none."""
        return text if text in self.options else None


@dataclass(frozen=True, slots=True)
class Whole:
    """A parameter that takes a whole number."""

    name: str
    default: int
    low: int
    high: int

    @property
    def expected(self) -> str:
        """What may stand there, in words."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, text: str) -> Value | None:
        """The value written as `text`; None where it is none."""
        return int(text) if text.isascii() and text.isdigit() and self.low <= int(text) <= self.high else None


@dataclass(frozen=True, slots=True)
class Between:
    """A parameter that takes a number strictly between two others."""

    name: str
    default: float
    low: float
    high: float

    @property
    def expected(self) -> str:
        """What may stand there, in words."""
        return f"a number above {self.low:g} and below {self.high:g}"

    def read(self, text: str) -> Value | None:
        """The value written as `text`; None where it is none."""
        try:
            number = float(text)
        except ValueError:
            return None
        return number if self.low < number < self.high else None


Parameter = Choice | Whole | Between

LEVEL = Whole("rel", 1, 1, MAX_GRADE)
"""The grade from which an item counts as relevant, for metrics that know only relevant and not."""


Ties = Literal["level", "grade", "judged", "unjudged", "layers", "cut"]
"""What a metric sees of items with equal scores, so that their best order and their worst one are known.

`level`: whether each reaches the level of relevance; `grade`: its grade; `judged`, `unjudged`: whether it is judged;
`layers`: each grade as a layer of its own; `cut`: as `level`, but how many of them stand within the cutoff matters too.
"""


@dataclass(frozen=True, slots=True)
class Definition:
    """A metric: what it is, how it is written, and how it is measured.

    Attributes:
        declaration: what it is, for people.
        measure: the extent over a window, given the parameters by name.
        parameters: what may stand in parentheses after the name.
        cutoff: whether ``@k`` must, may or must not follow.
        undefined: why it is undefined where no assignment defines it.
        bounded: why it is bounded where it is. None: unjudged items, in the window or elsewhere.
        looks_elsewhere: whether unjudged items outside the window can move it.
        ties: what decides how far it moves with the order of equal scores.
        needs_repeats: whether it cannot be measured where nobody knows which items carry the same evidence.
    """

    declaration: MetricDeclaration
    measure: Callable[..., Extent]
    parameters: tuple[Parameter, ...] = (LEVEL,)
    cutoff: Literal["required", "optional", "none"] = "required"
    undefined: Reason = Reason.NOTHING_RELEVANT
    bounded: Reason | None = None
    looks_elsewhere: bool = False
    ties: Ties = "level"
    needs_repeats: bool = False

    @property
    def about_judgments(self) -> bool:
        """Whether it counts which items are judged, of which an assumption about the others says nothing."""
        return self.ties in {"judged", "unjudged"}

    @property
    def name(self) -> str:
        """The name without parameters and cutoff."""
        return self.declaration.name

    @property
    def usage(self) -> str:
        """How it is written, with the defaults: ``nDCG(gain=linear)@k``."""
        arguments = ", ".join(f"{parameter.name}={parameter.default}" for parameter in self.parameters)
        tail = {"required": "@k", "optional": "[@k]", "none": ""}[self.cutoff]
        return f"{self.name}{f'({arguments})' if arguments else ''}{tail}"


@dataclass(frozen=True, slots=True)
class Metric:
    """A definition with its parameters and cutoff set: what a name like ``nDCG(gain=exp)@10`` stands for."""

    definition: Definition
    cutoff: int | None = None
    arguments: Mapping[str, Value] = field(default_factory=dict[str, Value])

    @property
    def name(self) -> str:
        """The canonical name: parameters at their defaults are left out."""
        defaults = {parameter.name: parameter.default for parameter in self.definition.parameters}
        given = ", ".join(f"{name}={value}" for name, value in self.arguments.items() if defaults[name] != value)
        tail = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.definition.name}{f'({given})' if given else ''}{tail}"

    @property
    def declaration(self) -> MetricDeclaration:
        """What the metric is, for people."""
        return self.definition.declaration

    def measure(self, window: Window) -> Extent:
        """Its extent on every query of the window."""
        return self.definition.measure(window, **self.arguments)

    def __str__(self) -> str:
        return self.name
