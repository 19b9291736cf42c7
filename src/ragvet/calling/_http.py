"""What an HTTP reply says about asking again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

__all__ = ["is_overload", "may_pass", "requested_wait"]

_PASSING = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
)
_OVERLOADED = 529
"""Of some model vendors; no standard has it."""
_OVERLOADS = frozenset(
    {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT, _OVERLOADED}
)
_NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]*)?")


def may_pass(status: int) -> bool:
    """Whether the same request may succeed later."""
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _PASSING


def is_overload(status: int) -> bool:
    """Whether the server says that it is asked too much."""
    return status in _OVERLOADS


def requested_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds a server asks to be left alone for; None where it asks for nothing anybody could read.

    `Retry-After` holds seconds, whole or not, or a date; a date without a zone is one of UTC. `Retry-After-Ms`, which
    model servers send beside it, is more exact.

    Args:
        headers: of the reply, looked up by names in lower case.
        now: where a date is counted from; None: the clock.

    >>> requested_wait({"retry-after": "1.5"})
    1.5
    >>> requested_wait({"retry-after": "Wed, 21 Oct 2026 09:28:30 +0200"}, datetime(2026, 10, 21, 7, 28, tzinfo=UTC))
    30.0
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    seconds = _number(said)
    moment = _moment(said) if seconds is None else None
    return seconds if moment is None else max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def _number(said: str | None) -> float | None:
    return float(said) if said is not None and _NUMBER.fullmatch(said.strip()) else None


def _moment(said: str | None) -> datetime | None:
    if said is None:
        return None
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(said.strip())
        except (ValueError, OverflowError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
