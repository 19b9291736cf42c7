from __future__ import annotations

import multiprocessing
import sqlite3
import stat

import pytest

from ragvet.errors import BundleError
from ragvet.judging import ReplyStore
from ragvet.judging._store import StoredProbe, StoredReply
from ragvet.records import Usage


def reply(text="{}", **given):
    return StoredReply(text, "key", Usage(**{"input_tokens": 3, "output_tokens": None, "cost": 0.5, **given}), "fp")


def test_a_reply_comes_back_as_it_was_put(tmp_path):
    store = ReplyStore(tmp_path / "r.db")
    store.put("address", "judge", 0, reply("日本語 \x00 <b>"))
    assert store.get("address") == reply("日本語 \x00 <b>")
    assert store.get("elsewhere") is None
    store.close()


def test_a_later_reply_replaces_the_earlier(tmp_path):
    store = ReplyStore(tmp_path / "r.db")
    store.put("address", "judge", 0, reply("one"))
    store.put("address", "judge", 0, reply("two"))
    assert store.get("address").text == "two"
    store.close()


def test_what_is_put_is_there_for_the_next_process_without_closing(tmp_path):
    first = ReplyStore(tmp_path / "r.db")
    first.put("address", "judge", 0, reply())
    first.put_probe("server", StoredProbe("tool", None))
    second = ReplyStore(tmp_path / "r.db")
    assert second.get("address") == reply()
    assert second.get_probe("server") == StoredProbe("tool", None)
    assert second.get_probe("other") is None
    first.close()
    second.close()


def _write(path, name, count):
    store = ReplyStore(path)
    for number in range(count):
        store.put(f"{name}-{number}", "judge", 0, reply(f"{name} {number}"))
        store.put("shared", "judge", 0, reply(name))
    store.close()


def test_two_processes_may_write_at_once_and_lose_nothing(tmp_path):
    path = tmp_path / "sub" / "r.db"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(path, name, 50)) for name in ("a", "b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    store = ReplyStore(path)
    assert all(store.get(f"{name}-{n}").text == f"{name} {n}" for name in "ab" for n in range(50))
    store.close()


def test_only_the_owner_can_read_it(tmp_path):
    ReplyStore(tmp_path / "project" / "r.db").close()
    assert stat.S_IMODE((tmp_path / "project" / "r.db").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "project").stat().st_mode) == 0o700


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "r.db"
    path.write_text("this is not a database, and long enough to look like one" * 10)
    with pytest.raises(BundleError, match=r"r\.db: the project database cannot be used"):
        ReplyStore(path)


def test_a_folder_in_its_place_is_named(tmp_path):
    (tmp_path / "r.db").mkdir()
    with pytest.raises(BundleError, match="cannot be used"):
        ReplyStore(tmp_path / "r.db")


def test_a_database_of_a_newer_ragvet_is_not_touched(tmp_path):
    path = tmp_path / "r.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(BundleError, match="newer ragvet"):
        ReplyStore(path)


def test_its_layout_is_this_one(tmp_path):
    ReplyStore(tmp_path / "r.db").close()
    connection = sqlite3.connect(tmp_path / "r.db")
    columns = {
        table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for table in ("judge_replies", "judge_probes")
    }
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    assert columns == {
        "judge_replies": [
            "address",
            "judge",
            "repeat",
            "text",
            "key",
            "input_tokens",
            "output_tokens",
            "cost",
            "server_fingerprint",
            "created",
        ],
        "judge_probes": ["server", "mode", "server_fingerprint", "created"],
    }
