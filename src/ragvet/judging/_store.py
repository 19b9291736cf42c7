"""Replies of model servers, kept in the project database so that none is paid for twice."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragvet.errors import BundleError
from ragvet.records import Usage

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Insert, Select, Table

_LAYOUT = 1
_LOCK_SECONDS = 30


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
        self._engine = _opened(path)
        self._connection: Connection | None = None
        replies, probes = _tables()
        self._replies, self._probes = _statements(replies), _statements(probes)
        try:
            with self._connected() as connection:
                _lay_out(connection, path, (replies, probes))
        except BaseException:
            self.close()
            raise

    def get(self, address: str) -> StoredReply | None:
        """The reply stored at this address, if there is one."""
        if self._fresh:
            return None
        with self._connected() as connection:
            row = connection.execute(self._replies.one, {"wanted": address}).one_or_none()
        if row is None:
            return None
        usage = Usage(input_tokens=row.input_tokens, output_tokens=row.output_tokens, cost=row.cost)
        return StoredReply(row.text, row.key, usage, row.server_fingerprint)

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
        self._replace(self._replies, fields)

    def get_probe(self, server: str) -> StoredProbe | None:
        """What the server of this identity was found to be, if it was probed."""
        with self._connected() as connection:
            row = connection.execute(self._probes.one, {"wanted": server}).one_or_none()
        return None if row is None else StoredProbe(row.mode, row.server_fingerprint)

    def put_probe(self, server: str, probe: StoredProbe) -> None:
        """Remember what a server was found to be; a new probe replaces the old."""
        self._replace(self._probes, {"server": server, **asdict(probe)})

    def close(self) -> None:
        """Let go of the database file; it is opened again when it is needed."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()

    def _replace(self, place: _Statements, fields: dict[str, Any]) -> None:
        row = {**fields, "created": datetime.now(UTC).isoformat(timespec="seconds")}
        with self._connected() as connection:
            connection.execute(place.replace, row)

    @contextmanager
    def _connected(self) -> Generator[Connection]:
        """The connection, on which each statement commits itself; database errors name the file and the way out."""
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - loaded only where a model judges

        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            yield self._connection
        except SQLAlchemyError as error:
            raise _unusable(self._path, error) from error


def _unusable(path: Path, error: Exception) -> BundleError:
    return BundleError(f"{path}: the project database cannot be used: {getattr(error, 'orig', None) or error}")


def _opened(path: Path) -> Engine:
    from sqlalchemy import create_engine, event  # noqa: PLC0415 - loaded only where a model judges

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds document text: for its owner only
    except OSError as error:
        raise _unusable(path, error) from error
    engine = create_engine(f"sqlite:///{path}", isolation_level="AUTOCOMMIT", connect_args={"timeout": _LOCK_SECONDS})

    @event.listens_for(engine, "connect")
    def several_processes(connection: Any, _: Any) -> None:  # pyright: ignore[reportUnusedFunction] - called by the engine
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def _tables() -> tuple[Table, Table]:
    from sqlalchemy import Column, Float, Integer, MetaData, String, Table  # noqa: PLC0415

    metadata = MetaData()
    replies = Table(
        "judge_replies",
        metadata,
        Column("address", String, primary_key=True),
        Column("judge", String, nullable=False, index=True),
        Column("repeat", Integer, nullable=False),
        Column("text", String, nullable=False),
        Column("key", String, nullable=False),
        Column("input_tokens", Integer),
        Column("output_tokens", Integer),
        Column("cost", Float),
        Column("server_fingerprint", String),
        Column("created", String, nullable=False),
    )
    probes = Table(
        "judge_probes",
        metadata,
        Column("server", String, primary_key=True),
        Column("mode", String, nullable=False),
        Column("server_fingerprint", String),
        Column("created", String, nullable=False),
    )
    return replies, probes


@dataclass(frozen=True, slots=True)
class _Statements:
    """The two statements a table is used by, built once: building one costs more than running it."""

    one: Select[Any]
    replace: Insert


def _statements(table: Table) -> _Statements:
    from sqlalchemy import bindparam, select  # noqa: PLC0415 - loaded only where a model judges
    from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415

    key = table.primary_key.columns[0]
    new = insert(table)
    others = {column.name: new.excluded[column.name] for column in table.columns if column is not key}
    return _Statements(
        select(table).where(key == bindparam("wanted")),
        new.on_conflict_do_update(index_elements=[key], set_=others),
    )


def _lay_out(connection: Connection, path: Path, tables: tuple[Table, ...]) -> None:
    from sqlalchemy import text  # noqa: PLC0415 - loaded only where a model judges
    from sqlalchemy.schema import CreateIndex, CreateTable  # noqa: PLC0415

    layout = connection.execute(text("PRAGMA user_version")).scalar_one()
    if layout > _LAYOUT:
        raise BundleError(
            f"{path}: made by a newer ragvet (layout {layout}, this one knows {_LAYOUT}). Upgrade ragvet."
        )
    for table in tables:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))
    if layout < _LAYOUT:
        connection.execute(text(f"PRAGMA user_version={_LAYOUT}"))
