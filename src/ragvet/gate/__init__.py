"""The gate: a policy agreed before measuring against a finished run, as pass, fail or undecided."""

from ragvet.gate._decide import GatedRun, decide
from ragvet.gate._decision import CaseResult, Decision, GateOutcome, RuleResult
from ragvet.gate._foresee import unanswerable
from ragvet.gate._junit import to_junit
from ragvet.gate._policy import Policy, PolicyFile, Rule, load_policy
from ragvet.gate._terminal import print_decision

__all__ = [
    "CaseResult",
    "Decision",
    "GateOutcome",
    "GatedRun",
    "Policy",
    "PolicyFile",
    "Rule",
    "RuleResult",
    "decide",
    "load_policy",
    "print_decision",
    "to_junit",
    "unanswerable",
]
