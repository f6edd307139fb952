"""The ops of `chlo` that broadcast their operands to one shape first.

They print as `chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>`. The
smaller operand's dimensions are the last ones, or those that `broadcast_dimensions` lists.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, Pure

from .chlo_attributes import ComparisonDirectionAttr, ComparisonTypeAttr
from .stablehlo.assembly import AssembledOp
from .stablehlo.constraints import (
    ANY_TENSOR,
    BOOLEAN,
    BOOLEAN_INTEGER,
    COMPLEX,
    FLOAT,
    I64_ARRAY,
    TensorOf,
)
from .stablehlo.inference import compatible_sizes, element_of, join_sizes, real_part, shape_of
from .stablehlo.rules import (
    expect_dims,
    expect_element,
    expect_shape,
    expect_size,
    expect_sorted,
    expect_unique,
    mismatch,
)


def _broadcast(shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """The shape that all the given ones broadcast to, the last dimensions aligned."""
    rank = max(map(len, shapes))
    aligned = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    result: list[int] = []
    for sizes in zip(*aligned):
        others = [size for size in sizes if size != 1] or [1]
        joined = join_sizes(others)
        if not all(compatible_sizes(size, joined) for size in others):
            listed = ", ".join(map(str, sizes))
            raise mismatch("operands that broadcast to one shape", f"sizes {listed}")
        result.append(joined)
    return result


class BroadcastingOp(AssembledOp, ABC):
    """Base: two operands that are broadcast, of one element type, which is also the result's."""

    lhs = operand_def(ANY_TENSOR)
    rhs = operand_def(ANY_TENSOR)
    broadcast_dimensions = opt_prop_def(I64_ARRAY)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        expect_element("rhs", self.rhs.type, element_of(self.lhs))
        self._verify_result()
        self._verify_shape()

    def _verify_result(self) -> None:
        expect_element("result", self.result.type, element_of(self.lhs))

    def _verify_shape(self) -> None:
        shapes = sorted((shape_of(self.lhs), shape_of(self.rhs)), key=len)
        smaller, larger = shapes
        if self.broadcast_dimensions is not None:
            dims = self.broadcast_dimensions.get_values()
            expect_size("broadcast_dimensions", len(dims), len(smaller), "")
            expect_dims("broadcast_dimensions", dims, len(larger), "")
            expect_unique("broadcast_dimensions", dims, "")
            expect_sorted("broadcast_dimensions", dims, "")
            spread = [1] * len(larger)
            for size, dimension in zip(smaller, dims):
                spread[dimension] = size
            smaller = tuple(spread)
        expect_shape("result", self.result.type, _broadcast((smaller, larger)))


@irdl_op_definition
class BroadcastAddOp(BroadcastingOp):
    """`chlo.broadcast_add %x, %y`: the sum."""

    name = "chlo.broadcast_add"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastAtan2Op(BroadcastingOp):
    """`chlo.broadcast_atan2 %x, %y`: the angle of the point (rhs, lhs)."""

    name = "chlo.broadcast_atan2"


@irdl_op_definition
class BroadcastDivideOp(BroadcastingOp):
    """`chlo.broadcast_divide %x, %y`: the quotient."""

    name = "chlo.broadcast_divide"


@irdl_op_definition
class BroadcastMaximumOp(BroadcastingOp):
    """`chlo.broadcast_maximum %x, %y`: the larger."""

    name = "chlo.broadcast_maximum"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastMinimumOp(BroadcastingOp):
    """`chlo.broadcast_minimum %x, %y`: the smaller."""

    name = "chlo.broadcast_minimum"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastMultiplyOp(BroadcastingOp):
    """`chlo.broadcast_multiply %x, %y`: the product."""

    name = "chlo.broadcast_multiply"
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastNextAfterOp(BroadcastingOp):
    """`chlo.broadcast_next_after %x, %y`: the float next to `%x` on the way to `%y`."""

    name = "chlo.broadcast_next_after"


@irdl_op_definition
class BroadcastPolygammaOp(BroadcastingOp):
    """`chlo.broadcast_polygamma %n, %x`: the derivative of order `%n` of digamma."""

    name = "chlo.broadcast_polygamma"


@irdl_op_definition
class BroadcastPowerOp(BroadcastingOp):
    """`chlo.broadcast_power %x, %y`: lhs to the power of rhs."""

    name = "chlo.broadcast_power"


@irdl_op_definition
class BroadcastRemainderOp(BroadcastingOp):
    """`chlo.broadcast_remainder %x, %y`: the remainder, with the sign of lhs."""

    name = "chlo.broadcast_remainder"


