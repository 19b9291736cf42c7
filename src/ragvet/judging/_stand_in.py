"""A right answer in place of one that is not given yet, as far as the golden set tells."""

from __future__ import annotations

from ragvet.records import Answer, Case, RetrievedItem, Trace


def stand_in(case: Case, repeat: int = 0) -> Trace | None:
    """What a right system may answer, as far as the golden set tells; None where it expects an answer and holds none.

    The answer is the reference answer, else the required claims; what it was given are the quotes of the gold passages,
    else the answer's own words. A case that expects no answer gets none.
    """
    if case.expected_behaviour != "answer":
        return Trace(case_id=case.id, repeat=repeat, question=case.question, answer=Answer(supplied=()))
    text = case.reference_answer or " ".join(claim.text for claim in case.required_claims)
    if not text.strip():
        return None
    quotes = [passage.quote for passage in case.reference_passages if passage.quote and passage.grade > 0]
    supplied = tuple(
        RetrievedItem(chunk_id=f"gold {n}", text=quote) for n, quote in enumerate(quotes or [text], start=1)
    )
    return Trace(case_id=case.id, repeat=repeat, question=case.question, answer=Answer(text=text, supplied=supplied))
