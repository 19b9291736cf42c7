"""What `ragvet demo` tells: what was asked, what came back by kind of question, what the gate says, what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragvet.gate import Decision, GateOutcome, RuleResult
from ragvet.records import Summary
from ragvet.report import BehaviourCell, Report
from ragvet.runs import value
from ragvet.text import plural

__all__ = ["tell"]

_ANSWERED = {
    "coverage@{supplied}": "found\nin {supplied}",
    "coverage@{deep}": "found\nin {deep}",
    "completeness": "says what\nit must",
    "answer_success": "validated",
    "wrong_refusal": "wrong\nrefusal",
}
"""Metric → heading, for the questions the documents answer."""

_LEGEND = """\
found in k: share of the evidence among the first k passages
validated: says all that matters, and every citation supports its claim"""

_SHOWN_CASES = 3


class _Outcome(NamedTuple):
    sign: str
    word: str
    style: str


_OUTCOMES: Mapping[GateOutcome, _Outcome] = {
    "fail": _Outcome("✗", "failed", "red"),
    "undecided": _Outcome("?", "undecided", "yellow"),
    "not measured": _Outcome("?", "not measured", "yellow"),
    "pass": _Outcome("✓", "passed", "green"),
}

_NOT_ANSWERED = {"refuse": "decline", "clarify": "ask back", "route": "hand over to a person"}
_RIGHT = {"refuse": "refused", "clarify": "clarified", "route": "routed"}


def tell(report: Report, decision: Decision, console: Console, *, page: Path, commands: Mapping[str, str]) -> None:
    """Print the story of one run; it fits 80 columns.

    Args:
        report: of the finished run.
        decision: what the gate said about it.
        console: where to.
        page: where the HTML report lies.
        commands: what to type next, and what each is for.
    """
    console.print(_opening(report))
    console.print(Text("\nQuestions the documents answer, worst first", style="bold"))
    console.print(Padding(_by_category(report), (0, 0, 0, 2)))
    console.print(Padding(Text(_LEGEND, "dim"), (0, 0, 0, 2)))
    console.print(Text("\nQuestions it should not answer by itself", style="bold"))
    console.print(Padding(_abstentions(report.behaviours), (0, 0, 0, 2)))
    console.print(_moral(report))
    console.print(_gate(decision))
    console.print(Text.assemble(("\nEvery case with its evidence\n", "bold"), f"  {page}"), soft_wrap=True)
    console.print(Text("\nNext", style="bold"))
    for command, purpose in commands.items():
        console.print(Text(f"  {command}").append(f"  # {purpose}", "dim"), soft_wrap=True)


def _opening(report: Report) -> Text:
    run = report.run
    counts = [f"{plural(run.cases, 'question')}: {run.answered} came back, {run.target_failures} failed"]
    if report.ambiguous:
        counts.append(f"{len(report.ambiguous)} are ambiguous and kept apart")
    if run.stale_annotations:
        counts.append(f"{plural(run.stale_annotations, 'gold quote')} not in this Python's documents")
    return Text.assemble(
        ("A documentation assistant over the reference that ships with this Python\n", "bold"),
        f"{'; '.join(counts)}.\n",
        "Judged by rules alone, offline: what they cannot decide is a range, not a guess.",
    )


def _by_category(report: Report) -> Table:
    depths = {"supplied": str(report.run.supplied_k), "deep": str(report.run.deep_k)}
    headings = {metric.format(**depths): heading.format(**depths) for metric, heading in _ANSWERED.items()}
    found = _strata(report, headings)
    first = next(iter(headings))
    table = _table("", "n", *headings.values())
    for stratum, summary in found[first].items():
        if summary.scored + summary.bounded:
            cells = (found[metric].get(stratum) for metric in headings)
            table.add_row(stratum, str(summary.eligible), *("" if cell is None else value(cell) for cell in cells))
    return table


def _strata(report: Report, metrics: Iterable[str]) -> dict[str, Mapping[str, Summary]]:
    """Metric → category → its summary, the worst category first."""
    known = {metric.declaration.name: metric for metric in (*report.retrieval, *report.answers)}
    return {
        name: {summary.stratum.removeprefix("category="): summary for summary in known[name].strata.get("category", ())}
        for name in metrics
    }


def _abstentions(cells: Sequence[BehaviourCell]) -> Table:
    table = _table("it should …", "n", "did so", "answered\nanyway", "did something\nelse")
    for expected, words in _NOT_ANSWERED.items():
        items = {cell.observed: cell.items for cell in cells if cell.expected == expected}
        total, right, answered = sum(items.values()), items.get(_RIGHT[expected], 0), items.get("answered", 0)
        if total:
            table.add_row(words, str(total), str(right), str(answered), str(total - right - answered))
    return table


def _moral(report: Report) -> Text:
    faithful = next(metric.overall for metric in report.answers if metric.declaration.name == "faithfulness")
    return Text(
        f"\nIt can only quote, so what it says is faithful to the documents ({value(faithful)}).\n"
        "Whether it answers the question is another matter; no single number shows it.\n"
    )


def _gate(decision: Decision) -> RenderableType:
    """What broke and why it matters; the arithmetic is the business of `ragvet gate --explain`."""
    style = _OUTCOMES[decision.outcome].style
    counts = Counter(result.outcome for result in decision.rules)
    tally = ", ".join(f"{counts[name]} {outcome.word}" for name, outcome in _OUTCOMES.items() if counts[name])
    head = Text.assemble(("Gate ", "bold"), (decision.outcome.upper(), f"bold {style}"), f"  {tally}")
    broken = [line for result in decision.rules if result.outcome != "pass" for line in _rule(result)]
    return Group(head, *broken)


def _rule(result: RuleResult) -> Iterator[RenderableType]:
    outcome = _OUTCOMES[result.outcome]
    critical = "critical, " if result.critical else ""
    wanted = f"{result.metric} {result.threshold}"
    line = Text.assemble(
        (f"{outcome.sign} ", outcome.style), (wanted, "bold"), f"  {critical}{result.stratum.rpartition('=')[2]}: "
    )
    yield Padding(line.append(result.observed), (0, 0, 0, 2))
    if result.outcome == "fail":
        yield Padding(Text(result.why), (0, 0, 0, 4))
        shown = ", ".join(result.case_ids[:_SHOWN_CASES])
        rest = len(result.case_ids) - _SHOWN_CASES
        yield Padding(Text(shown + (f" and {rest} more" if rest > 0 else ""), style="dim"), (0, 0, 0, 4))


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", vertical="bottom")
    return table
