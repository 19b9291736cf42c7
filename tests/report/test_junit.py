from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as ET

import pytest
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import failed_item, item_with

from ragvet.report import Report, build, to_junit

# The schema CI systems share (junit-10.xsd of the Jenkins xUnit plugin): allowed attributes and children by element.
SCHEMA = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "disabled"}, {"testsuite"}),
    "testsuite": (
        {
            "name",
            "tests",
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        },
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": (
        {"name", "assertions", "time", "classname", "status", "file", "line"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "skipped": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "failure": ({"message", "type"}, set()),
    "system-out": (set(), set()),
    "system-err": (set(), set()),
}
REQUIRED = {"testsuite": {"name", "tests"}, "property": {"name", "value"}, "testcase": {"name", "classname"}}


def valid(text: str) -> ET.Element:
    root = ET.fromstring(text)  # noqa: S314 - made by the function under test
    for element in root.iter():
        attributes, children = SCHEMA[element.tag]
        assert set(element.keys()) <= attributes
        assert REQUIRED.get(element.tag, set()) <= set(element.keys())
        assert {child.tag for child in element} <= children
    for suite in root.iter("testsuite"):
        for attribute, path in (("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error")):
            assert int(suite.attrib[attribute]) == len(suite.findall(path))
        assert datetime.fromisoformat(suite.attrib["timestamp"]).tzinfo is None
        assert float(suite.attrib["time"]) >= 0
    return root


def test_every_metric_and_stratum_is_a_test_case_valid_against_the_schema(report: Report):
    root = valid(to_junit(report))
    metrics = (*report.retrieval, *report.answers)
    expected = sum(1 + sum(map(len, metric.strata.values())) for metric in metrics)
    assert len(root.findall(".//testcase")) == expected
    assert root.findall(".//failure") == []


def test_numbers_come_with_their_counts(report: Report):
    root = valid(to_junit(report))
    first = report.retrieval[0]
    out = root.findtext(".//testcase[@name='all']/system-out") or ""
    assert f"{first.overall.scored} scored of {first.overall.eligible}" in out


def test_every_test_case_says_what_its_metric_does_not_catch(report: Report):
    root = valid(to_junit(report))
    said = {
        f"ragvet.{half}.{metric.declaration.name}": f"does not catch: {metric.declaration.does_not_catch}"
        for half, metrics in (("retrieval", report.retrieval), ("answers", report.answers))
        for metric in metrics
    }
    for case in root.iter("testcase"):
        assert (case.findtext("system-out") or "").splitlines()[-1] == said[case.attrib["classname"]]


def test_a_metric_whose_every_item_failed_is_an_error_and_one_without_material_is_skipped():
    run = FakeRun([failed_item("only", "TargetTimeout", "no answer within 30 s")])
    root = valid(to_junit(build(run)))
    case = root.find(".//testcase[@classname='ragvet.retrieval.coverage@5'][@name='all']")
    assert case is not None
    assert case.find("error") is not None


@pytest.mark.parametrize("text", ["\x00\x08 null", "\ufffe", "</testcase>", "]]> & <b>", "مرحبا 🙂"])
def test_any_text_gives_well_formed_xml(text: str):
    valid(to_junit(build(fake_run(copies=1, extra=(item_with(text),)))))
