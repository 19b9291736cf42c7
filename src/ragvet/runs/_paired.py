from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragvet.records import JudgeFailure, Trace, Verdicts

__all__ = ["paired"]


def paired(
    traces: Iterable[Trace], verdicts: Iterator[Verdicts | JudgeFailure]
) -> Iterator[tuple[Trace, Verdicts | JudgeFailure | None]]:
    """Each trace with what was judged about it, or None; both stand in the order of the run."""
    judged = next(verdicts, None)
    for trace in traces:
        if judged is None or judged.key != trace.key:
            yield trace, None
            continue
        yield trace, judged
        judged = next(verdicts, None)
