"""Running a loop's body again in the backward code, from carries that were kept, to differentiate it.

The copy of the body is differentiated like a function of its own: its loops and branches keep what
their backward code reads, which is read in the same trip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from ...dialects import dcf
from .activity import Activity
from .augment import augment
from .backward import Backward, Records
from .structures import reverse_block, taken


@dataclass(eq=False)
class Rerun:
    """What of a loop's body has to run again for the next values of some carries."""

    op: dcf.WhileOp
    carries: list[int]
    """The carries this needs, themselves included, over any number of trips."""
    ops: list[Operation]
    """The ops of the body this needs."""
    outside: list[SSAValue]
    """The values from outside the loop that these read."""

    @classmethod
    def of(cls, op: dcf.WhileOp, carries: Iterable[int]) -> Rerun:
        """For the carries given, and those that these need."""
        body = op.body.block
        terminator = body.last_op
        assert isinstance(terminator, dcf.YieldOp)
        found = set(carries)
        while True:
            live = {terminator.values[k] for k in found}
            ops: list[Operation] = []
            for nested in reversed(list(body.ops)):
                if any(result in live for result in nested.results):
                    ops.append(nested)
                    live.update(operand for inside in nested.walk() for operand in inside.operands)
            needed = found | {k for k, argument in enumerate(body.args) if argument in live}
            if needed == found:
                break
            found = needed
        ops.reverse()
        outside = dict.fromkeys(value for value in _reads(ops) if value not in body.args)
        for k in found:
            value = terminator.values[k]
            if value not in body.args and value.owner not in ops:
                outside[value] = None
        return cls(op, sorted(found), ops, list(outside))

    @property
    def is_possible(self) -> bool:
        """Whether running again gives the same: no random numbers, no effects, no stacks to store."""
        if any(isinstance(v.type, dcf.StackType | dcf.ArrayType) for v in self.values):
            return False
        leaves = (inner for op in self.ops for inner in op.walk() if not inner.regions)
        return all(
            is_side_effect_free(inner)
            or isinstance(inner, dcf.ProbeOp | dcf.YieldOp | dcf.ConditionOp | CallOp)
            for inner in leaves
        )

    @property
    def values(self) -> list[SSAValue]:
        """The body's arguments for the carries that are needed."""
        return [self.op.body.block.args[k] for k in self.carries]

    def copy(self, block: Block, mapping: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        """Append the ops to `block`; the next values of the carries."""
        for op in self.ops:
            copy = op.clone(mapping)
            for inner in list(copy.walk()):
                if isinstance(inner, dcf.ProbeOp):  # it has told its values already
                    inner.detach()
                    inner.erase()
            block.add_op(copy)
        terminator = self.op.body.block.last_op
        assert terminator is not None
        values = [terminator.operands[k] for k in self.carries]
        return [mapping.get(value, value) for value in values]

    def reversed(
        self,
        records: Records,
        seeds: dict[int, SSAValue],
        totals: dict[SSAValue, SSAValue],
    ) -> ReversedTrip:
        """One trip again, then backwards.

        `seeds`: cotangents of the next values of carries; `totals`: cotangents, so far, of values
        from outside. The results are new cotangents, as `reverse_saved_trip` gives them.
        """
        # Stand-ins, so that a carry that no derivative needs is not kept.
        reads = [*self.values, *self.outside]
        stand_ins = Block(arg_types=[value.type for value in reads])
        mapping: dict[SSAValue, SSAValue] = dict(zip(reads, stand_ins.args))
        trip = Block()
        # Rules look for the functions of the module around an op: the code has to be in it.
        holder = UnregisteredOp.with_name("trip").create(regions=[Region(trip)])
        around = self.op.parent_block()
        assert around is not None
        around.insert_op_after(holder, self.op)
        following = dict(zip(self.carries, self.copy(trip, dict(mapping))))
        arguments = self.op.body.block.args
        inputs = [mapping[arguments[k]] for k in seeds]
        known = {value: mapping[value] for value in totals if value in mapping}
        own = Records(
            trip,
            Activity(trip, [*inputs, *known.values()], [following[k] for k in seeds]),
        )
        records.inner.append(own)
        inner = Backward(own, trip, trip)
        inner.emit.source = self.op
        for k, seed in seeds.items():
            inner.accumulate(following[k], seed)
        for value, total in totals.items():
            inner.accumulate(known.get(value, value), total)
        reverse_block(inner, trip)
        inner.emit.source = self.op
        results = [taken(inner, value) for value in inputs]
        for value, total in totals.items():
            stand_in = known.get(value)
            active = stand_in is not None and inner.is_active(stand_in)
            results.append(taken(inner, stand_in) if active and stand_in is not None else total)
        end = dcf.YieldOp(*results)
        trip.add_op(end)
        augment(own)
        _erase_unused(trip)
        holder.regions[0].detach_block(trip)
        around.erase_op(holder)
        return ReversedTrip(trip, mapping)


@dataclass(eq=False)
class ReversedTrip:
    """The code of a trip run again and reversed, which is still to be put somewhere."""

    block: Block
    stand_ins: dict[SSAValue, SSAValue]
    """Value of the loop's body, or from outside -> what stands for it in the code."""

    def needs(self, value: SSAValue) -> bool:
        """Whether the code reads the value."""
        stand_in = self.stand_ins.get(value)
        return stand_in is not None and stand_in.first_use is not None

    def place(self, target: Block, given: Callable[[SSAValue], SSAValue]) -> Sequence[SSAValue]:
        """Append the code to `target`, with values that are asked for one by one; its results."""
        for value, stand_in in self.stand_ins.items():
            if stand_in.first_use is not None:
                stand_in.replace_all_uses_with(given(value))
        end = self.block.last_op
        assert isinstance(end, dcf.YieldOp)
        results = list(end.operands)
        self.block.erase_op(end)
        for op in list(self.block.ops):
            op.detach()
            target.add_op(op)
        return results


def _reads(ops: Iterable[Operation]) -> Iterable[SSAValue]:
    """What the ops read and neither they nor ops in them make."""
    ops = list(ops)
    made: set[SSAValue] = set()
    for op in ops:
        for inner in op.walk():
            made.update(inner.results)
            for region in inner.regions:
                for block in region.blocks:
                    made.update(block.args)
    for op in ops:
        for inner in op.walk():
            yield from (operand for operand in inner.operands if operand not in made)


def _erase_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        unused = all(result.first_use is None for result in op.results)
        if unused and would_be_trivially_dead(op):
            block.erase_op(op)
