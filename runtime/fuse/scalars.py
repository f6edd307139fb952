"""Scalar integers and booleans as plain Python numbers in generated code.

Integer arithmetic is exact, so a Python `int` wrapped to the type's range has the same bits as the
NumPy scalar, at a tenth of the cost: loop counters and conditions run at Python speed. Floats stay
with NumPy's kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType
from xdsl.ir import Attribute, Operation


@dataclass(frozen=True)
class ScalarType:
    """A static 0-d integer or boolean tensor type."""

    bits: int
    signed: bool

    @property
    def is_bool(self) -> bool:
        return self.bits == 1

    @property
    def dtype(self) -> str:
        """The NumPy scalar type's name."""
        if self.is_bool:
            return "bool_"
        return f"{'int' if self.signed else 'uint'}{self.bits}"

    @property
    def bounds(self) -> tuple[int, int]:
        if self.signed:
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1


def scalar_type(type: Attribute) -> ScalarType | None:
    """The scalar type, or None when values of `type` are not unboxed."""
    # Asked for every value of a program, so without `isa`, which builds a constraint each time.
    if not isinstance(type, TensorType):
        return None
    tensor = cast("TensorType[Attribute]", type)
    if tensor.shape.data or not isinstance(tensor.element_type, IntegerType):
        return None
    element = cast(IntegerType, tensor.element_type)
    if element.width.data not in (1, 8, 16, 32, 64):
        return None
    bits = element.width.data
    return ScalarType(bits, bits > 1 and element.signedness.data != Signedness.UNSIGNED)


@dataclass(frozen=True)
class ScalarOp:
    """An op on scalars as a Python expression with `{0}`, `{1}`, … for the operands."""

    expression: str
    operands: tuple[ScalarType, ...]
    result: ScalarType
    may_overflow: bool = False


COMPARISONS = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
"""stablehlo.compare's directions."""

Rule = Callable[[Operation, Sequence[ScalarType], ScalarType], "tuple[str, bool] | None"]


def scalar_op(op: Operation) -> ScalarOp | None:
    """How to compute `op` on Python numbers, or None when it must go through its kernel."""
    rule = RULES.get(op.name)
    if rule is None or len(op.results) != 1:
        return None
    result = scalar_type(op.results[0].type)
    operands = [scalar_type(operand.type) for operand in op.operands]
    if result is None or any(operand is None for operand in operands):
        return None
    known = tuple(operand for operand in operands if operand is not None)
    made = rule(op, known, result)
    if made is None:
        return None
    return ScalarOp(made[0], known, result, made[1])


def _arithmetic(symbol: str) -> Rule:
    def rule(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
        return None if result.is_bool else (f"{{0}} {symbol} {{1}}", True)

    return rule


def _fixed(for_bool: str | None, for_int: str | None) -> Rule:
    def rule(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
        expression = for_bool if result.is_bool else for_int
        return None if expression is None else (expression, False)

    return rule


def _compare(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
    direction = op.properties["comparison_direction"]
    symbol = COMPARISONS[str(getattr(direction, "data", direction)).rsplit(".", 1)[-1].upper()]
    return f"{{0}} {symbol} {{1}}", False


def _negate(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
    return None if result.is_bool else ("-{0}", True)


def _not(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
    if result.is_bool:
        return "not {0}", False
    return ("~{0}", False) if result.signed else (f"{result.bounds[1]} - {{0}}", False)


def _convert(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
    source = operands[0]
    if result.is_bool:
        return ("{0}", False) if source.is_bool else ("{0} != 0", False)
    if source.is_bool:
        return "(1 if {0} else 0)", False
    inside = source.bounds[0] >= result.bounds[0] and source.bounds[1] <= result.bounds[1]
    return "{0}", not inside


def _identity(op: Operation, operands: Sequence[ScalarType], result: ScalarType):
    return ("{0}", False) if operands[0] == result else None


RULES: dict[str, Rule] = {
    "stablehlo.add": _arithmetic("+"),
    "stablehlo.subtract": _arithmetic("-"),
    "stablehlo.multiply": _arithmetic("*"),
    "stablehlo.negate": _negate,
    "stablehlo.compare": _compare,
    "stablehlo.and": _fixed("{0} and {1}", "{0} & {1}"),
    "stablehlo.or": _fixed("{0} or {1}", "{0} | {1}"),
    "stablehlo.xor": _fixed("{0} is not {1}", "{0} ^ {1}"),
    "stablehlo.not": _not,
    "stablehlo.minimum": _fixed("{0} and {1}", "({0} if {0} < {1} else {1})"),
    "stablehlo.maximum": _fixed("{0} or {1}", "({0} if {0} > {1} else {1})"),
    "stablehlo.select": _fixed("({1} if {0} else {2})", "({1} if {0} else {2})"),
    "stablehlo.convert": _convert,
    "stablehlo.reshape": _identity,
    "stablehlo.broadcast_in_dim": _identity,
    "stablehlo.optimization_barrier": _identity,
    "dcf.stop_gradient": _identity,
}
"""Op name -> expression on Python numbers (and whether its value may leave the type's range)."""
