from __future__ import annotations

from ragvet.errors import JudgeError
from ragvet.judging._register import Register
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._asking import Asking
from ragvet.judging.llm._docket import Docket
from ragvet.judging.llm._fingerprint import Pinned
from ragvet.judging.llm._hearing import Hearing
from ragvet.judging.llm._kept import Kept
from ragvet.judging.llm._line import Line
from ragvet.judging.llm._money import Budget
from ragvet.judging.llm._probe import Probe
from ragvet.judging.llm._prompts import load_prompts
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._trial import Trial
from ragvet.judging.llm._wire import Wire
from ragvet.records import Case, Trace, Usage, Verdicts


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
        corpus = register.fingerprint if register else None
        self._pinned = Pinned(settings, probe.mode, self._prompts, probe.server_fingerprint, corpus)
        self._line = Line(settings, wire, budget or Budget(settings.budget))
        self._store = store
        self._under_way = 0
        kept = None if store is None else Kept(store, self._pinned.asked, settings.repeat)
        self._asking = Asking(self._line, self._prompts, probe.mode, settings.questions == "single", kept)

    @property
    def fingerprint(self) -> str:
        """Model, and a hash of all a verdict depends on: server, decoding, mode, prompts, way of asking, corpus."""
        return self._pinned.signed()

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
            return await Trial(docket, hearing).verdicts(self._pinned.signed)
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
