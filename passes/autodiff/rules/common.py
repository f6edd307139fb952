"""What the rule files share: copies of ops, small regions, shapes that may be known only at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    BoolAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    TensorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.constraints import i64_array
from ....dialects.stablehlo.inference import (
    element_of,
    real_part,
    shape_of,
    tensor_of,
    with_element_type,
)
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp


def only(values: Contributions) -> SSAValue:
    """The cotangent of an op's one result; rules are called only when something is not zero."""
    (value,) = values
    assert value is not None
    return value


def is_static(value: SSAValue | Attribute) -> bool:
    return tensor_of(value).has_static_shape()


# Copies of ops.


def copy(e: Emitter, op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """The same op on other operands."""
    made = op.clone()
    made.operands = list(operands)
    return e.emit(made)


def linear(*names: str) -> None:
    """A jvp rule for ops that are linear in their first operand and have no other that varies."""

    @jvp(*names)
    def _linear(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:  # pyright: ignore[reportUnusedFunction]
        first = tangents[0]
        if first is None:
            return [None] * len(op.results)
        return copy(e, op, [first, *op.operands[1:]]).results


def or_zeros(e: Emitter, tangent: SSAValue | None, like: SSAValue) -> SSAValue:
    """A tangent, as zeros when it is None."""
    return e.zeros_like(like) if tangent is None else tangent


def plus(e: Emitter, a: SSAValue, b: SSAValue) -> SSAValue:
    return e.value(stablehlo.AddOp(a, b))


# Regions.


def scalar_type(value: SSAValue | Attribute) -> TensorType[Attribute]:
    return TensorType(element_of(value), [])


def binary_region(kind: type[Any], element: Attribute) -> Region:
    """A region that returns `kind` of its two arguments."""
    scalar = TensorType(element, [])
    block = Block(arg_types=[scalar, scalar])
    made: Operation = kind(block.args[0], block.args[1])
    block.add_ops([made, stablehlo.ReturnOp(made.results[0])])
    return Region(block)


def second_region(element: Attribute) -> Region:
    """A region that returns the second of its two arguments: in a scatter, the update."""
    scalar = TensorType(element, [])
    block = Block(arg_types=[scalar, scalar])
    block.add_op(stablehlo.ReturnOp(block.args[1]))
    return Region(block)


def single_op(block: Block) -> str | None:
    """The name of the block's only op, when the block returns that op of its two arguments."""
    ops = list(block.ops)
    if len(ops) != 2 or len(block.args) != 2 or tuple(ops[1].operands) != tuple(ops[0].results):
        return None
    return ops[0].name if tuple(ops[0].operands) in _both_orders(block) else None


def _both_orders(block: Block) -> Sequence[tuple[SSAValue, ...]]:
    first, second = block.args
    return (first, second), (second, first)


def returned(block: Block) -> Sequence[SSAValue]:
    assert block.last_op is not None
    return block.last_op.operands


def describe(block: Block) -> str:
    """What a region does, for messages: the names of its ops."""
    names = [op.name.removeprefix("stablehlo.") for op in block.ops if op is not block.last_op]
    return " ".join(names) or "one that returns an argument"


def is_true(flag: BoolAttr | None) -> bool:
    """A flag that may be absent."""
    return flag is not None and bool(flag.value.data)


# Numbers and shapes.


def integers(e: Emitter, values: Sequence[int]) -> SSAValue:
    """A 1-d i64 tensor of known numbers."""
    data = DenseIntOrFPElementsAttr.from_list(TensorType(i64, [len(values)]), list(values))
    return e.value(stablehlo.ConstantOp(cast(Any, data)))


def sizes_in_forward(b: Backward, value: SSAValue, op: Operation) -> SSAValue:
    """The sizes of a forward value as a 1-d i64 tensor. When they are known only at run time, it is
    they that the forward code keeps, not the value."""
    if is_static(value):
        return integers(b.emit, shape_of(value))
    e = Emitter(Block())
    e.source = op
    sizes = e.shape(value)
    block = op.parent_block()
    assert block is not None
    for made in list(e.block.ops):
        made.detach()
        block.insert_op_before(made, op)
    return b.value(sizes)


def reshape_like(b: Backward, value: SSAValue, like: SSAValue, op: Operation) -> SSAValue:
    """`value` in the shape of a forward value."""
    if value.type == like.type:
        return value
    if is_static(like):
        return b.emit.reshape(value, shape_of(like))
    return dynamic_reshape(b.emit, value, sizes_in_forward(b, like, op), shape_of(like))


def dynamic_reshape(e: Emitter, value: SSAValue, sizes: SSAValue, shape: Sequence[int]) -> SSAValue:
    return e.value(
        stablehlo.DynamicReshapeOp.create(
            operands=[value, sizes], result_types=[TensorType(element_of(value), shape)]
        )
    )


def spread_like(
    b: Backward, value: SSAValue, like: SSAValue, dimensions: Sequence[int], op: Operation
) -> SSAValue:
    """`value` broadcast to the shape of a forward value: dimension k becomes `dimensions[k]`."""
    if is_static(like):
        return b.emit.broadcast(value, shape_of(like), dimensions)
    sizes = sizes_in_forward(b, like, op)
    return dynamic_broadcast(b.emit, value, sizes, shape_of(like), dimensions)


def spread(e: Emitter, value: SSAValue, like: SSAValue, dimensions: Sequence[int]) -> SSAValue:
    """`value` broadcast to the shape of a value at hand."""
    if is_static(like):
        return e.broadcast(value, shape_of(like), dimensions)
    return dynamic_broadcast(e, value, e.shape(like), shape_of(like), dimensions)


def dynamic_broadcast(
    e: Emitter,
    value: SSAValue,
    sizes: SSAValue,
    shape: Sequence[int],
    dimensions: Sequence[int],
) -> SSAValue:
    return e.value(
        stablehlo.DynamicBroadcastInDimOp.create(
            operands=[value, sizes],
            result_types=[TensorType(element_of(value), shape)],
            properties={"broadcast_dimensions": i64_array(dimensions)},
        )
    )


def iota(e: Emitter, dimension: int, shape: Sequence[int], element: Attribute = i32) -> SSAValue:
    return e.value(stablehlo.IotaOp(dimension, TensorType(element, shape)))


def transpose(e: Emitter, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
    if list(permutation) == list(range(len(permutation))):
        return value
    return e.value(stablehlo.TransposeOp(value, list(permutation)))


def conjugate(e: Emitter, value: SSAValue) -> SSAValue:
    """The complex conjugate; a real value itself."""
    element = element_of(value)
    if not isinstance(element, ComplexType):
        return value
    real = real_part_of(e, value)
    part = stablehlo.ImagOp.create(operands=[value], result_types=[real.type])
    imaginary = e.neg(e.value(part))
    return e.value(
        stablehlo.ComplexOp.create(operands=[real, imaginary], result_types=[value.type])
    )


def real_part_of(e: Emitter, value: SSAValue) -> SSAValue:
    """The real part of a complex value."""
    type = with_element_type(value.type, real_part(element_of(value)))
    return e.value(stablehlo.RealOp.create(operands=[value], result_types=[type]))


def largest(element: Attribute) -> int:
    """The largest value of an integer type."""
    if not isinstance(element, IntegerType):
        return 2**63 - 1
    width = cast(IntegerType, element)
    if element == i1:
        return 1
    unsigned = width.signedness.data == Signedness.UNSIGNED
    return 2 ** (width.width.data - (not unsigned)) - 1
