"""The cases of the made-up run to which something special happens, and cases of a test's own making."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from tests.report.fake_items import FACTS, JUDGE, Item, answer_of, fact_item, ranking_with, seconds
from tests.report.fake_scores import SUPPLIED_K

from ragvet.records import (
    Adjudication,
    Answer,
    BehaviourVerdict,
    CacheLookup,
    Case,
    Citation,
    CitationVerdict,
    Claim,
    Coverage,
    Identity,
    JudgeFailure,
    Passage,
    Quote,
    RequiredClaim,
    RetrievalCall,
    RetrievedItem,
    SourceConflict,
    Support,
    ToolCall,
    Trace,
    TraceError,
    Turn,
    Usage,
    Verdicts,
)


def item_with(text: str, *, case_id: str = "hostile", everywhere: bool = True) -> Item:
    """A case that carries `text` in every place where a user, a document or a model can put text."""
    item = fact_item(FACTS[0], 96, 0, random.Random(1))  # noqa: S311 - luck, not secrets
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
        cache=(CacheLookup(stage=other, hit=True, key=other, scope=other),),
        tool_calls=(ToolCall(name=other, arguments={other: other}, result=other),),
        finish_reason=other,
        session=other,
        retries={other: 1},
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


def special_items(rng: random.Random) -> list[Item]:
    plain = fact_item(FACTS[3], 35, 0, rng)
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
        answer = answer_of(text, ranking_with(rng, 3, None), ranking_with(rng, 3, None)[:SUPPLIED_K], (), rng)
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
            made, (Trace(case_id=made.id, question=made.question, answer=answer, latency=seconds(rng)),), (judged,)
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
        RetrievalCall(query="audit log export roles", items=ranking_with(rng, 3, 8)),
        RetrievalCall(
            query="who may export audit log owners auditors",
            items=ranking_with(rng, 3, 1),
            filters={"space": "handbook"},
        ),
    )
    many = trace.answer.model_copy(update={"retrievals": calls}) if trace.answer else None
    huge = " ".join(f"Step {number}: open the panel, check value {number * 7} and confirm." for number in range(1600))
    failed_judge = fact_item(FACTS[6], 38, 1, rng)
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
