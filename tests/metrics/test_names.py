"""What is done with a metric hangs on its declaration: no module outside `metrics` asks for its name."""

import ast
from pathlib import Path

import pytest

import ragvet
from ragvet.metrics import answers, rankings

PACKAGE = Path(ragvet.__file__).parent
CHOOSES = {
    "cli/_init.py": "the policy of a new project",
    "cli/_labels.py": "the command scores three metrics, and says so",
    "cli/_rank.py": "what it scores by default",
    "cli/_retrieval_gate.py": "the command is about two metrics, and says so",
    "demo/_story.py": "the demo tells a story of its own assistant",
    "runs/_count.py": "what a run counts by default",
    "runs/_labels.py": "the three of the command",
    "runs/_plan.py": "what the short path for a retriever counts beside the others",
}
"""Modules that choose metrics to compute or to talk about; none of them treats one otherwise than another."""
WORDS = {"judged", "unjudged", "coverage", "precision", "recall", "hit", "accuracy", "relevance", "cost", "latency"}
FIELDS = {"input_tokens", "output_tokens"}
KNOWN = {*answers.REGISTRY, *rankings.REGISTRY} - WORDS - FIELDS
"""Metrics whose names mean nothing else; the others count as named where a depth follows."""


def names_in(module):
    """The metrics named by a string constant of the code; docstrings and longer texts name none."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name, at, _ = node.value.partition("@")
            if name in KNOWN or (at and name in WORDS):
                yield node.value


@pytest.mark.parametrize(
    "module",
    [path for path in sorted(PACKAGE.rglob("*.py")) if "metrics" not in path.relative_to(PACKAGE).parts],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_a_module_names_no_metric(module):
    if module.relative_to(PACKAGE).as_posix() in CHOOSES:
        return
    assert not set(names_in(module))
