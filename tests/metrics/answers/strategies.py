"""Judged answers of every shape, with some of their facts left open, and every way to complete them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st
from tests.metrics.answers.make import JudgedAnswer

from ragvet.metrics.answers import REGISTRY, ChunkGrades, Condition
from ragvet.records import Answer, Case, Trace, Verdicts

SUPPORT = ("supported", "partial", "contradicted", "unsupported")
AGREEMENT = ("agree", "contradict", "extra")
COVERAGE = ("covered", "partial", "missing", "contradicted")
OBSERVED = ("answered", "refused", "clarified", "routed")
TRUTH = (True, False)
CHECKS = ("right_version", "permitted")
VALIDATED = (Condition(REGISTRY["accuracy"], low=0.6, undefined=False), Condition(REGISTRY["faithfulness"], low=0.5))

Atom = tuple[str, tuple, object]
"""A fact: its place, what it may be when decided, and how it is written when open."""


def _atoms(shape: dict) -> list[Atom]:
    claims = range(shape["claims"])
    passages = range(shape["passages"])
    atoms: list[Atom] = [("observed", OBSERVED, None)]
    atoms += [(f"support {c} {p}", SUPPORT, shape["open word"]) for c in claims for p in passages]
    atoms += [(f"agreement {c}", AGREEMENT, "undecided") for c in claims]
    atoms += [(f"coverage {n}", COVERAGE, "undecided") for n in range(3)]
    atoms += [(f"relevant {p}", (1, 0), None) for p in passages]
    for number, backed in enumerate(shape["citations"]):
        # Never open: a citation that supports its claim resolves, so this is no unknown of its own.
        atoms.append((f"resolves {number}", TRUTH, True))
        atoms += [(f"{check} {number}", TRUTH, None) for check in CHECKS]
        if not backed:  # of the answer as a whole: its verdict follows from the passage
            continue
        # A citation of several claims is told apart by the passage; its own open verdict would be a second unknown
        # about the same thing.
        atoms.append((f"citation {number}", SUPPORT, "undecided" if len(backed) == 1 else "unsupported"))
    atoms += [(f"statement {n}", SUPPORT, "undecided") for n in range(2)]
    atoms += [(f"surfaced {n}", TRUTH, None) for n in range(2)]
    atoms += [(f"addresses {c}", TRUTH, None) for c in claims]
    return atoms


@st.composite
def cases_with_unknowns(draw, most_open: int = 4) -> tuple[dict, dict[str, object], list[Atom]]:
    """The shape of an answer, a decided value for each of its facts, and the facts that are open."""
    claims = draw(st.integers(1, 3))
    passages = draw(st.integers(1, 2))
    backed = st.sets(st.integers(0, claims - 1), max_size=2).map(sorted)
    shape = {
        "claims": claims,
        "passages": passages,
        "open word": draw(st.sampled_from(["undecided", "unverified"])),
        "one sentence": draw(st.booleans()),
        "citations": draw(st.lists(backed, max_size=passages)),
    }
    atoms = _atoms(shape)
    facts = {place: draw(st.sampled_from(values)) for place, values, _ in atoms}
    facts["observed"] = draw(st.sampled_from(("answered", "answered", *OBSERVED)))
    left_open = draw(st.lists(st.sampled_from(atoms), unique_by=lambda atom: atom[0], max_size=most_open))
    return shape, facts, [atom for atom in left_open if atom[2] not in atom[1]]


def completions(facts: dict[str, object], left_open: list[Atom]) -> Iterator[dict[str, object]]:
    for values in product(*(atom[1] for atom in left_open)):
        yield facts | {atom[0]: value for atom, value in zip(left_open, values, strict=True)}


def build(shape: dict, facts: dict[str, object]) -> JudgedAnswer:
    text = "One is so. Two is so. Three is so."
    starts = (0, 1, 2) if shape["one sentence"] else (0, 11, 22)
    claims, passages = range(shape["claims"]), range(shape["passages"])
    required = [{"text": "a"}, {"text": "b"}, {"text": "c", "materiality": "minor"}]
    case = Case.model_validate(
        {"id": "c", "question": "?", "category": "x", "expected_behaviour": "answer", "reference_answer": "r"}
        | {"required_claims": required}
    )
    items = [{"chunk_id": f"p{p}", "text": "so"} for p in passages]
    cited = [f"p{number}" for number in range(len(shape["citations"]))]
    answer = Answer.model_validate({"text": text, "retrieved": items, "supplied": items, "citations": cited})
    verdicts = Verdicts.model_validate(
        {
            "case_id": "c",
            "judge": "j",
            "behaviour": {"observed": facts["observed"], "source": "test"},
            "claims": [
                {
                    "id": f"c{c}",
                    "text": "so",
                    "start": starts[c],
                    "end": 30,
                    "addresses_question": facts[f"addresses {c}"],
                }
                for c in claims
            ],
            "support": [
                {"claim": f"c{c}", "passage": f"p{p}", "verdict": facts[f"support {c} {p}"]}
                for c in claims
                for p in passages
            ],
            "citations": [
                {
                    "citation": number,
                    "claims": [f"c{c}" for c in backed],
                    "verdict": facts[f"citation {number}"] if backed else _of_any_claim(claims, number, facts),
                    "resolves": facts[f"resolves {number}"],
                    "retrieved": True,
                    # What does not exist has neither version nor readers: there is nothing to know about it.
                    **{check: facts[f"{check} {number}"] if facts[f"resolves {number}"] else None for check in CHECKS},
                }
                for number, backed in enumerate(shape["citations"])
            ],
            "coverage": [{"required_claim": f"{n + 1}", "verdict": facts[f"coverage {n}"]} for n in range(3)],
            "agreement": [{"claim": f"c{c}", "verdict": facts[f"agreement {c}"]} for c in claims],
            "reference_support": [{"statement": f"{n}", "verdict": facts[f"statement {n}"]} for n in range(2)],
            "conflicts": [
                {"passages": ("p0", "p1"), "about": "x", "surfaced": facts[f"surfaced {n}"]} for n in range(2)
            ],
        }
    )
    evidence = ChunkGrades({f"p{p}": facts[f"relevant {p}"] for p in passages if facts[f"relevant {p}"] is not None})
    return JudgedAnswer(case, Trace(case_id="c", question="?", answer=answer), verdicts, evidence, VALIDATED)


def _of_any_claim(claims: range, passage: int, facts: dict[str, object]) -> object:
    """The verdict on a citation of the answer as a whole: whether its passage supports any claim."""
    found = [facts[f"support {claim} {passage}"] for claim in claims]
    order = ("supported", "undecided", "unverified")
    return next((verdict for verdict in order if verdict in found), "unsupported")
