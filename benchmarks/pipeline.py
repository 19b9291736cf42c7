"""What a run costs beside its target: capture, recorded traces to report, judging offline, memory, import.

`python -m benchmarks.pipeline [--cases 2000] [--large 100000]`. Each number is measured in a process of its own. What
judges and counts is held against the least anybody could do with the same traces: reading their JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

WORDS = [f"word{number}" for number in range(5000)]
CHUNKS, SUPPLIED, CHUNK_WORDS = 20, 5, 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--large", type=int, default=100_000, help="recorded traces of the memory measurement; 0: none")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part](options.cases)))
        return
    import ragvet.runs._manifest as manifest

    print(", ".join(f"{name} {version}" for name, version in manifest.package_versions().items()))
    _report("capture, sync retriever", _measured("capture_sync", options.cases))
    _report("capture, async retriever", _measured("capture_async", options.cases))
    _report("recorded → scores → HTML, no judge", _measured("recorded", options.cases))
    if options.large:
        _report(f"the same, {options.large:,} traces in any order", _measured("recorded", options.large))
    _report("recorded → judged offline → scores → HTML", _measured("judged", options.cases))
    print(f"import ragvet: {_median_seconds('import ragvet'):.0f} ms over an empty interpreter (goal: 150)")
    help_program = "import sys; sys.argv = ['ragvet', '--help']; from ragvet.cli import main; main()"
    print(f"ragvet --help: {_median_seconds(help_program):.0f} ms over an empty interpreter (goal: 400)")


def _measured(part: str, cases: int) -> dict[str, float]:
    words = [sys.executable, "-m", "benchmarks.pipeline", "--part", part, "--cases", str(cases)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def _report(title: str, numbers: dict[str, float]) -> None:
    print(f"{title}: " + ", ".join(f"{name} {value:,.2f}" for name, value in numbers.items()))


def _median_seconds(program: str) -> float:
    def once(text: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", text], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    return 1000 * (statistics.median(once(program) for _ in range(7)) - statistics.median(once("") for _ in range(7)))


def capture_sync(cases: int) -> dict[str, float]:
    return _capture(cases, lambda question, k: [f"d{number}" for number in range(k)])  # noqa: ARG005 - a retriever's signature


def capture_async(cases: int) -> dict[str, float]:
    async def search(question: str, k: int) -> list[str]:  # noqa: ARG001 - a retriever's signature
        return [f"d{number}" for number in range(k)]

    return _capture(cases, search)


def _capture(cases: int, target: object) -> dict[str, float]:
    """CPU of the capture alone: calls, traces, journal; the target's own work is a list of ids."""
    from ragvet.calling import run_to_end
    from ragvet.runs._fill import Filling
    from ragvet.runs._journal import Journal
    from ragvet.runs._plan import retriever_plan
    from ragvet.runs._progress import silent
    from ragvet.targets import PythonTarget

    made = retriever_plan(_golden(cases), PythonTarget(target, name="bench:search"), CHUNKS)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.jsonl") as journal:
        began, wall = time.process_time(), time.perf_counter()
        run_to_end(Filling(journal, made, silent).complete)
        spent, waited = time.process_time() - began, time.perf_counter() - wall
    return {"CPU ms per case": 1000 * spent / cases, "cases per s": cases / waited}


def recorded(cases: int) -> dict[str, float]:
    import ragvet
    from ragvet.report import write_report
    from ragvet.targets import RecordedTraces

    golden = _golden(cases)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = _write_traces(folder / "traces.jsonl", cases)
        os.chdir(folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, cpu = time.perf_counter(), time.process_time()
        run = ragvet.evaluate(golden, RecordedTraces.open("traces.jsonl"), depths=(SUPPLIED, CHUNKS), judge="none")
        scored, cpu_scored = time.perf_counter() - began, time.process_time() - cpu
        _, page = write_report(run)
        whole, cpu_whole = time.perf_counter() - began, time.process_time() - cpu
        html = page.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "kB per trace": size / cases / 1e3,
        "cases per s to scores": cases / scored,
        "cases per s to HTML": cases / whole,
        "CPU ms per case to scores": 1000 * cpu_scored / cases,
        "CPU ms per case to HTML": 1000 * cpu_whole / cases,
        "HTML MB": html / 1e6,
        "peak MB": peak / 1e3,
        "peak MB over the golden set": (peak - before) / 1e3,
    }


