"""The backward code of one block, while it is being made: cotangents, and forward values it reads.

A backward block mirrors a forward one: the function's own, a loop's body, a branch. Where it reads a value
of a forward block that runs many times or perhaps not at all, the value is a residual: the forward
block pushes it on a stack, the backward block pops it. Values of the function's top level, and those
that are cheap to compute from values at hand, are used directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects import dcf
from ...dialects.dcf.types import cotangent_type
from .._tables import byte_count
from .activity import Activity
from .emitter import Emitter

CHEAP = frozenset(
    {
        "stablehlo.broadcast_in_dim",
        "stablehlo.reshape",
        "stablehlo.convert",
        "stablehlo.iota",
        "stablehlo.compare",
        "stablehlo.not",
        "stablehlo.transpose",
    }
)
"""Ops that the backward code computes again when their operands are there without a stack."""
LIGHT = CHEAP | {
    "stablehlo.add",
    "stablehlo.dynamic_slice",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.negate",
    "stablehlo.select",
    "stablehlo.slice",
    "stablehlo.subtract",
}
"""Ops that it computes again when that leaves less to keep: a row of an invariant is kept as its index, and
the sum of an invariant and a number as that number."""


@dataclass(eq=False)
class Residual:
    """A forward value that a backward block reads from a stack."""

    value: SSAValue
    block: Block
    """The forward block that makes the value, and pushes it."""
    reader: Operation | None
    """The forward op whose rule needs it."""
    final: dcf.StackNewOp
    """Stands for the full stack until the forward code is made to fill it."""


@dataclass(eq=False)
class SavedRows:
    """A forward value of a scan's body that its backward scan reads: an output of the scan."""

    value: SSAValue
    scan: dcf.ScanOp
    reader: Operation | None
    """The forward op whose rule needs it."""
    stacked: SSAValue
    """Stands, right after the scan, for the output that it will have."""


@dataclass(eq=False)
class States:
    """What a loop keeps at the start of some of its trips, to run them again."""

    loop: dcf.WhileOp
    values: Sequence[SSAValue]
    budget: int
    """The number of trips of which this is kept at a time."""


@dataclass(eq=False)
class Records:
    """What the backward code of a function asks of its forward code."""

    top: Block
    activity: Activity
    residuals: dict[SSAValue, Residual] = field(default_factory=dict[SSAValue, Residual])
    rows: dict[SSAValue, SavedRows] = field(default_factory=dict[SSAValue, SavedRows])
    counts: dict[Operation, SSAValue] = field(default_factory=dict[Operation, SSAValue])
    """Loop -> its number of trips, a stand-in for the result it will have."""
    inner: list[Records] = field(default_factory=list["Records"])
    """Those of code that runs again in the backward code, and is differentiated there."""
    states: list[States] = field(default_factory=list[States])


