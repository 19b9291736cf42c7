"""A rule's arithmetic in words, for people who know the subject and not the tool."""

from __future__ import annotations

from collections.abc import Iterator

from ragvet.gate._cases import Sides
from ragvet.gate._decision import GateOutcome
from ragvet.gate._entry import Placed
from ragvet.gate._numbers import interval, number
from ragvet.gate._resolve import ResolvedRule
from ragvet.gate._rule import Rule
from ragvet.gate._terms import broken_terms, ends, measured, nothing_to_measure, why_undefined
from ragvet.numbers import above, below, share
from ragvet.records import MetricDeclaration, Summary
from ragvet.text import plural

__all__ = ["critical_reason", "define", "explain", "mean_reason", "observed_cases", "observed_mean"]

_DIRECTION = {"higher": "Higher is better.", "lower": "Lower is better.", "none": ""}


def observed_mean(rule: Rule, summary: Summary) -> str:
    """The mean a rule was held against: mean 0.61 to 0.63 over 10 cases, 0.555 to 0.664 with the 1 failed."""
    if summary.low is None or summary.high is None:
        return "no value"
    mean = f"mean {interval(summary.low, summary.high, rule)} over {plural(measured(summary), 'case')}"
    if not summary.failed:
        return mean
    return f"{mean}, {interval(*ends(summary), rule)} with {summary.failed} failed"


def observed_cases(found: Sides, summary: Summary) -> str:
    """What a critical rule found: 2 of 40 cases on the wrong side."""
    wrong = f"{found.wrong or 'none'} of {plural(summary.eligible, 'case')} on the wrong side"
    return f"{wrong}, {found.open} open" if found.open else wrong


def mean_reason(rule: Rule, summary: Summary, outcome: GateOutcome) -> str:
    """Why a mean passes, fails or decides nothing."""
    low, high = ends(summary)
    if outcome == "undecided":
        return f"what is unknown or failed decides whether it is {rule.threshold}"
    if below(high, rule.min):
        return f"{f'at best {number(high, rule)}, ' if low < high else ''}below {rule.min:g}"
    if above(low, rule.max):
        return f"{f'at best {number(low, rule)}, ' if low < high else ''}above {rule.max:g}"
    return "met, whatever is unknown or failed" if low < high else "met"


def critical_reason(outcome: GateOutcome, found: Sides, summary: Summary) -> str:
    """Why zero tolerance passes, fails or decides nothing."""
    if outcome == "fail":
        return "not one is tolerated"
    if outcome == "pass":
        return "met in every case with a value"
    if found.open:
        return "what is unknown decides whether one is"
    again = "`ragvet run --resume … --retry-failed` asks again"
    return f"nobody knows what {plural(summary.failed, 'failed case')} would have shown: {again}"


def explain(resolved: ResolvedRule, summary: Summary, reason: str, outcome: GateOutcome) -> tuple[str, ...]:
    """The whole arithmetic, sentence by sentence."""
    rule = resolved.rule
    asked = (
        (f"The rule asks for {rule.threshold} in every single case, and in every repeat of it.",)
        if resolved.every_case or resolved.declaration is None
        else (*_mean(rule, summary, resolved.declaration), f"The rule asks for a mean {rule.threshold}.")
    )
    return (
        _population(summary),
        *asked,
        *_terms(rule, summary),
        *_taken(resolved.placed),
        f"So: {outcome}; {reason}.",
    )


def define(declaration: MetricDeclaration) -> tuple[str, ...]:
    """What the metric tells, how it is counted, and what it is blind to."""
    return (
        f"{declaration.title} {_DIRECTION[declaration.direction]}".strip(),
        f"Counted: {declaration.formula}.",
        f"It does not catch: {declaration.does_not_catch}",
    )


def _population(summary: Summary) -> str:
    parts = [f"{summary.scored} with one value"]
    if summary.bounded:
        parts.append(f"{summary.bounded} with a range, because something about them is unknown")
    if summary.undefined:
        parts.append(f"{nothing_to_measure(summary)} with nothing to measure ({why_undefined(summary)})")
    if summary.failed:
        parts.append(f"{summary.failed} failed")
    return f"{plural(summary.eligible, 'case')} eligible: {', '.join(parts)}."


def _mean(rule: Rule, summary: Summary, declaration: MetricDeclaration) -> Iterator[str]:
    if summary.low is None or summary.high is None:
        yield "No case has a value, so there is no mean."
        return
    over = f"The mean over the {plural(measured(summary), 'case')} with a value"
    if summary.low == summary.high:
        yield f"{over} is {number(summary.low, rule)}."
    else:
        worst, best = (summary.high, summary.low) if declaration.direction == "lower" else (summary.low, summary.high)
        yield f"{over} is {number(worst, rule)} with every unknown at its worst, {number(best, rule)} at its best."
    if summary.failed:
        yield (
            f"With the failed {plural(summary.failed, 'case')} at either end of what the metric can be "
            f"({_range(declaration)}), it is {interval(*ends(summary), rule)}."
        )


def _range(declaration: MetricDeclaration) -> str:
    least = "no lower end" if declaration.low is None else f"{declaration.low:g}"
    most = "no upper end" if declaration.high is None else f"{declaration.high:g}"
    return f"{least} to {most}"


def _taken(placed: Placed) -> Iterator[str]:
    """What the entry does not say itself."""
    if placed.defaults:
        said = ", ".join(f"{name} {getattr(placed.entry, name)}" for name in placed.defaults)
        yield f"From [defaults] of the policy: {said}."


def _terms(rule: Rule, summary: Summary) -> Iterator[str]:
    nothing, eligible = nothing_to_measure(summary), summary.eligible
    broken = tuple(broken_terms(rule, summary))
    if broken:
        yield f"The rule's own terms do not let it decide: {'; '.join(broken)}."
        return
    yield (
        f"Its terms are met: {measured(summary)} with a value, {rule.minimum_n} needed; "
        f"{share(nothing, eligible)} with nothing to measure, {100 * rule.allowed_undefined_share:g} % allowed; "
        f"{share(summary.failed, eligible)} failed, {100 * rule.allowed_failed_share:g} % allowed."
    )
