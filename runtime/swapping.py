"""Swapping: values in stacks go to the host store when memory is short, and come back in time.

In a run with a memory budget, a large value on a stack is in a `Box`. All versions of the stack
share the box, so whether its value is in memory or in the store is invisible to every one of them;
values and boxes are as immutable as ever. Oldest boxes go first, since they are popped last.
Transfers run on other threads. A value that nobody but its box refers to is worth writing; one that
came back keeps its place in the store, so letting go of it again costs nothing.

A pop takes a value that is here, and has the ones below it brought back, as room allows. A pop of a
value that is not here is not fired: `runtime/engine/memory_device.py` fires it later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from sys import getrefcount
from typing import Any, Protocol
from weakref import WeakValueDictionary, ref

import numpy as np

from ..dialects.diagnostics import ProgramError
from .host_store import Done, HostStore
from .memory import MemoryBudget, MemoryMeter, MemoryStats, is_array, owner_of
from .values import AnyArray, Stack

ALONE = 3
"""References to a value whose only holder is its box, while it is looked at."""


class Box:
    """A value on a stack, in memory or in the host store."""

    __slots__ = (
        "__weakref__",
        "dtype",
        "leaving",
        "loading",
        "nbytes",
        "number",
        "place",
        "shape",
        "swapper",
        "value",
        "waiting",
        "wanted",
    )

    def __init__(self, value: AnyArray, number: int, swapper: Swapper):
        self.value: AnyArray | None = value
        self.number = number
        """Smaller is older."""
        self.swapper = swapper
        self.nbytes = value.nbytes
        self.shape = value.shape
        self.dtype = value.dtype
        self.place: int | None = None
        """Where it is in the store."""
        self.leaving = False
        """Whether it is being written."""
        self.loading = False
        self.wanted = False
        """Whether a pop waits for it, or will come back for it at once."""
        self.waiting: list[Callable[[], None]] = []
        """What to call when it is here."""

    def __del__(self) -> None:
        # Any thread may come here.
        if self.place is not None:
            self.swapper.store.released.append((self.place, self.nbytes))
            if self.value is None and not self.loading:
                self.swapper.died.append(self.nbytes)


class Carrier(Protocol):
    """Has transfers done, and their ends told in the thread that asked for them."""

    def transfer(self, begin: Callable[[Done], None], end: Done) -> None:
        """`begin` starts a transfer that tells its end to what it is given."""
        ...


class Swapper:
    """The boxes of one device in one run."""

    def __init__(
        self,
        budget: MemoryBudget,
        meter: MemoryMeter,
        carrier: Carrier,
        stats: MemoryStats,
        *,
        at_once: bool = False,
    ):
        self.budget = budget
        self.meter = meter
        self.carrier = carrier
        self.stats = stats
        self.store = HostStore(at_once=at_once)
        self.died: deque[int] = deque()
        self.away = 0
        """Bytes of values that are in the store only."""
        self.leaving = 0
        """Bytes that will be free when what is being written is."""
        self._count = 0
        self._here: list[tuple[int, ref[Box]]] = []
        """A heap of boxes with a value, and some that have none any more."""
        self._of_value: WeakValueDictionary[int, Box] = WeakValueDictionary()
        self._to_load: list[tuple[Box, AnyArray, memoryview]] = []

    # Stacks, as kernels see them.

    def push(self, stack: Stack, value: Any) -> Stack:
        """A stack with a value on it, in a box if it may be swapped."""
        if (
            not self.budget.swap
            or not is_array(value)
            or value.nbytes < max(self.budget.threshold, 1)
            or owner_of(value).nbytes < value.nbytes
        ):
            return Stack(stack, value)
        key = id(value)
        box = self._of_value.get(key)
        if box is None or box.value is not value:
            self._count += 1
            box = self._of_value[key] = Box(value, self._count, self)
            self._put_here(box)
        return Stack(stack, box)

    def missing(self, stack: Stack) -> Box | None:
        """The box on top of a stack, if its value is not in memory."""
        top = stack.top
        if isinstance(top, Box):
            top.wanted = True
            if top.value is None:
                return top
        return None

    def popped(self, below: Stack, top: Any) -> Any:
        """The value of what was on top; those below it are brought back."""
        if self.away:
            self._prefetch(below)
        if isinstance(top, Box):
            top.wanted = False
            assert top.value is not None
            return top.value
        return top

    def value_of(self, element: Any) -> Any:
        """The value of an element of a stack, read at once if it is in the store."""
        if not isinstance(element, Box):
            return element
        if element.value is not None:
            return element.value
        assert element.place is not None
        value, buffer = _empty(element)
        self.store.get([(element.place, buffer)])
        return value

    def unboxed(self, value: Any) -> Any:
        """A value that may leave the run: a stack gets all its values back."""
        if not isinstance(value, Stack) or not any(isinstance(element, Box) for element in value):
            return value
        result = Stack()
        for element in reversed(list(value)):
            result = result.push(self.value_of(element))
        return result

    # Out.

    def make_room(self, needed: int) -> None:
        """Has so many bytes leave, as far as anything can."""
        victims: list[Box] = []
        kept: list[tuple[int, ref[Box]]] = []
        here = self._here
        freed = self.leaving
        while here and freed < needed:
            entry = heappop(here)
            box = entry[1]()
            if box is None or box.value is None or box.leaving:
                continue
            if box.wanted or not _alone(box):
                kept.append(entry)
            elif box.place is not None:
                freed += box.nbytes
                self._let_go(box)
            else:
                freed += owner_of(box.value).nbytes
                victims.append(box)
        for entry in kept:
            heappush(here, entry)
        if victims:
            self._write(victims)

    def _write(self, victims: list[Box]) -> None:
        transfers: list[tuple[int, memoryview]] = []
        places: list[int] = []
        total = 0
        for box in victims:
            places.append(self.store.place(box.nbytes))
            transfers.append((places[-1], _bytes_of(box)))
            total += box.nbytes
            box.leaving = True
        self.leaving += total
        self.stats.values_out += len(victims)
        self.stats.bytes_out += total
        self.stats.stored = self.store.size

        def end(error: Exception | None) -> None:
            transfers.clear()
            self.leaving -= total
            _check(error)
            for box, place in zip(victims, places):
                box.leaving = False
                box.place = place
                # Whoever came for it meanwhile holds it; letting go later costs nothing.
                if not box.wanted and _alone(box):
                    self._let_go(box)
                else:
                    self._put_here(box)
            victims.clear()

        self.carrier.transfer(lambda done: self.store.put_later(transfers, done), end)

    def _let_go(self, box: Box) -> None:
        box.value = None
        self.away += box.nbytes

    # Back.

    def _prefetch(self, stack: Stack) -> None:
        """Brings back values below a pop, when half of those it wants there are missing."""
        at = stack
        missing: list[Box] = []
        for number in range(self.budget.ahead):
            below = at.below
            if below is None:
                break
            top = at.top
            if isinstance(top, Box) and top.value is None and not top.loading:
                missing.append(top)
            elif number == self.budget.ahead // 2 and not missing:
                return
            at = below
        high = self.budget.high * self.meter.budget
        for box in missing:
            if self.meter.live() + box.nbytes > high:
                break
            self._load(box)

    def fetch(self, box: Box, then: Callable[[], None]) -> None:
        """Brings a value back, and calls `then` when it is here."""
        box.waiting.append(then)
        if not box.loading:
            self._load(box)

    def _load(self, box: Box) -> None:
        box.loading = True
        self.away -= box.nbytes
        # The memory is taken now, so that nobody else is promised it.
        value, buffer = _empty(box)
        self.meter.add(value)
        self._to_load.append((box, value, buffer))

    def flush(self) -> None:
        """Starts the loads that were asked for, and sees what ended."""
        while self.died:
            self.away -= self.died.popleft()
        self.stats.unswapped = max(self.stats.unswapped, self.meter.live() + self.away)
        if not self._to_load:
            return
        loads, self._to_load = self._to_load, []
        transfers = [(box.place or 0, buffer) for box, _, buffer in loads]
        self.stats.values_in += len(loads)
        self.stats.bytes_in += sum(box.nbytes for box, _, _ in loads)

        def end(error: Exception | None) -> None:
            transfers.clear()
            _check(error)
            for box, value, _ in loads:
                box.loading = False
                box.value = value
                self._of_value[id(value)] = box
                self._put_here(box)
                waiting, box.waiting = box.waiting, []
                for then in waiting:
                    then()
            loads.clear()

        self.carrier.transfer(lambda done: self.store.prefetch(transfers, done), end)

    def _put_here(self, box: Box) -> None:
        here = self._here
        heappush(here, (box.number, ref(box)))
        if len(here) > 2 * len(self._of_value) + 64:
            here[:] = [entry for entry in here if (b := entry[1]()) is not None and _is_here(b)]
            heapify(here)

    def close(self) -> None:
        """Drops the store."""
        self.store.close()


def _is_here(box: Box) -> bool:
    return box.value is not None and not box.leaving


def _alone(box: Box) -> bool:
    """Whether only the box holds its value."""
    value = box.value
    if getrefcount(value) > ALONE:
        return False
    assert value is not None
    if value.base is None:
        return True
    owner = owner_of(value)
    return getrefcount(owner) <= ALONE


def _bytes_of(box: Box) -> memoryview:
    """The bytes of a box's value; in a foreign order it is copied for the time of a transfer."""
    assert box.value is not None
    return np.ascontiguousarray(box.value).reshape(-1).view(np.uint8).data


def _empty(box: Box) -> tuple[AnyArray, memoryview]:
    """Memory for a box's value, and the bytes of it."""
    flat = np.empty(box.nbytes, np.uint8)
    return flat.view(box.dtype).reshape(box.shape), flat.data


def _check(error: Exception | None) -> None:
    if error is not None:
        raise ProgramError(f"the host store failed: {error}") from error
