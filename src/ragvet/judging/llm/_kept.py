from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ragvet.judging._store import ReplyStore, StoredReply
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._replies import Part
from ragvet.records import Usage


@dataclass(frozen=True, slots=True)
class Answered:
    """An acceptable reply, what it cost when it was paid for, and which server gave it."""

    reply: Part
    usage: Usage
    server_fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """The accepted replies of one judge, by the exact question and the number of its repetition."""

    store: ReplyStore
    fingerprint: str
    repeat: int = 0

    def find(self, address: str, question: Question) -> Answered | None:
        """The reply to the question of this address, if there is one that is still acceptable."""
        stored = self.store.get(address)
        if stored is None:
            return None
        reply, _ = question.read(stored.text, stored.key)
        return None if reply is None else Answered(reply, stored.usage, stored.server_fingerprint)

    def keep(self, address: str, reply: StoredReply) -> None:
        """Keeps an accepted reply; it is on disk when this returns."""
        self.store.put(address, self.fingerprint, self.repeat, reply)

    def address(self, question: Question) -> str:
        """Where the reply to this question is kept."""
        content = "\n".join((self.fingerprint, str(self.repeat), question.content()))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
