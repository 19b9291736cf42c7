"""A stranger who opens a module reads first what it is."""

import ast
from pathlib import Path

import pytest

import ragvet

PACKAGE = Path(ragvet.__file__).parent


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_opens_with_a_sentence(module):
    said = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    assert said
    assert said.splitlines()[0].endswith((".", "?", ":"))
