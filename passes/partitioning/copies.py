"""Writes the part of one device: its ops in the order of the program, its sends and receives.

A value that travels is sent right behind its definition, and received at the same place in the
program of each destination; an argument of a loop's region at the start of that region. So the
order on every device is a part of one order of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, LocationAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from ...dialects.dcf import CaseOp, ConditionOp, CondOp, WhileOp, YieldOp
from ...dialects.dfg import FetchOp, PartitionOp, RecvOp, SendOp
from ...dialects.plan.devices import DEVICE, device_order
from .._slots import terminator_of
from .demand import Demand
from .homes import Homes

REGION_ID = "dfg.region_id"
"""On every copy of a structured op: equal on all devices, so that copies know each other."""


@dataclass(frozen=True)
class Channel:
    """One value on its way to one device."""

    number: int
    value: SSAValue
    source: str
    target: str

    @property
    def location(self) -> LocationAttr:
        """Where the value is defined."""
        value = self.value
        assert isinstance(value, BlockArgument | OpResult)
        return value.location if isinstance(value, BlockArgument) else value.op.location


def definitions(block: Block) -> list[SSAValue]:
    """All values defined in a block and in the regions of its structured ops, in the order in
    which they are there to be sent."""
    values: list[SSAValue] = list(block.args)
    for op in block.ops:
        if isinstance(op, WhileOp | CondOp | CaseOp):
            for region in op.regions:
                values.extend(definitions(region.block))
        values.extend(op.results)
    return values


class Copier:
    """Makes the parts of all devices of one function."""

    def __init__(self, function: FuncOp, demand: Demand):
        self.function = function
        self.demand = demand
        self.homes = Homes(function)
        self.channels: list[Channel] = []
        self.by_value: dict[SSAValue, list[Channel]] = {}
        for value in definitions(function.body.block):
            for target in sorted(demand.sent.get(value, {}), key=device_order):
                if isinstance(value.owner, Operation) and target in demand.runs.get(
                    value.owner, {}
                ):
                    continue  # found needed for control after all, and so computed there
                channel = Channel(len(self.channels), value, self.homes.of(value), target)
                self.channels.append(channel)
                self.by_value.setdefault(value, []).append(channel)
        structured = (op for op in function.walk() if isinstance(op, WhileOp | CondOp | CaseOp))
        self.region_ids = {op: number for number, op in enumerate(structured)}

    def part(self, device: str) -> PartitionOp:
        """The part of one device."""
        source = self.function.body.block
        feeds = [k for k, a in enumerate(source.args) if self.demand.fed.get(a) == device]
        end = terminator_of(self.function.body)
        fetches = [k for k, name in enumerate(self.demand.results) if name == device]
        writer = _Writer(self, device)
        block = writer.block_like(source, feeds)
        writer.fill(block, source)
        fetch = FetchOp(*(writer.values[end.operands[k]] for k in fetches))
        fetch.location = end.location
        block.add_op(fetch)
        part = PartitionOp(device, feeds, fetches, Region(block))
        part.location = self.function.location
        return part


class _Writer:
    def __init__(self, copier: Copier, device: str):
        self.copier = copier
        self.demand = copier.demand
        self.device = device
        self.values: dict[SSAValue, SSAValue] = {}

    def block_like(self, source: Block, keep: Sequence[int]) -> Block:
        """An empty block with some of the arguments of another."""
        block = Block(arg_types=[source.args[number].type for number in keep])
        for number, new in zip(keep, block.args, strict=True):
            old = source.args[number]
            new.name_hint, new.location = old.name_hint, old.location
            self.values[old] = new
        return block

    def fill(self, block: Block, source: Block) -> None:
        """Copies what concerns this device of a block, all but its terminator."""
        for argument in source.args:
            self.transfer(block, argument, argument.location)
        for op in source.ops:
            if op is source.last_op:
                return
            if isinstance(op, WhileOp | CondOp | CaseOp):
                if self.device in self.demand.participants.get(op, {}):
                    block.add_op(self.structured(op))
            elif self.device in self.demand.runs.get(op, {}):
                block.add_op(self.clone(op))
            for result in op.results:
                self.transfer(block, result, op.location)

    def transfer(self, block: Block, value: SSAValue, location: LocationAttr) -> None:
        """The sends of a value that lives here, or its receive."""
        for channel in self.copier.by_value.get(value, ()):
            if channel.source == self.device:
                send = SendOp(self.values[value], channel.target, channel.number)
                send.location = location
                block.add_op(send)
            elif channel.target == self.device:
                recv = RecvOp(channel.source, channel.number, value.type)
                recv.location = location
                recv.output.name_hint = value.name_hint
                block.add_op(recv)
                self.values[value] = recv.output

    def clone(self, op: Operation) -> Operation:
        copy = op.clone(value_mapper=self.values)
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            new.location = old.location
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
        copy.attributes.pop(DEVICE, None)
        return copy

    def structured(self, op: WhileOp | CondOp | CaseOp) -> Operation:
        slots = [k for k in range(len(op.results)) if self.holds(op, k)]
        copy = self.loop(op, slots) if isinstance(op, WhileOp) else self.branches(op, slots)
        copy.location = op.location
        attributes: dict[str, Attribute] = {**op.attributes}
        attributes.pop(DEVICE, None)
        attributes[REGION_ID] = IntegerAttr(self.copier.region_ids[op], i64)
        copy.attributes.update(attributes)
        for number, new in zip(slots, copy.results, strict=True):
            new.name_hint = op.results[number].name_hint
            self.values[op.results[number]] = new
        return copy

    def holds(self, op: Operation, number: int) -> bool:
        return self.device in self.demand.slots.get((op, number), {})

    def loop(self, op: WhileOp, slots: list[int]) -> WhileOp:
        condition = self.block_like(op.condition.block, slots)
        self.fill(condition, op.condition.block)
        end = terminator_of(op.condition)
        self.end(condition, ConditionOp(self.values[end.operands[0]]), end)
        body = self.block_like(op.body.block, slots)
        self.fill(body, op.body.block)
        end = terminator_of(op.body)
        self.end(body, YieldOp(*(self.values[end.operands[k]] for k in slots)), end)
        inits = [self.values[op.inits[k]] for k in slots]
        copy = WhileOp(inits, Region(condition), Region(body))
        copy.properties.update(
            {name: value for name, value in op.properties.items() if name != "residual_policy"}
        )
        return copy

    def branches(self, op: CondOp | CaseOp, slots: list[int]) -> Operation:
        regions: list[Region] = []
        for region in op.regions:
            block = Block()
            self.fill(block, region.block)
            end = terminator_of(region)
            self.end(block, YieldOp(*(self.values[end.operands[k]] for k in slots)), end)
            regions.append(Region(block))
        copy = type(op).create(
            operands=[self.values[op.operands[0]]],
            result_types=[op.results[k].type for k in slots],
            regions=regions,
            properties=dict(op.properties),
        )
        return copy

    def end(self, block: Block, terminator: Operation, source: Operation) -> None:
        terminator.location = source.location
        block.add_op(terminator)
