"""Ops on one row made into ops on all rows: the same op with one more dimension, in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import stablehlo
from ..dialects.stablehlo.binary import BinaryElementwiseOp
from ..dialects.stablehlo.inference import shape_of, tensor_of
from ..dialects.stablehlo.unary import UnaryElementwiseOp
from ._types import as_tensor

Emit = Callable[[Operation], SSAValue]

ELEMENTWISE = (
    BinaryElementwiseOp,
    UnaryElementwiseOp,
    stablehlo.ClampOp,
    stablehlo.CompareOp,
    stablehlo.ComplexOp,
    stablehlo.IsFiniteOp,
    stablehlo.SelectOp,
)
LINEAR = (stablehlo.ReshapeOp, stablehlo.TransposeOp, stablehlo.NegateOp, stablehlo.ReduceOp)
"""Ops that may be sums of rows just as well as on sums of rows; `reduce` when it adds."""


def is_static(value: SSAValue) -> bool:
    """Whether the value is a tensor of static shape."""
    tensor = as_tensor(value.type)
    return tensor is not None and min(tensor.get_shape(), default=0) >= 0


def is_sum(op: stablehlo.ReduceOp) -> bool:
    """Whether a reduction adds up one tensor."""
    ops = list(op.body.block.ops)
    return (
        len(op.inputs) == 1
        and isinstance(ops[0], stablehlo.AddOp)
        and list(ops[0].operands) == list(op.body.block.args)
        and ops[1].operands[0] is ops[0].results[0]
    )


def can_batch(op: Operation, rows: Sequence[bool]) -> bool:
    """Whether `op` can do all rows at once, when `rows` tells which operands have a row per trip."""
    if len(op.results) != 1 or not all(map(is_static, (*op.operands, *op.results))):
        return False
    match op:
        case stablehlo.DotGeneralOp():
            # Two rows would make a product per row all the same.
            numbers = op.dot_dimension_numbers
            return rows.count(True) == 1 and not numbers.lhs_batching_dimensions.data
        case stablehlo.ReduceOp():
            return is_sum(op) and rows[0] and not rows[1]
        case stablehlo.BroadcastInDimOp() | stablehlo.SliceOp():
            return True
        case stablehlo.ReshapeOp() | stablehlo.TransposeOp():
            return True
        case _:
            return isinstance(op, ELEMENTWISE)


def batch(
    op: Operation, operands: Sequence[SSAValue], rows: Sequence[bool], count: int, emit: Emit
) -> SSAValue:
    """The results of `op` for all of `count` rows; `can_batch` said that it can be had."""
    shape = shape_of(op.results[0])
    match op:
        case stablehlo.DotGeneralOp():
            return _dot(op, operands, rows[0], emit)
        case stablehlo.ReduceOp():
            dimensions = [d + 1 for d in op.dimensions.get_values()]
            body = op.body.clone()
            return emit(stablehlo.ReduceOp([operands[0]], [operands[1]], dimensions, body))
        case stablehlo.BroadcastInDimOp():
            dimensions = [0, *(d + 1 for d in op.broadcast_dimensions.get_values())]
            return emit(stablehlo.BroadcastInDimOp(operands[0], dimensions, _type(op, count)))
        case stablehlo.SliceOp():
            starts = [0, *op.start_indices.get_values()]
            limits = [count, *op.limit_indices.get_values()]
            strides = [1, *op.strides.get_values()]
            return emit(stablehlo.SliceOp(operands[0], starts, limits, strides))
        case stablehlo.ReshapeOp():
            return emit(stablehlo.ReshapeOp(operands[0], _type(op, count)))
        case stablehlo.TransposeOp():
            permutation = [0, *(d + 1 for d in op.permutation.get_values())]
            return emit(stablehlo.TransposeOp(operands[0], permutation))
        case _:
            values = [
                _spread(value, is_row, old, shape, count, emit)
                for value, is_row, old in zip(operands, rows, op.operands, strict=True)
            ]
            made = type(op).create(
                operands=values,
                result_types=[_type(op, count)],
                properties=dict(op.properties),
                attributes=dict(op.attributes),
            )
            return emit(made)


def _type(op: Operation, count: int) -> TensorType[Attribute]:
    tensor = tensor_of(op.results[0])
    return TensorType(tensor.element_type, (count, *tensor.get_shape()), tensor.encoding)


def _spread(
    value: SSAValue, is_row: bool, old: SSAValue, shape: Sequence[int], count: int, emit: Emit
) -> SSAValue:
    """An operand in the shape of all rows; scalars that choose or bound may stay scalars."""
    is_scalar = not shape_of(old) and bool(shape)
    if is_row and not is_scalar or not is_row and is_scalar:
        return value
    dimensions = [0] if is_row else list(range(1, len(shape) + 1))
    type = TensorType(tensor_of(old).element_type, (count, *shape))
    return emit(stablehlo.BroadcastInDimOp(value, dimensions, type))


def _dot(
    op: stablehlo.DotGeneralOp, operands: Sequence[SSAValue], is_left: bool, emit: Emit
) -> SSAValue:
    """One product: its rows are those of all trips."""
    numbers = op.dot_dimension_numbers
    left = [d + is_left for d in numbers.lhs_contracting_dimensions.data]
    right = [d + (not is_left) for d in numbers.rhs_contracting_dimensions.data]
    product = dot(op, operands[0], operands[1], [], [], left, right, emit)
    free = len(shape_of(op.lhs)) - len(left)
    if is_left or not free:
        return product
    # The trips come after what is free of the left factor.
    rank = len(shape_of(product))
    others = [d for d in range(rank) if d != free]
    return emit(stablehlo.TransposeOp(product, [free, *others]))


def dot(
    op: stablehlo.DotGeneralOp,
    left: SSAValue,
    right: SSAValue,
    left_batch: Sequence[int],
    right_batch: Sequence[int],
    left_contracted: Sequence[int],
    right_contracted: Sequence[int],
    emit: Emit,
) -> SSAValue:
    """A product of other factors, with the element type and the precision of `op`."""
    made = stablehlo.DotGeneralOp(
        left,
        right,
        stablehlo.DotDimensionNumbersAttr(
            list(left_batch), list(right_batch), list(left_contracted), list(right_contracted)
        ),
        precision_config=op.precision_config,
        algorithm=op.algorithm,
    )
    element = tensor_of(op.result).element_type
    if tensor_of(made.result).element_type != element:
        made = stablehlo.DotGeneralOp(
            left,
            right,
            made.dot_dimension_numbers,
            TensorType(element, shape_of(made.result)),
            op.precision_config,
            op.algorithm,
        )
    return emit(made)
