"""Pages that follow from the code: one for the command line, one for each metric."""

import importlib
from pathlib import Path

import typer
import typer.main
from typer.cli import get_docs_for_click

from ragvet.cli import app
from ragvet.records import MetricDeclaration

GROUPS = {"rankings": "Retrieval metrics", "answers": "Answer metrics"}


def write_reference(folder: Path) -> None:
    """Write the reference pages into `folder`, leaving alone what has not changed."""
    folder.mkdir(exist_ok=True)
    pages = {"cli.md": command_line()} | metric_pages()
    for stale in set(folder.glob("*.md")) - {folder / name for name in pages}:
        stale.unlink()
    for name, text in pages.items():
        page = folder / name
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, encoding="utf-8")


def command_line() -> str:
    """Every command with its arguments and options, as `--help` knows them."""
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="ragvet", **command.context_settings)  # -h stays a way to ask for help
    return get_docs_for_click(obj=command, ctx=context, name="ragvet", title="Command line")


def declarations(group: str) -> list[MetricDeclaration]:
    """What each metric of a group says about itself, in order of name."""
    registry = importlib.import_module(f"ragvet.metrics.{group}").REGISTRY
    return sorted((metric.declaration for metric in registry.values()), key=lambda declared: declared.name.lower())


def metric_pages() -> dict[str, str]:
    """A page for each metric and one that lists them."""
    pages: dict[str, str] = {}
    index = ["# Metrics\n"]
    for group, title in GROUPS.items():
        found = declarations(group)
        index += [f"## {title}\n", "```{toctree}\n:maxdepth: 1\n"]
        for declared in found:
            page = f"metric-{_slug(declared.name)}.md"
            pages[page] = metric_page(declared)
            index.append(page.removesuffix(".md"))
        index.append("```\n")
    return pages | {"metrics.md": "\n".join(index)}


def metric_page(declared: MetricDeclaration) -> str:
    """All a metric declares, as a page."""
    better = {"higher": "higher is better", "lower": "lower is better", "none": "a description, not a quality"}
    low, high = ("unbounded" if end is None else f"{end:g}" for end in (declared.low, declared.high))
    facts = {
        "Formula": declared.formula,
        "Applies to": declared.applies_to,
        "Needs": declared.needs,
        "Undefined when": declared.undefined_when,
        "Does not catch": declared.does_not_catch,
        "Range": f"{low} to {high}; {better[declared.direction]}",
        "Version": str(declared.version),
        "Reference": declared.reference,
    }
    body = "\n\n".join(f"{name}\n: {text}" for name, text in facts.items())
    return f"# {declared.name}\n\n{declared.title}\n\n{body}\n"


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")
