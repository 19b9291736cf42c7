"""Where sentences begin and end."""

from __future__ import annotations

from typing import Any, cast


def sentence_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Start and end of each sentence of `text`, in order; together they cover it. `language` is a code such as `de`."""
    import sentencex  # noqa: PLC0415  # a compiled library: loaded with the first answer

    boundaries = cast("Any", sentencex).get_sentence_boundaries(language, text)  # a compiled module without types
    return [(boundary["start_index"], boundary["end_index"]) for boundary in boundaries]
