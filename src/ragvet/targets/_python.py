"""A system under test that is a Python callable."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from ragvet.calling import raised
from ragvet.errors import InputError, Problem, TargetError, TargetReplyInvalid
from ragvet.records import Answer, Case
from ragvet.targets._reply import read_answer, read_retrieval
from ragvet.targets._threads import AbandoningThreads
from ragvet.text import nearest

__all__ = ["PythonTarget", "import_callable"]


class PythonTarget:
    """A Python callable: a retriever `f(question, k)` or a full system `f(question, …)`, sync or async.

    It is passed what its signature names of `question, k, identity, history, case`, as copies of its own; the first two
    arguments may have other names. A sync callable runs in threads, so it must bear several calls at once where the
    concurrency is above 1.

    Args:
        function: what to call.
        name: how reports name it; by default `module:qualname`.
        retriever: whether a reply without a ranking is an error.
    """

    def __init__(self, function: Any, *, name: str | None = None, retriever: bool = False) -> None:
        self.name = name or _qualified_name(function)
        if not callable(function) or isinstance(function, type):
            raise InputError(
                Problem(
                    source=self.name,
                    found="a class" if isinstance(function, type) else f"a value of type {type(function).__name__}",
                    expected="a function, a method, or an object that can be called",
                    action="Give a function f(question, k), or an instance of the class that has __call__.",
                )
            )
        self.fingerprint = _fingerprint(function, self.name)
        self._function = function
        self._positional, self._named = _arguments(function, self.name)
        self._hands_on_records = not {"identity", "history", "case"}.isdisjoint((*self._positional, *self._named))
        self._asynchronous = _is_async(function)
        self._read = read_retrieval if retriever else read_answer
        self._threads = AbandoningThreads()

    async def answer(self, case: Case, k: int) -> Answer:
        """What the callable answers to one case; see `Target.answer`."""
        asked = case.model_copy(deep=True) if self._hands_on_records else case
        given = {
            "question": asked.question,
            "k": k,
            "identity": asked.identity,
            "history": asked.history,
            "case": asked,
        }
        positional = [given[name] for name in self._positional]
        named = {name: given[name] for name in self._named}
        call = functools.partial(self._function, *positional, **named)

        def called() -> Any:
            reply = call()  # read where it was made: a generator works, and may hang, only now
            return reply if inspect.isawaitable(reply) else self._read(reply)

        try:
            reply: Any = call() if self._asynchronous else await self._threads.call(called)
            if inspect.isawaitable(reply):
                reply = await reply
        except TargetError:
            raise
        except InputError as error:  # an Answer it made wrongly, say: asking again gives the same
            raise TargetReplyInvalid(raised(error)) from error
        except Exception as error:
            raise TargetError(raised(error)) from error
        return self._read(reply)

    async def close(self) -> None:
        """Lets the threads end; a call that still hangs is left to itself."""
        self._threads.close()


def import_callable(spec: str) -> Callable[..., Any]:
    """The object `module:attribute` names; the current folder can be imported from.

    Raises:
        InputError: it is not written like that, the module cannot be imported, or it has no such attribute.
    """
    module_name, colon, attribute = spec.partition(":")
    if not (module_name and colon and attribute):
        raise InputError(_problem(spec, "no `module:attribute`", "e.g. app.retrieval:search", "Write it like that."))
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        value: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        action = f"Start from the folder that holds {module_name.partition('.')[0]!r}, or install it."
        if error.name and not module_name.startswith(error.name):
            action = f"Install {error.name!r}, which {module_name!r} imports."
        raise InputError(
            _problem(spec, f"no module {error.name!r}", "a module that can be imported", action)
        ) from error
    except Exception as error:
        found = f"{type(error).__name__} while importing {module_name!r}: {error}"
        raise InputError(_problem(spec, found, "a module that can be imported", "Mend the module.")) from error
    for part in attribute.split("."):
        if not hasattr(value, part):
            meant = nearest(part, dir(value))
            action = f"Did you mean {meant!r}?" if meant else f"Define it in {module_name!r}."
            raise InputError(_problem(spec, f"no {part!r} in it", "a callable of that name", action))
        value = getattr(value, part)
    return value


def _problem(spec: str, found: str, expected: str, action: str) -> Problem:
    return Problem(source=f"target {spec!r}", found=found, expected=expected, action=action)


_NAMES = ("question", "k", "identity", "history", "case")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _arguments(function: Callable[..., Any], name: str) -> tuple[list[str], list[str]]:
    """What to pass by position and what by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C, without a signature
        return ["question", "k"], []
    positional: list[str] = []
    unnamed = [meaning for meaning in ("question", "k") if meaning not in {p.name for p in parameters}]
    for parameter in parameters:
        if parameter.kind not in _POSITIONAL:
            break
        if parameter.name in _NAMES:
            positional.append(parameter.name)
        elif unnamed and parameter.default is inspect.Parameter.empty and len(positional) < len(("question", "k")):
            positional.append(unnamed.pop(0))
        else:
            break
    rest = parameters[len(positional) :]
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in rest) and not positional:
        return ["question", "k"], []
    named = [p.name for p in rest if p.name in _NAMES and p.kind is not inspect.Parameter.VAR_KEYWORD]
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    unknown = [p.name for p in rest if p.default is p.empty and p.kind not in variadic and p.name not in named]
    if unknown or not {"question", "case"} & {*positional, *named}:
        raise InputError(
            _problem(
                name,
                f"the signature {inspect.signature(function)}",
                f"arguments out of {', '.join(_NAMES)}, the question or the case among them",
                f"Give {', '.join(map(repr, unknown))} a default value." if unknown else "Take the question.",
            )
        )
    return positional, named


def _unwrapped(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = cast("Any", function.func)
    return function


def _is_async(function: Callable[..., Any]) -> bool:
    function = _unwrapped(function)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _qualified_name(function: Any) -> str:
    function = _unwrapped(function)
    named = hasattr(function, "__qualname__") and hasattr(function, "__module__")
    owner = cast("Any", function if named else type(function))
    return f"{owner.__module__}:{owner.__qualname__}"


def _fingerprint(function: Any, name: str) -> str:
    """Over the name and the source file: code it imports from elsewhere cannot be seen."""
    function = _unwrapped(function)
    owner = cast("Any", function if hasattr(function, "__code__") else type(function))
    digest = hashlib.sha256(name.encode())
    try:
        file = inspect.getsourcefile(owner)
        digest.update(Path(file).read_bytes() if file else b"")
    except (TypeError, OSError):  # built in, or typed at a prompt
        pass
    return f"python:{digest.hexdigest()[:16]}"
