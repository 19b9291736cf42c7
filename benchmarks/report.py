"""What rendering a finished run costs: cases per second, memory, and the size of the page.

`python -m benchmarks.report [--cases 2000] [--judge offline] [--browser]`. The run is made first and not measured.
`--browser` also opens the page in a Chromium that is installed, and says how long until the summary and a case stand.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from pathlib import Path

WORDS = [f"word{number}" for number in range(5000)]
CORPUS, CHUNKS, SUPPLIED, CHUNK_WORDS = 2000, 20, 5, 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--judge", choices=("none", "offline"), default="none")
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        page = measure(options.cases, options.judge)
        if options.browser:
            opened(page, options.cases)


def measure(cases: int, judge: str) -> Path:
    from ragvet.report import CasePages, build, to_html, to_markdown
    from ragvet.runs import Run

    folder = make_run(cases, judge)
    run = Run.open(folder)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.perf_counter(), time.process_time()
    pages = CasePages(run)
    report = build(run, each=pages.add)
    pages.finish()
    read = time.perf_counter()
    html = to_html(report, pages)
    rendered = time.perf_counter()
    spent = time.process_time() - cpu
    markdown = to_markdown(report)
    page = folder / "report.html"
    page.write_text(html, encoding="utf-8")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{cases:,} cases, {CHUNKS} chunks each, judge {judge}: {cases / (rendered - began):,.0f} cases/s to HTML")
    print(f"  summaries and cases {read - began:.2f} s, page {rendered - read:.2f} s")
    print(f"  CPU {1000 * spent / cases:.2f} ms per case, peak {(peak - before) / 1e3:,.0f} MB over the run itself")
    size = f"HTML {len(html) / 1e6:.1f} MB, {len(html) / cases / 1e3:.1f} kB per case"
    print(f"  {size}; Markdown {len(markdown) / 1e3:.0f} kB")
    return page


def make_run(cases: int, judge: str) -> Path:
    """A recorded run whose rankings draw on one corpus of 2,000 chunks."""
    import ragvet
    from ragvet.targets import RecordedTraces

    random_ = random.Random(1)  # noqa: S311 - text to fill chunks
    texts = [" ".join(random_.choices(WORDS, k=CHUNK_WORDS)) + "." for _ in range(CORPUS)]
    golden = []
    with Path("traces.jsonl").open("w") as file:
        for number in range(cases):
            drawn = random_.sample(range(CORPUS), CHUNKS)
            items = [
                {"id": f"c{n}", "doc_id": f"d{n}", "title": f"Chapter {n}", "text": texts[n], "score": 1 / (rank + 1)}
                for rank, n in enumerate(drawn)
            ]
            answer = " ".join(f"{' '.join(texts[n].split()[:18])} [{rank}]." for rank, n in enumerate(drawn[:3], 1))
            citations = [{"chunk_id": f"c{n}", "marker": f"[{rank}]"} for rank, n in enumerate(drawn[:3], 1)]
            record = {"case": f"q{number}", "answer": answer, "retrieved": items, "supplied": items[:SUPPLIED]}
            file.write(json.dumps({**record, "citations": citations, "latency": random_.random()}) + "\n")
            golden.append(
                {
                    "id": f"q{number}",
                    "question": f"What does chapter {drawn[0]} say about {random_.choice(WORDS)}?",
                    "category": f"category {number % 7}",
                    "labels": {"risk": "high" if number % 3 else "low", "language": f"l{number % 9}"},
                    "expected_behaviour": "answer",
                    "required_claims": [{"text": " ".join(texts[drawn[0]].split()[:9])}],
                    "reference_passages": [{"doc_id": f"d{n}"} for n in random_.sample(drawn, 2)],
                }
            )
    dataset = ragvet.Dataset.of(golden, judgments="listed")
    return ragvet.evaluate(dataset, RecordedTraces.open("traces.jsonl"), depths=(SUPPLIED, CHUNKS), judge=judge).folder


def opened(page: Path, cases: int) -> None:
    from tests.report.browser import Browser

    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(Path(profile))
        began = time.perf_counter()
        browser.open(page.resolve())
        summary = time.perf_counter()
        browser.go(f"#case-q{cases - 1}", "document.querySelector('.case h1') !== null")
        case = time.perf_counter()
        browser.close()
    print(f"  Chromium: summary after {summary - began:.2f} s, then the last case after {case - summary:.2f} s")


if __name__ == "__main__":
    main()
