"""What there is to place in a function, and the values that connect it.

Placed are its arguments, its results, and the plain ops at every depth of its loops and branches. A
structured op has no place of its own, nor has a terminator, nor what is inside a plain op (the body
of a reduction): it runs where the op does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import (
    ComplexType,
    FixedBitwidthType,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, IsTerminator

from ...dialects import dcf
from ...dialects.diagnostics import ProgramError, position_of

STRUCTURED = (dcf.WhileOp, dcf.CondOp, dcf.CaseOp, dcf.ScanOp)
SOURCE_LEVEL = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})

Item = Operation | BlockArgument
"""What has a place: a plain op, or an argument of the function."""


@dataclass(frozen=True)
class Choice:
    """A device, and why."""

    device: str
    why: str


def plain_ops(function: FuncOp) -> list[Operation]:
    """The ops to place, in the order of the text."""
    found: list[Operation] = []
    pending: list[Operation] = list(reversed(function.body.block.ops))
    while pending:
        op = pending.pop()
        if isinstance(op, STRUCTURED):
            for region in reversed(op.regions):
                pending.extend(reversed(region.block.ops))
        elif op.name in SOURCE_LEVEL:
            raise ProgramError(
                f"expected a structured program (dcf) to place, got '{op.name}': run"
                " convert-stablehlo-to-dcf first",
                op,
            )
        elif not op.has_trait(IsTerminator):
            found.append(op)
    return found


def structured_around(op: Operation) -> Iterator[Operation]:
    """The structured ops that hold `op`, innermost first."""
    parent = op.parent_op()
    while isinstance(parent, STRUCTURED):
        yield parent
        parent = parent.parent_op()


def reads(op: Operation) -> Iterable[SSAValue]:
    """What a plain op reads, each value once: its operands, and what its regions capture."""
    if not op.regions:
        return dict.fromkeys(op.operands)
    inside: set[Operation | Block] = set(op.walk())
    inside.update(block for o in op.walk() for region in o.regions for block in region.blocks)
    captured = (v for inner in op.walk() for v in inner.operands if v.owner not in inside)
    return dict.fromkeys((*op.operands, *captured))


def is_constant(op: Operation | Block) -> bool:
    """Whether an op is a constant, which any device can make for itself."""
    return isinstance(op, Operation) and op.has_trait(ConstantLike)


def bytes_of_type(type: Attribute) -> int:
    """How large a value is; a dimension that is not known counts as one."""
    if not isinstance(type, TensorType):
        return 0
    element: Attribute = type.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    size = 1
    if isinstance(element, ComplexType):
        size, element = 2, element.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(element, FixedBitwidthType):
        size *= max(1, element.size)
    return size * prod(max(1, extent) for extent in type.get_shape())


def homes(value: SSAValue) -> Iterable[SSAValue]:
    """The values that live where `value` does if it is no plain op's result: the likeliest first.

    A carry lives where its next value is computed, or else where its first one is; a result of
    a branch where the first branch computes it.
    """
    owner = value.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    assert isinstance(value, OpResult | BlockArgument)
    number = value.index
    if isinstance(op, dcf.WhileOp):
        return yielded(op, number), op.inits[number]
    if isinstance(op, dcf.ScanOp):
        carries = len(op.inits)
        if number < carries:
            return yielded(op, number), op.inits[number]
        if isinstance(owner, Block):
            return (op.inputs[number - carries],)
        out = op.outs[number - carries : number - carries + 1]
        return (yielded(op, number), *out)
    if isinstance(op, dcf.CondOp | dcf.CaseOp) and not isinstance(owner, Block):
        ends = (region.block.last_op for region in op.regions)
        return [end.operands[number] for end in ends if end is not None]
    return ()


def heirs(operation: Operation, number: int) -> Iterable[SSAValue]:
    """The values that operand `number` of a structured op, or of a terminator in one, becomes."""
    op = operation
    if isinstance(op, dcf.WhileOp):
        return _faces(op, number)
    if isinstance(op, dcf.ScanOp):
        carries, inputs = len(op.inits), len(op.inputs)
        if number < carries:
            return _faces(op, number)
        if number < carries + inputs:
            return (op.body.block.args[number],)
        is_buffer = number < carries + inputs + len(op.outs)
        return (op.results[number - inputs],) if is_buffer else ()
    parent = op.parent_op()
    if not isinstance(op, dcf.YieldOp):
        return ()
    if isinstance(parent, dcf.WhileOp):
        return _faces(parent, number)
    if isinstance(parent, dcf.ScanOp):
        return _faces(parent, number) if number < len(parent.inits) else (parent.results[number],)
    return (parent.results[number],) if isinstance(parent, dcf.CondOp | dcf.CaseOp) else ()


def yielded(op: dcf.WhileOp | dcf.ScanOp, number: int) -> SSAValue:
    """What the body of a loop yields as value `number`."""
    end = op.body.block.last_op
    assert end is not None
    return end.operands[number]


def place_text(op: Operation) -> str:
    """Where an op stands, for messages: `file:line:column`."""
    position = position_of(op.location)
    return "an unknown line" if position is None else ":".join(map(str, position))


def _faces(op: dcf.WhileOp | dcf.ScanOp, number: int) -> Iterable[SSAValue]:
    faces = [region.block.args[number] for region in op.regions]
    return (*faces, op.results[number])
