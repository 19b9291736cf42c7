"""Runs: calling a target over a golden set, judging what it answered, counting scores, and the bundle they lie in."""

from ragvet.runs._bundle import Run
from ragvet.runs._changed import changed_since
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
from ragvet.runs._count import retrieval_metrics
from ragvet.runs._difference import Difference, difference
from ragvet.runs._execute import resume, run, score, start
from ragvet.runs._folder import RUNS, locate_run
from ragvet.runs._judging import Judging, judge_run, plan_judging
from ragvet.runs._labels import Label, labels_run, load_labels
from ragvet.runs._manifest import Counts, Manifest, Spend
from ragvet.runs._pairs import Pairs, pairs
from ragvet.runs._path import PATH, STAGES, evidence_path, shown_by_scores
from ragvet.runs._plan import Plan, check_inputs, plan, repeats, replies, retriever_plan
from ragvet.runs._printed import UNDEFINED, SummaryTable, counts, value
from ragvet.runs._progress import Progress, progress_bar
from ragvet.runs._storage import replace_file
from ragvet.runs._summaries import ALL, AMBIGUOUS, membership, metric_parts, summarise

__all__ = [
    "ALL",
    "AMBIGUOUS",
    "PATH",
    "RUNS",
    "STAGES",
    "UNDEFINED",
    "AnswersConfig",
    "CallPolicy",
    "Config",
    "Counts",
    "Difference",
    "Judging",
    "Label",
    "Manifest",
    "NoJudge",
    "Pairs",
    "Plan",
    "Progress",
    "RetrievalConfig",
    "Run",
    "Spend",
    "SummaryTable",
    "TargetConfig",
    "changed_since",
    "check_inputs",
    "config_of",
    "counts",
    "difference",
    "evidence_path",
    "judge_run",
    "labels_run",
    "load_config",
    "load_labels",
    "locate_run",
    "membership",
    "metric_parts",
    "pairs",
    "plan",
    "plan_judging",
    "progress_bar",
    "read_table",
    "repeats",
    "replace_file",
    "replies",
    "resume",
    "retrieval_metrics",
    "retriever_plan",
    "run",
    "score",
    "shown_by_scores",
    "start",
    "summarise",
    "value",
]
