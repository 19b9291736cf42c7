"""`ragvet metrics`: what each number means, and what it does not catch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._console import terminal
from ragvet.text import plain

if TYPE_CHECKING:
    from rich.console import Console

    from ragvet.records import MetricDeclaration

__all__ = ["metrics"]

_BETTER = {"higher": "higher is better", "lower": "lower is better", "none": "a description, not a quality"}


@dataclass(frozen=True, slots=True)
class _Entry:
    """One metric: which half of a run it looks at, how it is written, and what it declares."""

    half: str
    usage: str
    declaration: MetricDeclaration


def metrics(
    name: Annotated[
        str | None, typer.Argument(help="A metric, e.g. faithfulness or nDCG@10. Left out: all.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the declarations as JSON.")] = False,
) -> None:
    """Say what each metric means, and which failure it does not catch."""
    entries = _entries()
    chosen = entries if name is None else [_find(name, entries)]
    called = None if name is None else _elsewhere(name, chosen[0])
    if as_json:
        import json

        declared = [{"half": entry.half, "usage": entry.usage, **entry.declaration.model_dump()} for entry in chosen]
        print(json.dumps(declared, ensure_ascii=False, indent=2))
        return

    console = terminal()
    if name is None:
        _list(chosen, console)
    else:
        if called is not None:
            console.print(f"{called} is called {chosen[0].declaration.name} here.\n", markup=False)
        _describe(chosen[0], console)


def _entries() -> list[_Entry]:
    from ragvet.metrics import answers, rankings

    return [
        *(_Entry("retrieval", definition.usage, definition.declaration) for definition in rankings.REGISTRY.values()),
        *(_Entry("answers", metric.name, metric.declaration) for metric in answers.REGISTRY.values()),
    ]


def _find(name: str, entries: list[_Entry]) -> _Entry:
    """The metric of that name, in any case, with or without parameters and cutoff, or the one other tools call so."""
    from ragvet.errors import InputError, Problem
    from ragvet.metrics import counterpart
    from ragvet.metrics.rankings import renamed
    from ragvet.text import nearest

    known = {entry.declaration.name.casefold(): entry for entry in entries}
    written = name.strip().casefold()
    for candidate in (written, counterpart(written), renamed(written)):
        if candidate is not None and _base(candidate) in known:
            return known[_base(candidate)]
    meant = nearest(written, known)
    hint = f"Did you mean {known[meant].declaration.name!r}? " if meant else ""
    raise InputError(
        Problem(
            source="ragvet metrics",
            found=repr(name),
            expected="the name of a metric",
            action=f"{hint}`ragvet metrics` lists them all.",
        )
    )


def _elsewhere(name: str, entry: _Entry) -> str | None:
    """The name as written, where it is none of ours."""
    own = _base(name) == entry.declaration.name.casefold()
    return None if own else plain(name.strip())


def _base(name: str) -> str:
    """A name without parameters and cutoff, in small letters."""
    return name.partition("@")[0].partition("(")[0].strip().casefold()


def _list(entries: list[_Entry], console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    for half in dict.fromkeys(entry.half for entry in entries):
        console.print(Text(f"{half.capitalize()}\n", style="bold underline"))
        table = Table(box=None, show_header=False, padding=(0, 2, 1, 0), pad_edge=False)
        table.add_column(max_width=30)
        table.add_column()
        for entry in (entry for entry in entries if entry.half == half):
            declared = entry.declaration
            meaning = (
                Text(f"{declared.title}\n").append("Does not catch: ", "dim").append(declared.does_not_catch, "dim")
            )
            table.add_row(Text(declared.name, style="bold", overflow="fold"), meaning)
        console.print(table)
    console.print("`ragvet metrics NAME` shows formula, eligibility, and when it is undefined.")


def _describe(entry: _Entry, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    declared = entry.declaration
    low, high = ("unbounded" if end is None else f"{end:g}" for end in (declared.low, declared.high))
    console.print(Text(entry.usage, style="bold").append(f"  {entry.half}, version {declared.version}", "dim"))
    console.print(Text(f"{declared.title}\n"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    facts = {
        "range": f"{low} to {high}; {_BETTER[declared.direction]}",
        "formula": declared.formula,
        "applies to": declared.applies_to,
        "needs": declared.needs,
        "undefined when": declared.undefined_when,
        "does not catch": declared.does_not_catch,
        "reference": declared.reference,
    }
    for label, fact in facts.items():
        table.add_row(Text(label, style="dim", no_wrap=True), Text(fact))
    console.print(table)
