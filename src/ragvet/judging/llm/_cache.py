"""Accepted replies, kept under the exact request, so that none is paid for twice."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ragvet.judging._store import ReplyStore, StoredReply
from ragvet.judging.llm._replies import Part
from ragvet.judging.llm._request import Request
from ragvet.records import Usage


@dataclass(frozen=True, slots=True)
class Completion:
    """An acceptable reply, what it cost when it was paid for, and which server gave it."""

    reply: Part
    usage: Usage
    server_fingerprint: str | None


@dataclass(frozen=True, slots=True)
class ReplyCache:
    """The accepted replies of one judge, by the exact request and the number of its repetition."""

    store: ReplyStore
    fingerprint: str
    repeat: int = 0

    def find(self, address: str, request: Request) -> Completion | None:
        """The reply to the request of this address, if there is one that is still acceptable."""
        stored = self.store.get(address)
        if stored is None:
            return None
        reply, _ = request.read(stored.text, stored.key)
        return None if reply is None else Completion(reply, stored.usage, stored.server_fingerprint)

    def keep(self, address: str, reply: StoredReply) -> None:
        """Keeps an accepted reply; it is on disk when this returns."""
        self.store.put(address, self.fingerprint, self.repeat, reply)

    def address(self, request: Request) -> str:
        """Where the reply to this request is kept."""
        content = "\n".join((self.fingerprint, str(self.repeat), request.content()))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