def judged(cases: int) -> dict[str, float]:
    """The steps of a run with the offline judge, each against reading the JSON of the traces."""
    import ragvet
    from ragvet.report import write_report
    from ragvet.runs import score
    from ragvet.targets import RecordedTraces

    golden = _alternating(cases)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        _write_traces(Path("traces.jsonl"), cases, retrieved=SUPPLIED)
        read = _seconds(_read_json)
        traces = RecordedTraces.open("traces.jsonl")
        began = time.perf_counter()
        run = ragvet.evaluate(golden, traces, depths=(SUPPLIED, CHUNKS), judge="offline")
        evaluated = time.perf_counter() - began
        page = _seconds(lambda: write_report(run))
        counted = _seconds(lambda: score(run.folder))
    steps = {"whole run": evaluated + page, "count": counted, "page": page}
    rates = {f"{step}: cases per s": cases / seconds for step, seconds in steps.items()}
    return rates | {f"{step}: times reading JSON": seconds / read for step, seconds in steps.items()}


def _read_json() -> None:
    with Path("traces.jsonl").open("rb") as file:
        for line in file:
            json.loads(line)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _alternating(cases: int):
    """Three questions to be answered, then one to be refused; each answer must say one thing."""
    import ragvet

    return ragvet.Dataset.of(
        [
            {
                "id": f"q{number}",
                "question": f"What about {number}?",
                "category": f"c{number % 7}",
                "expected_behaviour": "answer" if number % 4 < 3 else "refuse",
                "required_claims": [{"text": f"It takes {number} days."}] if number % 4 < 3 else [],
                "reference_passages": [{"doc_id": f"d{number % CHUNKS}"}] if number % 4 < 3 else [],
            }
            for number in range(cases)
        ],
        judgments="listed",
    )


def _golden(cases: int):
    import ragvet

    return ragvet.Dataset.of(
        [
            {
                "id": f"q{number}",
                "question": f"What about {number}?",
                "category": f"c{number % 7}",
                "expected_behaviour": "answer",
                "reference_passages": [{"doc_id": f"d{number % CHUNKS}"}, {"doc_id": f"d{(number + 3) % CHUNKS}"}],
            }
            for number in range(cases)
        ],
        judgments="listed",
    )


def _write_traces(path: Path, cases: int, retrieved: int = CHUNKS) -> int:
    """Traces of a usual size, in any order: chunks of 60 words, 5 of them supplied, an answer with citations."""
    random_ = random.Random(1)  # noqa: S311 - text to fill chunks
    texts = [" ".join(random_.choices(WORDS, k=CHUNK_WORDS)) for _ in range(CHUNKS)]
    items = [{"id": f"c{n}", "doc_id": f"d{n}", "text": text, "score": 1 / (n + 1)} for n, text in enumerate(texts)]
    with path.open("w") as file:
        for number in random_.sample(range(cases), cases):
            random_.shuffle(items)
            supplied = items[:SUPPLIED]
            citations = [{"chunk_id": supplied[0]["id"], "marker": "[1]"}]
            answer = f"It is so [1]. {' '.join(random_.choices(WORDS, k=40))}"
            record = {"case": f"q{number}", "answer": answer, "retrieved": items[:retrieved], "supplied": supplied}
            file.write(json.dumps({**record, "citations": citations, "latency": random_.random()}) + "\n")
    return path.stat().st_size


PARTS = {"capture_sync": capture_sync, "capture_async": capture_async, "recorded": recorded, "judged": judged}

if __name__ == "__main__":
    main()
