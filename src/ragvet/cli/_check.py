"""`ragvet check`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragvet.cli._problems import gathered
from ragvet.numbers import share
from ragvet.text import plain, plural

if TYPE_CHECKING:
    from ragvet.dataset import Check, CorpusFacts, DatasetFacts, Finding
    from ragvet.records import JudgmentScope
    from ragvet.runs import Config

__all__ = ["check"]

_MOST_ERRORS = 30
_MOST_WARNINGS = 10
"""So many lines of one kind are printed for people; `--json` has every finding."""
_MOST_NAMES = 12
_SETTINGS = "invalid configuration or policy"


def check(
    path: Annotated[
        Path, typer.Argument(help="A golden set; or ragvet.toml, with all it names; or a policy.", show_default=True)
    ] = Path("ragvet.toml"),
    corpus: Annotated[
        Path | None, typer.Option(help="Corpus to check the evidence against: JSON Lines, Parquet, or a folder.")
    ] = None,
    judgments: Annotated[
        Literal["exhaustive", "listed"] | None,
        typer.Option(help="What not being listed means, where the file does not declare it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything found as JSON.")] = False,
) -> None:
    """Say what is wrong or doubtful with a golden set and its corpus, and what they are made of.

    A configuration is checked with the golden set and corpus it names, and the policy.toml beside it. Exits with 2
    where something must be corrected; warnings alone exit with 0.
    """
    found = _check_toml(path, corpus, judgments) if path.suffix == ".toml" else _check(path, corpus, judgments)
    if as_json:
        counts = {"errors": len(found.errors), "warnings": len(found.warnings)}
        print(json.dumps({**counts, **found.model_dump(mode="json")}, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(path, found)))
    if found.errors:
        raise typer.Exit(2)


def _check(golden: Path, corpus: Path | None, judgments: JudgmentScope | None) -> Check:
    from ragvet.dataset import check_files

    return check_files(golden, corpus, judgments=judgments)


def _check_toml(path: Path, corpus: Path | None, judgments: JudgmentScope | None) -> Check:
    from ragvet.dataset import Check
    from ragvet.errors import InputError
    from ragvet.gate import load_policy
    from ragvet.runs import load_config

    if _is_policy(path):
        return Check(findings=_faults(partial(load_policy, path)), dataset=None, corpus=None)
    beside = path.with_name("policy.toml")
    try:
        config = load_config(path)
    except InputError:
        found = Check(findings=_faults(partial(load_config, path)), dataset=None, corpus=None)
        return found.with_findings(_faults(partial(load_policy, beside)) if beside.exists() else ())
    named = config.dataset
    place = corpus or (Path(named.corpus) if named.corpus else None)
    found = _check(Path(named.path), place, judgments or named.judgments)
    return found.with_findings(_faults(partial(_foresee, beside, config)) if beside.exists() else ())


def _foresee(policy: Path, config: Config) -> None:
    """Raises what keeps the policy from deciding on a run of the configuration."""
    from ragvet.dataset import load_dataset
    from ragvet.errors import InputError
    from ragvet.gate import load_policy, unanswerable

    agreed = load_policy(policy)
    try:
        dataset = load_dataset(config.dataset.path, judgments=config.dataset.judgments)
    except InputError:
        return  # which cases there are is not known yet
    problems = unanswerable(agreed, dataset, config.retrieval)
    if problems:
        raise InputError(problems)


def _is_policy(path: Path) -> bool:
    """Whether a TOML file holds rules; what cannot be read is reported by whoever loads it."""
    try:
        return bool({"rule", "critical"} & tomllib.loads(path.read_text("utf-8-sig")).keys())
    except (OSError, ValueError):
        return path.stem == "policy"


def _faults(load: Callable[[], object]) -> tuple[Finding, ...]:
    """What keeps a configuration or policy from being used."""
    from ragvet.dataset import Finding
    from ragvet.errors import InputError

    try:
        load()
    except InputError as error:
        return tuple(Finding(severity="error", kind=_SETTINGS, problem=problem) for problem in error.problems)
    return ()


def _lines(path: Path, found: Check) -> Iterator[str]:
    from ragvet.dataset import INVALID

    yield str(path)
    counted = found.dataset is not None or found.corpus is not None
    if counted and any(finding.kind == INVALID for finding in found.errors):
        yield "  Not everything can be read; what follows counts the rest."
    if found.dataset is not None:
        yield from _table(_dataset_rows(found.dataset))
    if found.corpus is not None:
        yield "corpus"
        yield from _table(_corpus_rows(found.corpus))
    yield from _findings("error", found.errors, _MOST_ERRORS)
    yield from _findings("warning", found.warnings, _MOST_WARNINGS)
    yield f"\n{plural(len(found.errors), 'error')}, {plural(len(found.warnings), 'warning')}."


def _dataset_rows(facts: DatasetFacts) -> Iterator[tuple[str, str]]:
    yield "cases", f"{facts.cases:,}"
    yield "judgments", facts.judgments or "not declared"
    yield "category", _counts(facts.by_category)
    yield "behaviour", _counts(facts.by_behaviour)
    other = facts.cases - facts.by_behaviour.get("answer", 0)
    yield "unanswerable", f"{share(other, facts.cases)} are to be refused, clarified or routed"
    yield "ambiguous", f"{share(facts.ambiguous, facts.cases)}; kept, and reported outside pass and fail"
    yield "split", _counts(facts.by_split)
    for label, values in facts.by_label.items():
        yield f"label {plain(label)}", _counts(values)
    unsaid = facts.by_origin.get("not stated", 0)
    yield "synthetic", f"{share(facts.by_origin.get('synthetic', 0), facts.cases)}; {unsaid:,} do not say"
    if facts.unmarked:
        answerable = facts.by_behaviour.get("answer", 0)
        yield "not marked", f"{share(facts.unmarked, answerable)} to be answered: retrieval is not measured for them"
    yield "passages", f"{facts.passages:,}: marked by {_counts(facts.passages_by_mark)}"
    if facts.stale_passages is not None:
        yield "stale", share(facts.stale_passages, facts.passages)
    if facts.uncheckable_passages:
        yield "not checkable", f"{share(facts.uncheckable_passages, facts.passages)}: their documents have no text"
    if facts.copying_eligible:
        copied = share(facts.copying_questions, facts.copying_eligible)
        yield "copied wording", f"{copied} questions take at least half of their words, in a row, from the evidence"
    yield "fingerprint", facts.fingerprint


def _corpus_rows(facts: CorpusFacts) -> Iterator[tuple[str, str]]:
    versions = f" in {facts.versions:,} versions" if facts.versions > facts.documents else ""
    yield "documents", f"{facts.documents:,}{versions}"
    for name, count in (
        ("no text", facts.without_text),
        ("no owner", facts.without_owner),
        ("no authority", facts.without_authority),
    ):
        if count:
            yield name, share(count, facts.versions)
    yield "status", _counts(facts.by_status)
    yield "fingerprint", facts.fingerprint


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    pairs = list(rows)
    width = max(len(name) for name, _ in pairs)
    yield from (f"  {name:<{width}}  {value}" for name, value in pairs)


def _findings(severity: str, findings: Sequence[Finding], most: int) -> Iterator[str]:
    for kind, group in groupby(findings, key=lambda finding: finding.kind):
        problems = [finding.problem for finding in group]
        lines = gathered(problems)
        yield f"\n{severity}: {kind} ({len(problems):,})"
        yield from (f"  {plain(line)}" for line in lines[:most])
        if len(lines) > most:
            yield f"  … and {len(lines) - most:,} more; --json prints them all."
        elif len(lines) < len(problems):
            yield f"  --json prints all {len(problems):,}."


def _counts(counts: Mapping[str, int]) -> str:
    shown = [f"{plain(name)} {count:,}" for name, count in list(counts.items())[:_MOST_NAMES]]
    if len(counts) > _MOST_NAMES:
        shown.append(f"{len(counts) - _MOST_NAMES:,} more")
    return " · ".join(shown) or "none"
