"""What a user asks for of devices, as options of `device-pipeline`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.diagnostics import DataError
from ..dialects.plan import topology_of
from ..dialects.plan.devices import argument_devices, device_of, result_devices
from ..dialects.plan.scopes import device_of_scopes

if TYPE_CHECKING:
    from .device_pipeline import DevicePipeline

RANDOM = "random:"


def device_names(devices: int | Sequence[str] | None) -> tuple[str, ...]:
    """The names of the devices: N of them are `cpu:0` … `cpu:N-1`; none says that the program knows."""
    if devices is None:
        return ()
    if isinstance(devices, int):
        if devices < 1:
            raise ValueError(f"expected at least 1 device, got {devices}")
        return tuple(f"cpu:{number}" for number in range(devices))
    if isinstance(devices, str):
        raise ValueError(f'expected a number of devices or a list of names, got "{devices}"')
    names = tuple(devices)
    if not names or not all(names) or len(set(names)) != len(names):
        raise ValueError(f"expected devices of different names, got {list(names)}")
    return names


def seed_of(assign: str) -> int | None:
    """The seed of `random:SEED`; None for other ways to assign."""
    if not assign.startswith(RANDOM):
        return None
    seed = assign.removeprefix(RANDOM)
    if not seed.isdecimal():
        raise ValueError(f"expected {RANDOM}SEED with a whole number, got {assign}")
    return int(seed)


def device_pipeline(
    module: ModuleOp,
    function: str,
    devices: int | Sequence[str] | None = None,
    assign: str | None = None,
    report: bool = False,
) -> DevicePipeline | None:
    """The pipeline for a program on several devices; None if neither it nor the user asks for any.

    `assign`: `auto` fills what the program leaves open, `random:SEED` places all at random, anything
    else is a file of rules.
    """
    names = device_names(devices)
    if len(names) < 2 and assign is None and not report and not is_placed(module):
        if names in ((), ("cpu:0",)):
            return None
    from .device_pipeline import DevicePipeline

    seed = None if assign is None else seed_of(assign)
    rules = None if assign in (None, "auto") or seed is not None else assign
    if rules is not None and not os.path.exists(rules):
        raise DataError(
            "cannot read the rules: No such file or directory"
            f" (expected auto, {RANDOM}SEED or a file of rules)",
            rules,
        )
    return DevicePipeline(function, names, seed, rules, report)


def is_placed(module: ModuleOp) -> bool:
    """Whether a program says of anything where it runs, or has a topology."""
    if topology_of(module) is not None:
        return True
    for op in module.walk():
        if device_of(op) is not None:
            return True
        if isinstance(op, FuncOp) and any((*argument_devices(op), *result_devices(op))):
            return True
        if device_of_scopes(op.location) is not None:
            return True
    return False
