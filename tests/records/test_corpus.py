"""What a document version tells about a day and a caller."""

from __future__ import annotations

from datetime import date

import pytest

from ragvet.records import DocumentVersion, Identity

DAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("fields", "on", "held"),
    [
        # dates decide where there are any and the day is known, whatever the status says
        ({"valid_from": date(2026, 1, 1), "status": "superseded"}, DAY, True),
        ({"valid_until": date(2026, 2, 1), "status": "current"}, DAY, False),
        ({"valid_from": date(2026, 4, 1)}, DAY, False),
        # else the status
        ({"status": "superseded"}, DAY, False),
        ({"status": "withdrawn"}, None, False),
        ({"status": "draft"}, None, False),
        ({"status": "current", "valid_until": date(2026, 2, 1)}, None, True),
        # and where neither says anything nobody can tell
        ({}, DAY, None),
        ({"valid_from": date(2026, 1, 1)}, None, None),
    ],
)
def test_dates_decide_whether_a_version_held_and_the_status_where_there_are_none(fields, on, held):
    assert DocumentVersion(doc_id="d", **fields).in_force(on) is held


@pytest.mark.parametrize(
    ("audience", "identity", "allowed"),
    [
        (("staff",), Identity(id="kim", groups=("staff", "eu")), True),
        (("kim",), Identity(id="kim"), True),
        (("board",), Identity(id="kim", groups=("staff",)), False),
        ((), Identity(id="kim"), False),
        (None, Identity(id="kim"), None),
        (("staff",), None, None),
    ],
)
def test_who_is_in_the_audience_may_read_and_where_nothing_is_stated_nobody_can_tell(audience, identity, allowed):
    assert DocumentVersion(doc_id="d", audience=audience).readable_by(identity) is allowed
