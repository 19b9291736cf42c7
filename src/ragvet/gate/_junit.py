"""A decision as JUnit XML, for the test view of a CI system."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from ragvet.gate._decision import CaseResult, Decision, RuleResult
from ragvet.text import xml_text

__all__ = ["to_junit"]

_KINDS = {
    "fail": ("failure", "RuleBroken"),
    "undecided": ("error", "Undecided"),
    "not measured": ("error", "NotMeasured"),
}


def to_junit(decision: Decision) -> str:
    """One test case per rule and stratum: failed is a failure, undecided or not measured an error; neither is green."""
    root = ET.Element("testsuites", name="ragvet")
    suite = ET.SubElement(
        root,
        "testsuite",
        name="ragvet.gate",
        tests=str(len(decision.rules)),
        failures=str(decision.count("fail")),
        errors=str(decision.count("undecided") + decision.count("not measured")),
        skipped="0",
        time="0",
        timestamp=decision.started_at.replace(tzinfo=None).isoformat(timespec="seconds"),
    )
    properties = ET.SubElement(suite, "properties")
    facts = {"run": decision.run_id, "policy": decision.policy, "policy fingerprint": decision.policy_fingerprint}
    for name, value in facts.items():
        ET.SubElement(properties, "property", name=name, value=xml_text(value))
    suite.extend(_test(result) for result in decision.rules)
    if decision.warnings:
        ET.SubElement(suite, "system-err").text = xml_text("\n".join(decision.warnings))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _test(result: RuleResult) -> ET.Element:
    family = "critical" if result.critical else "rule"
    name = f"{result.stratum} {result.threshold}"
    test = ET.Element(
        "testcase", classname=xml_text(f"ragvet.gate.{family}.{result.metric}"), name=xml_text(name), time="0"
    )
    message = xml_text(f"{result.metric} {result.threshold}, {result.stratum}: {result.observed}. {result.reason}")
    if result.outcome == "pass":
        ET.SubElement(test, "system-out").text = xml_text("\n".join((message, *result.definition)))
        return test
    kind, what = _KINDS[result.outcome]
    detail = ET.SubElement(test, kind, message=message, type=what)
    cases = (_case(case, result) for case in result.cases)
    detail.text = xml_text("\n".join((*result.definition, *result.explanation, *cases)))
    return test


def _case(case: CaseResult, result: RuleResult) -> str:
    why = f" ({case.reason})" if case.reason and case.status != "failed" else ""
    return f"case {case.case_id}: {case.shown(result)}{why}"
