"""`partition-devices`: a placed function becomes one structured part for each device.

Every device gets its own copy of the loops and branches it takes part in, holding only its carries
and its ops; a value used on another device is sent where it is defined and received at the same
place there, once for each destination. Loop counters are computed on every device instead of being
sent, so a counted loop needs no messages for its control (docs/semantics.md, section 3; Yu et al.
2018, section 4.4, where the flat graph is split).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, TypeAttribute
from xdsl.passes import ModulePass

from ..dialects.dfg import ChannelOp, ProgramOp
from ..dialects.diagnostics import ProgramError
from ..dialects.plan.devices import DEFAULT_DEVICE, device_order
from ._effects import Effects
from ._symbols import functions_of, symbols_in
from .partitioning.copies import Channel, Copier
from .partitioning.demand import Demand, demand_of


@dataclass(frozen=True)
class PartitionDevicesPass(ModulePass):
    """Split each entry function, every op of which has a device, into parts of a `dfg.program`.

    `function`: only this one. Comes after `assign-devices`, and after `expand-scan` and
    `name-frames`; every part keeps the order of the function, so that any order of the devices
    that follows their own runs without waiting in a circle.
    """

    name = "partition-devices"
    exactness: ClassVar[str] = "exact"

    function: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        called = {name for each in op.body.block.ops for name in symbols_in(each)}
        effects = Effects(op)
        if self.function is not None and self.function not in functions_of(op):
            known = ", ".join(f"@{name}" for name in functions_of(op)) or "none"
            raise ProgramError(f"expected a function @{self.function}, the module has {known}", op)
        for function in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            name = function.sym_name.data
            chosen = name == self.function if self.function else name not in called
            if chosen and not function.is_declaration:
                partition(function, effects)


def partition(function: FuncOp, effects: Effects) -> ProgramOp:
    """Replace `function` by a program of the same name."""
    if len(function.body.blocks) != 1:
        raise ProgramError(
            f"expected a function of one block, got {len(function.body.blocks)} blocks"
            f" in @{function.sym_name.data}",
            function,
        )
    demand = demand_of(function, effects)
    copier = Copier(function, demand)
    ops: list[Operation] = [_channel(channel) for channel in copier.channels]
    ops.extend(copier.part(device) for device in devices_of(demand))
    type = function.function_type
    program = ProgramOp(
        function.sym_name.data,
        FunctionType.from_lists(type.inputs.data, type.outputs.data),
        Region(Block(ops)),
    )
    program.location = function.location
    block = function.parent_block()
    assert block is not None
    block.insert_op_before(program, function)
    function.detach()
    function.erase()
    return program


def devices_of(demand: Demand) -> list[str]:
    """Every device that does something, in the order of their numbers; at least one."""
    names: set[str] = {*demand.results, *demand.fed.values()}
    for devices in (*demand.runs.values(), *demand.participants.values(), *demand.sent.values()):
        names.update(devices)
    return sorted(names, key=device_order) or [DEFAULT_DEVICE]


def _channel(channel: Channel) -> ChannelOp:
    type = channel.value.type
    assert isinstance(type, TypeAttribute)
    op = ChannelOp(channel.number, channel.source, channel.target, type)
    op.location = channel.location
    return op
