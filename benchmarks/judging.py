"""How fast, how frugal and how robust judging with a model server is, beside a bare client, ragas and deepeval.

A scripted OpenAI-compatible server on loopback answers after 50 ms. Every contestant judges the faithfulness of the
same answers in the same run, each in its own process and environment; imports are not timed.

    python -m benchmarks.judging                                  # ragvet and the floor
    python -m benchmarks.judging --peer-venvs /tmp/peers          # and peers; made there by pip where missing
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.judging.llm.scripted_server import Asked, honest

from ragvet.judging import ModelSettings, judge_answer
from ragvet.judging._model_settings import TOPICS
from ragvet.judging.llm import ModelJudge, Probe
from ragvet.judging.llm._transport import ChatRequest, Reply
from ragvet.records import Case, RequiredClaim, RetrievedItem, Trace, Usage

ROOT = Path(__file__).parent.parent
PEERS = {"ragas": ["ragas==0.4.*", "langchain-community<0.4"], "deepeval": ["deepeval==4.*"]}
WORDS = [
    "policy",
    "contract",
    "refund",
    "delivery",
    "customer",
    "invoice",
    "warranty",
    "account",
    "payment",
    "product",
    "return",
    "notice",
    "period",
    "service",
    "branch",
    "office",
    "request",
    "review",
    "record",
    "approval",
    "document",
    "section",
    "clause",
    "annual",
    "monthly",
    "standard",
    "express",
]


def make_cases(count: int) -> list[dict[str, Any]]:
    """Answers of four sentences, of which three stand in one of five passages of about 1 kB."""
    chance = random.Random(7)  # noqa: S311 - words, not secrets

    def sentence() -> str:
        words = [chance.choice(WORDS) for _ in range(11)]
        return f"The {' '.join(words)} takes {chance.randint(2, 99)} days."

    cases: list[dict[str, Any]] = []
    for number in range(count):
        passages = [" ".join(sentence() for _ in range(11)) for _ in range(5)]
        said = [passage.split(". ")[2] + "." for passage in passages[:3]] + [sentence()]
        question = f"What does clause {number} of the policy say?"
        supplied = [RetrievedItem(chunk_id=f"{number}-{i}", text=text) for i, text in enumerate(passages)]
        case = Case(
            id=str(number),
            question=question,
            category="benchmark",
            expected_behaviour="answer",
            reference_answer=" ".join(said[:3]),
            required_claims=tuple(RequiredClaim(text=text) for text in said[:2]),
        )
        answer = {"text": " ".join(said), "supplied": [item.model_dump(exclude_none=True) for item in supplied]}
        trace = Trace.model_validate({"case_id": case.id, "question": question, "answer": answer})
        cases.append(
            {
                "question": question,
                "answer": " ".join(said),
                "contexts": passages,
                "case": case.model_dump(mode="json"),
                "trace": trace.model_dump(mode="json"),
            }
        )
    return cases


class Recorder:
    """A transport that answers at once and keeps what was asked: the bodies the floor sends."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    async def send(self, request: ChatRequest) -> Reply:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        form = {"type": "json_schema", "json_schema": {"name": "verdicts", "schema": request.schema, "strict": True}}
        body = {
            "model": "scripted",
            "messages": messages,
            "temperature": 0.0,
            "max_tokens": 4096,
            "response_format": form,
        }
        self.bodies.append(body)
        text = json.dumps(honest(Asked.read(body)))
        return Reply(text, text, "stop", None, Usage(input_tokens=1, output_tokens=1), None)

    async def close(self) -> None: ...


def with_bodies(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cases with the request bodies that judging their faithfulness takes."""
    settings = ModelSettings(model="scripted", base_url="http://127.0.0.1/v1", ask=("support",))
    for case in cases:
        recorder = Recorder()
        judge = ModelJudge(settings, recorder, Probe("json_schema", None, ()))
        asyncio.run(judge_answer(judge, Case.model_validate(case["case"]), Trace.model_validate(case["trace"])))
        case["bodies"] = recorder.bodies
    return cases


@contextmanager
def server(*options: str) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.judging_server", *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 - asked for above
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(timeout=10)


def contest(
    python: Path, name: str, url: str, cases: Path, concurrency: int, folder: Path | None = None, **environment: str
) -> dict[str, Any]:
    """One contestant's result, with what the server saw of it."""
    with tempfile.TemporaryDirectory() as fresh:
        command = [str(python), str(ROOT / "benchmarks/judging_contestant.py"), name, url, str(cases), str(concurrency)]
        quiet = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "RAGAS_DO_NOT_TRACK": "true", "OPENAI_API_KEY": "none"}
        done = subprocess.run(
            [*command, str(folder or fresh)],
            capture_output=True,
            text=True,
            check=False,
            cwd=fresh,
            env={**os.environ, **quiet, **environment},
        )
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr[-3000:]}")
    with urllib.request.urlopen(f"{url}/stats") as response:  # noqa: S310 - the loopback server above
        counted = json.loads(response.read())
    return {**json.loads(done.stdout.splitlines()[-1]), **counted}


