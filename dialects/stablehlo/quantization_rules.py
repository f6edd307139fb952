"""The constraints on quantized operands and results that several ops of `stablehlo` share."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, SSAValue

from ..quant import UniformQuantizedType
from .constraints import quantized_element
from .inference import element_of, shape_of
from .rules import expect_shape, mismatch


def _axis(quantized: UniformQuantizedType | None) -> int | None:
    return None if quantized is None else quantized.axis


def expect_quantized_sum(lhs: SSAValue, rhs: SSAValue, result: SSAValue) -> bool:
    """Constraints 2 to 7 of `add`; says whether anything is quantized."""
    types = [quantized_element(value.type) for value in (lhs, rhs, result)]
    if types == [None] * 3:
        return False
    left, right, out = types
    if left is None or right is None or out is None:
        listed = ", ".join(str(element_of(value)) for value in (lhs, rhs, result))
        raise mismatch("all or none of lhs, rhs and result quantized", listed, "add_c2")
    for name, value in (("rhs", rhs), ("result", result)):
        expect_shape(name, value.type, shape_of(lhs), "add_c1")
    for name, other in (("rhs", right), ("result", out)):
        if other.storage_type != left.storage_type:
            raise mismatch(f"{name} stored as {left.storage_type}", other.storage_type, "add_c3")
        if other.expressed_type != left.expressed_type:
            expected = f"{name} that expresses {left.expressed_type}"
            raise mismatch(expected, other.expressed_type, "add_c4")
    if (left.is_per_axis or right.is_per_axis) != out.is_per_axis:
        expected = "result quantized per-axis if and only if an operand is"
        raise mismatch(expected, out, "add_c5")
    for operand, label in ((left, "add_c6"), (right, "add_c7")):
        if operand.is_per_axis and operand.axis != out.axis:
            raise mismatch(f"result quantized along dimension {operand.axis}", out.axis, label)
    return True


def expect_product_elements(
    op_name: str, lhs: Attribute, rhs: Attribute, result: Attribute
) -> None:
    """Rhs of a product is quantized if any is, lhs if and only if the result is.

    Of elements that are not quantized, those of a convolution's operands are equal; results may be
    of another type, as MLIR has it.
    """
    left, right, out = map(quantized_element, (lhs, rhs, result))
    labels = [f"{op_name}_c{number}" for number in _PRODUCT_RULES[op_name]]
    if left is None and right is None and out is None:
        if op_name != "dot_general" and element_of(lhs) != element_of(rhs):
            expected = f"rhs of {element_of(lhs)} elements"
            raise mismatch(expected, element_of(rhs), f"{op_name}_c27")
        return
    if right is None or (left is None) != (out is None):
        expected = "rhs quantized, and lhs quantized if and only if the result is"
        raise mismatch(expected, f"{lhs}, {rhs} and {result}", labels[0])
    if left is None or out is None:
        if not element_of(lhs) == right.expressed_type == element_of(result):
            expected = f"lhs and result of {right.expressed_type} elements, as rhs expresses"
            raise mismatch(expected, f"{element_of(lhs)} and {element_of(result)}", labels[4])
        return
    if left.storage_type != right.storage_type:
        raise mismatch(f"rhs stored as {left.storage_type}", right.storage_type, labels[1])
    if not left.expressed_type == right.expressed_type == out.expressed_type:
        raise mismatch(
            f"rhs and result that express {left.expressed_type}",
            f"{right.expressed_type} and {out.expressed_type}",
            labels[2],
        )
    if right.is_per_tensor and not out.is_per_tensor:
        raise mismatch("result quantized per-tensor, as rhs is", out, labels[3])


_PRODUCT_RULES = {
    "dot_general": (14, 17, 18, 19, 20),
    "convolution": (28, 31, 32, 33, 34),
    "dynamic_conv": (28, 31, 32, 33, 34),
}
"""Numbers of the constraints: which are quantized, storage, expressed, granularity, mixed."""


def expect_broadcast_axis(
    op_name: str, operand: SSAValue, result: SSAValue, dimensions: Sequence[int]
) -> None:
    """Constraints 1 and 6 of `broadcast_in_dim`, for the parameters of quantized elements."""
    before, after = quantized_element(operand.type), quantized_element(result.type)
    if before is None or after is None:
        return
    label = f"{op_name}_c1"
    if before.is_per_axis != after.is_per_axis:
        raise mismatch("operand and result both quantized per-axis or neither", after, label)
    if not after.is_per_axis:
        if before != after:
            raise mismatch(f"result of {before} elements", after, label)
        return
    label, axis = f"{op_name}_c6", before.axis
    if axis is None or dimensions[axis] != after.axis:
        expected = "result quantized along the dimension that the operand's becomes"
        raise mismatch(expected, after.axis, label)
    parameters = list(zip(before.scale_values, before.zero_point_values))
    got = list(zip(after.scale_values, after.zero_point_values))
    if shape_of(operand)[axis] == 1:
        parameters *= len(got)
    if got != parameters:
        raise mismatch(f"scales and zero points {parameters}", got, label)


def expect_reshaped_axis(operand: SSAValue, result: SSAValue, label: str) -> None:
    """Constraint 3 of `reshape`: the quantized dimension keeps its size and what is around it."""
    before, after = quantized_element(operand.type), quantized_element(result.type)
    axis, target = _axis(before), _axis(after)
    if axis is None and target is None:
        return
    if axis is None or target is None:
        raise mismatch("operand and result both quantized per-axis or neither", after, label)
    shape, reshaped = shape_of(operand), shape_of(result)
    for what, sizes, other in (
        ("sizes before the quantized dimension", shape[:axis], reshaped[:target]),
        ("a quantized dimension", (shape[axis],), (reshaped[target],)),
        ("sizes behind the quantized dimension", shape[axis + 1 :], reshaped[target + 1 :]),
    ):
        if DYNAMIC_INDEX not in (*sizes, *other) and prod(sizes) != prod(other):
            raise mismatch(f"{what} of {prod(sizes)} elements", prod(other), label)


def expect_transposed_axis(
    operand: SSAValue, result: SSAValue, permutation: Sequence[int], label: str
) -> None:
    """Constraint 4 of `transpose`: the quantized dimension moves with the permutation."""
    axis = _axis(quantized_element(result.type))
    if axis is None:
        return
    before = _axis(quantized_element(operand.type))
    if before != permutation[axis]:
        raise mismatch(f"operand quantized along dimension {permutation[axis]}", before, label)


def expect_same_elements(what: str, got: Attribute, expected: Attribute, label: str) -> None:
    """As `expect_element`, but the quantized dimension may differ: another constraint tells how."""
    element = element_of(got)
    if isinstance(element, UniformQuantizedType) and isinstance(expected, UniformQuantizedType):
        if element.baseline()[:4] == expected.baseline()[:4]:
            return
    if element != expected:
        raise mismatch(f"{what} of {expected} elements", element, label)
