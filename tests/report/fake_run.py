"""A finished run in memory: about sixty cases in eight languages, with everything that can happen to a case."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import polars as pl

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
from ragvet.runs._frames import RANKINGS, SCORES
from ragvet.runs._manifest import Counts, Manifest, Spend

SUPPLIED_K, DEEP_K = 5, 20
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


FACTS = (
    Fact(
        "billing",
        "en",
        "When will I be charged for an annual plan?",
        "Annual plans are charged in full on the day of purchase. Renewals are charged seven days before the term ends, unless the workspace owner has cancelled. Refunds are possible within 14 days.",
        "Renewals are charged seven days before the term ends",
        "Renewals of an annual plan are charged seven days before the term ends.",
        "Renewals of an annual plan are charged 30 days before the term ends.",
    ),
    Fact(
        "billing",
        "en",
        "can i get my money back after 3 weeks",
        "Refunds are possible within 14 days of a purchase. After that, unused months of an annual plan are returned as credit, except where a discount of 50 % or more was applied.",
        "Refunds are possible within 14 days of a purchase",
        "Refunds are possible within 14 days of a purchase; later you receive credit for unused months.",
        "Refunds are possible within 30 days of a purchase.",
    ),
    Fact(
        "billing",
        "en",
        "Which invoice line is the support surcharge?",
        "The support surcharge appears as line SUP-20 and amounts to 8 % of the subscription, at least 40 euros a month.",
        "line SUP-20 and amounts to 8 % of the subscription",
        "The surcharge is line SUP-20 and amounts to 8 % of the subscription.",
        "The surcharge is line SUP-02 and amounts to 8 % of the subscription.",
    ),
    Fact(
        "access",
        "en",
        "Who may export the audit log?",
        "Only owners and auditors may export the audit log. Admins may read it on screen. Exports are kept for 90 days and are themselves logged.",
        "Only owners and auditors may export the audit log",
        "Only owners and auditors may export the audit log.",
        "Owners, admins and auditors may export the audit log.",
    ),
    Fact(
        "access",
        "en",
        "How do I turn on single sign-on for contractors?",
        "Single sign-on is enabled per domain under Security → Domains. Contractors on other domains must be invited as guests; they sign in with a one-time code.",
        "Contractors on other domains must be invited as guests",
        "Contractors on other domains must be invited as guests and sign in with a one-time code.",
        "Contractors sign in with single sign-on like everybody else.",
    ),
    Fact(
        "limits",
        "en",
        "What does ERR_QUOTA_4417 mean?",
        "ERR_QUOTA_4417: the workspace has used its monthly write units. Writes are rejected until the first of the next month or until an owner buys more units.",
        "the workspace has used its monthly write units",
        "ERR_QUOTA_4417 says that the workspace has used its monthly write units.",
        "ERR_QUOTA_4417 says that the disk is full.",
    ),
    Fact(
        "limits",
        "en",
        "max file size for uploads via api?",
        "Uploads through the API may be 5 GB each; through the browser 500 MB. Larger files must be sent in parts of at least 5 MB.",
        "Uploads through the API may be 5 GB each",
        "Uploads through the API may be 5 GB each.",
        "Uploads through the API may be 500 MB each.",
    ),
    Fact(
        "retention",
        "en",
        "How long are deleted projects kept?",
        "Deleted projects can be restored for 30 days. After that they are erased from all replicas within 72 hours, backups excepted, which expire after 35 days.",
        "Deleted projects can be restored for 30 days",
        "Deleted projects can be restored for 30 days and are then erased within 72 hours.",
        "Deleted projects can be restored for 90 days.",
    ),
    Fact(
        "retention",
        "en",
        "Does legal hold stop the erasure of a closed account?",
        "A legal hold suspends every retention rule, also for closed accounts, until the hold is lifted by a member of Legal.",
        "A legal hold suspends every retention rule",
        "Yes: a legal hold suspends every retention rule, also for closed accounts.",
        "No, closed accounts are always erased after 30 days.",
    ),
    Fact(
        "billing",
        "de",
        "Wann wird die Rechnung für zusätzliche Plätze gestellt?",
        "Zusätzliche Plätze werden anteilig am Monatsende berechnet. Plätze, die weniger als 24 Stunden bestehen, sind kostenlos.",
        "Zusätzliche Plätze werden anteilig am Monatsende berechnet",
        "Zusätzliche Plätze werden anteilig am Monatsende berechnet.",
        "Zusätzliche Plätze werden sofort voll berechnet.",
    ),
    Fact(
        "access",
        "fr",
        "Qui peut supprimer un espace de travail ?",
        "Seul le propriétaire peut supprimer un espace de travail, après confirmation par un second administrateur.",
        "Seul le propriétaire peut supprimer un espace de travail",
        "Seul le propriétaire peut supprimer un espace de travail.",
        "Tout administrateur peut supprimer un espace de travail.",
    ),
    Fact(
        "limits",
        "es",
        "¿Cuántas peticiones por minuto admite la API?",
        "La API admite 600 peticiones por minuto y por clave; al superarlas responde 429 con la cabecera Retry-After.",
        "La API admite 600 peticiones por minuto y por clave",
        "La API admite 600 peticiones por minuto y por clave.",
        "La API admite 6000 peticiones por minuto.",
    ),
    Fact(
        "retention",
        "ar",
        "كم يومًا تُحفظ النسخ الاحتياطية؟",
        "تُحفظ النسخ الاحتياطية لمدة 35 يومًا ثم تُحذف نهائيًا من جميع المواقع.",
        "تُحفظ النسخ الاحتياطية لمدة 35 يومًا",
        "تُحفظ النسخ الاحتياطية لمدة 35 يومًا.",
        "تُحفظ النسخ الاحتياطية لمدة 90 يومًا.",
    ),
    Fact(
        "access",
        "hi",
        "अतिथि सदस्य को कौन हटा सकता है?",
        "अतिथि सदस्य को कोई भी व्यवस्थापक हटा सकता है। हटाने के बाद उसके लिंक तुरंत बंद हो जाते हैं।",
        "अतिथि सदस्य को कोई भी व्यवस्थापक हटा सकता है",
        "अतिथि सदस्य को कोई भी व्यवस्थापक हटा सकता है।",
        "अतिथि सदस्य को केवल स्वामी हटा सकता है।",
    ),
    Fact(
        "limits",
        "ja",
        "1つのプロジェクトに何人まで招待できますか?",
        "1つのプロジェクトには最大250人まで招待できます。ゲストは別に50人までです。",
        "最大250人まで招待できます",
        "1つのプロジェクトには最大250人まで招待できます。",
        "1つのプロジェクトには最大500人まで招待できます。",
    ),
    Fact(
        "billing",
        "zh",
        "年度套餐可以改成按月付费吗?",
        "年度套餐只能在续订日改为按月付费😀。提前更改需要支付剩余月份的差价。",
        "年度套餐只能在续订日改为按月付费",
        "年度套餐只能在续订日改为按月付费。",
        "年度套餐可以随时改为按月付费。",
    ),
)
FILLER = (
    "Notifications can be grouped by project, by person or by hour. Grouping by hour is the default for new workspaces.",
    "The status page lists incidents of the last 90 days. Subscribe there to be told of planned maintenance.",
    "Webhooks are signed with the secret of the endpoint. Deliveries are retried five times with growing delays.",
    "Templates are copied, not linked: changing a template later does not change what was made from it.",
    "Comments can be resolved by anyone who may write. Resolved comments stay searchable.",
    "Mobile apps keep the last 200 opened pages for reading without a connection.",
)


@dataclass(frozen=True)
class Item:
    """What one case did: the ingredients of its records."""

    case: Case
    traces: tuple[Trace, ...]
    judged: tuple[Verdicts | JudgeFailure | None, ...]


def declarations() -> dict[str, MetricDeclaration]:
    def declare(name: str, title: str, blind: str, direction: str = "higher", **other: Any) -> MetricDeclaration:
        return MetricDeclaration(
            name=name,
            version=1,
            title=title,
            direction=direction,
            needs=other.pop("needs", "judgments"),
            undefined_when=other.pop("undefined_when", "nothing relevant is judged"),
            does_not_catch=blind,
            formula=other.pop("formula", "relevant in first k / relevant in the judged set"),
            reference="Requirements R and A",
            **other,
        )

    retrieval = [
        declare(f"{name}@{k}", title, blind, direction)
        for k in (SUPPLIED_K, DEEP_K)
        for name, title, blind, direction in (
            (
                "coverage",
                "Share of the annotated passages that were reached",
                "evidence nobody annotated; a passage that is reached but cut off",
                "higher",
            ),
            ("recall", "Share of the relevant passages that were reached", "relevant passages nobody judged", "higher"),
            (
                "RR",
                "How early the first relevant passage stands",
                "everything after the first relevant passage",
                "higher",
            ),
            (
                "nDCG",
                "Whether better passages stand before worse ones",
                "whether the passages together are enough to answer",
                "higher",
            ),
            ("judged", "Share of the ranking somebody has judged", "whether the judgments are right", "none"),
        )
    ]
    answers = [
        declare(
            "faithfulness",
            "Share of the claims the supplied context supports",
            "a context that is itself wrong or out of date; what the answer leaves out",
        ),
        declare(
            "contradicted_share",
            "Share of the claims the supplied context contradicts",
            "claims the context is silent about",
            "lower",
        ),
        declare("citation_precision", "Share of the citations that support their claim", "claims without any citation"),
        declare(
            "citation_recall",
            "Share of the claims needing evidence that carry a supporting citation",
            "citations that are superfluous",
        ),
        declare(
            "completeness", "Share of the required claims the answer makes", "wrong statements beside the required ones"
        ),
        declare(
            "wrong_refusal", "Declined although an answer was expected", "a wrong answer given with confidence", "lower"
        ),
        declare(
            "missed_refusal",
            "Answered although it should have declined",
            "whether the refusal was polite or helpful",
            "lower",
        ),
        declare("answer_coverage", "Share of the tested cases that were answered", "whether the answers are any good"),
        declare("answer_success", "Share of the tested cases with a validated answer", "why the others have none"),
        declare(
            "output_tokens",
            "Length of the answer",
            "whether the words say anything",
            "none",
            high=None,
            formula="words of the answer",
        ),
    ]
    return {declaration.name: declaration for declaration in (*retrieval, *answers)}


class FakeRun:
    """Holds what `ragvet.runs.Run` reads from its folder."""

    def __init__(self, items: list[Item], **manifest: Any) -> None:
        self.items = items
        self.declarations: Mapping[str, MetricDeclaration] = declarations()
        self._rankings = _rankings(items)
        self._scores = _scores(items, self._rankings)
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

    def summaries(self, stratum: str | None = None) -> list[Summary]:
        strata = {"all": {item.case.id for item in self.items if not item.case.ambiguous}}
        for item in self.items:
            for label, value in item.case.strata.items():
                if not item.case.ambiguous and stratum in (None, label):
                    strata.setdefault(f"{label}={value}", set()).add(item.case.id)
        by_metric: dict[str, list[dict[str, Any]]] = {}
        for row in self._scores.iter_rows(named=True):
            by_metric.setdefault(row["metric"], []).append(row)
        return [
            _summary(metric, name, [row for row in rows if row["case_id"] in members], self.declarations[metric])
            for metric, rows in by_metric.items()
            for name, members in strata.items()
            if any(row["case_id"] in members for row in rows)
        ]


def fake_run(copies: int = 3, *, seed: int = 7, extra: tuple[Item, ...] = ()) -> FakeRun:
    """Each fact `copies` times with different luck, then the special cases, then `extra`."""
    rng = random.Random(seed)
    items = [_fact_item(fact, number, copy, rng) for copy in range(copies) for number, fact in enumerate(FACTS)]
    return FakeRun([*items, *_special_items(rng), *extra])


def item_with(text: str, *, case_id: str = "hostile", everywhere: bool = True) -> Item:
    """A case that carries `text` in every place where a user, a document or a model can put text."""
    item = _fact_item(FACTS[0], 96, 0, random.Random(1))
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
            start=len(first) + 1,
            end=len(first) + 4,
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


def _rankings(items: list[Item]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for item in items:
        gold = [passage.doc_id for passage in item.case.reference_passages]
        for trace in item.traces:
            if trace.answer is None:
                continue
            union = {hit.chunk_id: hit for call in trace.answer.retrievals for hit in call.ranking}
            last = trace.answer.retrievals[-1].ranking if trace.answer.retrievals else ()
            supplied = {hit.chunk_id for hit in trace.answer.supplied or ()}
            for view, hits in (("union", tuple(union.values())), ("last", last)):
                for rank, hit in enumerate(hits, start=1):
                    passages = [place for place, doc in enumerate(gold) if doc == hit.doc_id]
                    judged = 1 if passages else -1 if rank % 9 == 8 else 0
                    rows.append(
                        {
                            "case_id": item.case.id,
                            "repeat": trace.repeat,
                            "view": view,
                            "rank": rank,
                            "chunk_id": hit.chunk_id,
                            "doc_id": hit.doc_id,
                            "score": hit.score,
                            "grade": judged,
                            "repeats": False,
                            "passages": passages,
                            "supplied": hit.chunk_id in supplied,
                        }
                    )
    return pl.DataFrame(rows, schema=RANKINGS)


def _scores(items: list[Item], rankings: pl.DataFrame) -> pl.DataFrame:
    ranked: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rankings.filter(pl.col("view") == "union").iter_rows(named=True):
        ranked.setdefault((row["case_id"], row["repeat"]), []).append(row)
    rows: list[dict[str, Any]] = []
    for item in items:
        for trace, judged in zip(item.traces, item.judged, strict=True):
            for metric, outcome in _outcomes(item.case, trace, judged, ranked.get(trace.key, [])):
                rows.append(
                    {
                        "case_id": item.case.id,
                        "repeat": trace.repeat,
                        "metric": metric,
                        "version": 1,
                        "value": None,
                        "low": None,
                        "high": None,
                        "reason": None,
                        "numerator": None,
                        "denominator": None,
                        **outcome,
                    }
                )
    return pl.DataFrame(rows, schema=SCORES)


def _scored(value: float, high: float | None = None, reason: str | None = None) -> dict[str, Any]:
    if high is None or high == value:
        return {"status": "scored", "value": float(value), "low": float(value), "high": float(value)}
    return {"status": "bounded", "low": float(value), "high": float(high), "reason": reason or "unjudged items"}


def _outcomes(
    case: Case, trace: Trace, judged: Verdicts | JudgeFailure | None, ranked: list[dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    failed = trace.error.kind if trace.error else None
    if case.expected_behaviour == "answer":
        for k in (SUPPLIED_K, DEEP_K):
            for metric in ("coverage", "recall", "RR", "nDCG", "judged"):
                if failed:
                    yield f"{metric}@{k}", {"status": "failed", "reason": failed}
                elif not case.reference_passages:
                    yield f"{metric}@{k}", {"status": "undefined", "reason": "the case names no passage"}
                else:
                    yield f"{metric}@{k}", _ranked_outcome(metric, ranked[:k], k)
    judge_failed = failed or (judged.error.partition(":")[0] if isinstance(judged, JudgeFailure) else None)
    expected = case.expected_behaviour
    names = (
        "faithfulness",
        "contradicted_share",
        "citation_precision",
        "citation_recall",
        "completeness",
        "wrong_refusal" if expected == "answer" else "missed_refusal",
        "output_tokens",
    )
    if expected == "answer":
        for metric in ("answer_coverage", "answer_success"):
            yield metric, {"status": "failed", "reason": failed} if failed else _validated(judged, metric)
    for metric in names:
        if judge_failed:
            yield metric, {"status": "failed", "reason": judge_failed}
        elif isinstance(judged, Verdicts) and trace.answer is not None:
            yield metric, _answer_outcome(metric, trace.answer, judged)


def _validated(judged: Verdicts | JudgeFailure | None, metric: str) -> dict[str, Any]:
    if not isinstance(judged, Verdicts) or judged.behaviour.observed is None:
        return _scored(0, 1, "whether it answered is undecided")
    answered = judged.behaviour.observed == "answered"
    verdicts = {judged.claim_verdict(claim.id) for claim in judged.claims if claim.needs_evidence}
    if metric == "answer_coverage" or not answered:
        return _scored(float(answered))
    if verdicts <= {"supported", "undecided"}:
        return _scored(float(verdicts == {"supported"}), 1, "some parts of validated are undecided")
    return _scored(0)


def _ranked_outcome(metric: str, window: list[dict[str, Any]], k: int) -> dict[str, Any]:
    first = next((row["rank"] for row in window if row["grade"] > 0), None)
    unjudged = [row["rank"] for row in window if row["grade"] < 0]
    if metric == "judged":
        return _scored(1 - len(unjudged) / k)
    if metric in ("coverage", "recall"):
        return _scored(float(first is not None))
    value = 0.0 if first is None else 1 / first
    best = 1 / unjudged[0] if unjudged and (first is None or unjudged[0] < first) else value
    return _scored(value, best, f"unjudged at rank {unjudged[0]}" if unjudged else None)


def _answer_outcome(metric: str, answer: Answer, judged: Verdicts) -> dict[str, Any]:
    verdicts = [judged.claim_verdict(claim.id) for claim in judged.claims]
    unknown = sum(verdict == "undecided" for verdict in verdicts)
    if metric == "output_tokens":
        return _scored(float(len((answer.text or "").split())))
    if metric in ("wrong_refusal", "missed_refusal"):
        observed = judged.behaviour.observed
        if observed is None:
            return _scored(0, 1, "behaviour undecided")
        return _scored(float((observed != "answered") == (metric == "wrong_refusal")))
    if metric in ("faithfulness", "contradicted_share"):
        if not verdicts:
            return {"status": "undefined", "reason": "the answer has no claims"}
        good = sum(verdict == ("supported" if metric == "faithfulness" else "contradicted") for verdict in verdicts)
        return _scored(
            good / len(verdicts), (good + unknown) / len(verdicts), f"{unknown} of {len(verdicts)} claims undecided"
        )
    rows = judged.citations if metric.startswith("citation") else judged.coverage
    if not rows:
        return {
            "status": "undefined",
            "reason": "the answer cites nothing" if metric.startswith("citation") else "the case requires no claims",
        }
    good = sum(row.verdict in ("supported", "covered") for row in rows)
    open_ = sum(row.verdict == "undecided" for row in rows)
    return _scored(good / len(rows), (good + open_) / len(rows), f"{open_} of {len(rows)} undecided")


def _summary(metric: str, stratum: str, rows: list[dict[str, Any]], declaration: MetricDeclaration) -> Summary:
    known = [row for row in rows if row["status"] in ("scored", "bounded")]
    failed = sum(row["status"] == "failed" for row in rows)
    reasons = [row["reason"] for row in rows if row["status"] == "undefined"]
    low = sum(row["low"] for row in known) / len(known) if known else None
    high = sum(row["high"] for row in known) / len(known) if known else None
    ends: dict[str, float] = {}
    if low is not None and high is not None and declaration.high is not None:
        total = len(known) + failed
        ends = {
            "failed_low": low * len(known) / total,
            "failed_high": (high * len(known) + failed * declaration.high) / total,
        }
    return Summary(
        metric=metric,
        version=1,
        stratum=stratum,
        eligible=len(rows),
        scored=sum(row["status"] == "scored" for row in rows),
        bounded=sum(row["status"] == "bounded" for row in rows),
        undefined={reason: reasons.count(reason) for reason in dict.fromkeys(reasons)},
        failed=failed,
        mean=low if low == high else None,
        low=low,
        high=high,
        **ends,
    )


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
