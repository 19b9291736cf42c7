"""Runs: calling a target over a golden set, judging what it answered, counting scores, and the bundle they lie in."""

from ragvet.runs._bundle import RUNS, Run, locate_run
from ragvet.runs._manifest import Counts, Manifest, Spend

__all__ = ["RUNS", "Counts", "Manifest", "Run", "Spend", "locate_run"]
