"""The host store: where a device's stacks keep values that do not fit into its memory budget.

An anonymous temporary file (it has no name, and is gone when it is closed or the process ends): what
is in it takes disk, not memory, but for what the system's file cache can spare. `TMPDIR` says on
which disk; on one that is memory itself (tmpfs), nothing would be won. Buffers of one size take
turns in the same places of the file, so it grows only to the most that was ever in it.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Condition
from typing import Any

Transfer = tuple[int, memoryview]
"""A place in the file, and the bytes to write there or to fill from there."""
Done = Callable[[Exception | None], None]


class HostStore:
    """One run's store of one device; places are given and taken back by one thread only."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.at_once = at_once
        """Whether transfers are over when they have begun: for runs whose order a test chooses."""
        self._file: Any = None
        self._changed = Condition()
        self._transfers = 0
        """Under way: the file is closed only after them, or they would write to another."""
        self._closed = False
        self._free: dict[int, list[int]] = {}
        self.size = 0
        """Bytes that the file has grown to."""
        self.released: deque[tuple[int, int]] = deque()
        """(place, bytes) that are free again; any thread may add to it."""

    def place(self, nbytes: int) -> int:
        """A place for so many bytes."""
        while self.released:
            offset, size = self.released.popleft()
            self._free.setdefault(size, []).append(offset)
        free = self._free.get(nbytes)
        if free:
            return free.pop()
        offset = self.size
        self.size += nbytes
        return offset

    def put(self, transfers: Sequence[Transfer]) -> None:
        """Writes buffers; any thread may."""
        self._transfer(transfers, _write)

    def get(self, transfers: Sequence[Transfer]) -> None:
        """Reads into buffers; any thread may."""
        self._transfer(transfers, _read)

    def _transfer(
        self, transfers: Sequence[Transfer], one: Callable[[int, memoryview, int], int]
    ) -> None:
        with self._changed:
            if self._closed:
                return
            if self._file is None:
                # Open for as long as the run lasts; `close` closes it.
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            descriptor = self._file.fileno()
            self._transfers += 1
        try:
            for offset, buffer in transfers:
                while buffer:
                    count = one(descriptor, buffer, offset)
                    offset, buffer = offset + count, buffer[count:]
        finally:
            with self._changed:
                self._transfers -= 1
                self._changed.notify_all()

    def put_later(self, transfers: Sequence[Transfer], done: Done) -> None:
        """Writes on another thread, which then calls `done`."""
        self._begin(self.put, transfers, done)

    def prefetch(self, transfers: Sequence[Transfer], done: Done) -> None:
        """Reads on another thread, which then calls `done`."""
        self._begin(self.get, transfers, done)

    def _begin(
        self,
        transfer: Callable[[Sequence[Transfer]], None],
        transfers: Sequence[Transfer],
        done: Done,
    ) -> None:
        if self.at_once:
            _attempt(transfer, transfers, done)
        else:
            _threads().submit(_attempt, transfer, transfers, done)

    def close(self) -> None:
        """Drops all of it; transfers still to come do nothing."""
        with self._changed:
            self._closed = True
            while self._transfers:
                self._changed.wait()
            if self._file is not None:
                self._file.close()
                self._file = None


def _write(descriptor: int, buffer: memoryview, offset: int) -> int:
    return os.pwrite(descriptor, buffer, offset)


def _read(descriptor: int, buffer: memoryview, offset: int) -> int:
    count = os.preadv(descriptor, [buffer], offset)
    if not count:
        raise OSError("the host store ends before a value does")
    return count


def _attempt(
    transfer: Callable[[Sequence[Transfer]], None], transfers: Sequence[Transfer], done: Done
) -> None:
    try:
        transfer(transfers)
    except Exception as error:
        done(error)
    else:
        done(None)


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads for transfers, of all runs: one may read while the other writes."""
    return ThreadPoolExecutor(2, "anabranch-store")
