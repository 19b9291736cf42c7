"""Secrets out of the environment, found again in whatever form a server may echo them."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast
from urllib.parse import quote, quote_plus

__all__ = ["Secrets"]

_MASK = "***"
_SHORTEST = 4
_TELLING = 8
"""From this length on a secret is masked inside longer words too, and looked for inside base64."""
_OF_NUMBERS = frozenset("0123456789.e+-")
"""Characters a number is written with."""
_BASE64_ALPHABETS = (str.maketrans("", ""), str.maketrans("+/", "-_"))


class Secrets:
    """Values nobody may read in a file or message, and how to mask them there.

    They are found as they are, in any case of letters, JSON-escaped, HTML-escaped, URL-encoded, as hexadecimal digits,
    and in base64 even as a part of what was encoded, as in `Basic`. A value of fewer than eight characters is none if
    it is letters or digits alone, or of fewer than four: a language, a tenant, the EMPTY that local servers take for a
    key. Such words stand in ordinary text by chance, and masking them would spoil it.

    >>> Secrets(["Bearer s3cret/value"]).masked("you sent token=s3cret%2Fvalue")
    'you sent token=***'
    """

    def __init__(self, values: Iterable[str]) -> None:
        parts = {part for value in values for part in _parts(value) if _is_secret(part)}
        forms = {form for part in parts for form in _forms(part)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._patterns = [(form.lower(), re.compile(_bounded(form), re.IGNORECASE)) for form in longest_first]
        lowered = {form.lower() for form in forms}
        self._innermost = [form for form in lowered if not any(other in form for other in lowered - {form})]
        self._in_numbers = any(set(form) <= _OF_NUMBERS for form in lowered)

    def masked(self, text: str) -> str:
        """The text with each secret in it as `***`."""
        lowered = text.lower()  # much faster than a pattern, and mostly the end of it
        if any(form in lowered for form in self._innermost):
            for form, pattern in self._patterns:
                if form in lowered:
                    text = pattern.sub(_MASK, text)
        return text

    def masked_json(self, value: Any) -> Any:
        """A value as `json` reads it, with each secret masked in its texts, names of fields and numbers."""
        return self._masked_json(value) if self._patterns else value

    def _masked_json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            return {self.masked(name): self._masked_json(inner) for name, inner in fields.items()}
        if isinstance(value, list):
            return [self._masked_json(inner) for inner in cast("list[Any]", value)]
        if not self._in_numbers or value is None or isinstance(value, bool):
            return value
        return value if self.masked(str(value)) == str(value) else _MASK


def _parts(value: str) -> Iterator[str]:
    """What is secret about a header's value: all of it, what follows the scheme, a password, values of a cookie."""
    yield value
    scheme, _, credentials = value.partition(" ")
    yield credentials.strip()
    if scheme.lower() == "basic":
        user_and_password = _decoded(credentials.strip())
        yield user_and_password
        yield user_and_password.partition(":")[2]
    named = (piece.partition("=")[2].strip('"') for piece in re.split(r"[\s;,]+", value))
    yield from (part for part in named if len(part) >= _TELLING)


def _is_secret(part: str) -> bool:
    return len(part) >= _TELLING or (len(part) >= _SHORTEST and not part.isalpha() and not part.isdigit())


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode()
    except ValueError:
        return ""


def _forms(secret: str) -> Iterator[str]:
    yield secret
    for plain_ascii in (True, False):
        escaped = json.dumps(secret, ensure_ascii=plain_ascii)[1:-1]
        yield escaped
        yield escaped.replace("/", "\\/")
        yield json.dumps(escaped, ensure_ascii=plain_ascii)[1:-1]  # JSON in JSON
    yield html.escape(secret)
    yield quote(secret, safe="")
    yield quote(secret)
    yield quote_plus(secret)
    if len(secret) >= _TELLING:
        yield secret.encode().hex()
        yield from _base64_inside(secret.encode())


def _base64_inside(secret: bytes) -> Iterator[str]:
    """The base64 digits that hang on the secret alone, for each place it may have in what was encoded."""
    for before in range(3):
        digits = base64.b64encode(bytes(before) + secret).decode()
        first = -(-before * 4 // 3)  # digits before it mix in what stands in front
        last = (before + len(secret)) * 4 // 3  # digits after it, what follows
        for alphabet in _BASE64_ALPHABETS:
            yield digits[first:last].translate(alphabet)


def _bounded(form: str) -> str:
    """The pattern of a form; a short one must not be part of a longer word."""
    written = re.escape(form)
    return written if len(form) >= _TELLING else rf"(?<!\w){written}(?!\w)"
