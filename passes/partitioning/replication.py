"""What a device computes for itself instead of being told: constants, and scalars that count.

A loop counter costs less to recompute than to send. A carry is replicated when its update is cheap
scalar arithmetic over invariants of the loop and other replicated carries, and so is every value
computed from those in the same way; a counted loop then needs no message for its control. A carry
that no trip changes is replicated as well, whatever its type: its initial value is sent once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.dcf import WhileOp
from .._slots import terminator_of
from .homes import carry_of, index_of

CHEAP = frozenset(
    {
        "stablehlo.abs",
        "stablehlo.add",
        "stablehlo.and",
        "stablehlo.broadcast_in_dim",
        "stablehlo.clamp",
        "stablehlo.compare",
        "stablehlo.convert",
        "stablehlo.divide",
        "stablehlo.maximum",
        "stablehlo.minimum",
        "stablehlo.multiply",
        "stablehlo.negate",
        "stablehlo.not",
        "stablehlo.optimization_barrier",
        "stablehlo.or",
        "stablehlo.remainder",
        "stablehlo.reshape",
        "stablehlo.select",
        "stablehlo.shift_left",
        "stablehlo.shift_right_arithmetic",
        "stablehlo.shift_right_logical",
        "stablehlo.sign",
        "stablehlo.subtract",
        "stablehlo.xor",
        "dcf.stop_gradient",
    }
)
"""Pure ops that cost less on scalars than a message does."""


def is_constant(op: Operation) -> bool:
    """Whether every device has its own copy of `op`."""
    return not op.operands and op.has_trait(ConstantLike)


class Replication:
    """Answers which values of a function are replicated."""

    def __init__(self) -> None:
        self._carries: dict[WhileOp, list[bool]] = {}

    def of(self, value: SSAValue) -> bool:
        """Whether a device that needs `value` computes it itself."""
        carry = carry_of(value)
        if carry is not None:
            loop, number = carry
            return self.carries(loop)[number]
        owner = value.owner
        if isinstance(owner, Block):
            return False
        if is_constant(owner):
            return True
        loop = _loop_around(owner)
        return loop is not None and self._is_cheap(value, loop, self.carries(loop))

    def carries(self, loop: WhileOp) -> list[bool]:
        """Per carry of `loop`, whether each device that needs it keeps it itself."""
        known = self._carries.get(loop)
        if known is not None:
            return known
        yields = terminator_of(loop.body).operands
        unchanged = [y is argument for y, argument in zip(yields, loop.body.block.args)]
        flags = [
            same or _is_scalar(argument)
            for same, argument in zip(unchanged, loop.body.block.args, strict=True)
        ]
        changed = True
        while changed:
            changed = False
            for number, value in enumerate(yields):
                if flags[number] and not unchanged[number]:
                    if not self._is_cheap(value, loop, flags):
                        flags[number] = False
                        changed = True
        self._carries[loop] = flags
        return flags

    def _is_cheap(self, value: SSAValue, loop: WhileOp, flags: list[bool]) -> bool:
        """Whether `value` costs cheap arithmetic in each trip of `loop`, given its carries'
        flags."""
        pending = [value]
        seen: set[SSAValue] = set()
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            owner = at.owner
            if isinstance(owner, Block):
                if owner.parent_op() is loop:
                    if not flags[index_of(at)]:
                        return False
                elif _is_inside(owner, loop):
                    return False
                continue
            if not _is_inside(owner.parent_block(), loop) or is_constant(owner):
                continue
            if owner.name not in CHEAP or not _is_scalar(at) or _loop_around(owner) is not loop:
                return False
            pending.extend(owner.operands)
        return True


def _is_scalar(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not value.type.shape.data  # pyright: ignore


def _loop_around(op: Operation) -> WhileOp | None:
    """The innermost loop that holds `op`."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, WhileOp):
        parent = parent.parent_op()
    return parent


def _is_inside(block: Block | None, loop: WhileOp) -> bool:
    """Whether a block is in a region of `loop`, at any depth."""
    while block is not None:
        parent = block.parent_op()
        if parent is loop:
            return True
        block = None if parent is None else parent.parent_block()
    return False
