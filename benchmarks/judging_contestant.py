"""One contestant of `judging.py`, in the environment it is installed in: judges the cases, prints seconds and CPU.

Imports are not timed. Prints one JSON object: version, wall, cpu, scored, failed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import json
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

Cases = list[dict[str, Any]]
Count = tuple[int, int]


def floor(url: str, cases: Cases, concurrency: int, _: Path) -> Callable[[], Awaitable[Count]]:
    """The bodies ragvet sends, in the same order of dependence, by a bare client that only parses the reply."""
    import aiohttp

    bodies = [[json.dumps(body).encode() for body in case["bodies"]] for case in cases]

    async def judge_all() -> Count:
        slots = asyncio.Semaphore(concurrency)
        headers = {"Content-Type": "application/json"}
        connector = aiohttp.TCPConnector(limit=concurrency)
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

            async def one(steps: list[bytes]) -> None:
                for body in steps:
                    async with slots, session.post(f"{url}/v1/chat/completions", data=body) as response:
                        json.loads(json.loads(await response.read())["choices"][0]["message"]["content"])

            await asyncio.gather(*map(one, bodies))
        return len(bodies), 0

    return judge_all


def ragvet(url: str, cases: Cases, concurrency: int, folder: Path) -> Callable[[], Awaitable[Count]]:
    import rapidfuzz  # noqa: F401 - loaded before the clock runs, like everything the peers load
    import sentencex  # noqa: F401

    from ragvet.judging import ModelSettings, build_judge, judge_all, load_languages
    from ragvet.records import Case, Trace, Verdicts

    load_languages()

    wanted = os.environ.get("RAGVET_ASK", "support").split(",")
    faults = {"timeout": 2.0, "attempts": 5} if os.environ.get("RAGVET_FAULTS") else {}
    settings = ModelSettings.model_validate(
        {
            "model": "scripted",
            "base_url": f"{url}/v1",
            "mode": "json_schema",
            "concurrency": concurrency,
            "ask": wanted,
            **faults,
        }
    )
    items = [(Case.model_validate(case["case"]), Trace.model_validate(case["trace"])) for case in cases]
    judge = build_judge(settings, database=folder / "ragvet.db")

    async def all_of_them() -> Count:
        results = await judge_all(judge, items)
        scored = sum(isinstance(result, Verdicts) for result in results)
        return scored, len(results) - scored

    return all_of_them


def ragas(url: str, cases: Cases, concurrency: int, _: Path) -> Callable[[], Awaitable[Count]]:
    from openai import AsyncOpenAI
    from ragas.llms import llm_factory
    from ragas.metrics.collections import Faithfulness

    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=3)
    metric = Faithfulness(llm=llm_factory("gpt-4o-mini", client=client))

    async def judge_all() -> Count:
        slots = asyncio.Semaphore(concurrency)

        async def one(case: dict[str, Any]) -> bool:
            async with slots:
                result = await metric.ascore(case["question"], case["answer"], case["contexts"])
            return 0 <= result.value <= 1

        scored = sum(await asyncio.gather(*map(one, cases)))
        return scored, len(cases) - scored

    return judge_all


def ragas_counterparts(url: str, cases: Cases, concurrency: int, _: Path) -> Callable[[], Awaitable[Count]]:
    """The metrics that say what ragvet's verdicts say: faithfulness, context recall, correctness and relevancy.

    Context precision and noise sensitivity are left out, in favour of ragas. Embeddings are made here, at no cost.
    """
    from openai import AsyncOpenAI
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms import llm_factory
    from ragas.metrics.collections import AnswerRelevancy, ContextRecall, FactualCorrectness, Faithfulness

    class Constant(BaseRagasEmbedding):
        def embed_text(self, text: str, **_: Any) -> list[float]:
            return [1.0, float(len(text))]

        async def aembed_text(self, text: str, **_: Any) -> list[float]:
            return self.embed_text(text)

    llm = llm_factory("gpt-4o-mini", client=AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=3))
    faithfulness, recall, correctness = Faithfulness(llm=llm), ContextRecall(llm=llm), FactualCorrectness(llm=llm)
    relevancy = AnswerRelevancy(llm=llm, embeddings=Constant())

    async def judge_all() -> Count:
        slots = asyncio.Semaphore(concurrency)

        async def one(case: dict[str, Any]) -> bool:
            reference = case["case"]["reference_answer"]
            async with slots:
                await faithfulness.ascore(case["question"], case["answer"], case["contexts"])
                await recall.ascore(case["question"], case["contexts"], reference)
                await correctness.ascore(case["answer"], reference)
                await relevancy.ascore(case["question"], case["answer"])
            return True

        scored = sum(await asyncio.gather(*map(one, cases)))
        return scored, len(cases) - scored

    return judge_all


def deepeval(url: str, cases: Cases, concurrency: int, _: Path) -> Callable[[], Awaitable[Count]]:
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import OpenAIModel
    from deepeval.test_case import LLMTestCase

    model = OpenAIModel(model="gpt-4o-mini", api_key="none", base_url=f"{url}/v1")

    async def judge_all() -> Count:
        slots = asyncio.Semaphore(concurrency)

        async def one(case: dict[str, Any]) -> bool:
            metric = FaithfulnessMetric(model=model)
            tested = LLMTestCase(
                input=case["question"], actual_output=case["answer"], retrieval_context=case["contexts"]
            )
            async with slots:
                return 0 <= await metric.a_measure(tested, _show_indicator=False) <= 1

        scored = sum(await asyncio.gather(*map(one, cases)))
        return scored, len(cases) - scored

    return judge_all


CONTESTANTS = {
    "floor": floor,
    "ragvet": ragvet,
    "ragas": ragas,
    "ragas-counterparts": ragas_counterparts,
    "deepeval": deepeval,
}
PACKAGES = {"floor": "aiohttp", "ragas-counterparts": "ragas"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contestant", choices=sorted(CONTESTANTS))
    parser.add_argument("url")
    parser.add_argument("cases", type=Path)
    parser.add_argument("concurrency", type=int)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    cases = json.loads(given.cases.read_text(encoding="utf-8"))
    judge_all = CONTESTANTS[given.contestant](given.url, cases, given.concurrency, given.folder)
    began, cpu = time.perf_counter(), time.process_time()
    scored, failed = asyncio.run(judge_all())
    result = {
        "version": importlib.metadata.version(PACKAGES.get(given.contestant, given.contestant)),
        "wall": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "scored": scored,
        "failed": failed,
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
