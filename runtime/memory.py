"""How many bytes the values of a device take, against a budget.

`MemoryMeter` counts an array from when a kernel gives it, a message brings it or it comes back from
the host store, until nobody refers to it: what counts is the array that owns the memory, once,
however many views and holders it has. Numbers (NumPy scalars) count nothing, and neither does what
a kernel needs for itself while it runs. Arguments and constants count while the run lasts.

Only runs with a budget have a meter. What happens near the budget is up to `runtime/swapping.py`
and `runtime/engine/memory_device.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Final, TypeGuard, cast
from weakref import ref

import numpy as np
from xdsl.utils.exceptions import VerifyException

from ..dialects.plan.quantities import bytes_of
from .values import AnyArray, Stack, TensorArray


@dataclass(frozen=True, init=False)
class MemoryBudget:
    """What the values of a run may take on one device: an amount of memory.

    Near the budget, loops begin no new trips, then stacks are swapped to the host store. Amounts are
    numbers of bytes, or text ("64MiB"; B, kB, MB, GB, TB, KiB, MiB, GiB or TiB). What cannot be is an
    error here: a `ValueError`, or a `TypeError` for what is no amount.
    """

    size: int | str
    swap: bool
    """Whether stacks may be swapped (they may, by default); without, what does not fit is an error."""
    threshold: int
    """An amount, 2048 bytes by default: values that take less are not swapped."""
    high: float
    """Above this part of the budget (0 to 1, by default 0.75), no new trips begin and stacks are swapped
    out, …"""
    low: float
    """… until this part is left (by default 0.5, and no more than `high`)."""
    ahead: int
    """How many values of a stack are brought back before they are popped, if there is room; by default
    8."""

    def __init__(
        self,
        size: int | str,
        swap: bool = True,
        threshold: int | str = 2048,
        high: float = 0.75,
        low: float = 0.5,
        ahead: int = 8,
    ):
        given = {
            "size": size,
            "swap": swap,
            "threshold": _bytes(threshold, "a threshold"),
            "high": high,
            "low": low,
            "ahead": ahead,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)
        if self.nbytes < 1:
            raise ValueError(f"expected a memory budget of at least 1 byte, got {size}")
        for name in ("high", "low", "ahead"):
            _check_number(given[name], name)
        if not 0 < low <= high <= 1:
            raise ValueError(
                f"expected 0 < low <= high <= 1 of a memory budget, got {low} and {high}"
            )
        if self.threshold < 0 or ahead < 0:
            raise ValueError("expected threshold and ahead of a memory budget to be at least 0")

    @property
    def nbytes(self) -> int:
        """The budget in bytes."""
        return _bytes(self.size, "an amount of memory")


def _bytes(amount: object, what: str) -> int:
    if isinstance(amount, str):
        try:
            return bytes_of(amount, what)
        except VerifyException as error:
            raise ValueError(str(error)) from None
    try:
        return index(cast(Any, amount))
    except TypeError:
        raise TypeError(
            f'expected {what} in bytes, or as text such as "64MiB", got {amount!r}'
        ) from None


def _check_number(value: object, name: str) -> None:
    if not isinstance(value, int | float):
        raise TypeError(f"expected {name} of a memory budget as a number, got {value!r}")


Budgets = Mapping[str, MemoryBudget]
"""By device."""
EVERY: Final = "*"
"""Stands for all devices that have no budget of their own."""
Amount = MemoryBudget | int | str


def budgets_of(given: Mapping[str, Amount] | Amount | None) -> dict[str, MemoryBudget]:
    """Budgets; one alone is for every device."""
    if given is None:
        return {}
    by_device = given if isinstance(given, Mapping) else {EVERY: given}
    return {
        device: budget if isinstance(budget, MemoryBudget) else MemoryBudget(budget)
        for device, budget in by_device.items()
    }


@dataclass
class MemoryStats:
    """What a budget did in the last run on a device."""

    budget: int = 0
    peak: int = 0
    """The most bytes that were in use."""
    unswapped: int = 0
    """The most that would have been, with nothing in the host store."""
    values_out: int = 0
    bytes_out: int = 0
    """Values and bytes written to the host store."""
    values_in: int = 0
    bytes_in: int = 0
    waits: int = 0
    """Pops that waited for their value to come back."""
    held_back: int = 0
    """Trips that did not begin at once."""
    stored: int = 0
    """Bytes that the host store grew to."""


class _Counted(ref[AnyArray]):
    """A counted array; it has its key and its size to be told by when it is gone."""

    __slots__ = ("key", "nbytes")

    key: int
    nbytes: int


class MemoryMeter:
    """Counts the arrays of one device in one run.

    Only the thread of the device's event loop may use it; that arrays end in other threads is fine.
    """

    def __init__(self, budget: int):
        self.budget = budget
        self.peak = 0
        self._live = 0
        self._counted: dict[int, _Counted] = {}
        self._gone: deque[_Counted] = deque()

    def live(self) -> int:
        """Bytes in use now."""
        gone, counted = self._gone, self._counted
        while gone:
            entry = gone.popleft()
            # Another array may have taken the place, and with it the key, since.
            if counted.get(entry.key) is entry:
                del counted[entry.key]
                self._live -= entry.nbytes
        return self._live

    def room(self, nbytes: int) -> bool:
        """Whether so many more bytes are within the budget."""
        return self.live() + nbytes <= self.budget

    def add(self, value: Any) -> int:
        """Counts a value's arrays, but for those that are counted already; how many bytes more."""
        if is_array(value):
            owner = owner_of(value)
            return self._add(owner, owner.nbytes)
        if isinstance(value, TensorArray):
            return sum(map(self.add, value.written()))
        if isinstance(value, Stack):
            return sum(map(self.add, value))
        return 0

    def add_argument(self, value: Any) -> None:
        """Counts an argument: the caller may own more than it passes."""
        if is_array(value):
            self._add(owner_of(value), value.nbytes)
        else:
            self.add(value)

    def _add(self, owner: AnyArray, nbytes: int) -> int:
        key = id(owner)
        counted = self._counted
        known = counted.get(key)
        if known is not None:
            if known() is owner:
                return 0
            self._live -= known.nbytes
        entry = counted[key] = _Counted(owner, self._gone.append)
        entry.key, entry.nbytes = key, nbytes
        self._live += nbytes
        if self._live > self.peak and self.live() > self.peak:
            self.peak = self._live
        return nbytes


def is_array(value: Any) -> TypeGuard[AnyArray]:
    """Whether a value has memory that counts: numbers have not."""
    return isinstance(value, np.ndarray)


def owner_of(array: AnyArray) -> AnyArray:
    """The array whose memory a view shows."""
    base = array.base
    while isinstance(base, np.ndarray):
        array = base
        base = array.base
    return array


def size_text(nbytes: int) -> str:
    """`1.5MiB`, as `plan.device` takes it."""
    amount = float(nbytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if amount < 1024 or unit == "GiB":
            text = f"{amount:.1f}".removesuffix(".0") if unit != "B" else str(nbytes)
            return f"{text}{unit}"
        amount /= 1024
    raise AssertionError
