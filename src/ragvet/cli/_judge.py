from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

if TYPE_CHECKING:
    from ragvet.judging import Judge
    from ragvet.judging.llm import AttackResult, ModelSettings
    from ragvet.records import Case, JudgeFailure, Trace, Verdicts
    from ragvet.runs import Config

__all__ = ["judge"]

_MOVED = 1


def judge(  # noqa: PLR0917 - typer reads options from the signature
    run: Annotated[str | None, typer.Argument(help="Run whose answers to judge: folder, id, or latest.")] = None,
    config: Annotated[Path, typer.Option(help="Names the judge, in its table judge.")] = Path("ragvet.toml"),
    output: Annotated[Path, typer.Option(help="Where the verdicts go, as JSON Lines.")] = Path("verdicts.jsonl"),
    probe: Annotated[bool, typer.Option("--probe", help="Find out what the server can do; remember it.")] = False,
    attack: Annotated[bool, typer.Option("--attack", help="Try to talk the judge into verdicts.")] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="What judging RUN would take; send nothing.")] = False,
    budget: Annotated[float | None, typer.Option(help="US dollars; stop cleanly before it is passed.", min=0)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again even where a reply is kept.")] = False,
    runs: Annotated[Path, typer.Option(help="Folder the runs lie in.")] = Path(".ragvet/runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Judge the answers of a run with the configured judge, or try the judge itself: --probe, --attack.

    Replies of a model are kept in .ragvet/ragvet.db: what was paid for is not paid for again, and judging that was
    stopped goes on where it was. --attack exits with 1 where the judge was talked into a verdict.
    """
    from ragvet.errors import InputError, Problem

    if sum((run is not None, probe, attack)) != 1:
        action = "Name a run, or give --probe or --attack."
        raise InputError(Problem("ragvet judge", "not one thing to do", "RUN, --probe or --attack", action))
    asked = _Asked(config, runs, budget, fresh=fresh)
    if probe:
        result = asked.probe()
    elif attack:
        result = asked.attack()
    elif estimate:
        result = asked.estimate(str(run))
    else:
        result = asked.judge(str(run), output)
    print(json.dumps(result, ensure_ascii=False, indent=2) if as_json else "\n".join(_lines(result)))
    if result.get("moved"):
        raise typer.Exit(_MOVED)


class _Asked:
    """What was asked for, apart from which of the things to do."""

    def __init__(self, config: Path, runs: Path, budget: float | None, *, fresh: bool) -> None:
        from ragvet.runs import load_config

        self._config: Config = load_config(config)
        self._source = config
        self._settings = self._config.judge
        if budget is not None:
            self._settings = self._model("--budget").model_copy(update={"budget": budget})
        self._runs = runs
        self._fresh = fresh

    @property
    def _database(self) -> Path:
        return self._runs.parent / "ragvet.db"

    def probe(self) -> dict[str, Any]:
        """The strictest mode the server can do, and what became of those tried before it."""
        import asyncio

        from ragvet.judging import ReplyStore
        from ragvet.judging.llm import probe_server

        model = self._model("--probe")
        store = ReplyStore(self._database)
        try:
            found = asyncio.run(probe_server(model, store))
        finally:
            store.close()
        tried = {attempt.mode: attempt.refused or "works" for attempt in found.attempts}
        return {
            "model": model.model,
            "mode": found.mode,
            "server_fingerprint": found.server_fingerprint,
            "tried": tried,
        }

    def attack(self) -> dict[str, Any]:
        """How many attacks held, moved the judge, or left it without a verdict, and which."""
        import asyncio

        from ragvet.judging.llm import attack, load_attacks

        judge = self._judge()
        results = asyncio.run(attack(judge, load_attacks(), _tell))
        counts = Counter(result.outcome for result in results)
        return {
            "judge": judge.fingerprint,
            "attacks": len(results),
            **{outcome: counts[outcome] for outcome in ("held", "moved", "failed")},
            "not_held": {one.attack.id: _about(one) for one in results if one.outcome != "held"},
        }

    def estimate(self, run: str) -> dict[str, Any]:
        """What judging the run would take."""
        from ragvet.judging.llm import estimate

        return estimate(self._model("--estimate"), self._items(run)).model_dump()

    def judge(self, run: str, output: Path) -> dict[str, Any]:
        """How many answers were judged, and what was spent on it now."""
        import asyncio

        from ragvet.errors import BundleError
        from ragvet.judging import judge_all

        judge, items = self._judge(), self._items(run)
        results = asyncio.run(judge_all(judge, items, told=_progress(len(items))))
        done = [judged for judged in results if judged is not None]
        try:
            output.write_text("".join(judged.model_dump_json() + "\n" for judged in done), encoding="utf-8")
        except OSError as error:
            raise BundleError(f"{output}: cannot be written: {error}") from error
        return {"judge": judge.fingerprint, "answers": len(items), **_counted(done, len(items)), "output": str(output)}

    def _judge(self) -> Judge:
        from ragvet.dataset import load_corpus
        from ragvet.judging import build_judge
        from ragvet.runs import NoJudge

        if isinstance(self._settings, NoJudge):
            raise _misfit(self._source, "no judge", "a [judge] table that names one")
        corpus = self._config.dataset.corpus
        register = None if corpus is None else load_corpus(corpus)
        return build_judge(self._settings, database=self._database, fresh=self._fresh, register=register)

    def _model(self, option: str) -> ModelSettings:
        from ragvet.judging import ModelSettings

        if not isinstance(self._settings, ModelSettings):
            raise _misfit(self._source, f"a judge of kind {self._settings.kind!r}", f'kind = "model" for {option}')
        return self._settings

    def _items(self, name: str) -> list[tuple[Case, Trace]]:
        """The answers of the run, each with its case."""
        from ragvet.runs import Run, locate_run

        done = Run.open(locate_run(name, self._runs))
        cases = {case.id: case for case in done.cases()}
        return [(cases[trace.case_id], trace) for trace in done.traces() if trace.answer is not None]


def _misfit(config: Path, found: str, expected: str) -> Exception:
    from ragvet.errors import InputError, Problem

    return InputError(Problem(str(config), found, expected, "Correct the table (see docs/judges.md).", field="judge"))


def _counted(done: list[Verdicts | JudgeFailure], wanted: int) -> dict[str, Any]:
    from ragvet.records import JudgeFailure

    failures = [judged for judged in done if isinstance(judged, JudgeFailure)]
    costs = [judged.usage.cost for judged in done if judged.usage is not None]
    known = [cost for cost in costs if cost is not None]
    return {
        "judged": len(done) - len(failures),
        "failed": len(failures),
        "left_by_budget": wanted - len(done),
        "cost": sum(known) if len(known) == len(costs) else None,
        "failures": {f"{one.case_id}/{one.repeat}": one.error for one in failures},
    }


def _about(result: AttackResult) -> str:
    attack = result.attack
    why = f": {result.reason}" if result.reason else ""
    return f"{result.outcome} ({attack.where}, {attack.technique}, {attack.aim}){why}"


def _tell(result: AttackResult) -> None:
    if result.outcome != "held":
        print(f"{result.attack.id}: {_about(result)}", file=sys.stderr)


def _progress(total: int) -> Any:
    count = 0

    def told(_: Verdicts | JudgeFailure) -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            print(f"\rjudged {count}/{total}", end="\n" if count == total else "", file=sys.stderr, flush=True)

    return told


def _lines(result: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, value in result.items():
        if isinstance(value, dict):
            rows = cast("dict[str, str]", value)
            lines += [f"{name.replace('_', ' ')}:", *(f"  {key}: {text}" for key, text in rows.items())] if rows else []
        else:
            shown = "unknown" if value is None else f"{value:,}" if isinstance(value, int) else value
            lines.append(f"{name.replace('_', ' ')}: {shown}")
    return lines
