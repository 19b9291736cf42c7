"""A rule's arithmetic in words, for people who know the subject and not the tool."""

from __future__ import annotations

from collections.abc import Iterator

from ragvet.gate._cases import Sides
from ragvet.gate._decision import GateOutcome
from ragvet.gate._numbers import above, below, interval, number, percent, plural
from ragvet.gate._policy import Rule
from ragvet.gate._resolve import Target
from ragvet.gate._terms import ends, measured, nothing_to_measure
from ragvet.records import MetricDeclaration, Summary

__all__ = ["critical_reason", "explain", "mean_reason", "observed_cases", "observed_mean"]


def observed_mean(rule: Rule, summary: Summary) -> str:
    """The mean a rule was held against: 0.71 to 0.83, n 24."""
    if not measured(summary):
        return "no value"
    return f"{interval(*ends(summary), rule)}, n {measured(summary)}"


def observed_cases(found: Sides, summary: Summary) -> str:
    """How many cases a critical rule found: 2 of 40 cases breach it."""
    wrong = str(len(found.wrong)) if found.wrong else "none"
    return f"{wrong} of {plural(summary.eligible, 'case')}" + (f", {len(found.open)} open" if found.open else "")


def mean_reason(rule: Rule, summary: Summary, outcome: GateOutcome) -> str:
    """Why a mean passes, fails or decides nothing."""
    low, high = ends(summary)
    if outcome == "undecided":
        return "the threshold lies inside the interval: what is unknown or failed decides it"
    if below(high, rule.min):
        return f"at best {number(high, rule)}, below {rule.min:g}"
    if above(low, rule.max):
        return f"at best {number(low, rule)}, above {rule.max:g}"
    return "met whatever the unknown verdicts are" if low != high else "met"


def critical_reason(found: Sides, outcome: GateOutcome) -> str:
    """Why zero tolerance passes, fails or decides nothing."""
    match outcome:
        case "fail":
            return f"{plural(len(found.wrong), 'case')} on the wrong side; none is tolerated"
        case "undecided":
            return f"{plural(len(found.open), 'case')} may be on the wrong side: undecided verdicts or unjudged chunks"
        case "pass":
            return "no case is on the wrong side"


def explain(target: Target, summary: Summary, reason: str, outcome: GateOutcome) -> tuple[str, ...]:
    """The whole arithmetic, sentence by sentence."""
    rule, declaration = target.rule, target.declaration
    steps = _critical(rule) if target.kind == "critical" else _mean(rule, summary, declaration)
    return (
        f"{declaration.title} {_direction(declaration)}".strip(),
        f"It counts {declaration.formula}.",
        _population(summary),
        *steps,
        *_terms(rule, summary),
        f"So: {outcome}. {reason[:1].upper()}{reason[1:]}.",
        f"Not seen by this number: {declaration.does_not_catch}",
    )


def _direction(declaration: MetricDeclaration) -> str:
    return {"higher": "Higher is better.", "lower": "Lower is better.", "none": ""}[declaration.direction]


def _population(summary: Summary) -> str:
    parts = [f"{summary.scored} have one value"]
    if summary.bounded:
        parts.append(f"{summary.bounded} have a range, because something about them is unknown")
    if summary.undefined:
        why = "; ".join(f"{count}: {reason}" for reason, count in summary.undefined.items())
        parts.append(f"{nothing_to_measure(summary)} have nothing to measure ({why})")
    if summary.failed:
        parts.append(f"{summary.failed} failed")
    return f"{plural(summary.eligible, 'case')} count here: {', '.join(parts)}."


def _mean(rule: Rule, summary: Summary, declaration: MetricDeclaration) -> Iterator[str]:
    if summary.low is not None and summary.high is not None:
        count = measured(summary)
        if summary.low == summary.high:
            yield f"The mean over the {plural(count, 'case')} with a value is {number(summary.low, rule)}."
        else:
            yield (
                f"The mean over the {plural(count, 'case')} with a value is {number(summary.low, rule)} with every "
                f"unknown at its worst end and {number(summary.high, rule)} with every unknown at its best."
                if declaration.direction != "lower"
                else f"The mean over the {plural(count, 'case')} with a value lies between "
                f"{number(summary.low, rule)} and {number(summary.high, rule)}, depending on what is unknown."
            )
    if summary.failed:
        low, high = ends(summary)
        yield (
            f"Counting the failed at the ends of the metric's range ({_range(declaration)}), it lies between "
            f"{number(low, rule)} and {number(high, rule)}."
        )
    yield f"The rule asks for a mean {rule.threshold}."


def _critical(rule: Rule) -> Iterator[str]:
    yield f"The rule asks for {rule.threshold} in every single case, and every repeat of it."


def _range(declaration: MetricDeclaration) -> str:
    least = "without a lower end" if declaration.low is None else f"{declaration.low:g}"
    most = "without an upper end" if declaration.high is None else f"{declaration.high:g}"
    return f"{least} to {most}"


def _terms(rule: Rule, summary: Summary) -> Iterator[str]:
    count, nothing, eligible = measured(summary), nothing_to_measure(summary), summary.eligible
    checks = (
        (f"{count} with a value ({rule.minimum_n} needed)", count >= rule.minimum_n),
        (
            f"{percent(nothing, eligible)} with nothing to measure ({100 * rule.allowed_undefined_share:g} % allowed)",
            not above(nothing / eligible, rule.allowed_undefined_share),
        ),
        (
            f"{percent(summary.failed, eligible)} failed ({100 * rule.allowed_failed_share:g} % allowed)",
            not above(summary.failed / eligible, rule.allowed_failed_share),
        ),
    )
    yield "Its terms: " + "; ".join(f"{text} {'met' if met else 'NOT MET'}" for text, met in checks) + "."
