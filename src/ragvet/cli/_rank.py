"""`ragvet rank`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._blind_spots import print_blind_spots
from ragvet.cli._console import terminal
from ragvet.cli._own_names import own_names
from ragvet.numbers import number
from ragvet.text import plain

if TYPE_CHECKING:
    from ragvet.records import Outcome

__all__ = ["rank"]

_METRICS = ("precision", "recall", "RR", "nDCG", "hit", "judged")


def rank(
    judgments: Annotated[
        str, typer.Option(help="Grade of every item: 1 or more relevant, 0 not, ? unjudged. A=1,B=?,C=0")
    ],
    ranking: Annotated[str, typer.Option(help="The ranked items, best first: C,A,B")],
    k: Annotated[int, typer.Option("-k", min=1, help="Cutoff.")],
    metric: Annotated[
        list[str] | None, typer.Option("-m", "--metric", help="A metric, e.g. nDCG@10. May be given several times.")
    ] = None,
    elsewhere: Annotated[
        str, typer.Option(help="Unjudged items besides those written down: a number, or unbounded.")
    ] = "0",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Score one ranking typed on the command line, with the exact interval where a judgment is missing."""
    from ragvet.metrics.rankings import parse_all
    from ragvet.retrieval import TypedRanking

    typed = TypedRanking.read(judgments, ranking, elsewhere=_number(elsewhere))
    metrics = parse_all(own_names(metric) if metric else (f"{name}@{k}" for name in _METRICS))
    outcomes = [(chosen.name, outcome) for chosen, outcome in typed.outcomes(metrics)]
    blind = {chosen.name: chosen.declaration.does_not_catch for chosen in metrics}
    if as_json:
        places = [
            {"rank": place.rank, "item": place.item, "grade": place.grade, "discount": place.discount,
             "contribution": place.contribution, "in_window": place.rank <= k}
            for place in typed.places
        ]  # fmt: skip
        scores = {
            name: {**outcome.model_dump(exclude_none=True), "does_not_catch": blind[name]} for name, outcome in outcomes
        }
        print(json.dumps({"k": k, "ranking": places, "metrics": scores}, ensure_ascii=False, indent=2))
        return
    from rich.table import Table
    from rich.text import Text

    console = terminal()
    table = Table("rank", "item", "judgment", "discount", "contribution", box=None, pad_edge=False)
    for place in typed.places:
        if place.rank == k + 1:
            table.add_section()
        contribution = "?" if place.contribution is None else _shown(place.contribution)
        judgment = "?" if place.grade is None else str(place.grade)
        outside = place.rank > k
        table.add_row(
            str(place.rank),
            Text(plain(place.item)),
            judgment,
            _shown(place.discount),
            f"(below {k})" if outside else contribution,
        )
    console.print(table)
    console.print()
    table = Table("metric", "value", "", box=None, pad_edge=False)
    for name, outcome in outcomes:
        table.add_row(name, *_cells(outcome))
    console.print(table)
    print_blind_spots(console, blind)


def _number(text: str) -> float:
    if text == "unbounded":
        return float("inf")
    if not (text.isascii() and text.isdigit()):
        raise typer.BadParameter(f"{text!r} is neither a number nor 'unbounded'", param_hint="--elsewhere")
    return float(text)


def _shown(amount: float) -> str:
    """With four decimals, as tools of information retrieval print them."""
    return number(amount, decimals=4)


def _cells(outcome: Outcome) -> tuple[str, str]:
    match outcome.status:
        case "scored":
            return _shown(outcome.value), ""
        case "bounded":
            return f"\\[{_shown(outcome.low)}, {_shown(outcome.high)}]", outcome.reason
        case "undefined":
            return "undefined", outcome.reason
        case "failed":
            return "failed", outcome.error