class Backward:
    """Makes the backward block that mirrors `forward`; `parent` mirrors the block around it."""

    def __init__(
        self, records: Records, forward: Block, block: Block, parent: Backward | None = None
    ):
        self.records = records
        self.forward = forward
        self.block = block
        self.parent = parent
        self.emit = Emitter(block)
        self.prologue = Emitter(Block()) if parent is not None else self.emit
        self.cotangents: dict[SSAValue, SSAValue] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        self.stacks: dict[Residual, tuple[BlockArgument | SSAValue, SSAValue]] = {}
        """Residual -> the stack as it enters this block, and as it leaves it."""

    # Cotangents.

    def is_active(self, value: SSAValue) -> bool:
        """Whether anything asks for the value's cotangent."""
        return value in self.records.activity

    def accumulate(self, value: SSAValue, cotangent: SSAValue | None) -> None:
        """Add to the value's cotangent."""
        if cotangent is None or not self.is_active(value):
            return
        total = self.emit.add(self.cotangents.get(value), cotangent)
        assert total is not None
        self.cotangents[value] = total

    def take(self, value: SSAValue) -> SSAValue | None:
        """The value's whole cotangent, once all its uses have been visited."""
        return self.cotangents.pop(value, None)

    def zero(self, value: SSAValue) -> SSAValue:
        """A zero cotangent of a forward value."""
        type = cotangent_type(value.type)
        if isinstance(type, dcf.StackType):
            return self.emit.value(dcf.StackNewOp(type))
        if isinstance(type, dcf.ArrayType):
            return self.emit.zero_array(value, self.value(_size_of(value)))
        if all(size >= 0 for size in getattr(type, "get_shape", tuple)()):
            return self.emit.constant(0, type)
        return self.emit.zeros_like(self.value(value))

    # Forward values.

    def value(self, value: SSAValue, reader: Operation | None = None) -> SSAValue:
        """A forward value, for use in this block."""
        reader = reader or self.emit.source
        home = _block_of(value)
        mirror: Backward = self
        while mirror.forward is not home:
            if mirror.parent is None:
                return value  # of the top level: it is the same function
            mirror = mirror.parent
        return mirror.own_value(value, reader)

    def own_value(self, value: SSAValue, reader: Operation | None) -> SSAValue:
        """A value of the mirrored block itself."""
        if self.parent is None:
            return value
        known = self.values.get(value)
        if known is None:
            known = self._computed_again(value, reader) or self._popped(value, reader)
            self.values[value] = known
        return known

    def is_at_hand(self, value: SSAValue) -> bool:
        """Whether the backward code can have a value without a new stack."""
        if _block_of(value) is not self.forward:
            return self.parent is None or self.parent.is_at_hand(value)
        if self.parent is None or value in self.values or value in self.records.residuals:
            return True
        op = value.owner
        if not isinstance(op, Operation):
            return False
        if op.has_trait(ConstantLike):
            return True
        return op.name in CHEAP and all(self.is_at_hand(operand) for operand in op.operands)

    def missing(self, value: SSAValue, depth: int = 8) -> dict[SSAValue, int]:
        """What has to be kept in order to have a value, with sizes in bytes: itself, or less."""
        if self.is_at_hand(value):
            return {}
        itself = {value: _bytes_of(value)}
        home = _block_of(value)
        mirror: Backward = self
        while mirror.forward is not home:
            assert mirror.parent is not None  # else it is at hand
            mirror = mirror.parent
        op = value.owner
        if depth == 0 or not isinstance(op, Operation) or op.name not in LIGHT:
            return itself
        parts: dict[SSAValue, int] = {}
        for operand in op.operands:
            parts.update(mirror.missing(operand, depth - 1))
        return parts if sum(parts.values()) < itself[value] else itself

    def _computed_again(self, value: SSAValue, reader: Operation | None) -> SSAValue | None:
        op = value.owner
        if not isinstance(op, Operation) or value in self.missing(value):
            return None
        if value in self.records.residuals or not (op.has_trait(ConstantLike) or op.name in LIGHT):
            return None
        operands = [self.value(operand, reader) for operand in op.operands]
        copy = op.clone()
        copy.operands = operands
        copy.location = op.location
        self.prologue.block.add_op(copy)
        for old, new in zip(op.results, copy.results):
            self.values[old] = new
        return self.values[value]

    def _popped(self, value: SSAValue, reader: Operation | None) -> SSAValue:
        residual = self.records.residuals.get(value)
        if residual is None:
            final = dcf.StackNewOp(dcf.StackType(value.type))  # pyright: ignore[reportArgumentType]
            residual = Residual(value, self.forward, reader, final)
            self.records.residuals[value] = residual
        entering = self.stack(residual)
        pop = dcf.StackPopOp(entering)
        pop.location = reader.location if reader is not None else pop.location
        self.prologue.block.add_op(pop)
        pop.value.name_hint = value.name_hint
        self.stacks[residual] = (entering, pop.rest)
        return pop.value

    def stack(self, residual: Residual) -> SSAValue:
        """A residual's stack as it is now in this block."""
        if self.parent is None:
            found = self.stacks.get(residual)
            return found[1] if found is not None else residual.final.stack
        found = self.stacks.get(residual)
        if found is None:
            argument = self.block.insert_arg(residual.final.stack.type, len(self.block.args))
            found = self.stacks[residual] = (argument, argument)
        return found[1]

    def set_stack(self, residual: Residual, stack: SSAValue) -> None:
        """What is left of a stack after a nested backward op has popped from it."""
        entering = self.stack(residual)
        first = self.stacks[residual][0] if residual in self.stacks else entering
        self.stacks[residual] = (first, stack)

    def finish(self, *results: SSAValue) -> Sequence[Residual]:
        """Close the block: residuals first, then the code, then a yield of `results` and of what is
        left of each stack. Returns the residuals in the order of the block's last arguments."""
        order = list(self.stacks)
        leaving = [self.stacks[residual][1] for residual in order]
        code = list(self.block.ops)
        for op in code:
            op.detach()
        prologue = list(self.prologue.block.ops)
        for op in prologue:
            op.detach()
        self.block.add_ops([*prologue, *code, dcf.YieldOp(*results, *leaving)])
        return order


def _size_of(array: SSAValue) -> SSAValue:
    """The number of elements of a forward array, asked for where the array is made."""
    op = array.owner
    if isinstance(op, dcf.ArrayWriteOp):
        return _size_of(op.array)
    if isinstance(op, dcf.ArrayNewOp):
        return op.size
    for use in array.uses:
        if isinstance(use.operation, dcf.ArraySizeOp) and _is_first(use.operation, array):
            return use.operation.size
    made = dcf.ArraySizeOp.create(operands=[array], result_types=[TensorType(i32, [])])
    block = _block_of(array)
    if isinstance(op, Operation):
        made.location = op.location
        block.insert_op_after(made, op)
    else:
        first = block.first_op
        assert first is not None
        block.insert_op_before(made, first)
    return made.size


def _bytes_of(value: SSAValue) -> int:
    """The size of a value; that of a value of unknown size counts as large."""
    count = byte_count(value.type)
    return 2**62 if count is None else count


def _is_first(op: Operation, array: SSAValue) -> bool:
    """Whether `op` comes right after an array is made."""
    before = array.owner if isinstance(array.owner, Operation) else None
    return op.parent_block() is _block_of(array) and op.prev_op is before


def _block_of(value: SSAValue) -> Block:
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    block = owner.parent_block()
    assert block is not None
    return block
