"""Judging with model servers: build a judge from settings, find out what a server can do, attack it."""

from ragvet.judging.llm._attack import Attack, AttackResult, attack, load_attacks
from ragvet.judging.llm._build import build_judge, open_wire, probe_server
from ragvet.judging.llm._estimate import Estimate, estimate_models
from ragvet.judging.llm._judge import ModelJudge
from ragvet.judging.llm._probe import Probe
from ragvet.judging.llm._prompts import Prompts, load_prompts
from ragvet.judging.llm._settings import ModelSettings, Price, Topic

__all__ = [
    "Attack",
    "AttackResult",
    "Estimate",
    "ModelJudge",
    "ModelSettings",
    "Price",
    "Probe",
    "Prompts",
    "Topic",
    "attack",
    "build_judge",
    "estimate_models",
    "load_attacks",
    "load_prompts",
    "open_wire",
    "probe_server",
]
