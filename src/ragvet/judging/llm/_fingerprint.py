"""The fingerprint of a model judge: all that its verdicts depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ragvet.judging._model_settings import ModelSettings
from ragvet.judging.llm._prompts import Prompts
from ragvet.judging.llm._transport import Mode

_METHOD = 4
"""Raised when the code around the prompts changes what a reply means: kept replies are then asked for again."""

_READING = 2
"""Raised when verdicts are read from the same replies in another way."""


class Pinned:
    """All that a model's verdict depends on besides the answer it is about.

    Args:
        settings: of them, what decides a reply.
        mode: the structured-output mode.
        prompts: their texts.
        probed: the server's own fingerprint as its probe found it; it stands in for that of a reply.
        corpus: fingerprint of the corpus code looks citations up in: verdicts depend on it, replies do not.
    """

    def __init__(
        self, settings: ModelSettings, mode: Mode, prompts: Prompts, probed: str | None, corpus: str | None = None
    ) -> None:
        pinned = {
            "method": _METHOD,
            "server": settings.identity,
            "mode": mode,
            "prompts": dict(prompts.texts),
            **settings.model_dump(include={"ask", "questions", "context_characters"}),
        }
        self._pinned = json.dumps(pinned, sort_keys=True)
        self._model = settings.model
        self._probed = [probed] if probed else []
        self._corpus = corpus
        self._signed: dict[frozenset[str], str] = {}

    @property
    def asked(self) -> str:
        """Of what a reply depends on."""
        return self._hashed((), None)

    def signed(self, servers: Iterable[str] = ()) -> str:
        """Of verdicts to which servers of these fingerprints replied."""
        told = frozenset(servers)
        if told not in self._signed:
            self._signed[told] = f"model:{self._model}:{self._hashed(told, self._corpus, _READING)}"
        return self._signed[told]

    def _hashed(self, servers: Iterable[str], *more: str | int | None) -> str:
        said = json.dumps([self._pinned, sorted(servers) or self._probed, *more])
        return hashlib.sha256(said.encode()).hexdigest()[:16]
