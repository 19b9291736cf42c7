"""The command line: each command parses its arguments, calls one use case, prints, and sets the exit code.

Exit codes: 0 pass, 1 a gate failed, 2 broken input or usage, 3 undecided, 141 the reader of a pipe left early.
"""

from __future__ import annotations

import importlib.metadata
import os
import sys
import traceback
from difflib import get_close_matches
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ragvet.cli._check import check
from ragvet.cli._demo import demo
from ragvet.cli._gate import gate
from ragvet.cli._init import init
from ragvet.cli._judge import judge
from ragvet.cli._judge_next import judge_next
from ragvet.cli._labels import labels
from ragvet.cli._metrics import metrics
from ragvet.cli._problems import gathered
from ragvet.cli._rank import rank
from ragvet.cli._report import report
from ragvet.cli._retrieval import retrieval
from ragvet.cli._retrieval_gate import retrieval_gate
from ragvet.cli._run import run
from ragvet.cli._schema import schema
from ragvet.cli._score import score
from ragvet.errors import InputError, RagvetError
from ragvet.text import plain

__all__ = ["app", "main"]


class _Commands(TyperGroup):
    """The commands; an unknown one is told the one that does what it says, or one that is spelt almost so."""

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] - typer hands on its own context
        """The command that was typed."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and self.get_command(ctx, name) is None:
            meant = _SYNONYMS.get(name) or next(iter(get_close_matches(name, self.commands, 1, _ALIKE)), None)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {meant!r}?" if meant else ""))
        return super().resolve_command(ctx, args)


_SYNONYMS = {"evaluate": "run", "eval": "run", "test": "run", "validate": "check", "lint": "check"}
_ALIKE = 0.75
"""Least similarity, 0 to 1, at which another command is suggested."""

app = typer.Typer(
    name="ragvet",
    cls=_Commands,
    help="Find out whether a retrieval-augmented assistant can be trusted, and if not, exactly where it breaks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        print(f"ragvet {importlib.metadata.version('ragvet')}")
        raise typer.Exit


@app.callback()
def ragvet(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Find out whether a retrieval-augmented assistant can be trusted, and if not, exactly where it breaks."""


# Commands, in the order of `ragvet --help`: app.command("name")(module.function)
app.command("demo")(demo)
app.command("init")(init)
app.command("check")(check)
app.command("schema")(schema)
app.command("run")(run)
app.command("score")(score)
app.command("judge")(judge)
app.command("retrieval-gate")(retrieval_gate)
app.command("labels")(labels)
app.command("retrieval")(retrieval)
app.command("judge-next")(judge_next)
app.command("rank")(rank)
app.command("report")(report)
app.command("gate")(gate)
app.command("metrics")(metrics)


_MOST_PROBLEMS = 30
"""So many lines of problems are printed; those of a golden set `ragvet check --json` has all."""
_PIPE_CLOSED = 141
"""The exit code shells give a program that wrote into a pipe nobody read any more: 128 + SIGPIPE."""


def main() -> None:
    """Run the command line; a `RagvetError` becomes a message on stderr and exit code 2."""
    try:
        try:
            _run_app()
        finally:
            sys.stdout.flush()  # here, where a closed pipe can still be told from anything else
    except BrokenPipeError:
        _leave_pipe()
    except SystemExit as left:
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        _leave_pipe()  # typer and rich leave with 1, a gate's "failed"


def _leave_pipe() -> None:
    """Ends as a program does whose reader has had enough; nothing is left that Python could fail to flush."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    sys.exit(_PIPE_CLOSED)


def _run_app() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character shows its number
    try:
        app()
    except InputError as error:
        _print_problems(error)
        sys.exit(2)
    except RagvetError as error:
        print(f"error: {_harmless(error)}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except SystemExit as left:
        if isinstance(getattr(left.__context__, "__cause__", None), KeyboardInterrupt):
            print("interrupted", file=sys.stderr)  # typer leaves without a word; who stops on purpose says how to go on
        raise
    except Exception:  # noqa: BLE001 - exit code 1 is a gate's "failed"; a fault of ragvet must not pass for one
        traceback.print_exc()
        print("error: this is a fault in ragvet, not in your input; please report the lines above.", file=sys.stderr)
        sys.exit(2)


def _print_problems(error: InputError) -> None:
    lines = gathered(error.problems)
    for line in lines[:_MOST_PROBLEMS]:
        print(f"error: {_harmless(line)}", file=sys.stderr)
    if len(lines) > _MOST_PROBLEMS:
        print(f"… and {len(lines) - _MOST_PROBLEMS:,} more.", file=sys.stderr)
    if len(error.problems) > 1:
        print(f"{len(error.problems)} problems found.", file=sys.stderr)


def _harmless(message: object) -> str:
    """A message that may repeat what stands in a file, without what would steer the terminal."""
    return "\n".join(plain(line) for line in str(message).split("\n"))
