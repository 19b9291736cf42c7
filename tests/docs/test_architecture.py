"""The architecture page names what is there: its contracts, its places, its floors."""

import importlib
import inspect
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
CONTRACT = re.compile(r"^  ([\w.]+)\((.*?)\) -> ", re.MULTILINE)


def contracts():
    """Each promised call: its module, its name and its parameters as written."""
    section = PAGE.partition("## What the parts promise each other")[2].partition("```text\n")[2].partition("```")[0]
    blocks = [(block.split(maxsplit=1)[0], block) for block in section.split("\n\n")]
    return [(module, *call) for module, block in blocks for call in CONTRACT.findall(block)]


@pytest.mark.parametrize(("module", "name", "written"), contracts())
def test_a_contract_names_the_parameters_the_code_has(module, name, written):
    code = importlib.import_module(module)
    for part in name.split("."):
        code = getattr(code, part)
    held = {key: found for key, found in inspect.signature(code).parameters.items() if key != "self"}
    promised = inspect.signature(eval(f"lambda {written}: None")).parameters  # noqa: S307 - our own page
    assert list(promised) == [key for key in held if key in promised]
    for key, found in held.items():
        if key in promised:
            assert promised[key].kind is found.kind
            assert promised[key].default in (inspect.Parameter.empty, found.default)
        else:
            assert found.default is not inspect.Parameter.empty or found.kind is inspect.Parameter.VAR_KEYWORD


def test_the_contracts_of_every_part_are_read():
    assert {module for module, _, _ in contracts()} >= {"ragvet.dataset", "ragvet.runs", "ragvet.report"}
    assert len(contracts()) > 30


def test_every_place_it_sends_to_exists():
    table = PAGE.partition("## Where to change what")[2].partition("\n## ")[0]
    places = re.findall(r"`((?:[\w<>*]+/)+(?:[\w<>*]+\.py)?)`", table)
    assert len(places) > 15
    for place in places:
        assert list((ROOT / "src" / "ragvet").glob(re.sub(r"<\w+>", "*", place).rstrip("/"))), place


def test_its_floors_are_those_the_import_linter_holds():
    floors = {package: int(floor) for floor, package in re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    held = {package: len(layers) - place for place, layer in enumerate(layers) for package in layer.split(" | ")}
    assert floors == held
