from __future__ import annotations

import pytest
from tests.judging.llm.material import (
    judge_for,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Say, plainly, serving

from ragvet.judging._model_settings import TOPICS

CHANGES = {
    "model": {"model": "other"},
    "temperature": {"temperature": 0.5},
    "seed": {"seed": 1},
    "output limit": {"max_output_tokens": 100},
    "extra field": {"extra_body": {"top_p": 0.1}},
    "mode": {"mode": "tool"},
    "way of asking": {"questions": "single"},
    "what is asked": {"ask": ["support"]},
    "length of a context": {"context_characters": 1000},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_whatever_decides_a_verdict_changes_the_fingerprint(change):
    with serving() as server:
        assert judge_for(server, **change).fingerprint != judge_for(server).fingerprint


@pytest.mark.parametrize("name", ["rules", "rubric", "support", "correction", "examples"])
def test_every_prompt_file_changes_the_fingerprint(tmp_path, name):
    (tmp_path / f"{name}.md").write_text("Other words. {problems}", encoding="utf-8")
    with serving() as server:
        assert judge_for(server, prompts=tmp_path).fingerprint != judge_for(server).fingerprint


@pytest.mark.parametrize("same", [{"concurrency": 3}, {"timeout": 5.0}, {"attempts": 9}, {"ask": list(TOPICS)}])
def test_what_decides_nothing_does_not_change_the_fingerprint(same):
    with serving() as server:
        assert judge_for(server, **same).fingerprint == judge_for(server).fingerprint


def test_a_server_that_changed_signs_its_verdicts_differently():
    def moved(body, number):
        return Say(plainly(body, number).text, fingerprint="fp_2")

    with serving() as server:
        judge = judge_for(server)
        assert verdicts_of(judge).judge == judge.fingerprint
        server.script = moved
        assert verdicts_of(judge).judge != judge.fingerprint
