"""People's labels as a judge."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

from pydantic import Field, ValidationError

from ragvet.errors import InputError, JudgeError, Problem
from ragvet.files import RawRecord, opened, scan_records
from ragvet.records import Case, Trace, Verdicts


class HumanVerdicts(Verdicts):
    """One line of a label file: `Verdicts`, where whoever labelled may be named as `judge`."""

    judge: str = Field(default="human", min_length=1)


class HumanJudge:
    """A person's labels from a file of records of the shape of `Verdicts`: JSON Lines, JSON, YAML or Parquet.

    Raises:
        InputError: with every line that cannot be read, is no such record, or labels an answer a second time.
    """

    def __init__(self, path: Path) -> None:
        self._source = str(path)
        with opened(path) as file:  # what it holds: packing changes nothing
            self._fingerprint = f"human:{hashlib.file_digest(cast('BufferedReader', file), 'sha256').hexdigest()[:16]}"
        self._labels: dict[tuple[str, int], HumanVerdicts] = {}
        problems: list[Problem] = []
        for record in scan_records(path, problems, records_key="labels", otherwise="lines"):
            problems.extend(self._read(record))
        if problems:
            raise InputError(problems)

    @property
    def fingerprint(self) -> str:
        """Of the file's content: another label makes another judge."""
        return self._fingerprint

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """The labels of this answer; `JudgeError` where there are none, or they are about another text."""
        label = self._labels.get((case.id, trace.repeat))
        if label is None:
            raise JudgeError(f"{self._source} has no labels for case {case.id!r}, repeat {trace.repeat}")
        if trace.answer is None:
            raise JudgeError("the target gave no answer to judge")
        text = trace.answer.text or ""
        for claim in label.claims:
            if not claim.start < claim.end <= len(text):
                raise JudgeError(
                    f"{self._source}: claim {claim.id!r} of case {case.id!r} spans {claim.start}-{claim.end}, and the "
                    f"answer has {len(text)} characters: the labels are about another answer"
                )
        return Verdicts.model_validate({**label.model_dump(), "judge": self._fingerprint})

    def _read(self, record: RawRecord) -> Iterator[Problem]:
        try:
            label = HumanVerdicts.model_validate(record.value)
        except ValidationError as error:
            yield from (self._misfit(record.place, fault) for fault in error.errors(include_url=False))
            return
        key = label.case_id, label.repeat
        if key in self._labels:
            found = f"labels for case {label.case_id!r}, repeat {label.repeat} a second time"
            action = "Remove one, or use a panel of two files."
            yield Problem(self._source, found, "one line an answer", action, record.place)
        yield from self._strangers(record.place, label)
        self._labels[key] = label

    def _misfit(self, place: str, fault: Any) -> Problem:
        field = ".".join(str(part) for part in fault["loc"]) or None
        return Problem(self._source, repr(fault["input"])[:80], fault["msg"], "Correct the line.", place, field)

    def _strangers(self, place: str, label: HumanVerdicts) -> Iterator[Problem]:
        """Rows about claims the line does not list."""
        claims = {claim.id for claim in label.claims}
        for field, rows in (("support", label.support), ("agreement", label.agreement)):
            for row in rows:
                if row.claim not in claims:
                    known = ", ".join(sorted(claims)) or "none: list the claims"
                    yield Problem(
                        self._source, f"claim {row.claim!r}", f"one of {known}", "Correct the id.", place, field
                    )
