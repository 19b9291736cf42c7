"""Building a model judge: its server is probed once, and remembered."""

from __future__ import annotations

from pathlib import Path

from ragvet.calling import run_to_end
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._register import Register
from ragvet.judging._store import ReplyStore, StoredProbe
from ragvet.judging.llm._judge import ModelJudge
from ragvet.judging.llm._money import Budget
from ragvet.judging.llm._openai_transport import OpenAITransport
from ragvet.judging.llm._probe import Probe, probe, remembered, server_of
from ragvet.judging.llm._transport import MODES, Transport
from ragvet.judging.llm._vendor_transport import VendorTransport


def build_judge(
    settings: ModelSettings,
    *,
    database: Path | None = None,
    fresh: bool = False,
    register: Register | None = None,
    budget: Budget | None = None,
) -> ModelJudge:
    """The model judge of these settings.

    The first time it asks the server, in a few small requests, which structured-output mode it can do, and remembers
    that in the project database; `probe_server` asks again. Call it from anywhere, a running event loop included.

    Args:
        settings: the `[judge]` table.
        database: the project's `.ragvet/ragvet.db`, where replies are kept; None: nothing is kept.
        fresh: ask again even where a reply is kept.
        register: the corpus, to look citations up in.
        budget: shared with other models, instead of one of its own.

    Raises:
        InputError: the settings do not hold together, or a key is not in its environment variable.
        JudgeError: the server cannot be reached or can do none of the modes.
        BundleError: the database cannot be used.
    """
    transport = open_transport(settings)
    if database is None:
        store, found = None, run_to_end(lambda: probe_server(settings))
    else:
        store = ReplyStore(database, fresh=fresh)
        try:
            found = remembered(store, settings) or run_to_end(lambda: probe_server(settings, store))
        finally:
            store.close()
    return ModelJudge(settings, transport, found, store=store, register=register, budget=budget)


def open_transport(settings: ModelSettings) -> Transport:
    """The way to the server these settings name; nothing is sent yet."""
    return OpenAITransport(settings) if settings.provider is None else VendorTransport(settings)


async def probe_server(settings: ModelSettings, store: ReplyStore | None = None) -> Probe:
    """What the server can do, found out now and remembered in `store`. Only the mode the settings name is tried."""
    transport = open_transport(settings)
    modes = MODES if settings.mode == "auto" else (settings.mode,)
    try:
        found = await probe(transport, modes, settings.timeout)
    finally:
        await transport.close()
    if store is not None:
        store.put_probe(server_of(settings), StoredProbe(found.mode, found.server_fingerprint))
    return found
