"""Claims that stand in a passage word for word."""

from __future__ import annotations

import re

from ragvet.judging.local._prepared import Prepared

_FEWEST_WORDS = 3
_SAYS_NOTHING = re.compile(r"[\s*_`\"'~\\|#]+")
"""White space, emphasis and quotation marks."""
_BEFORE, _AFTER = "([{（「¿¡", ".,;:!)]}…。，、；：！）」"
_GLUED_BEFORE, _GLUED_AFTER = re.compile(r"[^\s\w]*$"), re.compile(r"[^\s\w]*")
_LONGEST_GLUE = 20


def stands_verbatim(claim: Prepared, passage: Prepared) -> tuple[int, int] | None:
    """The words of the passage that are the claim, where that is one whole sentence of it or several in a row.

    Every word and every sign between the words must be the same; white space, emphasis, quotation marks, case and
    Unicode form are not looked at. A claim cut out of a longer sentence is none: a condition may have been cut off.
    """
    count = len(claim.words)
    if count < _FEWEST_WORDS:
        return None
    for first in passage.postings.get(claim.stems[0], ()):
        last = first + count
        if (
            first in passage.stops
            and last in passage.stops
            and passage.words[first:last] == claim.words
            and _written(passage, first, last) == _written(claim, 0, count)
        ):
            return first, last
    return None


def _written(text: Prepared, first: int, last: int) -> str:
    """The words [first, last) with all signs between them and those that touch them: not "x", where "!x?" stands."""
    folded = text.folded.text
    start, end = text.starts[first], text.ends[last - 1]
    before = _GLUED_BEFORE.search(folded[max(start - _LONGEST_GLUE, 0) : start])
    after = _GLUED_AFTER.match(folded, end, end + _LONGEST_GLUE)
    pieces = (
        _SAYS_NOTHING.sub("", before.group() if before else "").lstrip(_BEFORE),
        _SAYS_NOTHING.sub("", folded[start:end]),
        _SAYS_NOTHING.sub("", after.group() if after else "").rstrip(_AFTER),
    )
    return " ".join(pieces)
