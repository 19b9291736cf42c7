"""Traces of a system that was run elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any, Self, cast

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from ragvet.errors import InputError, Problem, TargetReplyInvalid
from ragvet.files import opened, require_form, scan_records
from ragvet.records import Answer, Case, Trace, TraceError
from ragvet.targets._reply import describe_faults, read_answer
from ragvet.text import shown

__all__ = ["RecordedTraces"]

_BESIDE_THE_ANSWER = ("repeat", "error", "attempts", "started_at", "latency", "identity")
_Reader = Callable[[list[Problem]], Iterator[tuple[str, Mapping[str, Any]]]]
"""Gives each record with its place, and notes what is no record."""


class RecordedTraces:
    """Traces of a system that was run elsewhere: JSON Lines, Parquet, JSON or YAML, one record per case and repeat.

    A record is a full `Trace`, or short: `{"case": id, "answer": text, "retrieved": […], "supplied": […], …}` with the
    fields of `Answer` beside the case id, and `repeat`, `latency`, `error` … where known. The `traces.parquet` of a
    finished run can be read as well. JSON Lines and Parquet are read one record after the other: such a file, packed or
    not, need not fit in memory.

    Attributes:
        name: where they come from, as the user named it.
        fingerprint: of their content.
    """

    def __init__(self, name: str, fingerprint: str, records: _Reader) -> None:
        self.name = name
        self.fingerprint = f"recorded:{fingerprint[:16]}"
        self._records = records

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """The traces in a file.

        Raises:
            InputError: there is no such file, or it is of no known kind.
        """
        path = Path(path)
        require_form(path)
        with opened(path) as file:  # what it holds: packing changes nothing
            fingerprint = hashlib.file_digest(cast("BufferedReader", file), "sha256").hexdigest()
        return cls(str(path), fingerprint, lambda problems: _placed(path, problems))

    @classmethod
    def of(cls, records: Sequence[Mapping[str, Any]], *, name: str = "recorded traces") -> Self:
        """Traces given as records of the same form.

        Raises:
            InputError: some are no records, or hold what JSON has no form for.
        """
        problems = [
            Problem(name, shown(record), "a record", 'Write {"case": "…", "answer": "…"}.', f"record {number}")
            for number, record in enumerate(cast("Sequence[object]", records), start=1)
            if not isinstance(record, Mapping)
        ]
        if problems:
            raise InputError(problems)
        numbered = [(f"record {number}", record) for number, record in enumerate(records, start=1)]
        try:
            fingerprint = hashlib.sha256(to_json(records)).hexdigest()
        except PydanticSerializationError as error:
            raise InputError(Problem(name, str(error), "what JSON has a form for", "Give plain values.")) from None
        return cls(name, fingerprint, lambda _: iter(numbered))

    def check(self, case_ids: Container[str]) -> dict[str, int]:
        """How often the file holds each case it holds: one more than the highest `repeat` of it.

        Raises:
            InputError: no record at all; records without JSON or a case id, of unknown cases, or twice for one case
                and repeat; all of them are named. A record that names its case but holds no proper answer is none:
                that case fails.
        """
        problems: list[Problem] = []
        seen: dict[tuple[str, int], str] = {}
        for place, record in self._records(problems):
            key = self._key(place, record, problems)
            if key is None:
                continue
            if key[0] not in case_ids:
                action = "Correct the id, or take the record out."
                problems.append(
                    self._problem(repr(key[0]), "the id of a case of the golden set", action, place, "case")
                )
            if key in seen:
                found = f"case {key[0]!r}, repeat {key[1]} a second time (first at {seen[key]})"
                action = "Number the repeats of a case with `repeat`: 0, 1, …"
                problems.append(self._problem(found, "one record per case and repeat", action, place))
            seen.setdefault(key, place)
        if not seen and not problems:
            problems.append(self._problem("no record", "one record per case and repeat", "Check that it is the file."))
        if problems:
            raise InputError(problems)
        held: dict[str, int] = {}
        for case_id, repeat in seen:
            held[case_id] = max(repeat + 1, held.get(case_id, 0))
        return held

    def read(self, cases: Mapping[str, Case]) -> Iterator[Trace]:
        """Every trace of a checked file, in its order.

        A record that holds no proper answer is a failed one, and so is one that was made for another question: the
        wording of the golden set may have changed since.
        """
        for place, record in self._records([]):
            key = self._key(place, record, [])
            if key is not None and key[0] in cases:
                yield self._trace(cases[key[0]], key[1], record)

    def _trace(self, case: Case, repeat: int, record: Mapping[str, Any]) -> Trace:
        question = record.get("question") or case.question
        fields: dict[str, Any] = {"case_id": case.id, "repeat": repeat, "question": question}
        try:
            if isinstance(record.get("trace"), str):  # a row of a finished run
                return _of_its_question(Trace.model_validate_json(record["trace"]), case)
            fields |= {name: record[name] for name in _BESIDE_THE_ANSWER if name in record}
            error = record.get("error")
            if error is None:
                return _of_its_question(Trace.model_validate({**fields, "answer": self._answer(record)}), case)
            fields["error"] = {"kind": "RecordedError", "message": error} if isinstance(error, str) else error
            return Trace.model_validate(fields)
        except TargetReplyInvalid as invalid:
            message = str(invalid)
        except ValidationError as invalid:
            message = describe_faults(invalid, Trace)
        failure = TraceError(kind="TargetReplyInvalid", message=message)
        return Trace(case_id=case.id, repeat=repeat, question=case.question, error=failure)

    @staticmethod
    def _answer(record: Mapping[str, Any]) -> Answer:
        if isinstance(record.get("answer"), dict):  # a full trace
            return read_answer(record["answer"])
        own = {"case", "case_id", "question", *_BESIDE_THE_ANSWER}
        return read_answer({name: value for name, value in record.items() if name not in own})

    def _key(self, place: str, record: Mapping[str, Any], problems: list[Problem]) -> tuple[str, int] | None:
        case_id, repeat = record.get("case_id", record.get("case")), record.get("repeat", 0)
        if not isinstance(case_id, str):
            action = 'Name the case of each record: {"case": "…", …}.'
            found = "nothing" if case_id is None else repr(case_id)
            problems.append(self._problem(found, "the id of its case", action, place, "case"))
            return None
        if not isinstance(repeat, int) or isinstance(repeat, bool) or repeat < 0:
            problems.append(self._problem(repr(repeat), "0, 1, 2, …", "Number the repeats.", place, "repeat"))
            return None
        return case_id, repeat

    def _problem(
        self, found: str, expected: str, action: str, record: str | None = None, field: str | None = None
    ) -> Problem:
        return Problem(self.name, found, expected, action, record, field)


def _of_its_question(trace: Trace, case: Case) -> Trace:
    """The trace; failed where it answers another question than that of the case."""
    if trace.question.split() == case.question.split():
        return trace
    error = TraceError(kind="NotRecorded", message=f"the record answers another question: {shown(trace.question)}")
    return trace.model_copy(update={"question": case.question, "answer": None, "error": error})


def _placed(path: Path, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each record with its place; what is none goes to `problems`."""
    for record in scan_records(path, problems, records_key="traces"):
        if isinstance(record.value, dict):
            yield record.place, cast("dict[str, Any]", record.value)
        else:
            action = 'Write {"case": "…", "answer": "…"}.'
            problems.append(Problem(str(path), shown(record.value), "a record", action, record.place))
