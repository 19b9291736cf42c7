"""The gate: a policy agreed before measuring against a finished run, as pass, fail, undecided or not measured."""

from ragvet.gate._decide import decide, unanswerable
from ragvet.gate._decision import CaseResult, Decision, GateOutcome, RuleResult
from ragvet.gate._entry import Entry, Placed
from ragvet.gate._junit import to_junit
from ragvet.gate._policy import Policy, load_policy, policy_schema, read_policy
from ragvet.gate._rule import Rule
from ragvet.gate._subjects import SUBJECTS, GatedRun, Subject
from ragvet.gate._terminal import print_decision

__all__ = [
    "SUBJECTS",
    "CaseResult",
    "Decision",
    "Entry",
    "GateOutcome",
    "GatedRun",
    "Placed",
    "Policy",
    "Rule",
    "RuleResult",
    "Subject",
    "decide",
    "load_policy",
    "policy_schema",
    "print_decision",
    "read_policy",
    "to_junit",
    "unanswerable",
]
