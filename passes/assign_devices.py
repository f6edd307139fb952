"""`assign-devices`: every op, argument and result of a function gets a device.

After the gradient and the passes that keep the structured level, before `partition-devices`, which
wants a place for all there is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..dialects.diagnostics import ProgramError
from ..dialects.plan import topology_of
from ..dialects.plan.devices import (
    DEFAULT_DEVICE,
    argument_devices,
    device_of,
    device_order,
    result_devices,
    set_argument_devices,
    set_device,
    set_result_devices,
)
from ..dialects.plan.scopes import place_by_scopes
from ._symbols import functions_of, symbols_in
from .placement.auto import Filler
from .placement.chance import place_at_random
from .placement.groups import Groups
from .placement.report import table
from .placement.rules import Rules
from .placement.scope import STRUCTURED, Choice, Item, plain_ops


@dataclass(frozen=True)
class AssignDevicesPass(ModulePass):
    """Fills what the program leaves open of where its ops run.

    An op goes, in this order, where its `plan.device` says (if the function has none, where the scopes
    `anabranch.device=` in the debug locations say); where the first fitting rule of the file
    `rules` says; where the loop or branch around it says; if it is an op of a gradient, where
    its forward op is (the first op with the same `origin`); where most bytes of its operands are;
    where most of its users are (constants and arguments: only there); to the first device. All that
    handles one stack or array goes where the values put into it are, and must agree.

    `devices`: which there are; by default those of the `plan.topology`, else those that the program
    and the rules name, else `cpu:0`. `random=SEED`: every op at random instead, whatever it says.
    `function`: only this one; by default each that no other uses. `report` prints a table of what is
    where, and why, to standard error.
    """

    name = "assign-devices"
    exactness: ClassVar[str] = "exact"

    function: str | None = None
    devices: tuple[str, ...] = ()
    random: int | None = None
    rules: str | None = None
    report: bool = False

    def __post_init__(self) -> None:
        if self.random is not None and self.rules is not None:
            raise PassFailedException("expected random or rules, got both")
        if self.random is not None and self.random < 0:
            raise PassFailedException(f"expected a seed of at least 0, got {self.random}")
        for device in self.devices:
            if not device or re.search(r"[\s,]", device):
                raise PassFailedException(
                    "expected names of devices without commas and spaces, got"
                    f' "{device}"; each is in quotes of its own: devices="cpu:0","cpu:1"'
                )
        if len(set(self.devices)) != len(self.devices):
            raise PassFailedException(
                f"expected devices of different names, got {', '.join(self.devices)}"
            )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = self._functions(op)
        rules = None if self.rules is None else Rules.load(self.rules)
        if self.random is None:
            for function in functions:
                if not any(_named(function)):  # else the scopes have been seen to
                    place_by_scopes(function)
        topology = topology_of(op)
        devices = list(self.devices)
        if not devices and topology is not None:
            devices = [device.device_name.data for device in topology.devices]
        bounded = bool(devices)
        if not devices:
            named = dict.fromkeys(name for f in functions for name in _named(f))
            devices = sorted({*named, *(rules.devices if rules else ())}, key=device_order)
        devices = devices or [DEFAULT_DEVICE]
        if rules is not None:
            rules.check_devices(devices)
        for function in functions:
            if bounded and self.random is None:
                _check_devices(function, devices)
            self._assign(function, devices, rules)
        if rules is not None:
            rules.check_met()

    def _functions(self, module: ModuleOp) -> list[FuncOp]:
        functions = functions_of(module)
        if self.function is not None:
            if self.function not in functions:
                known = ", ".join(f"@{name}" for name in functions) or "none"
                raise ProgramError(
                    f"expected a function @{self.function}, the module has {known}", module
                )
            return [functions[self.function]]
        used = set(symbols_in(module))
        return [f for name, f in functions.items() if name not in used and not f.is_declaration]

    def _assign(self, function: FuncOp, devices: Sequence[str], rules: Rules | None) -> None:
        ops = plain_ops(function)
        groups = Groups(function, ops)
        arguments = list(function.body.block.args)
        if self.random is not None:
            count = len(function.function_type.outputs)
            choices, results = place_at_random(arguments, ops, count, groups, devices, self.random)
            for op in function.walk():
                if isinstance(op, STRUCTURED):
                    set_device(op, None)  # a default that nothing in it has
        else:
            choices, results = Filler(function, ops, groups, rules, devices[0]).run()
        _write(function, arguments, ops, choices, results)
        if self.report:
            print(table(function, ops, choices, results), file=sys.stderr)


def _write(
    function: FuncOp,
    arguments: Sequence[BlockArgument],
    ops: Sequence[Operation],
    choices: dict[Item, Choice],
    results: Sequence[str],
) -> None:
    for op in ops:
        set_device(op, choices[op].device)
    set_argument_devices(function, [choices[argument].device for argument in arguments])
    set_result_devices(function, results)


def _named(function: FuncOp) -> Iterable[str]:
    """The devices that a function names."""
    for device in (*argument_devices(function), *result_devices(function)):
        if device is not None:
            yield device
    for op in function.walk():
        device = device_of(op)
        if device is not None:
            yield device


def _check_devices(function: FuncOp, devices: Sequence[str]) -> None:
    """What the program names is there."""
    known = ", ".join(f'"{device}"' for device in devices)
    places: list[tuple[str | None, Operation]] = [
        (device, function) for device in (*argument_devices(function), *result_devices(function))
    ]
    places += [(device_of(op), op) for op in function.walk()]
    for device, op in places:
        if device is not None and device not in devices:
            raise ProgramError(f'expected one of the devices {known}, got "{device}"', op)
