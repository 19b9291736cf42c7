"""Turning a trace into verdicts. The protocol, and what every judge decides by rule; judges live in the subpackages."""

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, citation_verdict, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import CONTEXT_ID, SuppliedContext, retrieved_items, supplied_context
from ragvet.judging._human import HumanJudge
from ragvet.judging._judge_answer import judge_answer
from ragvet.judging._languages import Languages, language_of, load_languages
from ragvet.judging._many import judge_all, judge_each
from ragvet.judging._markers import KnownItems, answer_citations
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._panel import Panel
from ragvet.judging._protocol import AnyJudge, Judge, Scope, WholeAnswerJudge
from ragvet.judging._quotes import find_quote
from ragvet.judging._register import Register
from ragvet.judging._settings import (
    HumanSettings,
    JudgeSettings,
    OfflineSettings,
    PanelSettings,
    build_judge,
    estimate,
    models_of,
    placed,
    with_budget,
)
from ragvet.judging._stand_in import stand_in
from ragvet.judging._store import ReplyStore
from ragvet.judging._whole_answers import as_judge

__all__ = [
    "CONTEXT_ID",
    "AnyJudge",
    "HumanJudge",
    "HumanSettings",
    "Judge",
    "JudgeSettings",
    "KnownItems",
    "Languages",
    "ModelSettings",
    "OfflineSettings",
    "Panel",
    "PanelSettings",
    "PlacedCitation",
    "Register",
    "ReplyStore",
    "Scope",
    "SuppliedContext",
    "WholeAnswerJudge",
    "answer_citations",
    "as_judge",
    "build_judge",
    "citation_verdict",
    "estimate",
    "find_quote",
    "judge_all",
    "judge_answer",
    "judge_each",
    "language_of",
    "load_languages",
    "models_of",
    "observe_behaviour",
    "place_citations",
    "placed",
    "retrieved_items",
    "split_claims",
    "stand_in",
    "supplied_context",
    "with_budget",
]
