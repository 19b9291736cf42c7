from __future__ import annotations

import subprocess
import sys

import pytest

OFFLINE = """
import asyncio, sys
from ragvet.judging import OfflineSettings, build_judge, judge_answer
from ragvet.records import Answer, Case, Trace
case = Case(id="1", question="q", category="x", expected_behaviour="answer")
trace = Trace(case_id="1", question="q", answer=Answer(text="A."))
asyncio.run(judge_answer(build_judge(OfflineSettings()), case, trace))
"""
CONFIG = "import sys, ragvet.runs"


@pytest.mark.parametrize("work", [OFFLINE, CONFIG], ids=["judging offline", "reading a configuration"])
def test_nothing_that_talks_to_model_servers_is_loaded_without_one(work):
    told = "print(*(name for name in sys.modules if name.startswith('ragvet.judging.llm') or name == 'aiohttp'))"
    done = subprocess.run([sys.executable, "-c", f"{work}\n{told}"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
