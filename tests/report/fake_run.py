"""A finished run in memory: about sixty cases in eight languages, with everything that can happen to a case."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
from tests.report.fake_scores import DEEP_K, SUPPLIED_K, declarations, rankings_of, scores_of

from ragvet.records import (
    Adjudication,
    Answer,
    BehaviourVerdict,
    Case,
    Citation,
    CitationVerdict,
    Claim,
    Coverage,
    Identity,
    JudgeFailure,
    MetricDeclaration,
    Passage,
    Quote,
    RequiredClaim,
    RetrievalCall,
    RetrievedItem,
    SourceConflict,
    Summary,
    Support,
    Trace,
    TraceError,
    Turn,
    Usage,
    Verdicts,
)
from ragvet.runs._frames import CASES
from ragvet.runs._manifest import Counts, Manifest, Spend
from ragvet.runs._summaries import summarise

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


class FakeRun:
    """Holds what `ragvet.runs.Run` reads from its folder."""

    def __init__(self, items: list[Item], **manifest: Any) -> None:
        self.items = items
        self.declarations: Mapping[str, MetricDeclaration] = declarations()
        self._rankings = rankings_of(items)
        self._scores = scores_of(items, self._rankings)
        self.manifest = _manifest(items, self.declarations, **manifest)

    def cases(self) -> list[Case]:
        return [item.case for item in self.items]

    def traces(self) -> Iterator[Trace]:
        return (trace for item in self.items for trace in item.traces)

    def verdicts(self) -> Iterator[Verdicts | JudgeFailure]:
        return (judged for item in self.items for judged in item.judged if judged is not None)

    def scores(self) -> pl.DataFrame:
        return self._scores

    def rankings(self) -> pl.DataFrame:
        return self._rankings

    def summaries(self) -> list[Summary]:
        cases = [
            {
                "case_id": item.case.id,
                "ambiguous": item.case.ambiguous,
                "expected_behaviour": item.case.expected_behaviour,
                "strata": [f"{label}={value}" for label, value in item.case.strata.items()],
            }
            for item in self.items
        ]
        return summarise(self._scores, pl.DataFrame(cases, schema=CASES), self.declarations)


def fake_run(copies: int = 3, *, seed: int = 7, extra: tuple[Item, ...] = ()) -> FakeRun:
    """Each fact `copies` times with different luck, then the special cases, then `extra`."""
    rng = random.Random(seed)  # noqa: S311 - luck, not secrets
    items = [_fact_item(fact, number, copy, rng) for copy in range(copies) for number, fact in enumerate(FACTS)]
    return FakeRun([*items, *_special_items(rng), *extra])


def item_with(text: str, *, case_id: str = "hostile", everywhere: bool = True) -> Item:
    """A case that carries `text` in every place where a user, a document or a model can put text."""
    item = _fact_item(FACTS[0], 96, 0, random.Random(1))  # noqa: S311 - luck, not secrets
    other = text if everywhere else "plain"
    case = item.case.model_copy(
        update={
            "id": case_id,
            "question": text,
            "category": other,
            "labels": {"source": other},
            "history": (Turn(role="user", content=other), Turn(role="assistant", content=other)),
            "reference_answer": other,
            "required_claims": (RequiredClaim(id=other, text=other),),
            "reference_passages": (Passage(doc_id=other, locator=other, quote=other),),
            "source": other,
            "adjudication": Adjudication(reviewers=(other, "b"), agreed=True, note=other),
        }
    )
    chunk = RetrievedItem(chunk_id=other, doc_id=other, doc_version=other, title=other, text=other + " " + other)
    answer = Answer(
        text=text,
        retrievals=(RetrievalCall(query=other, items=(chunk,)),),
        supplied=(chunk,),
        context=other,
        citations=(Citation(chunk_id=other, marker=other, start=0, end=1, quote=other),),
        versions={other: other},
        timings={other: 0.1},
        usage={other: Usage(input_tokens=1)},
    )
    trace = Trace(case_id=case_id, question=text, answer=answer, latency=0.2)
    quote = Quote(text=other, start=0, end=len(other))
    verdicts = Verdicts(
        case_id=case_id,
        judge=other,
        behaviour=BehaviourVerdict(observed="answered", source=other),
        claims=(Claim(id=other, text=text, start=0, end=len(text)),),
        support=(Support(claim=other, passage=other, verdict="supported", quote=quote, reason=other),),
        citations=(
            CitationVerdict(
                citation=0,
                claims=(other,),
                resolves=True,
                retrieved=True,
                right_version=True,
                verdict="supported",
                quote=quote,
                reason=other,
            ),
        ),
        coverage=(Coverage(required_claim=other, verdict="covered", quote=quote, reason=other),),
        conflicts=(SourceConflict(passages=(other, other), about=other),),
    )
    return Item(case, (trace,), (verdicts,))


def failed_item(case_id: str, kind: str, message: str) -> Item:
    """A case whose target failed."""
    case = Case(
        id=case_id,
        question=f"Will {case_id} fail?",
        category="limits",
        labels={"language": "en", "risk": "low"},
        expected_behaviour="answer",
        reference_passages=(Passage(doc_id="limits-05"),),
    )
    trace = Trace(
        case_id=case_id, question=case.question, error=TraceError(kind=kind, message=message), attempts=3, latency=30.0
    )
    return Item(case, (trace,), (None,))


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


def _ranking(rng: random.Random, gold: int, place: int | None) -> tuple[RetrievedItem, ...]:
    others = rng.sample([number for number in range(60) if number != gold], DEEP_K)
    if place is not None:
        others[place - 1] = gold
    return tuple(
        _chunk(number).model_copy(update={"score": round(14.2 / (1 + 0.13 * rank), 3)})
        for rank, number in enumerate(others)
    )


def _fact_item(fact: Fact, number: int, copy: int, rng: random.Random) -> Item:
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
    ranking = _ranking(rng, gold, place)
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
        answer = _answer(text, ranking, supplied, (), rng, behaviour="refused")
        judged = Verdicts(
            case_id=case_id, judge=JUDGE, behaviour=BehaviourVerdict(observed="refused", source="the target's own flag")
        )
        return Item(
            case,
            (Trace(case_id=case_id, question=case.question, answer=answer, latency=_seconds(rng), started_at=STARTED),),
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
    answer = _answer(text, ranking, supplied, citations, rng)
    return Item(
        case,
        (Trace(case_id=case_id, question=case.question, answer=answer, latency=_seconds(rng), started_at=STARTED),),
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


def _answer(
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


def _seconds(rng: random.Random) -> float:
    return rng.lognormvariate(0.4, 0.45)


def _special_items(rng: random.Random) -> list[Item]:
    plain = _fact_item(FACTS[3], 35, 0, rng)
    trace, verdicts = plain.traces[0], plain.judged[0]
    labels = {"language": "en", "risk": "high"}

    def case(case_id: str, question: str, expected: str, **other: Any) -> Case:
        return Case(
            id=case_id,
            question=question,
            category=other.pop("category", "out of scope"),
            labels=labels,
            expected_behaviour=expected,
            **other,
        )

    def with_answer(made: Case, text: str, observed: str | None) -> Item:
        answer = _answer(text, _ranking(rng, 3, None), _ranking(rng, 3, None)[:SUPPLIED_K], (), rng)
        claims = (Claim(id="c1", text=text, start=0, end=len(text)),) if observed == "answered" and text.strip() else ()
        judged = Verdicts(
            case_id=made.id,
            judge=JUDGE,
            behaviour=BehaviourVerdict(observed=observed, source="phrase list (en)"),
            claims=claims,
            support=tuple(
                Support(claim="c1", passage=item.chunk_id, verdict="unsupported")
                for item in (answer.supplied or ())[:2]
                if claims
            ),
        )
        return Item(
            made, (Trace(case_id=made.id, question=made.question, answer=answer, latency=_seconds(rng)),), (judged,)
        )

    dispute = case(
        "access-ambiguous-1",
        "Can a guest see the member list?",
        "answer",
        category="access",
        reference_passages=(Passage(doc_id="access-03"),),
        adjudication=Adjudication(
            reviewers=("mk", "tj", "ro"), agreed=False, note="Depends on whether “see” includes names in comments."
        ),
    )
    calls = (
        RetrievalCall(query="audit log export roles", items=_ranking(rng, 3, 8)),
        RetrievalCall(
            query="who may export audit log owners auditors", items=_ranking(rng, 3, 1), filters={"space": "handbook"}
        ),
    )
    many = trace.answer.model_copy(update={"retrievals": calls}) if trace.answer else None
    huge = " ".join(f"Step {number}: open the panel, check value {number * 7} and confirm." for number in range(1600))
    failed_judge = _fact_item(FACTS[6], 38, 1, rng)
    return [
        Item(
            replace(plain).case.model_copy(
                update={
                    "id": "access-multi-call",
                    "history": (
                        Turn(role="user", content="We are being audited next week."),
                        Turn(role="assistant", content="I can help you prepare. What do you need?"),
                    ),
                    "identity": Identity(id="u-118", groups=("auditors",)),
                }
            ),
            (trace.model_copy(update={"case_id": "access-multi-call", "answer": many}),),
            (verdicts.model_copy(update={"case_id": "access-multi-call"}) if verdicts else None,),
        ),
        with_answer(
            case("scope-weather", "Will it rain in Oslo tomorrow?", "refuse"),
            "I can only help with questions about the product.",
            "refused",
        ),
        with_answer(
            case("scope-stock", "Should I buy your stock?", "refuse"),
            "Yes, the outlook for this year is excellent.",
            "answered",
        ),
        with_answer(
            case("unanswerable-price-2031", "What will a seat cost in 2031?", "refuse", category="unanswerable"),
            "A seat will cost 14 euros in 2031.",
            "answered",
        ),
        with_answer(
            case("clarify-plan", "How much is it?", "clarify", category="unanswerable"),
            "Which plan do you mean: Team or Enterprise?",
            "clarified",
        ),
        with_answer(
            case("route-breach", "Someone logged in as me from another country!", "route", category="access"),
            "Please change your password under Profile.",
            "answered",
        ),
        with_answer(
            case("route-undecided", "My account was taken over, who do I call", "route", category="access"),
            "Security colleagues look at such things.",
            None,
        ),
        with_answer(
            case(
                "blank-answer",
                "What is in section nine?",
                "answer",
                reference_passages=(Passage(doc_id="access-03"),),
                category="limits",
            ),
            "  ",
            "answered",
        ),
        with_answer(
            case(
                "html <b>in</b> id",
                "<img src=x onerror=alert(1)> <script>alert('hi')</script> What does <b>bold</b> cost?",
                "answer",
                category="billing",
                reference_passages=(Passage(doc_id="billing-00"),),
            ),
            "</script><script>document.title='owned'</script> It costs nothing.",
            "answered",
        ),
        with_answer(
            case(
                "huge-answer",
                "List every step of the migration.",
                "answer",
                category="limits",
                reference_passages=(Passage(doc_id="limits-06"),),
            ),
            huge,
            "answered",
        ),
        with_answer(dispute, "Guests see the member list of projects they were invited to.", "answered"),
        with_answer(
            case(
                "access-ambiguous-2",
                "Is a trial user a member?",
                "clarify",
                category="access",
                adjudication=Adjudication(reviewers=("mk", "tj"), agreed=False),
            ),
            "Trial users are members.",
            "answered",
        ),
        Item(
            failed_judge.case,
            failed_judge.traces,
            (
                JudgeFailure(
                    case_id=failed_judge.case.id,
                    judge=JUDGE,
                    error="malformed reply: expected a verdict for claim c2",
                    raw="{",
                ),
            ),
        ),
        failed_item("limits-timeout-1", "TargetTimeout", "no answer within 30 s"),
        failed_item("limits-timeout-2", "TargetTimeout", "no answer within 30 s"),
        failed_item(
            "limits-duplicate",
            "TargetReplyInvalid",
            "retrieval call 1, items: 'limits-05#1' is ranked twice; a ranking names a chunk once",
        ),
    ]


def _manifest(items: list[Item], metrics: Mapping[str, MetricDeclaration], **other: Any) -> Manifest:
    failures = [trace.error.kind for item in items for trace in item.traces if trace.error]
    traces = sum(len(item.traces) for item in items)
    fields: dict[str, Any] = {
        "run_id": "20261130-091405-7c1e",
        "status": "finished",
        "started_at": STARTED,
        "finished_at": datetime(2026, 11, 30, 9, 16, 41, tzinfo=UTC),
        "seconds": 156.2,
        "config": {},
        "config_fingerprint": "c41b0d22a9e0",
        "dataset": "golden/handbook.yaml",
        "dataset_fingerprint": "d2f0aa17be5538c1",
        "judgments": "listed",
        "corpus_fingerprint": "9e11c07a5b2f4d80",
        "target": "app.assistant:answer",
        "target_fingerprint": "5a7710cd9b3e",
        "judge_fingerprint": JUDGE,
        "supplied_k": SUPPLIED_K,
        "deep_k": DEEP_K,
        "seed": 0,
        "metrics": metrics,
        "code": "8f3b2c1d9e+dirty",
        "versions": {"ragvet": "0.1.0", "python": "3.11.7", "polars": "2.1.0"},
        "counts": Counts(
            cases=len(items),
            ambiguous=sum(item.case.ambiguous for item in items),
            items=traces,
            answered=traces - len(failures),
            failed={kind: failures.count(kind) for kind in dict.fromkeys(failures)},
            judged=sum(isinstance(judged, Verdicts) for item in items for judged in item.judged),
            judge_failed=sum(isinstance(judged, JudgeFailure) for item in items for judged in item.judged),
            stale_annotations=2,
        ),
        "serving": Spend(),
        "judging": Spend(),
    }
    return Manifest(**{**fields, **other})
