"""Emits the StableHLO ops of derivatives at one place, with types inferred and trivial ones left out.

A cotangent or tangent of zero is `None` throughout the differentiation passes, so nothing is computed
with zeros that are known; `add` of a value and `None` is the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ...dialects import dcf, stablehlo
from ...dialects.dcf.types import cotangent_type
from ...dialects.plan.devices import inherit_device
from ...dialects.stablehlo.inference import shape_of, tensor_of, with_element_type

ORIGIN = "origin"
"""Attribute that names the forward op a derivative's op belongs to; passes preserve it."""


class Emitter:
    """Appends ops to `block`, each with the location, origin and device of the op being differentiated."""

    def __init__(self, block: Block):
        self.block = block
        self.source: Operation | None = None
        """The op whose rule is running."""

    def emit(self, op: Operation) -> Operation:
        """Append an op as it is."""
        if self.source is not None:
            op.location = self.source.location
            origin = self.source.attributes.get(ORIGIN)
            if isinstance(origin, IntegerAttr | StringAttr):
                op.attributes[ORIGIN] = origin
            inherit_device(self.source, op)
        self.block.add_op(op)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Append an op; its only result."""
        return self.emit(op).results[0]

    # Constants.

    def constant(self, value: float | int | bool, type: Attribute) -> SSAValue:
        """A splat of static shape."""
        tensor = tensor_of(type)
        return self.value(stablehlo.ConstantOp(_splat(value, tensor)))

    def full_like(self, value: float | int | bool, like: SSAValue) -> SSAValue:
        """A splat of the type of `like`, whose shape may be dynamic."""
        tensor = tensor_of(like)
        if all(size >= 0 for size in tensor.get_shape()):
            return self.constant(value, tensor)
        scalar = self.constant(value, TensorType(tensor.element_type, []))
        shape = self.shape(like)
        dimensions = DenseArrayBase.from_list(i64, [])
        return self.value(
            stablehlo.DynamicBroadcastInDimOp.create(
                operands=[scalar, shape],
                result_types=[tensor],
                properties={"broadcast_dimensions": dimensions},
            )
        )

    def zeros_like(self, like: SSAValue) -> SSAValue:
        """Zeros of the type and shape of `like`."""
        return self.full_like(0, like)

    def zero(self, like: SSAValue) -> SSAValue:
        """A zero cotangent or tangent of a value: zeros, an empty stack, a gradient array."""
        if isinstance(like.type, dcf.StackType):
            return self.value(dcf.StackNewOp(like.type))
        if isinstance(like.type, dcf.ArrayType):
            size = dcf.ArraySizeOp.create(operands=[like], result_types=[TensorType(i32, [])])
            return self.zero_array(like, self.value(size))
        return self.zeros_like(like)

    def zero_array(self, like: SSAValue, size: SSAValue) -> SSAValue:
        """A gradient array of `size` zeros, for an array."""
        type = cotangent_type(like.type)
        assert isinstance(type, dcf.ArrayType)
        return self.value(dcf.ArrayNewOp(size, type))

    def shape(self, value: SSAValue) -> SSAValue:
        """The sizes of a value's dimensions, as a 1-d i64 tensor."""
        sizes: list[SSAValue] = []
        for dimension in range(len(shape_of(value))):
            size = self.value(
                stablehlo.GetDimensionSizeOp.create(
                    operands=[value],
                    result_types=[TensorType(i32, [])],
                    properties={"dimension": IntegerAttr(dimension, i64)},
                )
            )
            wide = self.convert(size, i64)
            sizes.append(self.reshape(wide, [1]))
        return self.value(stablehlo.ConcatenateOp(sizes, 0))

    # Arithmetic.

    def add(self, a: SSAValue | None, b: SSAValue | None) -> SSAValue | None:
        """The sum; zero (`None`) adds nothing."""
        if a is None or b is None:
            return b if a is None else a
        if isinstance(a.type, dcf.StackType):
            return self.value(dcf.StackAddOp(a, b))
        if isinstance(a.type, dcf.ArrayType):
            return self._add_arrays(a, b)
        return self.value(stablehlo.AddOp(a, b))

    def _add_arrays(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The sum of two gradient arrays, through tensors, as both may hold any of the elements."""
        assert isinstance(a.type, dcf.ArrayType)
        element = a.type.element_type
        rows = TensorType(element.element_type, [DYNAMIC_INDEX, *element.get_shape()])
        tensors = [
            self.value(dcf.ArrayStackOp.create(operands=[array], result_types=[rows]))
            for array in (a, b)
        ]
        total = self.add(*tensors)
        assert total is not None
        return self.value(dcf.ArrayUnstackOp.create(operands=[total], result_types=[a.type]))

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.value(stablehlo.SubtractOp(a, b))

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.value(stablehlo.MultiplyOp(a, b))

    def div(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.value(stablehlo.DivideOp(a, b))

    def neg(self, a: SSAValue) -> SSAValue:
        return self.value(stablehlo.NegateOp(a))

    def scale(self, a: SSAValue, factor: float) -> SSAValue:
        """`a` times a number."""
        return self.mul(a, self.full_like(factor, a))

    # Choice.

    def compare(self, direction: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """Elementwise comparison, by the type's own order."""
        element = tensor_of(a).element_type
        if isinstance(element, AnyFloat | ComplexType):
            kind = "FLOAT"
        elif isa(element, IntegerType) and element != i1 and not _is_unsigned(element):
            kind = "SIGNED"
        else:
            kind = "UNSIGNED"
        return self.value(stablehlo.CompareOp(a, b, direction, kind))

    def select(self, predicate: SSAValue, on_true: SSAValue, on_false: SSAValue) -> SSAValue:
        return self.value(stablehlo.SelectOp(predicate, on_true, on_false))

    # Types and shapes.

    def convert(self, value: SSAValue, element: Attribute) -> SSAValue:
        """`value` with another element type."""
        if tensor_of(value).element_type == element:
            return value
        type = with_element_type(value.type, element)
        return self.value(stablehlo.ConvertOp(value, type))

    def reshape(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        tensor = tensor_of(value)
        if tuple(shape) == tuple(tensor.get_shape()):
            return value
        return self.value(stablehlo.ReshapeOp(value, TensorType(tensor.element_type, shape)))

    def broadcast(
        self, value: SSAValue, shape: Sequence[int], dimensions: Sequence[int]
    ) -> SSAValue:
        """`value` with dimension k becoming dimension `dimensions[k]` of `shape`."""
        type = TensorType(tensor_of(value).element_type, shape)
        return self.value(stablehlo.BroadcastInDimOp(value, dimensions, type))

    def sum(self, value: SSAValue, dimensions: Sequence[int]) -> SSAValue:
        """The sum over dimensions, which go away."""
        if not dimensions:
            return value
        element = tensor_of(value).element_type
        scalar = TensorType(element, [])
        body = Block(arg_types=[scalar, scalar])
        total = stablehlo.AddOp(body.args[0], body.args[1])
        body.add_ops([total, stablehlo.ReturnOp(total.result)])
        zero = self.constant(0, scalar)
        return self.value(stablehlo.ReduceOp([value], [zero], list(dimensions), Region(body)))


def _is_unsigned(element: IntegerType) -> bool:
    return element.signedness.data == Signedness.UNSIGNED


def _splat(value: float | int | bool, tensor: TensorType[Attribute]) -> DenseIntOrFPElementsAttr:
    element = tensor.element_type
    one: Any = value
    if isinstance(element, AnyFloat):
        one = float(value)
    elif isa(element, ComplexType):
        one = (float(value), 0.0)
    return DenseIntOrFPElementsAttr.from_list(cast(Any, tensor), [one])
