"""The progress line of `anabranch-run`: on a terminal, when a run takes more than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

PATIENCE = 2.0
PERIOD = 0.5


class ProgressLine:
    """While open, keeps one line on standard error up to date; it is wiped at the end.

    The run calls `report(text)` now and then, from whatever thread; a thread of its own writes the
    line, so a kernel that takes long does not stop the clock.
    """

    def __init__(self, title: str):
        self._title = title
        self._text = ""
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def report(self, fired: int, position: str) -> None:
        """Say how far the run is: nodes fired, and where its loops are."""
        self._text = f"{fired:,} nodes fired, {position}"

    def __enter__(self) -> ProgressLine:
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        start = time.monotonic()
        if self._done.wait(PATIENCE):
            return
        while True:
            seconds = time.monotonic() - start
            line = f"{self._title}: {seconds:.0f} s" + (f", {self._text}" if self._text else "")
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
            if self._done.wait(PERIOD):
                break
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
