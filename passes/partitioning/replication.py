"""What a device computes for itself instead of being told: constants, and scalars that count.

A loop counter costs less to recompute than to send. A carry is replicated when its update is cheap
scalar arithmetic over invariants of the loop and other replicated carries, and so is every value
computed from those in the same way; a counted loop then needs no message for its control. Integers
and booleans count by any arithmetic; floats by steps: they may be added to, and scaled by
invariants, as a time or a rate is. What is computed from a float in other ways is data (Newton's
iteration is no counter), and stays where it was placed. A carry that no trip changes is replicated
as well, whatever its type: its initial value is sent once.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.dcf import WhileOp
from .._slots import terminator_of
from .._types import as_tensor, shape_of
from .homes import carry_of

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

STEPS = {
    "stablehlo.add": (),
    "stablehlo.subtract": (),
    "stablehlo.negate": (),
    "stablehlo.convert": (),
    "stablehlo.select": (),
    "stablehlo.reshape": (),
    "stablehlo.broadcast_in_dim": (),
    "stablehlo.optimization_barrier": (),
    "dcf.stop_gradient": (),
    "stablehlo.multiply": (0, 1),
    "stablehlo.divide": (1,),
}
"""Those of them that make a float count: with the operands of which one must be an invariant."""


def is_constant(op: Operation) -> bool:
    """Whether every device has its own copy of `op`."""
    return not op.operands and op.has_trait(ConstantLike)


class Replication:
    """Answers which values of a function are replicated; takes time linear in the function."""

    def __init__(self) -> None:
        self._loops: dict[WhileOp, _LoopControl] = {}

    def of(self, value: SSAValue) -> bool:
        """Whether a device that needs `value` may compute it itself."""
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
        return loop is not None and value not in self._of_loop(loop).data

    def carries(self, loop: WhileOp) -> list[bool]:
        """Per carry of `loop`, whether each device that needs it keeps it itself."""
        return self._of_loop(loop).carries

    def _of_loop(self, loop: WhileOp) -> _LoopControl:
        known = self._loops.get(loop)
        if known is None:
            known = self._loops[loop] = _LoopControl(loop)
        return known


class _LoopControl:
    """What is control in a loop, loops inside it aside: all that does not depend on data.

    A greatest fixed point: data spreads from ops that are not cheap scalar arithmetic, and from
    carries of other types, to all that uses it.
    """

    def __init__(self, loop: WhileOp):
        self.data: set[SSAValue] = set()
        self.carries: list[bool] = []
        self._loop = loop
        self._pending: list[SSAValue] = []
        end = terminator_of(loop.body)
        arguments = loop.body.block.args
        unchanged = [y is argument for y, argument in zip(end.operands, arguments, strict=True)]
        for number, argument in enumerate(arguments):
            self.carries.append(unchanged[number] or _is_scalar(argument))
            if not self.carries[number]:
                self._spoil(loop, number)
        for region in loop.regions:
            self._visit(region.block)
        while self._pending:
            for use in self._pending.pop().uses:
                user = use.operation
                if user is end:
                    if self.carries[use.index] and not unchanged[use.index]:
                        self.carries[use.index] = False
                        self._spoil(loop, use.index)
                else:
                    self._add(user.results)

    def _visit(self, block: Block) -> None:
        for op in block.ops:
            if not self._counts(op) and not is_constant(op):
                self._add(op.results)
            if not isinstance(op, WhileOp):
                for region in op.regions:
                    self._visit(region.block)

    def _counts(self, op: Operation) -> bool:
        """Whether an op's result is control if its operands are."""
        if op.name not in CHEAP or not all(map(_is_scalar, op.results)):
            return False
        if not any(map(_is_float, op.results)):
            return True
        scalers = STEPS.get(op.name)
        if scalers is None:
            return False
        return not scalers or any(self._is_invariant(op.operands[k]) for k in scalers)

    def _is_invariant(self, value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, Block):
            return not self._loop.is_ancestor(owner)
        return is_constant(owner) or not self._loop.is_ancestor(owner)

    def _spoil(self, loop: WhileOp, number: int) -> None:
        self._add([loop.condition.block.args[number], loop.body.block.args[number]])

    def _add(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            if value not in self.data:
                self.data.add(value)
                self._pending.append(value)


def _is_scalar(value: SSAValue) -> bool:
    return shape_of(value.type) == ()


def _is_float(value: SSAValue) -> bool:
    type = as_tensor(value.type)
    return type is not None and not isinstance(type.element_type, IntegerType)


def _loop_around(op: Operation) -> WhileOp | None:
    """The innermost loop that holds `op`."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, WhileOp):
        parent = parent.parent_op()
    return parent
