"""The progress line: on a terminal, after a while, and gone at the end."""

from __future__ import annotations

import io
import sys
import time

import pytest

from anabranch.tools import progress
from anabranch.tools.progress import ProgressLine


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(progress, "PERIOD", 0.02)


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: float) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressLine("run") as line:
        line.report(1234, 'loop "f" is at iteration 5')
        time.sleep(seconds)
    return stream.getvalue()


def test_a_long_run_shows_where_it_is_and_wipes_the_line(monkeypatch: pytest.MonkeyPatch):
    text = shown(monkeypatch, Terminal(), 0.3)
    assert 'run: 0 s, 1,234 nodes fired, loop "f" is at iteration 5' in text
    assert text.endswith("\r\x1b[K")
    assert "\n" not in text


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch):
    assert shown(monkeypatch, Terminal(), 0) == ""


def test_what_is_no_terminal_sees_nothing(monkeypatch: pytest.MonkeyPatch):
    assert shown(monkeypatch, io.StringIO(), 0.2) == ""
