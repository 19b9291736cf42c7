"""What passes between the process that runs an evaluation and those that judge answers for it."""

from __future__ import annotations

from pydantic import TypeAdapter

from ragvet.judging._citations import place_citations
from ragvet.judging._register import Register
from ragvet.records import Case, DocumentVersion, JudgeFailure, Record, Trace, Verdicts


class Setup(Record):
    """What a process needs to know to judge as the one does that started it, told once."""

    languages: tuple[str, ...] = ()
    register_fingerprint: str | None = None


class Lookup(Record):
    """One document somebody asked a register for, and what it said; text left out, since nobody looks at it."""

    doc_id: str
    version: str | None = None
    document: DocumentVersion | None = None


class Facts(Record):
    """What a register says about the citations of one answer."""

    documents: tuple[Lookup, ...] = ()
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class Errand(Record):
    """One answer to judge."""

    case: Case
    trace: Trace
    facts: Facts | None = None


class Outcome(Record):
    """What became of an errand; neither of the two: whoever sent it must look at it again."""

    verdicts: Verdicts | None = None
    failure: JudgeFailure | None = None


ERRANDS = TypeAdapter(tuple[Errand, ...])
OUTCOMES = TypeAdapter(tuple[Outcome, ...])


def errand(case: Case, trace: Trace, register: Register | None) -> Errand:
    """The errand of judging an answer, with all that the register will be asked for meanwhile."""
    if register is None:
        return Errand(case=case, trace=trace)
    asked = _Asked(register)
    place_citations(case, trace, (), asked)  # what is looked up does not depend on the claims
    return Errand(case=case, trace=trace, facts=asked.facts())


class _Asked:
    """A register that remembers what it said."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._documents: dict[tuple[str, str | None], DocumentVersion | None] = {}
        self._ids: dict[str, bool] = {}

    @property
    def fingerprint(self) -> str:
        return self._register.fingerprint

    def get(self, doc_id: str, version: str | None = None) -> DocumentVersion | None:
        found = self._register.get(doc_id, version)
        self._documents[doc_id, version] = found
        return found

    def __contains__(self, doc_id: object) -> bool:
        known = doc_id in self._register
        self._ids[str(doc_id)] = known
        return known

    def facts(self) -> Facts:
        """All that was asked for so far, and said."""
        return Facts(
            documents=tuple(
                Lookup(doc_id=doc_id, version=version, document=found and found.model_copy(update={"text": None}))
                for (doc_id, version), found in self._documents.items()
            ),
            known=tuple(id_ for id_, known in self._ids.items() if known),
            unknown=tuple(id_ for id_, known in self._ids.items() if not known),
        )


class ToldRegister:
    """A register that knows what it was told about one answer.

    Raises:
        LookupError: it is asked for anything else.
    """

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self._documents: dict[tuple[str, str | None], DocumentVersion | None] = {}
        self._ids: dict[str, bool] = {}

    def tell(self, facts: Facts) -> None:
        """Forget the last answer, and learn what is known about this one."""
        self._documents = {(one.doc_id, one.version): one.document for one in facts.documents}
        self._ids = {**dict.fromkeys(facts.known, True), **dict.fromkeys(facts.unknown, False)}

    @property
    def fingerprint(self) -> str:
        """That of the register itself."""
        return self._fingerprint

    def get(self, doc_id: str, version: str | None = None) -> DocumentVersion | None:
        """What the register has under this id."""
        return self._documents[doc_id, version]

    def __contains__(self, doc_id: object) -> bool:
        return self._ids[str(doc_id)]
