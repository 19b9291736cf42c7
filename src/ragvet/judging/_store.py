"""Replies of model servers, kept in the project database so that none is paid for twice."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragvet.errors import BundleError
from ragvet.records import Usage

_LAYOUT = 1
_LOCK_SECONDS = 30

_REPLIES = {
    "address": "TEXT PRIMARY KEY",
    "judge": "TEXT NOT NULL",
    "repeat": "INTEGER NOT NULL",
    "text": "TEXT NOT NULL",
    "key": "TEXT NOT NULL",
    "input_tokens": "INTEGER",
    "output_tokens": "INTEGER",
    "cost": "REAL",
    "server_fingerprint": "TEXT",
    "created": "TEXT NOT NULL",
}
_PROBES = {
    "server": "TEXT PRIMARY KEY",
    "mode": "TEXT NOT NULL",
    "server_fingerprint": "TEXT",
    "created": "TEXT NOT NULL",
}


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply that was accepted, with the key its request was fenced by and what it cost when it was asked for."""

    text: str
    key: str
    usage: Usage
    server_fingerprint: str | None


@dataclass(frozen=True, slots=True)
class StoredProbe:
    """What a model server was found to be."""

    mode: str
    server_fingerprint: str | None


class ReplyStore:
    """The judge's part of the project database, `.ragvet/ragvet.db`. Processes may share it.

    A reply is committed before anyone uses it, so a run that is killed asks again only for what it had not received.
    A `fresh` store knows no reply and keeps every new one. It holds one connection, for one thread at a time.

    Raises:
        BundleError: the database cannot be opened or written, or a newer ragvet made it.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self._path = path
        self._fresh = fresh
        self._connection: sqlite3.Connection | None = None
        try:
            with self._connected() as connection:
                _lay_out(connection, path)
        except BaseException:
            self.close()
            raise

    def get(self, address: str) -> StoredReply | None:
        """The reply stored at this address, if there is one."""
        row = None if self._fresh else self._find("judge_replies", "address", address)
        if row is None:
            return None
        usage = Usage(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"], cost=row["cost"])
        return StoredReply(row["text"], row["key"], usage, row["server_fingerprint"])

    def put(self, address: str, judge: str, repeat: int, reply: StoredReply) -> None:
        """Keep an accepted reply; one that is there already is replaced."""
        fields = {
            "address": address,
            "judge": judge,
            "repeat": repeat,
            "text": reply.text,
            "key": reply.key,
            **reply.usage.model_dump(),
            "server_fingerprint": reply.server_fingerprint,
        }
        self._replace("judge_replies", "address", fields)

    def get_probe(self, server: str) -> StoredProbe | None:
        """What the server of this identity was found to be, if it was probed."""
        row = self._find("judge_probes", "server", server)
        return None if row is None else StoredProbe(row["mode"], row["server_fingerprint"])

    def put_probe(self, server: str, probe: StoredProbe) -> None:
        """Remember what a server was found to be; a new probe replaces the old."""
        self._replace("judge_probes", "server", {"server": server, **asdict(probe)})

    def close(self) -> None:
        """Let go of the database file; it is opened again when it is needed."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _find(self, table: str, key: str, wanted: str) -> sqlite3.Row | None:
        with self._connected() as connection:
            return connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (wanted,)).fetchone()  # noqa: S608 - names of our own

    def _replace(self, table: str, key: str, fields: Mapping[str, Any]) -> None:
        row = {**fields, "created": datetime.now(UTC).isoformat(timespec="seconds")}
        names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
        changed = ", ".join(f"{name} = excluded.{name}" for name in row if name != key)
        with self._connected() as connection:
            connection.execute(
                f"INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changed}",  # noqa: S608 - names of our own
                row,
            )

    @contextmanager
    def _connected(self) -> Generator[sqlite3.Connection]:
        """The connection, on which each statement commits itself; database errors name the file and the way out."""
        try:
            if self._connection is None:
                self._connection = _opened(self._path)
            yield self._connection
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error


def _unusable(path: Path, error: Exception) -> BundleError:
    return BundleError(f"{path}: the project database cannot be used: {error}")


def _opened(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds document text: for its owner only
    except OSError as error:
        raise _unusable(path, error) from error
    # used by one thread at a time, but not always by the same: an event loop of its own may run in another
    connection = sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA journal_mode=WAL")  # several processes
        connection.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection, path: Path) -> None:
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout > _LAYOUT:
        raise BundleError(
            f"{path}: made by a newer ragvet (layout {layout}, this one knows {_LAYOUT}). Upgrade ragvet."
        )
    for table, columns in (("judge_replies", _REPLIES), ("judge_probes", _PROBES)):
        stated = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({stated})")
    connection.execute("CREATE INDEX IF NOT EXISTS ix_judge_replies_judge ON judge_replies (judge)")
    if layout < _LAYOUT:
        connection.execute(f"PRAGMA user_version={_LAYOUT}")
