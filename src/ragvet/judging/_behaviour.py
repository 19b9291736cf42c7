from __future__ import annotations

from ragvet.judging._blocks import mask_markup
from ragvet.judging._claims import split_claims
from ragvet.judging._languages import Languages, load_languages
from ragvet.judging._statements import statement_kinds
from ragvet.records import Answer, BehaviourVerdict

_FLAG = "target"
_BLANK = "rule: blank answer"


def observe_behaviour(answer: Answer, languages: Languages | None = None) -> BehaviourVerdict:
    """What the system did: its own flag if it set one, else what its words do.

    A blank answer is none of the four behaviours: `observed` is None, `source` is ``rule: blank answer``. Words that
    refuse, hand over or ask back decide only where nothing else is stated; a refusal that opens an answer which then
    states something is left undecided, one that comes later is a remark about a part.
    """
    if answer.behaviour is not None:
        return BehaviourVerdict(observed=answer.behaviour, source=_FLAG)
    text = answer.text or ""
    if not text.strip():
        return BehaviourVerdict(observed=None, source=_BLANK)
    languages = languages or load_languages()
    claims = split_claims(text, languages=languages)
    kind_of = statement_kinds(mask_markup(text), languages)
    kinds = [kind_of(claim.start, claim.end) for claim in claims]
    if "fact" not in kinds:
        if "routed" in kinds or "referral" in kinds:
            return BehaviourVerdict(observed="routed", source="rule: hand-over phrase")
        if "refused" in kinds:
            return BehaviourVerdict(observed="refused", source="rule: refusal phrase")
        if "clarified" in kinds or "question" in kinds:
            return BehaviourVerdict(observed="clarified", source="rule: asks back")
        return BehaviourVerdict(observed=None, source="rule: states nothing")
    stated = [kind for kind in kinds if kind != "talk"]
    if stated[0] in ("refused", "routed"):
        return BehaviourVerdict(observed=None, source=f"rule: opens as {stated[0]}, then states something")
    return BehaviourVerdict(observed="answered", source="rule: states something")
