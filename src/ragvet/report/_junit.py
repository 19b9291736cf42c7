"""The report as JUnit XML, for the test view of a CI server."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from ragvet import gate
from ragvet.report._model import MetricReport, Report
from ragvet.report._wording import counts, value
from ragvet.text import xml_text

__all__ = ["to_junit"]


def to_junit(report: Report) -> str:
    """JUnit XML: with a gate its rules as test cases, without one a test case per metric and stratum.

    Metrics without a rule have no verdict: they carry their numbers as output, count as skipped where there was
    nothing to measure, and as errors only where every item failed. All say what the metric does not catch.
    """
    if report.gate is not None:
        return gate.to_junit(report.gate)
    root = ET.Element("testsuites", name="ragvet")
    for half, metrics in (("retrieval", report.retrieval), ("answers", report.answers)):
        if metrics:
            _suite(root, report, half, (case for metric in metrics for case in _metric(half, metric)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, report: Report, name: str, cases: Iterable[ET.Element]) -> None:
    suite = ET.SubElement(root, "testsuite", name=f"ragvet.{name}")
    properties = ET.SubElement(suite, "properties")
    run = report.run
    facts = {"run": run.run_id, "dataset": run.dataset_fingerprint, "target": run.target_fingerprint, "seed": run.seed}
    for key, fact in facts.items():
        ET.SubElement(properties, "property", name=key, value=xml_text(str(fact)))
    suite.extend(cases)
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("time", f"{run.seconds or 0:.3f}")
    suite.set("timestamp", run.started_at.replace(tzinfo=None).isoformat(timespec="seconds"))


def _metric(half: str, metric: MetricReport) -> Iterable[ET.Element]:
    name = metric.declaration.name
    blind = xml_text(f"does not catch: {metric.declaration.does_not_catch}")
    strata = [summary for rows in metric.strata.values() for summary in rows]
    for summary in (metric.overall, *strata):
        case = _testcase(f"ragvet.{half}.{name}", summary.stratum)
        line = xml_text(f"{name} {summary.stratum}: {value(summary)} ({counts(summary)})")
        said = [blind]
        if summary.eligible and summary.failed == summary.eligible:
            ET.SubElement(case, "error", message=line, type="Failed")
        elif summary.low is None:
            ET.SubElement(case, "skipped", message=line)
        else:
            said.insert(0, line)
        ET.SubElement(case, "system-out").text = "\n".join(said)
        yield case


def _testcase(classname: str, name: str) -> ET.Element:
    return ET.Element("testcase", classname=xml_text(classname), name=xml_text(name), time="0")
