from datetime import UTC, datetime

import pytest

from ragvet.calling import is_overload, may_pass, requested_wait

NOW = datetime(2015, 10, 21, 7, 27, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("3", 3.0),
        (" 3 ", 3.0),
        ("0.5", 0.5),
        ("0", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60.0),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 60.0),  # RFC 850
        ("Wed Oct 21 07:28:00 2015", 60.0),  # asctime; without a zone it is UTC, wherever this runs
        ("Wed, 21 Oct 2015 09:28:30 +0200", 90.0),
        ("Wed, 21 Oct 2015 02:28:00 EST", 60.0),
        ("2015-10-21T07:28:00Z", 60.0),
        ("2015-10-21T09:27:00.250+02:00", 0.25),
        ("Wed, 21 Oct 2015 07:26:00 GMT", 0.0),  # over already
    ],
)
def test_a_wait_is_read_as_seconds_or_as_a_date_in_any_zone(said, seconds, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    assert requested_wait({"retry-after": said}, NOW) == seconds


@pytest.mark.parametrize("said", [None, "", "soon", "-1", "1e9", "nan", "inf", "²", "٣", "9" * 400, "Wed, 99 Oct 2015"])
def test_a_wait_nobody_can_read_is_none(said):
    assert requested_wait({} if said is None else {"retry-after": said}, NOW) is None


@pytest.mark.parametrize(("said", "seconds"), [("250", 0.25), ("soon", 7.0)])
def test_milliseconds_are_the_more_exact_wait_where_they_can_be_read(said, seconds):
    assert requested_wait({"retry-after-ms": said, "retry-after": "7"}, NOW) == seconds


def test_what_may_pass_and_what_says_too_much():
    passing = {status for status in range(100, 600) if may_pass(status)}
    assert passing == {408, 409, 425, 429, *range(500, 600)}
    overloads = {status for status in range(100, 600) if is_overload(status)}
    assert overloads == {429, 503, 504, 529}
    assert overloads <= passing
