"""What a set of records says, as one hash: the same for every file format, key order and record order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ragvet.records import Record


def canonical(record: Record) -> bytes:
    """The record as canonical JSON: keys sorted, what equals its default left out, UTF-8."""
    return canonical_json(record.model_dump(mode="json", exclude_defaults=True))


def canonical_json(value: Mapping[str, Any]) -> bytes:
    """The mapping as canonical JSON: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def fingerprint(records: Iterable[Record], declarations: Mapping[str, Any]) -> str:
    """SHA-256 over the declarations and the records, in an order of their own."""
    digest = hashlib.sha256(canonical_json(declarations))
    for one in sorted(hashlib.sha256(canonical(record)).digest() for record in records):
        digest.update(one)
    return digest.hexdigest()
