"""Long lists of values packed into blocks that a page unpacks one at a time, when it needs a value."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from pydantic_core import to_json

__all__ = ["BLOCK_BYTES", "Blocks", "TextPool", "pack"]

BLOCK_BYTES = 128 * 1024
"""JSON bytes per block: small enough to unpack while a reader's finger is still on the key."""


class Blocks:
    """Values in gzip blocks of about `BLOCK_BYTES`.

    Args:
        tables: makes what else belongs into a block whose values end before this index: name → table.

    Attributes:
        starts: index of the first value of each block.
        blocks: each block as base64 text of gzipped JSON: `{"values": […], …}` with the tables.
    """

    def __init__(self, tables: Callable[[int], dict[str, Any]] | None = None) -> None:
        self.starts: list[int] = []
        self.blocks: list[str] = []
        self._tables = tables
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._count = 0

    def append(self, value: Any, *, beside: int = 0) -> int:
        """Adds a value and returns its index.

        Args:
            value: anything JSON can hold.
            beside: about how many bytes the tables will hold of it.
        """
        encoded = to_json(value, inf_nan_mode="null")
        self._pending.append(encoded)
        self._pending_bytes += len(encoded) + beside
        self._count += 1
        if self._pending_bytes >= BLOCK_BYTES:
            self.flush()
        return self._count - 1

    def flush(self) -> None:
        """Closes the block that is being filled."""
        if not self._pending:
            return
        self.starts.append(self._count - len(self._pending))
        tables = self._tables(self._count) if self._tables else {}
        parts = [b'"values":[' + b",".join(self._pending) + b"]"]
        parts += (to_json(name) + b":" + to_json(table, inf_nan_mode="null") for name, table in tables.items())
        self.blocks.append(pack(b"{" + b",".join(parts) + b"}"))
        self._pending = []
        self._pending_bytes = 0


class TextPool(Blocks):
    """Texts that occur many times (chunks of one corpus in many rankings), kept once and named by number."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, int] = {}

    def intern(self, text: str) -> int:
        """The number of a text, the same for the same text."""
        # Digests, not the texts themselves: a large corpus would stay in memory until the page is written.
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        number = self._known.get(digest)
        if number is None:
            number = self._known[digest] = self.append(text)
        return number


def pack(data: bytes) -> str:
    """Base64 of the gzipped bytes; the same bytes give the same text."""
    # Level 4 is a tenth larger than the usual 6, in half the time.
    return b64encode(gzip.compress(data, compresslevel=4, mtime=0)).decode("ascii")
