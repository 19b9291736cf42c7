"""A decision as a reader sees it in a terminal: readable at 80 columns and without colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from ragvet.gate._decision import Decision, RuleResult
from ragvet.text import plain, plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["print_decision"]

SHOWN_CASES = 5
_COLOUR = {"pass": "green", "fail": "red", "undecided": "yellow", "not measured": "yellow"}
_INDENT = 11


def print_decision(decision: Decision, console: Console, *, every_step: bool = False) -> None:
    """Prints the decision: what failed with its cases, what is undecided, what passed, and the exit code.

    Args:
        decision: what the gate said.
        console: where to; it knows width and colour.
        every_step: the arithmetic of every rule in words as well.
    """
    _print(console, _head(decision))
    for warning in decision.warnings:
        _print(console, _text("Warning: ", "bold yellow", plain(warning)))
    console.print()
    defined: set[str] = set()
    for result in decision.rules:
        if result.outcome == "pass" and not every_step:
            continue
        _print(console, _line(result))
        for line in _below(result, every_step=every_step, define=result.metric not in defined):
            _print(console, line, indent=_INDENT)
        defined.add(result.metric)
        console.print()
    if not every_step:
        for line in _passed(decision.rules):
            _print(console, line)
    _print(console, _foot(decision))


def _print(console: Console, text: Text, *, indent: int = 0) -> None:
    """Prints wrapped lines without the trailing spaces that would make them hard to copy and compare."""
    for line in text.wrap(console, console.width - indent):
        line.rstrip()
        line.pad_left(indent)
        console.print(line, soft_wrap=True)


def _head(decision: Decision) -> Text:
    head = _text("Gate ", "bold")
    head.append(decision.outcome.upper(), f"bold {_COLOUR[decision.outcome]}")
    return head.append(f"  run {plain(decision.run_id)} held against {plain(decision.policy)}")


def _line(result: RuleResult) -> Text:
    width = max(_INDENT, len(result.outcome) + 2)
    line = _text(f"{result.outcome.upper():<{width}}", f"bold {_COLOUR[result.outcome]}")
    if result.critical:
        line.append("critical ", "bold")
    return line.append(f"{plain(result.metric)} {result.threshold}", "bold").append(f"  {plain(result.stratum)}")


def _below(result: RuleResult, *, every_step: bool, define: bool) -> Iterator[Text]:
    yield _text(f"{result.observed}: {result.reason}" if result.observed else result.reason)
    if result.cases:
        yield _text("worst: ", "dim", _cases(result))
    if every_step:
        for sentence in (*(result.definition if define else ()), *result.explanation):
            yield _text(plain(sentence))
    if every_step or result.outcome == "fail":
        yield _text(f"agreed by {plain(result.agreed_by)} on {result.agreed_on}: {plain(result.why)}", "dim")


def _cases(result: RuleResult) -> str:
    first = result.cases[:SHOWN_CASES]
    shown = ", ".join(f"{plain(case.case_id)} ({plain(case.shown(result))})" for case in first)
    rest = len(result.cases) - len(first)
    return f"{shown}, and {rest:,} more (--json lists all)" if rest > 0 else shown


def _passed(results: Iterable[RuleResult]) -> Iterator[Text]:
    """One line per rule that passed somewhere, its strata gathered."""
    passed = [result for result in results if result.outcome == "pass"]
    for _, group in groupby(passed, key=lambda result: (result.critical, result.number)):
        strata = list(group)
        if len(strata) == 1:
            yield _line(strata[0]).append(f"  {strata[0].observed}", "dim")
        else:
            worst = min(strata, key=_margin)
            yield _line(worst.model_copy(update={"stratum": plural(len(strata), "stratum", "strata")})).append(
                f"  closest: {plain(worst.stratum)}, {worst.observed}", "dim"
            )
    if passed:
        yield _text("")


def _margin(result: RuleResult) -> float:
    """How much room the worst possible mean leaves to the threshold."""
    under = result.low - result.min if result.min is not None and result.low is not None else float("inf")
    over = result.max - result.high if result.max is not None and result.high is not None else float("inf")
    return min(under, over)


def _foot(decision: Decision) -> Text:
    foot = f"{decision.tally}."
    if decision.ambiguous:
        foot += f" {plural(decision.ambiguous, 'ambiguous case')} outside pass and fail."
    return _text(f"{foot} Exit code {decision.exit_code}.")


def _text(start: str, style: str = "", rest: str = "") -> Text:
    from rich.text import Text  # noqa: PLC0415 - for people only

    return Text().append(start, style).append(rest)
