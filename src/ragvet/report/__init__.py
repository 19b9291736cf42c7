"""Finished records → terminal, HTML, Markdown, JUnit, JSON. Scores are read, never made."""

from ragvet.report._build import build
from ragvet.report._html import to_html
from ragvet.report._junit import to_junit
from ragvet.report._markdown import to_markdown
from ragvet.report._model import (
    AmbiguousCase,
    BehaviourCell,
    CaseToSee,
    Depths,
    FailureCause,
    Latency,
    MetricReport,
    Production,
    Report,
    RunFacts,
    StageUsage,
)
from ragvet.report._pages import CasePages
from ragvet.report._terminal import print_summary
from ragvet.report._write import write_report

__all__ = [
    "AmbiguousCase",
    "BehaviourCell",
    "CasePages",
    "CaseToSee",
    "Depths",
    "FailureCause",
    "Latency",
    "MetricReport",
    "Production",
    "Report",
    "RunFacts",
    "StageUsage",
    "build",
    "print_summary",
    "to_html",
    "to_junit",
    "to_markdown",
    "write_report",
]