def peer_python(name: str, folder: Path) -> Path:
    """The interpreter of a peer's environment, made with pip where it is missing."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", *PEERS[name]], check=True, stderr=subprocess.DEVNULL)
    return python


def row(name: str, results: list[dict[str, Any]], count: int) -> float:
    """Print one line; the median seconds."""
    walls = sorted(result["wall"] for result in results)
    last = results[-1]
    median = statistics.median(walls)
    requests = last["requests"] / count
    per_request = statistics.median(result["cpu"] for result in results) / max(last["requests"], 1) * 1000
    size = last["prompt_bytes"] / count / 1000
    print(
        f"{name:<28} {last['version']:<9} {walls[0]:>7.2f} {median:>7.2f} {walls[-1]:>7.2f} s   "
        f"{per_request:>7.2f} ms CPU/request   {requests:>5.2f} requests   {size:>6.1f} kB/answer"
        f"   {last['scored']} scored, {last['failed']} failed",
        flush=True,
    )
    return median


def compare(name: str, those: list[dict[str, Any]], these: list[dict[str, Any]]) -> None:
    """The ratio within each round, as median and range: of seconds, and of CPU seconds, which bear a busy machine."""
    for of in ("wall", "cpu"):
        ratios = sorted(one[of] / other[of] for one, other in zip(those, these, strict=True))
        print(f"{name}, {of}: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def measure(given: argparse.Namespace, cases: Path, url: str) -> None:
    """Contestants take turns, so that whatever else the machine does hits all of them."""
    own = Path(sys.executable)
    everything = {"RAGVET_ASK": ",".join(TOPICS)}
    line_up: list[tuple[str, Path, str, int, dict[str, str]]] = [
        ("bare client, 200 at once", own, "floor", 200, {}),
        ("ragvet, 200 at once", own, "ragvet", 200, {}),
        ("ragvet, every metric", own, "ragvet", 200, everything),
    ]
    if given.peer_venvs is not None:
        python = peer_python("ragas", given.peer_venvs)
        line_up += [(f"ragas, {at_once} at once", python, "ragas", at_once, {}) for at_once in (16, 200)]
    print(f"{given.answers} answers, faithfulness; min, median, max of {given.repeats} rounds, {os.cpu_count()} cores")
    rounds = [
        {
            label: contest(python, name, url, cases, at_once, **environment)
            for label, python, name, at_once, environment in line_up
        }
        for _ in range(given.repeats)
    ]
    turns = {label: [turn[label] for turn in rounds] for label, *_ in line_up}
    seconds = {label: row(label, turns[label], given.answers) for label in turns}
    ours, floor = turns["ragvet, 200 at once"], turns["bare client, 200 at once"]
    compare("ragvet / bare client", ours, floor)
    if given.peer_venvs is None:
        return
    best = min(("ragas, 16 at once", "ragas, 200 at once"), key=lambda label: seconds[label])
    compare(f"{best} / ragvet", turns[best], ours)
    counterparts(given, python, cases, url, turns["ragvet, every metric"][-1]["prompt_bytes"] / given.answers)
    python = peer_python("deepeval", given.peer_venvs)
    slow = row("deepeval, 20 at once", [contest(python, "deepeval", url, cases, 20)], given.answers)
    print(f"deepeval / ragvet: {slow / seconds['ragvet, 200 at once']:.1f}")


def counterparts(given: argparse.Namespace, python: Path, cases: Path, url: str, ours: float) -> None:
    """What ragas sends for the metrics that all of ragvet's requests together are for; a few answers tell."""
    with tempfile.TemporaryDirectory() as folder:
        few = Path(folder) / "few.json"
        few.write_text(json.dumps(json.loads(cases.read_text(encoding="utf-8"))[: given.few]), encoding="utf-8")
        result = contest(python, "ragas-counterparts", url, few, 16)
    row("ragas, counterparts of every", [result], given.few)
    print(f"prompt bytes of every metric, ragvet / ragas: {ours / (result['prompt_bytes'] / given.few):.2f}")


def faulty(given: argparse.Namespace, cases: Path) -> None:
    """Every answer scored or failed, in bounded time; a second run asks only for what failed."""
    print("\nwith faults: 10 % malformed, 10 % status 429, 10 % status 500, 2 % that hang; deadline 2 s an attempt")
    own = Path(sys.executable)
    with tempfile.TemporaryDirectory() as kept, server("--delay", str(given.delay), "--faults") as url:
        for name in ("first run", "second run"):
            began = time.perf_counter()
            result = contest(own, "ragvet", url, cases, 200, Path(kept), RAGVET_FAULTS="1")
            row(name, [result], given.answers)
            print(f"  process ended after {time.perf_counter() - began:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds until the server answers")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--few", type=int, default=20, help="answers for what is slow and needs no timing")
    parser.add_argument("--peer-venvs", type=Path, help="folder of the peers' environments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.json"
        cases.write_text(json.dumps(with_bodies(make_cases(given.answers))), encoding="utf-8")
        with server("--delay", str(given.delay)) as url:
            measure(given, cases, url)
        faulty(given, cases)


if __name__ == "__main__":
    main()
