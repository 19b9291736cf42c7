"""Names of metrics as people write them: `nDCG(gain=exp)@10`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings._metric import Definition, Metric, Value
from ragvet.metrics.rankings._registry import REGISTRY
from ragvet.text import nearest

# metric    := name [ "(" [ argument { "," argument } ] ")" ] [ "@" cutoff ]
# argument  := parameter "=" value
_METRIC = re.compile(
    r"\s*(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s*(?:\((?P<arguments>[^()]*)\)\s*)?(?:@\s*(?P<cutoff>[^\s@()]+)\s*)?"
)
_ARGUMENT = re.compile(r"\s*(?P<name>[a-z]+)\s*=\s*(?P<value>[^\s=,]+)\s*")
_CUT_IN_NAME = re.compile(r"(?P<name>[a-z_-]+?)(?:_at)?[_.]?(?P<cutoff>[1-9][0-9]*)")
"""As trec_eval writes it, ndcg_cut_10 or P.10, and others ndcg_at_10 or recall10."""
_BY_LOWER = {name.lower(): definition for name, definition in REGISTRY.items()}
_ELSEWHERE = {
    "p": "precision",
    "set_p": "precision_returned",
    "set_recall": "recall",
    "r": "recall",
    "recall_cut": "recall",
    "f1": "F",
    "set_f": "F",
    "success": "hit",
    "hit_rate": "hit",
    "mrr": "RR",
    "recip_rank": "RR",
    "map": "AP",
    "map_cut": "AP",
    "rprec": "R-precision",
    "ndcg_cut": "nDCG",
    "unj": "unjudged",
    "contextprecision": "context_precision",
}
"""What other tools call it."""


def parse(text: str) -> Metric:
    """The metric a name stands for: ``nDCG@10``, ``nDCG(gain=exp)@10``, ``precision(rel=2)@5``, ``RBP(p=0.8)``.

    Upper and lower case are the same; `Metric.name` is the canonical spelling.

    Raises:
        InputError: no such metric (the message names the nearest, or else all there are), parameter or value, or a
            cutoff that is missing or must not be there.

    >>> parse("ndcg( gain = exp )@10").name
    'nDCG(gain=exp)@10'
    """
    match = _METRIC.fullmatch(text)
    if match is None:
        raise _wrong(text, "no metric name", "name(parameter=value, …)@k", _hint(text))
    definition = _BY_LOWER.get(match["name"].lower())
    if definition is None:
        raise _wrong(text, f"{match['name']!r}, which is no metric", "a metric's name", _hint(text))
    arguments = _arguments(text, definition, match["arguments"] or "")
    return Metric(definition, _cutoff(text, definition, match["cutoff"]), arguments)


def parse_all(names: Iterable[str]) -> list[Metric]:
    """The metrics several names stand for.

    Raises:
        InputError: for every name that `parse` refuses.
    """
    metrics: list[Metric] = []
    problems: list[Problem] = []
    for name in names:
        try:
            metrics.append(parse(name))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return metrics


def _arguments(text: str, definition: Definition, written: str) -> dict[str, Value]:
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    arguments = {name: parameter.default for name, parameter in parameters.items()}
    given: set[str] = set()
    for part in written.split(",") if written.strip() else ():
        match = _ARGUMENT.fullmatch(part)
        if match is None:
            raise _wrong(text, f"{part.strip()!r}", "parameter=value", f"Write it as {definition.usage}.")
        parameter = parameters.get(match["name"])
        if parameter is None or match["name"] in given:
            found = f"parameter {match['name']!r}" + (" twice" if parameter else "")
            raise _wrong(text, found, " or ".join(parameters) or "no parameters", f"Write it as {definition.usage}.")
        value = parameter.read(match["value"])
        if value is None:
            raise _wrong(text, f"{parameter.name}={match['value']}", parameter.expected, "Change the value.")
        given.add(parameter.name)
        arguments[parameter.name] = value
    return arguments


def _cutoff(text: str, definition: Definition, written: str | None) -> int | None:
    if written is None:
        if definition.cutoff == "required":
            raise _wrong(
                text, "no cutoff", f"{definition.name}@k", f"Say at how many places to cut: {text.strip()}@10."
            )
        return None
    if definition.cutoff == "none":
        raise _wrong(
            text, f"cutoff @{written}", "no cutoff", f"{definition.name} looks at the whole ranking: leave @ out."
        )
    if re.fullmatch(r"[1-9][0-9]{0,8}", written) is None:
        raise _wrong(text, f"cutoff {written!r}", "a whole number from 1", f"Write, for example, {definition.name}@10.")
    return int(written)


def resembling(text: str) -> str | None:
    """The metric that was likely meant, with the parameters and cutoff as written where they fit it; None: no idea.

    >>> resembling("ndcg_cut_10")
    'nDCG@10'
    """
    lower, tail = _split(text)
    known = {**{name: definition.name for name, definition in _BY_LOWER.items()}, **_ELSEWHERE}
    close = lower if lower in known else nearest(lower, known)
    return None if close is None else _with_tail(known[close], tail)


def renamed(text: str) -> str | None:
    """The metric that other tools call so, with parameters and cutoff as written where they fit; None: nobody does.

    >>> renamed("MRR@10"), renamed("P_5"), renamed("RR@10"), renamed("mrrr")
    ('RR@10', 'precision@5', None, None)
    """
    lower, tail = _split(text)
    if lower in _ELSEWHERE:
        return _with_tail(_ELSEWHERE[lower], tail)
    ours = _BY_LOWER.get(lower)
    other_form = ours is not None and not text.strip().lower().startswith(lower + tail)
    return _with_tail(ours.name, tail) if ours is not None and other_form else None


def _split(text: str) -> tuple[str, str]:
    """The name in small letters, and the parameters and cutoff behind it; ndcg_cut_10 is ndcg_cut and @10."""
    match = _METRIC.fullmatch(text)
    lower, tail = (match["name"].lower(), text[match.end("name") :]) if match else (text.strip().lower(), "")
    cut = None if lower in _ELSEWHERE else _CUT_IN_NAME.fullmatch(lower)
    return (cut["name"], f"@{cut['cutoff']}") if cut is not None and not tail.strip() else (lower, tail)


def _with_tail(name: str, tail: str) -> str:
    try:
        return parse(name + tail).name
    except InputError:
        return REGISTRY[name].usage


def _hint(text: str) -> str:
    meant = resembling(text)
    return f"Did you mean {meant!r}?" if meant else f"There are: {_all()}."


def _all() -> str:
    return ", ".join(definition.usage for definition in REGISTRY.values())


def _wrong(text: str, found: str, expected: str, action: str) -> InputError:
    return InputError(Problem(f"metric {text!r}", found, expected, action))
