"""One table for both modes: an elementwise op's derivative by each operand, as a linear map.

A partial maps a cotangent of the result to the operand's share of it, and just as well a tangent of
the operand to its share of the result's tangent: for a product with a slope, or a choice by a mask,
the map is its own transpose (complex slopes included: they are not conjugated, as in JAX).
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp


class Values:
    """An op's operands and result, for use in derivative code; each may cost a residual."""

    def __init__(self, op: Operation, backward: Backward | None = None):
        self.op = op
        self._backward = backward

    def operand(self, number: int) -> SSAValue:
        return self._value(self.op.operands[number])

    def result(self) -> SSAValue:
        return self._value(self.op.results[0])

    def has_operand(self, number: int) -> bool:
        """Whether the operand is there without a new residual."""
        return self._backward is None or self._backward.is_at_hand(self.op.operands[number])

    def _value(self, value: SSAValue) -> SSAValue:
        return value if self._backward is None else self._backward.value(value)


Partial = Callable[[Emitter, Values, SSAValue], "SSAValue | None"]
"""(emitter, forward values, cotangent or tangent) -> its share."""
Slope = Callable[[Emitter, SSAValue], SSAValue]
"""(emitter, operand or result) -> the derivative at each element."""


def elementwise(name: str, *partials: Partial) -> None:
    """Registers both rules of an op with one result, given a partial per operand."""

    def reverse(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
        (ct,) = cotangents
        assert ct is not None
        values = Values(op, b)
        return [
            partial(b.emit, values, ct) if b.is_active(operand) else None
            for operand, partial in zip(op.operands, partials, strict=True)
        ]

    def forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
        values = Values(op)
        total: SSAValue | None = None
        for tangent, partial in zip(tangents, partials, strict=True):
            if tangent is not None:
                total = e.add(total, partial(e, values, tangent))
        return [total]

    vjp(name)(reverse)
    jvp(name)(forward)


def identity(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    """The operand is added to the result."""
    return t


def from_operand(slope: Slope) -> Partial:
    """A product with a slope that is computed from the (first) operand."""
    return lambda e, v, t: e.mul(t, slope(e, v.operand(0)))


def from_result(slope: Slope) -> Partial:
    """A product with a slope that is computed from the result."""
    return lambda e, v, t: e.mul(t, slope(e, v.result()))


def none_by(operand: str) -> Partial:
    """The op has no derivative by this operand."""

    def partial(e: Emitter, v: Values, t: SSAValue) -> SSAValue | None:
        raise NoDerivative(f"'{v.op.name}' has no derivative by its {operand}", v.op)

    return partial


def plus(e: Emitter, value: SSAValue, number: float) -> SSAValue:
    """`value + number`."""
    return e.value(stablehlo.AddOp(value, e.full_like(number, value)))


def minus_from(e: Emitter, number: float, value: SSAValue) -> SSAValue:
    """`number - value`."""
    return e.sub(e.full_like(number, value), value)


def splat_number(value: SSAValue) -> float | None:
    """The number that a constant of real type repeats, if `value` is one."""
    op = value.owner
    if isinstance(op, stablehlo.BroadcastInDimOp):
        return splat_number(op.operand)
    if not isinstance(op, stablehlo.ConstantOp):
        return None
    data = op.value
    if not isinstance(data, DenseIntOrFPElementsAttr) or not data.is_splat():
        return None
    number = data.get_values()[0]
    return float(number) if isinstance(number, float | int) else None
