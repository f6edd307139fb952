"""The error of a run that its memory budget ended: what did not fit where, and who holds the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..dialects.plan.quantities import bytes_of
from .engine.memory_device import MemoryDevice
from .frames import Frame, Iteration
from .graph import NodeKind
from .memory import is_array, owner_of, size_text
from .reports import RunError, live_frames
from .swapping import Box
from .values import Stack, TensorArray

if TYPE_CHECKING:
    from .engine.device import Device
    from .layout import Step
    from .propagator import Propagator

SHOWN = 5
"""Holders that a report names."""
FIXED = ("arguments", "constants")
"""Holders of what is there throughout a run."""

CARRIED = (
    NodeKind.NEXT_ITERATION,
    NodeKind.LOOP_MERGE,
    NodeKind.SWITCH,
    NodeKind.ENTER,
    NodeKind.EXIT,
)


def memory_error(devices: Sequence[Device]) -> RunError | None:
    """The error of the first device where something waits for memory, if there is one."""
    for device in devices:
        if isinstance(device, MemoryDevice) and device.parked:
            return _error(device)
    return None


def _error(device: MemoryDevice) -> RunError:
    parked = min(device.parked, key=lambda parked: parked.iteration.key)
    budget, live = device.meter.budget, device.meter.live()
    held = holders(device)
    largest = sorted(held, key=lambda name: -held[name].nbytes)[:SHOWN]
    texts = [f"{name}: {held[name].text()}" for name in largest if held[name].nbytes]
    swap = "" if device.budget.swap else ", and nothing may be swapped"
    needed, used, total = amounts(parked.needed, live, budget)
    node, path = parked.step.node, parked.iteration.path()
    fixed = sum(held[name].nbytes for name in FIXED if name in held)
    if fixed > budget:
        taken, _, total = amounts(fixed, 0, budget)
        reason = f"arguments and constants take {taken}, more than the memory budget of {total}"
        return RunError(reason, node, path, device.name)
    reason = (
        f"needs {needed} more than the {used} in use of the memory budget of {total}{swap};"
        f" largest holders: {'; '.join(texts) or 'none'}"
    )
    return RunError(reason, node, path, device.name)


def amounts(needed: int, used: int, budget: int) -> list[str]:
    """The three as text; those that are rounded, to the byte where that hides that they do not
    fit."""
    amounts = (needed, used, budget)
    texts = [size_text(amount) for amount in amounts]
    shown = [bytes_of(text, "an amount of memory") for text in texts]
    if shown[0] + shown[1] > shown[2]:
        return texts
    return [
        text if rounded == amount else f"{amount}B"
        for text, rounded, amount in zip(texts, shown, amounts, strict=True)
    ]


class Holder:
    """What one kind of place holds."""

    def __init__(self) -> None:
        self.values = 0
        self.nbytes = 0
        self.away = 0
        """Bytes in the host store."""

    def text(self) -> str:
        """`3 values, 12KiB`."""
        count = "1 value" if self.values == 1 else f"{self.values} values"
        away = f" (and {size_text(self.away)} in the host store)" if self.away else ""
        return f"{count}, {size_text(self.nbytes)}{away}"


def holders(device: MemoryDevice) -> dict[str, Holder]:
    """Who holds a device's memory: each array once, under the first name that applies."""
    counter = _Counter()
    core = device.core
    for feed in core.feeds:
        counter.hold("arguments", feed)
    for node in core.graph.nodes:
        if node.kind == NodeKind.CONST:
            counter.hold("constants", node.value)
    for result in core.results:
        counter.hold("results", result)
    for name, value in _held_values(core):
        counter.hold(name, value)
    return counter.holders


class _Counter:
    def __init__(self) -> None:
        self.holders: dict[str, Holder] = {}
        self._seen: set[int] = set()

    def hold(self, name: str, value: Any) -> None:
        """A value is held."""
        if isinstance(value, Stack):
            name = f"stacks of {name.removeprefix('carries of ').removeprefix('values of ')}"
            at: Stack | None = value
            # Versions of a stack share what is below.
            while at is not None and self._first(at):
                self._add(name, at.top)
                at = at.below
        elif isinstance(value, TensorArray):
            for element in value.written():
                self._add(name, element)
        else:
            self._add(name, value)

    def _first(self, thing: object) -> bool:
        if id(thing) in self._seen:
            return False
        self._seen.add(id(thing))
        return True

    def _add(self, name: str, value: Any) -> None:
        if isinstance(value, Box):
            if not self._first(value):
                return
            if value.value is None:
                holder = self.holders.setdefault(name, Holder())
                holder.values += 1
                holder.away += value.nbytes
                return
            value = value.value
        if is_array(value):
            owner = owner_of(value)
            if self._first(owner):
                holder = self.holders.setdefault(name, Holder())
                holder.values += 1
                holder.nbytes += owner.nbytes


def _held_values(core: Propagator) -> Iterator[tuple[str, Any]]:
    for frame in live_frames(core.root.frame):
        loop = f'loop "{frame.layout.info.name}"' if frame.parent is not None else "the program"
        captured = _captured(frame)
        for value in captured.values():
            yield f"captures of {loop}", value
        for _, value in frame.deferred:
            yield f"carries of {loop}", value
        at: Iteration | None = frame.oldest
        while at is not None:
            for step in frame.layout.steps[1:]:
                for slot in range(step.base, step.base + step.arity):
                    value = at.state[slot]
                    if value is not None and id(value) not in captured:
                        yield f"{_place(step)} of {loop}", value
            at = at.next


def _captured(frame: Frame) -> dict[int, Any]:
    """The constants entered into a frame, by identity."""
    slots = (
        frame.template[slot]
        for step in frame.layout.steps[1:]
        for slot in range(step.base, step.base + step.arity)
    )
    return {id(value): value for value in slots if value is not None}


def _place(step: Step) -> str:
    return "carries" if step.kind in CARRIED else "values"
