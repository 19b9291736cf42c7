"""The report as one page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, cast
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pydantic_core import to_json

from ragvet.records import MetricDeclaration
from ragvet.report import _wording as wording
from ragvet.report._charts import depth_chart, latency_chart
from ragvet.report._model import Report
from ragvet.report._packing import pack
from ragvet.report._pages import CasePages
from ragvet.report._views import STRATA, behaviour_matrix, contents, facts, findings, half_view, shown_depths
from ragvet.text import plural

__all__ = ["html_pieces", "to_html"]

_STYLES = ("report.css", "cases.css")
_SCRIPTS = ("elements.js", "blocks.js", "spans.js", "list.js", "case.js", "main.js")
_SIGN = {"pass": "✓", "fail": "✗", "undecided": "?", "not measured": "?"}


def to_html(report: Report, pages: CasePages) -> str:
    """The report as one self-contained page: it loads nothing, and no text in it can run.

    Args:
        report: what is said of the run as a whole.
        pages: the cases, all items added and `finish` called.
    """
    return "".join(html_pieces(report, pages))


def html_pieces(report: Report, pages: CasePages) -> Iterator[str]:
    """The page of `to_html` piece by piece: one of many cases is never in memory twice."""
    style, script = _assets(_STYLES), _script(pages)
    context = {
        "report": report,
        "content": pages.content,
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "policy": _policy(style, script),
        "halves": [
            half_view(name, metrics)
            for name, metrics in (("retrieval", report.retrieval), ("answers", report.answers))
            if metrics
        ],
        "facts": list(facts(report.run)),
        "behaviour": behaviour_matrix(report.behaviours),
        "findings": list(findings(report)),
        "shown_depths": shown_depths(report.depths),
        "charts": _charts(report),
        "definitions": [metric.declaration for metric in (*report.retrieval, *report.answers)],
        "index": pack(to_json(pages.index.columns())),
        "scores": pages.index.scores,
        "details": pages.details,
        "texts": pages.texts,
        "contents": list(contents(report)),
    }
    return _environment().get_template("report.html.j2").generate(context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ragvet.report", "_page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = cast("dict[str, Any]", environment.globals)
    names.update({name: getattr(wording, name) for name in wording.__all__})
    names.update(
        anchor=_anchor,
        case_link=_case_link,
        cases_link=_cases_link,
        outcome_sign=_SIGN,
        plural=plural,
        position=_position,
        strata_limit=STRATA,
    )
    return environment


def _anchor(metric: str) -> str:
    return f"metric-{quote(metric, safe='')}"


def _case_link(case_id: str) -> str:
    return f"#case-{quote(case_id, safe='')}"


def _cases_link(**filters: str) -> str:
    return "#cases?" + urlencode(
        {name: value for name, value in filters.items() if value not in {"", "all"}}, quote_via=quote
    )


def _position(declaration: MetricDeclaration, amount: float) -> float:
    """Where an amount stands on the metric's own scale, 0 to 100."""
    low, high = declaration.low or 0.0, declaration.high or 1.0
    return round(min(100.0, max(0.0, 100 * (amount - low) / (high - low))), 2)


@cache
def _assets(names: tuple[str, ...]) -> str:
    folder = files("ragvet.report") / "_page"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _script(pages: CasePages) -> str:
    starts = to_json({"details": pages.details.starts, "texts": pages.texts.starts}).decode()
    constants = f"const STARTS = {starts};\nconst CONTENT = {'true' if pages.content else 'false'};"
    return f'"use strict";\n(() => {{\n{constants}\n{_assets(_SCRIPTS)}}})();\n'


def _policy(style: str, script: str) -> str:
    """What the page may do: run and apply these very texts, and nothing else; not even inline handlers."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _charts(report: Report) -> dict[str, Any]:
    pairs = [pair for pair in shown_depths(report.depths) if pair.metric == report.depths[0].metric]
    short = [pair.model_copy(update={"stratum": pair.stratum.partition("=")[2] or pair.stratum}) for pair in pairs]
    return {
        "depths_metric": pairs[0].metric if pairs else "",
        "depths": depth_chart(short),
        "latency": latency_chart(report.latency[:10]),
    }
