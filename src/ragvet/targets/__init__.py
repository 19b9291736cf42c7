"""Ways to call a system under test: a Python callable, an HTTP endpoint, recorded traces."""

from ragvet.targets._http import HttpEndpoint, HttpTarget
from ragvet.targets._in_loop import InLoop
from ragvet.targets._python import PythonTarget, import_callable
from ragvet.targets._recorded import RecordedTraces
from ragvet.targets._reply import read_answer
from ragvet.targets._target import Target

__all__ = [
    "HttpEndpoint",
    "HttpTarget",
    "InLoop",
    "PythonTarget",
    "RecordedTraces",
    "Target",
    "import_callable",
    "read_answer",
]
