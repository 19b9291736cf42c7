"""The command line: each command parses its arguments, calls one use case, prints, and sets the exit code.

Exit codes: 0 pass, 1 a gate failed, 2 broken input or usage, 3 undecided, 141 the reader of a pipe left early.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import cache
from io import TextIOWrapper
from typing import Annotated, Any, cast

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from ragvet.errors import InputError, RagvetError

__all__ = ["COMMANDS", "app", "main"]

COMMANDS = {
    "demo": "Evaluate a small assistant over the documentation inside this Python.",
    "init": "Write a small project that runs at once.",
    "check": "Say what is wrong or doubtful with a golden set and its corpus, and what they are made of.",
    "schema": "Print the JSON Schema of the files people write, for editors and for checks of your own.",
    "run": "Ask the system under test every case, judge what it answers, count scores, and write a report.",
    "score": "Count the scores of a finished run anew, from its traces and verdicts, asking neither target nor judge.",
    "judge": "Judge a finished run's answers with the configured judge: a new run of the same traces; "
    "RUN stays as it is.",
    "retrieval-gate": "Hold a retriever against a golden set: exit code 0 if every category reaches both thresholds, "
    "1 if one does not.",
    "labels": "Score declared labels: id recall, id precision and the share of supported claims of each case.",
    "retrieval": "Score a run against qrels: published values, exact bounds where judgments are missing, ties and all.",
    "judge-next": "List the unjudged items whose judgment would shrink a metric's intervals most, "
    "the most telling first.",
    "rank": "Score one ranking typed on the command line, with the exact interval where a judgment is missing.",
    "report": "Show a finished run: per stratum, worst first, every number with its counts.",
    "gate": "Decide: pass (exit code 0), fail (1), undecided or not measured (3).",
    "metrics": "Say what each metric means, and which failure it does not catch.",
}
"""In the order of `ragvet --help`, each with its line there: the first of its docstring, which then need not be loaded.

A command is the function of its name in the module of its name: `judge-next` is `ragvet.cli._judge_next.judge_next`.
"""

_SYNONYMS = {"evaluate": "run", "eval": "run", "test": "run", "validate": "check", "lint": "check"}
_ALIKE = 0.75
"""Least similarity, 0 to 1, at which another command is suggested."""


@cache
def _command(name: str) -> TyperCommand:
    function_name = name.replace("-", "_")
    module = importlib.import_module(f"ragvet.cli._{function_name}")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name)(cast("Callable[..., None]", getattr(module, function_name)))
    return cast("TyperCommand", typer.main.get_command(alone))


class _Commands(TyperGroup):
    """The commands, each loaded when it is called.

    An unknown one is told the one that does what it says, or one that is spelt almost so.
    """

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is click's
        """Their names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature is click's
        """The command of that name; None where there is none."""
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help of all of them, without loading any."""
        lines: Any = {name: TyperCommand(name, help=line) for name, line in COMMANDS.items()}
        listed = TyperGroup(name=self.name, help=self.help, params=self.params, commands=lines)
        listed.format_help(ctx, formatter)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] - typer hands on its own context
        """The command that was typed."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            from difflib import get_close_matches

            meant = _SYNONYMS.get(name) or next(iter(get_close_matches(name, COMMANDS, 1, _ALIKE)), None)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {meant!r}?" if meant else ""))
        return super().resolve_command(ctx, args)


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
        from importlib.metadata import version

        print(f"ragvet {version('ragvet')}")
        raise typer.Exit


@app.callback()
def ragvet(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Find out whether a retrieval-augmented assistant can be trusted, and if not, exactly where it breaks."""


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
        import traceback

        traceback.print_exc()
        print("error: this is a fault in ragvet, not in your input; please report the lines above.", file=sys.stderr)
        sys.exit(2)


def _print_problems(error: InputError) -> None:
    from ragvet.cli._problems import gathered

    lines = gathered(error.problems)
    for line in lines[:_MOST_PROBLEMS]:
        print(f"error: {_harmless(line)}", file=sys.stderr)
    if len(lines) > _MOST_PROBLEMS:
        print(f"… and {len(lines) - _MOST_PROBLEMS:,} more.", file=sys.stderr)
    if len(error.problems) > 1:
        print(f"{len(error.problems)} problems found.", file=sys.stderr)


def _harmless(message: object) -> str:
    """A message that may repeat what stands in a file, without what would steer the terminal."""
    from ragvet.text import plain

    return "\n".join(plain(line) for line in str(message).split("\n"))
