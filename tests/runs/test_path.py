"""Each stage of the evidence path, passed, broken and not known."""

from typing import get_args

import polars as pl
import pytest
from tests.runs.make import PlainJudge, case, corpus, dataset, finished

from ragvet.metrics import answers, rankings
from ragvet.records import BehaviourVerdict, Claim, JudgeFailure, Stage, Support, Verdicts
from ragvet.runs import PATH, STAGES, evidence_path

TEXT = "The shop opens at nine."
EVE = {"id": "eve", "groups": ["staff"]}
DOCUMENTS = (
    {"doc_id": "pub", "text": TEXT, "status": "current"},
    {"doc_id": "board", "text": "The shop will close.", "audience": ["board"], "status": "current"},
    {"doc_id": "old", "text": "Open on Sundays.", "status": "superseded"},
)


class Saying(PlainJudge):
    """Says of each answer what it is told to."""

    def __init__(self, **verdicts):
        super().__init__()
        self._verdicts = verdicts

    async def judge(self, case, trace):
        if self._verdicts.get("fails"):
            return JudgeFailure(case_id=case.id, repeat=trace.repeat, judge=self.fingerprint, error="cut off")
        said = {"behaviour": BehaviourVerdict(observed="answered", source="made up"), **self._verdicts}
        return Verdicts(case_id=case.id, repeat=trace.repeat, judge=self.fingerprint, **said)


def answering(items=(("pub", TEXT),), supplied=None, text="It opens at nine."):
    retrieved = [{"id": f"{doc}#{n}", "doc_id": doc, "text": said} for n, (doc, said) in enumerate(items)]
    given = {"supplied": [retrieved[n] for n in supplied]} if supplied is not None else {}
    return lambda question, k: {"text": text, "retrieved": retrieved, **given}


CLAIM = {"claims": [Claim(id="c1", text="It opens at nine.", start=0, end=17)]}


def resting_on(verdict, passage="pub#0"):
    return CLAIM | {"support": [Support(claim="c1", passage=passage, verdict=verdict)]}


def path(tmp_path, *, gold=("pub",), target=None, judge=None, documents=DOCUMENTS, **fields):
    golden = dataset(case("q", *gold, **fields))
    held = corpus(*documents) if documents else None
    run = finished(tmp_path, golden, target or answering(), documents=held, judge=judge or Saying())
    found = evidence_path(run).collect()
    assert found.schema == PATH
    stages = {}
    for stage in found["stage"].unique(maintain_order=True):
        told = found.filter(pl.col("stage") == stage)["ok"].to_list()
        stages[stage] = False if False in told else None if None in told else True
    return stages


def test_every_stage_has_its_meaning_and_every_fault_its_stage():
    assert list(STAGES) == list(get_args(Stage))
    declared = [metric.declaration for metric in (*answers.REGISTRY.values(), *rankings.REGISTRY.values())]
    assert all(one.stage for one in declared if one.fault)


def test_a_case_where_nothing_breaks(tmp_path):
    found = path(tmp_path, target=answering(supplied=[0]), judge=Saying(**resting_on("supported")))
    for stage in (*list(STAGES)[:9], "behaved", "judged"):
        assert found[stage] is True, stage


def test_without_a_corpus_nothing_is_known_of_it(tmp_path):
    found = path(tmp_path, documents=())
    assert [found[stage] for stage in list(STAGES)[:4]] == [None] * 4


BROKEN = {
    "annotation valid": {"gold": ({"doc_id": "pub", "quote": "words that are gone"},)},
    "permitted": {"gold": ("board",), "identity": EVE},
    "in force": {"gold": ("old",)},
    "retrieved": {"target": answering((("old", "Open on Sundays."),))},
    "above the cut": {"target": answering((("old", "Open on Sundays."), ("board", "The shop."), ("pub", TEXT)))},
    "supplied": {"target": answering((("old", "Open on Sundays."), ("pub", TEXT)), supplied=[0])},
    "used": {"judge": Saying(**resting_on("unsupported"))},
    "supported": {"target": answering(supplied=[0]), "judge": Saying(**resting_on("contradicted"))},
    "on the question": {"judge": Saying(addresses_question=False)},
    "behaved": {"behaviour": "refuse"},
    "contract": {"output_contract": {"json_schema": {"type": "object"}}},
    "judged": {"judge": Saying(fails=True)},
}


@pytest.mark.parametrize("stage", BROKEN)
def test_what_breaks_a_stage(tmp_path, stage):
    assert path(tmp_path, **BROKEN[stage])[stage] is False


def test_what_is_missing_and_what_is_cited_wrongly(tmp_path):
    judge = Saying(
        **CLAIM,
        coverage=[{"required_claim": "1", "verdict": "missing"}],
        citations=[{"citation": 0, "claims": ["c1"], "verdict": "contradicted", "resolves": True, "retrieved": True,
                    "right_version": None}],
    )  # fmt: skip
    target = answering(text="It opens at nine. [1]")
    found = path(tmp_path, target=target, judge=judge, required_claims=[{"text": "At nine."}])
    assert (found["complete"], found["cited"]) == (False, False)


def test_one_of_several_alternatives_before_the_model_is_enough(tmp_path):
    gold = ({"doc_id": "pub", "any_of": "a"}, {"doc_id": "old", "any_of": "a"})
    assert path(tmp_path, gold=gold, target=answering(supplied=[0]))["supplied"] is True


def test_what_nobody_can_place_may_have_been_before_the_model(tmp_path):
    def silent(question, k):
        return {
            "text": "At nine.",
            "retrieved": [{"id": "x", "doc_id": "pub"}],
            "supplied": [{"id": "x", "doc_id": "pub"}],
        }

    assert path(tmp_path, gold=({"doc_id": "pub", "quote": TEXT},), target=silent)["supplied"] is None


def test_open_verdicts_leave_open_whether_the_evidence_was_used(tmp_path):
    assert path(tmp_path, judge=Saying(**resting_on("undecided")))["used"] is None
    assert path(tmp_path / "b", judge=Saying())["used"] is None
