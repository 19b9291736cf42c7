"""Words for messages: what was likely meant, plurals, what is shown of a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

__all__ = ["nearest", "plain", "plural", "shown", "xml_text"]

_SHOWN = 80
"""Characters of a value that a message repeats."""

_JOINERS = "\u200c\u200d"
"""They shape words and emoji, and move nothing."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML 1.0 has no way to write."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is most likely a misspelling of; None where none is close."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - needed where something is misspelt

    best = process.extractOne(word, tuple(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=70)
    return None if best is None else best[0]


def plain(text: str) -> str:
    r"""Text without what could move a cursor or turn a line around: such characters are spelt out, as \x1b."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in _JOINERS
        else character.encode("unicode_escape", "backslashreplace").decode()
        for character in text
    )


def plural(count: int, one: str, many: str | None = None) -> str:
    """1 case, 2 cases."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def shown(value: object) -> str:
    """A value as it stands in a message: quoted, cut to what helps, with nothing a terminal could choke on."""
    text = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def xml_text(text: str) -> str:
    """Text that XML can hold: characters it has no way to write are replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
