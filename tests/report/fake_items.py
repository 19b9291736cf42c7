"""What single cases of the made-up run did: the ingredients of their records, with different luck each time."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tests.report.fake_scores import DEEP_K, SUPPLIED_K

from ragvet.records import (
    Adjudication,
    Answer,
    BehaviourVerdict,
    Case,
    Citation,
    CitationVerdict,
    Claim,
    Coverage,
    JudgeFailure,
    Passage,
    Quote,
    RequiredClaim,
    RetrievalCall,
    RetrievedItem,
    Support,
    Trace,
    Usage,
    Verdicts,
)

JUDGE = "local/rules@3f9c2ab41d07"
STARTED = datetime(2026, 11, 30, 9, 14, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Fact:
    """One thing the corpus says, a question about it, and a right and a wrong way to answer."""

    category: str
    language: str
    question: str
    passage: str
    quote: str
    right: str
    wrong: str


_WRITTEN = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))
FACTS = tuple(Fact(**fact) for fact in _WRITTEN["facts"])
FILLER = tuple(_WRITTEN["filler"])


@dataclass(frozen=True)
class Item:
    """What one case did: the ingredients of its records."""

    case: Case
    traces: tuple[Trace, ...]
    judged: tuple[Verdicts | JudgeFailure | None, ...]


def _chunk(number: int) -> RetrievedItem:
    if number < len(FACTS):
        fact = FACTS[number]
        doc = f"{fact.category}-{number:02d}"
        return RetrievedItem(
            chunk_id=f"{doc}#1",
            doc_id=doc,
            doc_version="2026-10",
            title=f"{fact.category.title()} handbook, section {number + 1}",
            text=fact.passage,
            score=None,
        )
    text = FILLER[number % len(FILLER)]
    return RetrievedItem(
        chunk_id=f"misc-{number:02d}#1",
        doc_id=f"misc-{number:02d}",
        doc_version="2026-09",
        title="Product guide",
        text=f"{text} (Guide, part {number}.)",
    )


def ranking_with(rng: random.Random, gold: int, place: int | None) -> tuple[RetrievedItem, ...]:
    others = rng.sample([number for number in range(60) if number != gold], DEEP_K)
    if place is not None:
        others[place - 1] = gold
    return tuple(
        _chunk(number).model_copy(update={"score": round(14.2 / (1 + 0.13 * rank), 3)})
        for rank, number in enumerate(others)
    )


def fact_item(fact: Fact, number: int, copy: int, rng: random.Random) -> Item:
    case_id = f"{fact.category}-{fact.language}-{number:02d}{'abc'[copy % 3]}{copy // 3 or ''}"
    gold = number % len(FACTS)
    hard = 0.55 if fact.language != "en" else 0.2 if fact.category != "limits" else 0.4
    place = (
        None
        if rng.random() < hard * 0.5
        else rng.choice((1, 1, 1, 2, 2, 3, 4))
        if rng.random() > hard
        else rng.choice((7, 9, 12, 16))
    )
    ranking = ranking_with(rng, gold, place)
    supplied = ranking[:SUPPLIED_K]
    seen = place is not None and place <= SUPPLIED_K
    verdict = (
        "supported"
        if seen and rng.random() < 0.8
        else "contradicted"
        if seen
        else rng.choice(("unsupported", "undecided", "refused"))
    )
    case = Case(
        id=case_id,
        question=fact.question,
        category=fact.category,
        labels={"language": fact.language, "risk": "high" if fact.category in ("access", "retention") else "low"},
        expected_behaviour="answer",
        reference_answer=fact.right,
        required_claims=(
            RequiredClaim(text=fact.right),
            *(
                (RequiredClaim(id="exception", text="It says what does not apply.", kind="exception"),)
                if number % 3 == 0
                else ()
            ),
        ),
        reference_passages=(
            Passage(
                doc_id=f"{fact.category}-{gold:02d}",
                doc_version="2026-10",
                locator=f"Section {gold + 1}",
                quote=fact.quote,
            ),
        ),
        effective_date=date(2026, 11, 1),
        source="support tickets, October 2026",
        adjudication=Adjudication(reviewers=("mk", "tj"), agreed=True),
    )
    if verdict == "refused":
        text = "I could not find this in the handbook."
        answer = answer_of(text, ranking, supplied, (), rng, behaviour="refused")
        judged = Verdicts(
            case_id=case_id, judge=JUDGE, behaviour=BehaviourVerdict(observed="refused", source="the target's own flag")
        )
        return Item(
            case,
            (Trace(case_id=case_id, question=case.question, answer=answer, latency=seconds(rng), started_at=STARTED),),
            (judged,),
        )
    first = fact.right if verdict in ("supported", "undecided") else fact.wrong
    second = " If in doubt, ask the owner of your workspace." if fact.language == "en" else ""
    text = f"{first} [1]{second}"
    cited = ranking[(place or 2) - 1] if verdict != "undecided" else supplied[1]
    citations = (
        Citation(
            chunk_id=cited.chunk_id,
            doc_id=cited.doc_id,
            doc_version=cited.doc_version,
            marker="[1]",
            start=0,
            end=len(first),
        ),
    )
    claims = [Claim(id="c1", text=first, start=0, end=len(first))]
    support = [_support("c1", cited, verdict, fact)]
    if second:
        claims.append(Claim(id="c2", text=second.strip(), start=len(first) + 5, end=len(text), needs_evidence=False))
        support.append(
            Support(claim="c2", passage=supplied[0].chunk_id, verdict="undecided", reason="No rule decides advice.")
        )
    covered = {"supported": "covered", "contradicted": "contradicted", "undecided": "undecided"}.get(verdict, "missing")
    judged = Verdicts(
        case_id=case_id,
        judge=JUDGE,
        behaviour=BehaviourVerdict(observed="answered", source="no refusal phrase"),
        claims=tuple(claims),
        support=tuple(support),
        citations=(
            CitationVerdict(
                citation=0,
                claims=("c1",),
                resolves=True,
                retrieved=True,
                right_version=True,
                verdict=verdict,
                quote=support[0].quote,
                reason=support[0].reason,
            ),
        ),
        coverage=tuple(
            Coverage(
                required_claim=case.claim_id(place),
                verdict=covered if place == 0 else "missing",
                quote=Quote(text=first, start=0, end=len(first)) if place == 0 and covered == "covered" else None,
            )
            for place in range(len(case.required_claims))
        ),
        usage=Usage(),
    )
    answer = answer_of(text, ranking, supplied, citations, rng)
    return Item(
        case,
        (Trace(case_id=case_id, question=case.question, answer=answer, latency=seconds(rng), started_at=STARTED),),
        (judged,),
    )


def _support(claim: str, chunk: RetrievedItem, verdict: str, fact: Fact) -> Support:
    start = (chunk.text or "").find(fact.quote)
    quote = (
        Quote(text=fact.quote, start=start, end=start + len(fact.quote))
        if start >= 0 and verdict in ("supported", "contradicted")
        else None
    )
    reason = {
        "supported": "Every content word, number and name of the claim stands in the quote.",
        "contradicted": "Same subject, other value than in the quote.",
        "unsupported": "No sentence of the context holds the claim's number and its subject.",
        "undecided": "The wording differs too much for a rule to decide.",
    }[verdict]
    return Support(
        claim=claim,
        passage=chunk.chunk_id,
        verdict=verdict,
        quote=quote,
        reason=reason,
        missing_qualification=verdict == "supported" and "unless" in fact.passage,
    )


def answer_of(
    text: str,
    ranking: tuple[RetrievedItem, ...],
    supplied: tuple[RetrievedItem, ...],
    citations: tuple[Citation, ...],
    rng: random.Random,
    **other: Any,
) -> Answer:
    return Answer(
        text=text,
        retrievals=(RetrievalCall(items=ranking),),
        supplied=supplied,
        context="\n\n".join(f"[{place}] {item.text}" for place, item in enumerate(supplied, 1)),
        citations=citations,
        timings={
            "retrieve": rng.uniform(0.02, 0.09),
            "generate": rng.uniform(0.6, 2.4),
            "rerank": rng.uniform(0.1, 0.3),
        },
        usage={
            "generation": Usage(
                input_tokens=rng.randint(700, 1900),
                output_tokens=rng.randint(30, 160),
                cost=rng.uniform(0.0004, 0.0019),
            ),
            "embedding": Usage(input_tokens=rng.randint(8, 30)),
        },
        versions={"model": "small-2026-09", "index": "handbook-41", "chunk size": "480"},
        **other,
    )


def seconds(rng: random.Random) -> float:
    return rng.lognormvariate(0.4, 0.45)
