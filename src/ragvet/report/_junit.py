from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from ragvet.report._model import GateRule, MetricReport, Report
from ragvet.report._wording import counts, value

__all__ = ["to_junit"]


def to_junit(report: Report) -> str:
    """JUnit XML: with a gate one test case per rule, without one a test case per metric and stratum.

    A broken rule is a failure and an undecided one an error. Metrics without a rule have no verdict: they carry their
    numbers as output, and count as errors only where every item failed.
    """
    root = ET.Element("testsuites", name="ragvet")
    if report.gate is not None:
        _suite(root, report, "gate", (_rule(rule) for rule in report.gate.rules))
    else:
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
        ET.SubElement(properties, "property", name=key, value=_clean(str(fact)))
    suite.extend(cases)
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("time", f"{run.seconds or 0:.3f}")
    suite.set("timestamp", run.started_at.replace(tzinfo=None).isoformat(timespec="seconds"))


def _rule(rule: GateRule) -> ET.Element:
    case = _testcase(f"ragvet.gate.{rule.metric}", f"{rule.stratum} {rule.threshold}")
    message = _clean(f"{rule.metric} {rule.threshold}, {rule.stratum}: observed {rule.observed}. {rule.reason}".strip())
    if rule.outcome != "pass":
        kind, name = ("failure", "RuleBroken") if rule.outcome == "fail" else ("error", "Undecided")
        result = ET.SubElement(case, kind, message=message, type=name)
        result.text = _clean("\n".join(rule.case_ids))
    else:
        ET.SubElement(case, "system-out").text = message
    return case


def _metric(half: str, metric: MetricReport) -> Iterable[ET.Element]:
    name = metric.declaration.name
    strata = [summary for rows in metric.strata.values() for summary in rows]
    for summary in (metric.overall, *strata):
        case = _testcase(f"ragvet.{half}.{name}", summary.stratum)
        line = _clean(f"{name} {summary.stratum}: {value(summary)} ({counts(summary)})")
        if summary.eligible and summary.failed == summary.eligible:
            ET.SubElement(case, "error", message=line, type="Failed")
        elif summary.low is None:
            ET.SubElement(case, "skipped", message=line)
        else:
            ET.SubElement(case, "system-out").text = line
        yield case


def _testcase(classname: str, name: str) -> ET.Element:
    return ET.Element("testcase", classname=_clean(classname), name=_clean(name), time="0")


def _clean(text: str) -> str:
    """Without the characters XML 1.0 has no way to write."""
    return "".join(character if _in_xml(ord(character)) else "\N{REPLACEMENT CHARACTER}" for character in text)


def _in_xml(code: int) -> bool:
    return code in {0x9, 0xA, 0xD} or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000  # noqa: PLR2004 - the Char production of XML 1.0
