"""The verifier of `convolution` and `dynamic_conv`, whose constraints have the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .constraints import quantized_element
from .inference import compatible_sizes, shape_of, window_counts
from .quantization_rules import expect_product_elements
from .rules import (
    expect_dims,
    expect_positive,
    expect_size,
    expect_unique,
    mismatch,
)

if TYPE_CHECKING:
    from .convolution import ConvolutionOp, DynamicConvOp

Padding = Sequence[tuple[int, int]]


def verify_convolution(op: ConvolutionOp | DynamicConvOp, padding: Padding | None) -> None:
    """Constraints 1 to 34; `padding` is None when it is known only at run time, or does not fit."""
    name = op.name.removeprefix("stablehlo.")
    lhs, rhs, result = shape_of(op.lhs), shape_of(op.rhs), shape_of(op.result)
    rank = len(lhs)
    expect_size("dimensions of rhs", len(rhs), rank, f"{name}_c1")
    if rank < 2:
        raise mismatch("operands of rank 2 or more", rank, f"{name}_c1")
    _verify_dimension_numbers(op, rank, name)
    strides, lhs_dilation, rhs_dilation = _verify_window(op, rank - 2, name)
    _verify_groups(op, lhs, rhs, name)
    if op.precision_config is not None and op.precision_config.data:
        expect_size("precisions", len(op.precision_config.data), 2, f"{name}_c24")
    expect_size("dimensions of the result", len(result), rank, f"{name}_c26")

    numbers = op.dimension_numbers
    spatial = [lhs[i] for i in numbers.input_spatial_dimensions.data]
    extents = [rhs[i] for i in numbers.kernel_spatial_dimensions.data]
    if padding is None:
        counts = (DYNAMIC_INDEX,) * len(spatial)
    else:
        counts = window_counts(spatial, extents, strides, padding, lhs_dilation, rhs_dilation)
    expected = [DYNAMIC_INDEX] * rank
    batch = lhs[numbers.input_batch_dimension.data]
    if batch != DYNAMIC_INDEX:
        expected[numbers.output_batch_dimension.data] = batch // op.batch_group_count.value.data
    features = rhs[numbers.kernel_output_feature_dimension.data]
    expected[numbers.output_feature_dimension.data] = features
    for place, count in zip(numbers.output_spatial_dimensions.data, counts):
        expected[place] = count
    for i, (got, wanted) in enumerate(zip(result, expected)):
        if not compatible_sizes(got, wanted):
            raise mismatch(f"dimension {i} of the result of size {wanted}", got, f"{name}_c25")
    _verify_elements(op, name)


def _verify_dimension_numbers(op: ConvolutionOp | DynamicConvOp, rank: int, name: str) -> None:
    """Each layout names every dimension once."""
    numbers = op.dimension_numbers
    layouts = (
        (
            "input",
            numbers.input_spatial_dimensions.data,
            (numbers.input_batch_dimension.data, numbers.input_feature_dimension.data),
            12,
        ),
        (
            "kernel",
            numbers.kernel_spatial_dimensions.data,
            (
                numbers.kernel_input_feature_dimension.data,
                numbers.kernel_output_feature_dimension.data,
            ),
            17,
        ),
        (
            "output",
            numbers.output_spatial_dimensions.data,
            (numbers.output_batch_dimension.data, numbers.output_feature_dimension.data),
            19,
        ),
    )
    for what, spatial, others, number in layouts:
        label = f"{name}_c{number}"
        expect_size(f"{what} spatial dimensions", len(spatial), rank - 2, label)
        label, dims = f"{name}_c{number + 1}", (*spatial, *others)
        expect_unique(f"{what} dimensions", dims, label)
        expect_dims(f"the {what} dimensions", dims, rank, label)


def _verify_window(
    op: ConvolutionOp | DynamicConvOp, count: int, name: str
) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Strides and dilations, one for each spatial dimension; 1 when absent."""
    values: list[Sequence[int]] = []
    for what, attribute, number in (
        ("window_strides", op.window_strides, 2),
        ("lhs_dilation", op.lhs_dilation, 5),
        ("rhs_dilation", op.rhs_dilation, 7),
    ):
        given = (1,) * count if attribute is None else attribute.get_values()
        if op.name == "stablehlo.dynamic_conv":
            given = given[:count]  # as in MLIR, more of them than dimensions say nothing
        expect_size(what, len(given), count, f"{name}_c{number}")
        expect_positive(what, given, f"{name}_c{number + 1}")
        values.append(given)
    if op.window_reversal is not None:
        expect_size("window_reversal", len(op.window_reversal.get_values()), count, f"{name}_c9")
    return values[0], values[1], values[2]


def _verify_groups(
    op: ConvolutionOp | DynamicConvOp, lhs: Sequence[int], rhs: Sequence[int], name: str
) -> None:
    """The groups divide the dimensions that they split."""
    numbers = op.dimension_numbers
    feature_groups = op.feature_group_count.value.data
    batch_groups = op.batch_group_count.value.data
    expect_positive("feature_group_count", [feature_groups], f"{name}_c21")
    expect_positive("batch_group_count", [batch_groups], f"{name}_c22")
    if feature_groups != 1 and batch_groups != 1:
        expected = "feature_group_count or batch_group_count 1"
        raise mismatch(expected, f"{feature_groups} and {batch_groups}", f"{name}_c23")
    batch = lhs[numbers.input_batch_dimension.data]
    inputs = lhs[numbers.input_feature_dimension.data]
    outputs = rhs[numbers.kernel_output_feature_dimension.data]
    for what, size, groups, number in (
        ("the input's batch dimension", batch, batch_groups, 10),
        ("the input's feature dimension", inputs, feature_groups, 11),
        ("the kernel's output features", outputs, batch_groups, 15),
        ("the kernel's output features", outputs, feature_groups, 16),
    ):
        if size != DYNAMIC_INDEX and size % groups:
            raise mismatch(f"{what} to be a multiple of {groups}", size, f"{name}_c{number}")
    kernel_inputs = rhs[numbers.kernel_input_feature_dimension.data]
    if inputs != DYNAMIC_INDEX and not compatible_sizes(kernel_inputs, inputs // feature_groups):
        expected = f"{inputs // feature_groups} input features of the kernel"
        raise mismatch(expected, kernel_inputs, f"{name}_c14")


def _verify_elements(op: ConvolutionOp | DynamicConvOp, name: str) -> None:
    numbers = op.dimension_numbers
    for what, value, place, number in (
        ("rhs", op.rhs, numbers.kernel_output_feature_dimension.data, 29),
        ("result", op.result, numbers.output_feature_dimension.data, 30),
    ):
        quantized = quantized_element(value.type)
        if quantized is not None and quantized.is_per_axis and quantized.axis != place:
            expected = f"{what} quantized along its output features, dimension {place}"
            raise mismatch(expected, quantized.axis, f"{name}_c{number}")
    expect_product_elements(name, op.lhs.type, op.rhs.type, op.result.type)
