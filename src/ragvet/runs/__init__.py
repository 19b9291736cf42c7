"""Runs: calling a target over a golden set, judging what it answered, counting scores, and the bundle they lie in."""

from ragvet.runs._bundle import RUNS, Run, locate_run
from ragvet.runs._config import (
    AnswersConfig,
    CallPolicy,
    Config,
    NoJudge,
    RetrievalConfig,
    TargetConfig,
    config_of,
    load_config,
    read_table,
)
from ragvet.runs._execute import resume, run, score, start
from ragvet.runs._labels import Label, labels_run, load_labels
from ragvet.runs._manifest import Counts, Manifest, Spend
from ragvet.runs._paired import paired
from ragvet.runs._plan import Plan, check_inputs, plan, repeats, retriever_plan
from ragvet.runs._progress import Progress, progress_bar
from ragvet.runs._summaries import ALL, AMBIGUOUS, case_outcomes, membership, summarise

__all__ = [
    "ALL",
    "AMBIGUOUS",
    "RUNS",
    "AnswersConfig",
    "CallPolicy",
    "Config",
    "Counts",
    "Label",
    "Manifest",
    "NoJudge",
    "Plan",
    "Progress",
    "RetrievalConfig",
    "Run",
    "Spend",
    "TargetConfig",
    "case_outcomes",
    "check_inputs",
    "config_of",
    "labels_run",
    "load_config",
    "load_labels",
    "locate_run",
    "membership",
    "paired",
    "plan",
    "progress_bar",
    "read_table",
    "repeats",
    "resume",
    "retriever_plan",
    "run",
    "score",
    "start",
    "summarise",
]