@irdl_op_definition
class BroadcastShiftLeftOp(BroadcastingOp):
    """`chlo.broadcast_shift_left %x, %y`: shifts bits left."""

    name = "chlo.broadcast_shift_left"


@irdl_op_definition
class BroadcastShiftRightArithmeticOp(BroadcastingOp):
    """`chlo.broadcast_shift_right_arithmetic %x, %y`: shifts bits right, copying the sign bit."""

    name = "chlo.broadcast_shift_right_arithmetic"


@irdl_op_definition
class BroadcastShiftRightLogicalOp(BroadcastingOp):
    """`chlo.broadcast_shift_right_logical %x, %y`: shifts bits right, filling with zeros."""

    name = "chlo.broadcast_shift_right_logical"


@irdl_op_definition
class BroadcastSubtractOp(BroadcastingOp):
    """`chlo.broadcast_subtract %x, %y`: the difference."""

    name = "chlo.broadcast_subtract"


@irdl_op_definition
class BroadcastZetaOp(BroadcastingOp):
    """`chlo.broadcast_zeta %x, %q`: the Hurwitz zeta function."""

    name = "chlo.broadcast_zeta"
    lhs = operand_def(TensorOf(FLOAT))
    rhs = operand_def(TensorOf(FLOAT))


class BroadcastLogicOp(BroadcastingOp, ABC):
    """Base: of booleans or integers."""

    lhs = operand_def(TensorOf(BOOLEAN_INTEGER))
    rhs = operand_def(TensorOf(BOOLEAN_INTEGER))
    traits = traits_def(Commutative())


@irdl_op_definition
class BroadcastAndOp(BroadcastLogicOp):
    """`chlo.broadcast_and %x, %y`: logical or bitwise and."""

    name = "chlo.broadcast_and"


@irdl_op_definition
class BroadcastOrOp(BroadcastLogicOp):
    """`chlo.broadcast_or %x, %y`: logical or bitwise or."""

    name = "chlo.broadcast_or"


@irdl_op_definition
class BroadcastXorOp(BroadcastLogicOp):
    """`chlo.broadcast_xor %x, %y`: logical or bitwise exclusive or."""

    name = "chlo.broadcast_xor"


@irdl_op_definition
class BroadcastComplexOp(BroadcastingOp):
    """`chlo.broadcast_complex %re, %im`: the complex number of two real parts."""

    name = "chlo.broadcast_complex"
    lhs = operand_def(TensorOf(FLOAT))
    rhs = operand_def(TensorOf(FLOAT))
    result = result_def(TensorOf(COMPLEX))

    def _verify_result(self) -> None:
        expect_element("lhs", self.lhs.type, real_part(element_of(self.result)))


@irdl_op_definition
class BroadcastCompareOp(BroadcastingOp):
    """`chlo.broadcast_compare %x, %y {comparison_direction = ...}`: compares, giving booleans."""

    name = "chlo.broadcast_compare"
    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)
    result = result_def(TensorOf(BOOLEAN))

    def _verify_result(self) -> None:
        expect_element("result", self.result.type, i1)


@irdl_op_definition
class BroadcastSelectOp(AssembledOp):
    """`chlo.broadcast_select %p, %x, %y`: `%x` where `%p` is true, else `%y`."""

    name = "chlo.broadcast_select"
    pred = operand_def(TensorOf(BOOLEAN))
    on_true = operand_def(ANY_TENSOR)
    on_false = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        element = element_of(self.on_true)
        expect_element("on_false", self.on_false.type, element)
        expect_element("result", self.result.type, element)
        operands: Sequence[SSAValue] = self.operands
        expected = _broadcast([shape_of(value) for value in operands])
        expect_shape("result", self.result.type, expected)


BROADCASTING_OPS = [
    BroadcastAddOp,
    BroadcastAndOp,
    BroadcastAtan2Op,
    BroadcastCompareOp,
    BroadcastComplexOp,
    BroadcastDivideOp,
    BroadcastMaximumOp,
    BroadcastMinimumOp,
    BroadcastMultiplyOp,
    BroadcastNextAfterOp,
    BroadcastOrOp,
    BroadcastPolygammaOp,
    BroadcastPowerOp,
    BroadcastRemainderOp,
    BroadcastSelectOp,
    BroadcastShiftLeftOp,
    BroadcastShiftRightArithmeticOp,
    BroadcastShiftRightLogicalOp,
    BroadcastSubtractOp,
    BroadcastXorOp,
    BroadcastZetaOp,
]
