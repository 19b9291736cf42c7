"""What a system did with a question, by its own flag or by the words of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from ragvet.judging._blocks import mask_markup
from ragvet.judging._claims import split_claims
from ragvet.judging._data import is_data
from ragvet.judging._languages import Languages, language_of, load_languages
from ragvet.judging._statements import StatementKind, statement_kinds
from ragvet.records import Answer, BehaviourVerdict, ObservedBehaviour
from ragvet.text import fold

_LONGEST_ALONE = 60


def observe_behaviour(answer: Answer, languages: Languages | None = None) -> BehaviourVerdict:
    """What the system did: its own flag if it set one, else what its words do.

    A blank answer is none of the four behaviours: `observed` is None, `source` is ``rule: blank answer``. Words that
    refuse, hand over or ask back decide only where nothing else is stated; a refusal that opens an answer which then
    states something is left undecided, one that comes later is a remark about a part. What states something in a
    language that no file is about may be a refusal too, and is left undecided.
    """
    if answer.behaviour is not None:
        return BehaviourVerdict(observed=answer.behaviour, source="target")
    text = answer.text or ""
    if not text.strip():
        return BehaviourVerdict(observed=None, source="rule: blank answer")
    if is_data(text):
        return BehaviourVerdict(observed=None, source="rule: JSON, not prose")
    languages = languages or load_languages()
    masked = mask_markup(text)
    if _refuses_in_a_word(masked, languages):
        return BehaviourVerdict(observed="refused", source="rule: refusal phrase")
    claims = split_claims(text, languages=languages)
    kind_of = statement_kinds(masked, languages)
    kinds: list[StatementKind] = [kind_of(claim.start, claim.end) for claim in claims]
    if "fact" in kinds and language_of(masked, languages) not in languages.by_code:
        return BehaviourVerdict(observed=None, source="rule: no word list for its language")
    observed, why = _stated(kinds) if "fact" in kinds else _unstated(set(kinds))
    return BehaviourVerdict(observed=observed, source=f"rule: {why}")


def _refuses_in_a_word(masked: str, languages: Languages) -> bool:
    """Whether the whole answer is a word or two that stand for a refusal: "N/A", "NOT_FOUND"."""
    if len(masked) > _LONGEST_ALONE:
        return False
    bare = fold(masked).text.replace("_", " ").strip(" .!*`\"'\n\t()[]")
    return any(bare in one.refused_alone for one in languages.by_code.values())


def _unstated(kinds: AbstractSet[StatementKind]) -> tuple[ObservedBehaviour | None, str]:
    """The behaviour of an answer that states no fact."""
    if kinds & {"routed", "referral"}:
        return "routed", "hand-over phrase"
    if "refused" in kinds:
        return "refused", "refusal phrase"
    if kinds & {"clarified", "question"}:
        return "clarified", "asks back"
    return None, "states nothing"


def _stated(kinds: Sequence[StatementKind]) -> tuple[ObservedBehaviour | None, str]:
    """The behaviour of an answer that states some fact: open where it begins by not answering."""
    opening = next(kind for kind in kinds if kind != "talk")
    if opening in ("refused", "routed"):
        return None, f"opens as {opening}, then states something"
    return "answered", "states something"
