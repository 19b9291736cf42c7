import io
import sys

from ragvet.runs import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar() as progress:
        progress.stage("capture", 3, 1)
        progress.advance()
        progress.stage("judge", 2)
    return stream.getvalue()


def test_a_terminal_is_shown_stage_count_and_remaining_time(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    shown = watched(monkeypatch, Terminal())
    for part in ("capture", "2/3", "judge", "0/2", "-:--:--"):
        assert part in shown


def test_anything_else_is_shown_nothing(monkeypatch):
    assert watched(monkeypatch, io.StringIO()) == ""
