"""Calls to systems that fail, hang and ask for time: whether, when and how often again, and how many at once.

A failure is told as a `Setback`; what differs between a system under test and a model server is data: `Patience` and
the function that reads errors.
"""

from ragvet.calling._caller import Called, Caller, Patience
from ragvet.calling._http import is_overload, may_pass, requested_wait
from ragvet.calling._loop import in_thread, run_to_end
from ragvet.calling._pace import Pace
from ragvet.calling._pool import in_parallel
from ragvet.calling._setback import CallEscaped, CallTimeout, Setback, raised

__all__ = [
    "CallEscaped",
    "CallTimeout",
    "Called",
    "Caller",
    "Pace",
    "Patience",
    "Setback",
    "in_parallel",
    "in_thread",
    "is_overload",
    "may_pass",
    "raised",
    "requested_wait",
    "run_to_end",
]
