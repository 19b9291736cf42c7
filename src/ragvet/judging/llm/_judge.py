"""The model judge: a pipeline over a server, with a cache of its replies and a budget."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._protocol import Scope
from ragvet.judging._register import Register
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._cache import ReplyCache
from ragvet.judging.llm._client import Client
from ragvet.judging.llm._completions import Completions
from ragvet.judging.llm._fingerprint import Pinned
from ragvet.judging.llm._money import Budget
from ragvet.judging.llm._pipeline import Pipeline
from ragvet.judging.llm._probe import Probe
from ragvet.judging.llm._prompts import load_prompts
from ragvet.judging.llm._transport import Transport
from ragvet.records import Case, Question, Rulings, Segmentation, Trace, Usage


class ModelJudge:
    """A model that decides questions: every ruling keyed by id, every quote verified, every reply paid for once.

    What rules decide alone is never sent: blank answers, answers that state nothing, refusals, empty contexts.
    Connections are open only while it is in use; there is nothing to close.
    """

    def __init__(
        self,
        settings: ModelSettings,
        transport: Transport,
        probe: Probe,
        *,
        store: ReplyStore | None = None,
        register: Register | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._settings = settings
        self._register = register
        self._prompts = load_prompts(settings.language, settings.prompts)
        corpus = register.fingerprint if register else None
        self._pinned = Pinned(settings, probe.mode, self._prompts, probe.server_fingerprint, corpus)
        self._client = Client(settings, transport, budget or Budget(settings.budget))
        self._store = store
        self._users = 0
        cache = None if store is None else ReplyCache(store, self._pinned.asked, settings.repeat)
        exact = settings.questions == "single"
        completions = Completions(self._client, self._prompts, probe.mode, exact, cache)
        self._pipeline = Pipeline(settings, completions, self._pinned.signed())

    @property
    def fingerprint(self) -> str:
        """Model, and a hash of all a ruling depends on: server, decoding, mode, prompts, way of asking, corpus."""
        return self._pinned.signed()

    def signed(self, servers: frozenset[str]) -> str:
        """The fingerprint, where servers of these fingerprints replied."""
        return self._pinned.signed(servers)

    @property
    def concurrency(self) -> int:
        """How many answers are worth giving it at once: as many as there may be requests."""
        return self._settings.concurrency

    @property
    def scope(self) -> Scope:
        """What the settings ask for."""
        return self._pipeline.scope

    @property
    def register(self) -> Register | None:
        """The corpus citations are looked up in."""
        return self._register

    @property
    def spent(self) -> Usage | None:
        """What this judge has paid for so far; replies found in the store cost nothing."""
        return self._client.spent

    @property
    def requests(self) -> int:
        """How many replies this judge has been sent so far."""
        return self._client.requests

    @asynccontextmanager
    async def in_use(self) -> AsyncGenerator[None]:
        """Connections and database are closed behind the last user: they belong to one event loop."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                await self._client.close()
                if self._store is not None:
                    self._store.close()

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """The claims of the answer in `trace`, and what it does.

        Raises:
            JudgeError: the model failed; with its raw reply and what the attempts cost.
            InputError: the examples in the prompts hold this golden case.
            BudgetReached: the next request might cost more than the budget has left.
        """
        self._prompts.refuse_leak(case)
        return await self._pipeline.segment(case, trace)

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """The rulings; raises as `segment` does."""
        return await self._pipeline.decide(questions)
