"""`ragvet retrieval-gate`."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ragvet.cli._blind_spots import print_blind_spots
from ragvet.cli._console import terminal
from ragvet.errors import InputError, Problem
from ragvet.numbers import number
from ragvet.text import plain, plural

if TYPE_CHECKING:
    from ragvet.gate import Decision, Policy, RuleResult
    from ragvet.runs import Run

__all__ = ["retrieval_gate"]

_MOST_CASES = 20
"""So many cases below a threshold are named for people; `--json` names them all."""


def retrieval_gate(
    golden: Annotated[Path, typer.Argument(help="Golden set: JSON, JSON Lines or YAML.")],
    *,
    retriever: Annotated[str, typer.Option(help="module:function, called f(question, k); returns ranked ids.")],
    k: Annotated[int, typer.Option(help="How many passages the model is given.", min=1)],
    min_coverage: Annotated[float, typer.Option(help="Least coverage@k, 0 to 1, in every category and in all.")],
    min_mrr: Annotated[float, typer.Option(help="Least MRR, 0 to 1, in every category and in all.")],
    corpus: Annotated[Path | None, typer.Option(help="Corpus, where evidence is marked by quote or range.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print every result as JSON, all cases listed.")] = False,
) -> None:
    """Hold a retriever against a golden set: exit code 0 if every category reaches both thresholds, 1 if one does not.

    It is 3, undecided, where none is below, but a category has nothing to measure: say, because every annotation
    is stale.

    The retriever is called once for each case whose behaviour is `answer`. MRR is the
    lower bound: the rank of the first annotated passage counts, and a passage nobody
    judged is taken for non-relevant; the upper bound, where it is relevant, stands
    beside it. Coverage needs no such assumption; where every passage is marked by chunk
    ids it is chunk coverage, the share of the annotated chunk ids that are found. But it must be known what a chunk
    carries: where evidence is marked by quote or range and a chunk states neither its
    text nor its place, coverage is a range, of which the lower end counts. A case that
    failed counts as 0.
    """
    from ragvet.gate import decide

    problems = [
        Problem(option, f"{least:g}", "a number from 0 to 1", _corrected(least))
        for option, least in (("--min-coverage", min_coverage), ("--min-mrr", min_mrr))
        if not 0 <= least <= 1
    ]
    if problems:
        raise InputError(problems)
    with tempfile.TemporaryDirectory(prefix="ragvet-") as folder:
        run = _retrieved(golden, retriever, k, corpus, Path(folder) / "runs")
        coverage = f"chunk_coverage@{k}" if _by_chunk_ids(run) else f"coverage@{k}"
        decision = decide(_policy(k, coverage, min_coverage, min_mrr), run)
        errors = {trace.case_id: trace.error.message for trace in run.traces() if trace.error is not None}
        unplaced, warnings = run.manifest.counts.unplaced_chunks, list(_warnings(run, placed=corpus is not None))
        blind = {name: run.declarations[name].does_not_catch for name in (coverage, f"RR@{k}")}
        differs, left_out = _by_passages(run, k, coverage), _ambiguous_only(run)
    words: set[str] = {*map(_word, decision.rules), *(["nothing to measure"] if left_out else [])}
    warnings += [f"every case of {name} is ambiguous: nothing of it is measured" for name in left_out]
    if as_json:
        said = {"passed": words == {""}, "results": [_record(rule) for rule in decision.rules], "failures": errors}
        print(
            json.dumps(
                {**said, "unplaced": unplaced, "warnings": warnings, "does_not_catch": blind, "differs": differs},
                indent=2,
            )
        )
    else:
        _show(decision, coverage, f"RR@{k}", errors)
        if differs:
            print(f"\n{differs}")
        print_blind_spots(terminal(), {_heading(metric): failure for metric, failure in blind.items()})
        for warning in warnings:
            print(f"warning: {plain(warning)}", file=sys.stderr)
    raise typer.Exit(1 if "below" in words else 3 if "nothing to measure" in words else 0)


def _by_chunk_ids(run: Run) -> bool:
    """Whether every passage there is to find is marked by chunk ids."""
    passages = [passage for case in run.cases() for passage in case.reference_passages if passage.grade]
    return bool(passages) and all(passage.chunk_ids for passage in passages)


def _by_passages(run: Run, k: int, coverage: str) -> str | None:
    """That the coverage of a run is another number, and why; None where it is the same everywhere."""
    name = f"coverage@{k}"
    if coverage == name:
        return None
    means = {(one.stratum, one.metric): one.mean for one in run.summaries() if one.metric in {coverage, name}}
    strata = [stratum for stratum, metric in means if metric == name]
    apart = [stratum for stratum in strata if means.get((stratum, coverage)) != means[stratum, name]]
    if not apart:
        return None
    shown = "all" if "all" in apart else apart[0]
    return (
        f"{name} of a run is {_number(means[shown, name])} in {plain(_row(shown))}: the mean over passages, each "
        f"counting once; {_heading(coverage)} counts chunk ids, {_number(means.get((shown, coverage)))}."
    )


def _ambiguous_only(run: Run) -> list[str]:
    """The categories in which every case is ambiguous: they have no row."""
    cases = run.cases()
    rows = {case.category for case in cases if not case.ambiguous}
    return sorted({case.category for case in cases if case.category} - rows)


def _row(stratum: str) -> str:
    """What the row of a stratum is called: the name of the category, unless that reads as all cases."""
    name = stratum.removeprefix("category=")
    return stratum if name == "all" else name


def _word(rule: RuleResult) -> Literal["", "below", "nothing to measure"]:
    """What is said of a rule that did not pass. A failed case is measured: as 0."""
    if rule.outcome == "pass":
        return ""
    summary = rule.summary
    idle = summary is None or not (summary.scored or summary.bounded or summary.failed)
    return "nothing to measure" if idle else "below"


def _reason(rule: RuleResult) -> str | None:
    """Why a rule did not pass, in words."""
    word = _word(rule)
    if not word:
        return None
    if word == "below":
        return f"below {rule.min:g}, where what nobody can tell, and what failed, counts as 0"
    return f"nothing to measure: {'; '.join(rule.summary.undefined) if rule.summary else rule.reason}"


def _warnings(run: Run, *, placed: bool) -> Iterator[str]:
    """What about the ids and chunks makes the numbers doubtful; `placed`: there is a corpus, which knows every id."""
    counts = run.manifest.counts
    if counts.unmarked:
        yield f"{counts.unmarked:,} of {plural(counts.cases, 'case')} have no marked evidence and are not measured"
    unplaced = counts.unplaced_chunks
    if unplaced:
        states = "chunk states" if unplaced == 1 else "chunks state"
        action = "return doc_id and text" if placed else "pass --corpus, or return doc_id and text"
        yield f"{unplaced:,} {states} neither text nor place; {action}"
    if placed:
        return
    passages = [passage for case in run.cases() for passage in case.reference_passages]
    known = {name for passage in passages for name in (passage.doc_id, *passage.chunk_ids) if name}
    answers = (trace.answer for trace in run.traces() if trace.answer is not None)
    items = [item for answer in answers for call in answer.retrievals for item in call.items]
    returned = {name for item in items for name in (item.doc_id, item.chunk_id) if name}
    if known and returned and not known & returned and not any(item.text for item in items):
        yield (
            f"no returned id is a doc_id or chunk_id of the golden set: {min(returned)!r} was returned, the golden set "
            f"names {min(known)!r}; return its ids, or doc_id and text"
        )


def _corrected(least: float) -> str:
    return f"Write {least / 100:g} for {least:g} %." if 1 < least <= 100 else "Correct it."  # noqa: PLR2004 - a percentage


def _policy(k: int, coverage: str, min_coverage: float, min_mrr: float) -> Policy:
    """The two thresholds as a policy; whatever failed or is unknown counts at its worst."""
    from ragvet.gate import Placed, Policy, Rule

    today = datetime.now(UTC).date()
    rules = [
        Rule(
            metric=metric,
            stratum=stratum,
            min=least,
            minimum_n=1,
            allowed_undefined_share=1.0,
            allowed_failed_share=1.0,
            agreed_by="the command line",
            agreed_on=today,
            why="given on the command line",
        )
        for stratum in ("all", "every category")
        for metric, least in ((coverage, min_coverage), (f"RR@{k}", min_mrr))
    ]
    entries = tuple(Placed(table="rule", number=number, entry=rule) for number, rule in enumerate(rules, start=1))
    return Policy(source="command line", fingerprint=f"k={k} {min_coverage} {min_mrr}", entries=entries)


def _retrieved(golden: Path, retriever: str, k: int, corpus: Path | None, runs: Path) -> Run:
    """The run of the retriever over the cases to be answered."""
    from ragvet.dataset import load_corpus, load_dataset
    from ragvet.runs import progress_bar, retriever_plan, start
    from ragvet.targets import PythonTarget, import_callable

    with redirect_stdout(sys.stderr), progress_bar() as progress:  # what the retriever prints is no result
        target = PythonTarget(import_callable(retriever), name=retriever, retriever=True)
        plan = retriever_plan(load_dataset(golden), target, k, corpus=None if corpus is None else load_corpus(corpus))
        return start(plan, runs=runs, progress=progress)


def _record(rule: RuleResult) -> dict[str, Any]:
    return {
        "stratum": rule.stratum,
        "metric": rule.metric,
        "min": rule.min,
        "passed": rule.outcome == "pass",
        "reason": _reason(rule),
        "low": rule.low,
        "high": rule.high,
        "cases": 0 if rule.summary is None else rule.summary.eligible,
        "failed": 0 if rule.summary is None else rule.summary.failed,
        "undefined": {} if rule.summary is None else rule.summary.undefined,
        "look_at": rule.case_ids,
    }


def _show(decision: Decision, coverage: str, mrr: str, errors: Mapping[str, str]) -> None:
    from rich.table import Table
    from rich.text import Text

    console = terminal(piped_width=240)
    strata = list(dict.fromkeys(rule.stratum for rule in decision.rules))
    rules = {(rule.stratum, rule.metric): rule for rule in decision.rules}
    table = Table(
        "", "n", "failed", "undefined", _heading(coverage), _heading(mrr), "at most", "", box=None, pad_edge=False
    )
    reasons: set[str] = set()
    for stratum in sorted(strata, key=lambda name: (name == "all", name)):
        covered, ranked = rules[stratum, coverage], rules[stratum, mrr]
        summary = covered.summary
        undefined = summary.undefined if summary else dict[str, int]()
        reasons.update(undefined)
        table.add_row(
            Text(plain("all" if stratum == "all" else _row(stratum))),
            str(summary.eligible if summary else 0),
            str(summary.failed if summary else 0),
            str(sum(undefined.values())),
            _range(covered),
            _number(ranked.low),
            _number(ranked.high),
            Text(plain(_verdict(covered, ranked)), style="bold red"),
        )
    console.print(table)
    console.print(
        f"\n{_heading(mrr)}: by the first annotated passage, what nobody judged taken for non-relevant; at most: taken "
        "for relevant. The lower one is held against the threshold. A failed case counts as 0."
    )
    if reasons:
        console.print(f"Undefined cases are left out: {'; '.join(sorted(reasons))}.", markup=False)
    if decision.ambiguous:
        console.print(f"{decision.ambiguous} ambiguous, outside pass and fail.")
    _show_cases(decision, console, errors)


def _heading(metric: str) -> str:
    """What a mean over cases is called."""
    return metric.replace("RR", "MRR").replace("_", " ")


def _verdict(*rules: RuleResult) -> str:
    """What a row ends with: the metrics below their threshold, or why there was nothing to measure."""
    low = [_heading(rule.metric) for rule in rules if _word(rule) == "below"]
    idle = dict.fromkeys(_reason(rule) for rule in rules if _word(rule) == "nothing to measure")
    return "; ".join([*([f"below: {', '.join(low)}"] if low else ()), *(reason for reason in idle if reason)])


def _range(rule: RuleResult) -> str:
    """The value, or both of its ends where nobody can tell what some chunks carry."""
    if rule.summary is None or not rule.summary.bounded:
        return _number(rule.low)
    return f"{_number(rule.low)}–{_number(rule.high)}"  # noqa: RUF001 - an en dash


def _show_cases(decision: Decision, console: Any, errors: Mapping[str, str]) -> None:
    """The cases to look at first."""
    found = {case.case_id: case for rule in decision.rules if rule.outcome != "pass" for case in rule.cases}
    if not found:
        return
    console.print("\nCases to look at:")
    for case in list(found.values())[:_MOST_CASES]:
        cause = f": {case.reason}: {errors.get(case.case_id, '')}" if case.status == "failed" else ""
        console.print(plain(f"  {case.case_id}{cause}"), markup=False)
    if len(found) > _MOST_CASES:
        console.print(f"  … and {len(found) - _MOST_CASES:,} more; --json names them all.")


def _number(value: float | None) -> str:
    return "none" if value is None else number(value)
