"""The offline judge: decides by rule what can be decided so, and says undecided otherwise."""

from ragvet.judging.local._judge import OfflineJudge

__all__ = ["OfflineJudge"]
