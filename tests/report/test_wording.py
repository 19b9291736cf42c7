from __future__ import annotations

from ragvet.records import Summary
from ragvet.report._wording import brief, counts, value

SUMMARY = Summary(
    metric="m",
    version=1,
    stratum="all",
    eligible=18,
    scored=15,
    bounded=1,
    undefined={"a": 1},
    failed=1,
    low=0.2,
    high=0.4,
)


def test_a_summary_reads_as_mean_interval_or_undefined():
    assert value(SUMMARY) == "0.200–0.400"
    assert value(SUMMARY.model_copy(update={"mean": 0.3})) == "0.300"
    assert value(SUMMARY.model_copy(update={"low": None, "high": None})) == "undefined"


def test_every_denominator_is_in_the_counts():
    assert counts(SUMMARY) == "15 scored of 18, 1 bounded, 1 undefined, 1 failed"
    assert brief(SUMMARY) == "15/18 · b1 u1 f1"
