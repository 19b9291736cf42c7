"""What a gate decided, with the numbers and the cases behind it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from pydantic import Field, NonNegativeInt

from ragvet.gate._numbers import Thresholds, interval
from ragvet.records import Record, Summary
from ragvet.text import plural

__all__ = ["ORDER", "CaseResult", "Decision", "GateOutcome", "RuleResult"]

GateOutcome = Literal["pass", "fail", "undecided", "not measured"]
"""`undecided`: what is known does not settle it. `not measured`: the run holds nothing it speaks about."""

ORDER: tuple[GateOutcome, ...] = ("fail", "undecided", "not measured", "pass")
"""From the gravest to the lightest: of several the first holds."""
_WORDS: Mapping[GateOutcome, str] = {"fail": "failed", "pass": "passed"}


class CaseResult(Record):
    """One case behind a rule that did not pass. Repeats: their mean, for a critical rule their worst."""

    case_id: str
    status: Literal["scored", "bounded", "undefined", "failed"]
    low: float | None = None
    high: float | None = None
    reason: str | None = None

    def shown(self, rule: Thresholds) -> str:
        """Its value as it reads beside the rule: 0.1, 0 to 1, undefined, failed: TargetTimeout."""
        if self.low is None or self.high is None:
            return f"failed: {self.reason}" if self.status == "failed" and self.reason else self.status
        return interval(self.low, self.high, rule)


class RuleResult(Record):
    """One rule in one stratum."""

    subject: str = Field(default="score", description="What the entry is about: a score, what must have been tested …")
    critical: bool
    number: int = Field(description="Which [[rule]] or [[critical]] of the policy, counted from 1.")
    metric: str = Field(description="What was measured: the metric, or in words what the subject counts.")
    stratum: str
    outcome: GateOutcome
    threshold: str = Field(description="As it reads: ≥ 0.9.")
    observed: str = Field(description="The number the rule was held against, in words.")
    reason: str = Field(description="Why it came out so, in words.")
    min: float | None = None
    max: float | None = None
    low: float | None = Field(
        default=None, description="Smallest possible mean: unknowns and failed items at the low end. None: unbounded."
    )
    high: float | None = Field(default=None, description="Largest possible mean. None: unbounded.")
    minimum_n: NonNegativeInt | None = Field(default=None, description="None: no term of this subject; likewise below.")
    allowed_undefined_share: float | None = None
    allowed_failed_share: float | None = None
    summary: Summary | None = Field(default=None, description="None: no case of the stratum is eligible.")
    cases: tuple[CaseResult, ...] = Field(
        default=(), description="Cases on the wrong side, then possibly so, then without a value; the worst first."
    )
    agreed_by: str
    agreed_on: date
    why: str
    defaults: tuple[str, ...] = Field(default=(), description="The fields that stand in [defaults] of the policy.")
    definition: tuple[str, ...] = Field(default=(), description="What the metric is and does not catch, in words.")
    explanation: tuple[str, ...] = Field(default=(), description="The arithmetic, sentence by sentence.")

    @property
    def case_ids(self) -> tuple[str, ...]:
        """Ids of the cases to look at, the worst first."""
        return tuple(case.case_id for case in self.cases)


class Decision(Record):
    """The gate's word on a run. Failed rules come first, then undecided ones; critical ones lead each."""

    outcome: GateOutcome
    run_id: str
    started_at: datetime
    policy: str = Field(description="The policy file.")
    policy_fingerprint: str
    rules: tuple[RuleResult, ...]
    ambiguous: NonNegativeInt = Field(default=0, description="Cases outside pass and fail: reviewers disagreed.")
    warnings: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 3 undecided or not measured; 2 is left to broken input."""
        return {"pass": 0, "fail": 1, "undecided": 3, "not measured": 3}[self.outcome]

    @property
    def tally(self) -> str:
        """How many checks (a rule in one stratum) came out how: 10 checks: 5 failed, 1 undecided, 4 passed."""
        counted = (f"{self.count(outcome)} {_WORDS.get(outcome, outcome)}" for outcome in ORDER if self.count(outcome))
        return f"{plural(len(self.rules), 'check')}: {', '.join(counted)}"

    def count(self, outcome: GateOutcome) -> int:
        """How many rules came out so, counting each stratum."""
        return sum(rule.outcome == outcome for rule in self.rules)
