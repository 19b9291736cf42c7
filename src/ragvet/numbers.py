"""How numbers are held against thresholds, and how they are written: once, for every page, table and message."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["ROUNDING", "above", "below", "interval", "money", "number", "seconds", "share"]

ROUNDING = 1e-12
"""A mean of thirds that should be 0.9 may come out a few units in the last place beside it."""

_DECIMALS, _MOST_DECIMALS = 3, 15
_SIGNIFICANT = 4
"""Digits of an amount of money below a dollar."""


def below(value: float, bound: float | None) -> bool:
    """Whether the value misses a lower bound; without one, never."""
    return bound is not None and bound - value > ROUNDING * max(1.0, abs(bound))


def above(value: float, bound: float | None) -> bool:
    """Whether the value misses an upper bound; without one, never."""
    return bound is not None and value - bound > ROUNDING * max(1.0, abs(bound))


def number(
    value: float, against: Iterable[float | None] = (), *, decimals: int = _DECIMALS, padded: bool = True
) -> str:
    """A number as people read it: three decimals for shares, none for what is large or whole.

    It is never rounded across a threshold: as many decimals are shown as keep it on its side of 0, 1 and of what it is
    held `against`.

    Args:
        value: may be infinite, the end of a range that has none.
        against: thresholds; None stands for one that is not set.
        decimals: how many there are at least; tools of information retrieval show four.
        padded: whether zeros fill up the decimals, as in a column.

    >>> number(0.5), number(0.99996), number(0.8996, [0.9]), number(0.5, padded=False), number(1234.5678)
    ('0.500', '0.99996', '0.8996', '0.5', '1235')
    """
    if math.isinf(value):
        return "no upper end" if value > 0 else "no lower end"
    bounds = [0.0, 1.0, *(bound for bound in against if bound is not None)]
    plain = abs(value) >= 100 or (abs(value) > 1 and value.is_integer())  # noqa: PLR2004 - decimals say nothing here
    text = _decimals(value, bounds, 0 if plain else decimals)
    return text if padded or "." not in text else text.rstrip("0").rstrip(".")


def _decimals(value: float, bounds: list[float], fewest: int) -> str:
    text = ""
    for decimals in range(fewest, _MOST_DECIMALS):
        text = f"{value:.{decimals}f}"
        if all(_side(value, bound) == _side(float(text), bound) for bound in bounds):
            break
    return text


def _side(value: float, bound: float) -> tuple[bool, bool]:
    return below(value, bound), above(value, bound)


def interval(
    low: float,
    high: float,
    against: Iterable[float | None] = (),
    *,
    padded: bool = True,
    joint: str = "–",  # noqa: RUF001 - an en dash joins the ends of a range
) -> str:
    """Both ends, or the one number where they read the same.

    >>> interval(0.25, 0.5), interval(1.0, 1.0), interval(0.25, 0.5, padded=False, joint=" to ")
    ('0.250–0.500', '1.000', '0.25 to 0.5')
    """  # noqa: RUF002 - as printed
    bounds = list(against)
    first, last = number(low, bounds, padded=padded), number(high, bounds, padded=padded)
    return first if first == last else f"{first}{joint}{last}"


def share(part: int, whole: int) -> str:
    """A part of a whole in words, its percentage never rounded to none or all.

    >>> share(3, 28), share(2999, 3000)
    ('3 of 28 (10.7 %)', '2,999 of 3,000 (99.97 %)')
    """
    percent = f" ({_decimals(100 * part / whole, [0.0, 100.0], 1)} %)" if whole else ""
    return f"{part:,} of {whole:,}{percent}"


def money(dollars: float) -> str:
    """US dollars to the cent; of less than a dollar four digits, so that there is something to see.

    >>> money(1234.5), money(0.5), money(0.000123), money(0)
    ('$1,234.50', '$0.50', '$0.000123', '$0.00')
    """
    if dollars == 0 or dollars >= 1:
        return f"${dollars:,.2f}"
    text = f"{dollars:.{_SIGNIFICANT - 1 - math.floor(math.log10(dollars))}f}".rstrip("0")
    whole, _, cents = text.partition(".")
    return f"${whole}.{cents:0<2}"


def seconds(amount: float) -> str:
    """A time in the unit it is read in.

    >>> seconds(0.0004), seconds(0.056), seconds(1.61), seconds(156), seconds(9_000), seconds(1e6)
    ('0.4 ms', '56 ms', '1.61 s', '2 min 36 s', '2 h 30 min', '11 days')
    """
    if amount < 0.01:  # noqa: PLR2004 - below ten milliseconds a decimal says something
        return f"{amount * 1000:.1f} ms"
    if amount < 1:
        return f"{amount * 1000:.0f} ms"
    if amount < 60:  # noqa: PLR2004 - seconds in a minute
        return f"{amount:.2f} s"
    minutes, rest = divmod(round(amount), 60)
    hours, left = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min {rest} s"
    return f"{hours} h {left} min" if hours < 48 else f"{hours // 24} days"  # noqa: PLR2004 - two days are still hours
