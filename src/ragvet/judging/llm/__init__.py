"""Judging with model servers: build a judge from settings, find out what a server can do, attack it."""

from ragvet.judging._model_settings import ModelSettings, Price, Topic
from ragvet.judging.llm._attack import Attack, AttackResult, attack, load_attacks
from ragvet.judging.llm._build import build_judge, open_transport, probe_server
from ragvet.judging.llm._estimate import Estimate, Rehearsal, estimate_judging
from ragvet.judging.llm._judge import ModelJudge
from ragvet.judging.llm._money import Budget
from ragvet.judging.llm._probe import Probe
from ragvet.judging.llm._prompts import Prompts, load_prompts

__all__ = [
    "Attack",
    "AttackResult",
    "Budget",
    "Estimate",
    "ModelJudge",
    "ModelSettings",
    "Price",
    "Probe",
    "Prompts",
    "Rehearsal",
    "Topic",
    "attack",
    "build_judge",
    "estimate_judging",
    "load_attacks",
    "load_prompts",
    "open_transport",
    "probe_server",
]
