from __future__ import annotations

import hashlib
import json

from ragvet.errors import JudgeError
from ragvet.judging._citations import Register
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._asking import Asking
from ragvet.judging.llm._docket import Docket
from ragvet.judging.llm._hearing import Hearing
from ragvet.judging.llm._line import Line
from ragvet.judging.llm._money import Budget
from ragvet.judging.llm._probe import Probe
from ragvet.judging.llm._prompts import load_prompts
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._trial import Trial
from ragvet.judging.llm._wire import Wire
from ragvet.records import Case, Trace, Usage, Verdicts

_METHOD = 1
"""Raised when the code around the prompts changes what a verdict means."""


class ModelJudge:
    """A model that judges answers: every verdict keyed by id, every quote verified, every reply paid for once.

    What rules decide alone is never sent: blank answers, answers that state nothing, refusals, empty contexts.
    Connections are open only while answers are being judged; there is nothing to close.
    """

    def __init__(
        self,
        settings: ModelSettings,
        wire: Wire,
        probe: Probe,
        *,
        store: ReplyStore | None = None,
        register: Register | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._settings = settings
        self._register = register
        self._prompts = load_prompts(settings.language, settings.prompts)
        self._probe = probe
        self._pinned = {
            "method": _METHOD,
            "server": dict(wire.identity),
            "mode": probe.mode,
            "prompts": dict(self._prompts.texts),
            **settings.model_dump(include={"ask", "questions", "context_characters"}),
        }
        self._line = Line(settings, wire, budget or Budget(settings.budget))
        self._store = store
        self._under_way = 0
        asked = self._hashed(self._servers(frozenset()))
        self._asking = Asking(self._line, self._prompts, probe.mode, asked, settings.repeat, store)

    @property
    def fingerprint(self) -> str:
        """Model, and a hash of all a verdict depends on: server, decoding, mode, prompts, way of asking, corpus."""
        return self._signed(frozenset())

    @property
    def concurrency(self) -> int:
        """How many answers are worth giving it at once: as many as there may be requests."""
        return self._settings.concurrency

    @property
    def spent(self) -> Usage | None:
        """What this judge has paid for so far; replies found in the store cost nothing."""
        return self._line.spent

    @property
    def requests(self) -> int:
        """How many replies this judge has been sent so far."""
        return self._line.requests

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """Every verdict on the answer in `trace`.

        Raises:
            JudgeError: the model failed; with its raw reply and what the attempts cost.
            InputError: the examples in the prompts hold this golden case.
            BudgetReached: the next request might cost more than the budget has left.
        """
        if trace.answer is None:
            raise JudgeError("the target gave no answer to judge")
        self._prompts.refuse_leak(case)
        docket = Docket(self._settings, case, trace, trace.answer, self._register)
        hearing = Hearing(self._asking)
        self._under_way += 1
        try:
            return await Trial(docket, hearing).verdicts(self._signed)
        except JudgeError as error:
            spent = hearing.usage(error.usage)
            error.usage = None if spent is None else spent.model_dump()
            raise
        finally:
            self._under_way -= 1
            if not self._under_way:
                await self._close()

    async def _close(self) -> None:
        """Close connections and database: they belong to one event loop, and nobody else knows when it ends."""
        await self._line.close()
        if self._store is not None:
            self._store.close()

    def _signed(self, servers: frozenset[str]) -> str:
        """The fingerprint of verdicts to which servers of these fingerprints replied."""
        corpus = self._register.fingerprint if self._register else None
        return f"model:{self._settings.model}:{self._hashed(self._servers(servers), corpus)}"

    def _servers(self, replied: frozenset[str]) -> list[str]:
        """Those that replied, or where none has yet the one that was probed."""
        probed = self._probe.server_fingerprint
        return sorted(replied or frozenset([probed] if probed else ()))

    def _hashed(self, servers: list[str], corpus: str | None = None) -> str:
        """Of what a reply depends on; with a corpus, of what the verdicts do: code looks citations up there."""
        everything = json.dumps([self._pinned, servers, corpus], sort_keys=True)
        return hashlib.sha256(everything.encode()).hexdigest()[:16]
