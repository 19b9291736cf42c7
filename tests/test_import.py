"""`import ragvet` defines names and does nothing else."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import ragvet

HEAVY = (
    "aiohttp",
    "asyncio",
    "bm25s",
    "jinja2",
    "jsonpath",
    "numpy",
    "polars",
    "pydantic",
    "rich",
    "scipy",
)


def loaded_after(program):
    """The heavy libraries in memory after a program of one line, in a fresh interpreter."""
    check = f"import sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    words = [sys.executable, "-c", f"{program}; {check}"]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def test_importing_ragvet_loads_no_heavy_library():
    assert loaded_after("import ragvet") == set()


def test_the_help_loads_none_but_what_prints_it():
    program = "from ragvet.cli import app; from typer.testing import CliRunner; CliRunner().invoke(app, ['--help'])"
    assert loaded_after(program) <= {"rich"}


def test_the_help_loads_no_command():
    program = "from ragvet.cli import app; from typer.testing import CliRunner; CliRunner().invoke(app, ['--help'])"
    listed = f"{program}; import sys; print(*[name for name in sys.modules if name.startswith('ragvet.')])"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"ragvet.cli", "ragvet.errors"}


def test_reading_records_loads_no_more_than_they_are_made_of():
    assert loaded_after("import ragvet; ragvet.Answer") == {"pydantic"}


def test_loading_a_golden_set_or_calling_a_function_needs_no_network_library():
    assert not loaded_after("import ragvet; ragvet.evaluate") & {"aiohttp", "jinja2", "bm25s"}


@pytest.mark.parametrize("name", sorted(set(ragvet.__all__)))
def test_every_exported_name_is_there_and_is_what_its_home_calls_so(name):
    value = getattr(ragvet, name)
    assert value is not None
    assert name in dir(ragvet)
    home = importlib.import_module(getattr(value, "__module__", value.__name__))
    assert getattr(home, name, home) is value


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = ragvet.evalute


def test_importing_starts_no_thread_and_reads_no_environment():
    program = (
        "import os, threading; seen = []; real = os.environ.__class__.__getitem__\n"
        "os.environ.__class__.__getitem__ = lambda self, name: seen.append(name) or real(self, name)\n"
        "import ragvet; print(threading.active_count(), seen)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split(maxsplit=1) == ["1", "[]\n"]


def imported(module):
    """Every dotted name a module imports."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_no_package_reaches_into_the_private_modules_of_another():
    root = Path(ragvet.__file__).parent
    for module in root.rglob("*.py"):
        own = module.relative_to(root).parts[0].removesuffix(".py")
        for name in imported(module):
            owner, *inside = name.split(".")[1:] or [""]
            private = owner != own and any(part.startswith("_") and not part.startswith("__") for part in inside)
            assert not (name.startswith("ragvet.") and private), f"{module.relative_to(root)} imports {name}"
