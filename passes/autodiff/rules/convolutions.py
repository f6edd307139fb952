"""Rules of `convolution`.

The cotangent of the input is a convolution of the result's cotangent with the kernel read backwards, strides
and dilation of the input changing places. That of the kernel is a convolution of the input with the
result's cotangent, batch and features changing places. Groups of features and of batches turn into
each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntAttr, IntegerAttr, TensorType, i1, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import DimsAttr
from ....dialects.stablehlo.constraints import i64_array
from ....dialects.stablehlo.inference import element_of, padding_pairs, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, vjp
from .common import only, transpose
from .expansion import expect_static
from .products import wider
from .windows import pairs_attribute


@dataclass(frozen=True)
class Layout:
    """The places of the two features (or batch and features), and of the spatial dimensions."""

    first: int
    second: int
    spatial: Sequence[int]


@dataclass(frozen=True)
class Geometry:
    """A convolution's numbers."""

    strides: Sequence[int]
    padding: Sequence[tuple[int, int]]
    lhs_dilation: Sequence[int]
    rhs_dilation: Sequence[int]
    reversal: Sequence[bool]

    @staticmethod
    def of(op: stablehlo.ConvolutionOp) -> Geometry:
        rank = len(shape_of(op.lhs)) - 2
        ones = (1,) * rank

        def numbers(name: str) -> Sequence[int]:
            found = cast(Any, op.properties.get(name))
            return ones if found is None else tuple(found.get_values())

        padding = padding_pairs(op.padding, rank)
        assert padding is not None
        flags = op.window_reversal
        reversal = (False,) * rank if flags is None else tuple(map(bool, flags.get_values()))
        return Geometry(
            numbers("window_strides"),
            tuple(padding),
            numbers("lhs_dilation"),
            numbers("rhs_dilation"),
            reversal,
        )


@vjp("stablehlo.convolution")
def _convolution(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ConvolutionOp)
    expect_static(op, op.lhs, op.rhs)
    ct = only(cotangents)
    if not prod(shape_of(ct)) or not prod(shape_of(op.lhs)) or not prod(shape_of(op.rhs)):
        return [b.zero(op.lhs), b.zero(op.rhs)]
    return [
        _by_input(b, op, ct) if b.is_active(op.lhs) else None,
        _by_kernel(b, op, ct) if b.is_active(op.rhs) else None,
    ]


def _layouts(op: stablehlo.ConvolutionOp) -> tuple[Layout, Layout, Layout]:
    """(batch, feature) of the input, (input feature, output feature) of the kernel, and (batch,
    feature) of the output."""
    n = op.dimension_numbers
    return (
        Layout(
            n.input_batch_dimension.data,
            n.input_feature_dimension.data,
            n.input_spatial_dimensions.data,
        ),
        Layout(
            n.kernel_input_feature_dimension.data,
            n.kernel_output_feature_dimension.data,
            n.kernel_spatial_dimensions.data,
        ),
        Layout(
            n.output_batch_dimension.data,
            n.output_feature_dimension.data,
            n.output_spatial_dimensions.data,
        ),
    )


def _convolve(
    e: Emitter,
    op: stablehlo.ConvolutionOp,
    lhs: SSAValue,
    rhs: SSAValue,
    layouts: tuple[Layout, Layout, Layout],
    geometry: Geometry,
    sizes: Sequence[int],
    *,
    feature_groups: int = 1,
    batch_groups: int = 1,
) -> SSAValue:
    """A convolution whose result has batch and features of the sizes given first, then spatial."""
    source, kernel, target = layouts
    element = wider(element_of(lhs), element_of(rhs))
    shape = [0] * len(sizes)
    for place, size in zip((target.first, target.second, *target.spatial), sizes):
        shape[place] = size
    numbers = stablehlo.ConvDimensionNumbersAttr(
        IntAttr(source.first),
        IntAttr(source.second),
        DimsAttr(tuple(source.spatial)),
        IntAttr(kernel.first),
        IntAttr(kernel.second),
        DimsAttr(tuple(kernel.spatial)),
        IntAttr(target.first),
        IntAttr(target.second),
        DimsAttr(tuple(target.spatial)),
    )
    properties: dict[str, Any] = {
        "window_strides": i64_array(geometry.strides),
        "padding": pairs_attribute(geometry.padding),
        "lhs_dilation": i64_array(geometry.lhs_dilation),
        "rhs_dilation": i64_array(geometry.rhs_dilation),
        "window_reversal": DenseArrayBase.from_list(i1, [int(r) for r in geometry.reversal]),
        "dimension_numbers": numbers,
        "feature_group_count": IntegerAttr(feature_groups, i64),
        "batch_group_count": IntegerAttr(batch_groups, i64),
    }
    if op.precision_config is not None:
        properties["precision_config"] = op.precision_config
    return e.value(
        stablehlo.ConvolutionOp.create(
            operands=[e.convert(lhs, element), e.convert(rhs, element)],
            result_types=[TensorType(element, shape)],
            properties=properties,
        )
    )


def _reach(size: int, dilation: int) -> int:
    """What `size` elements take with gaps between them."""
    return (size - 1) * dilation + 1


def _by_input(b: Backward, op: stablehlo.ConvolutionOp, ct: SSAValue) -> SSAValue:
    e = b.emit
    source, kernel, target = _layouts(op)
    forward = Geometry.of(op)
    inputs, weights, outputs = shape_of(op.lhs), shape_of(op.rhs), shape_of(ct)
    padding: list[tuple[int, int]] = []
    for d in range(len(forward.strides)):
        reach = _reach(weights[kernel.spatial[d]], forward.rhs_dilation[d])
        wide = _reach(inputs[source.spatial[d]], forward.lhs_dilation[d])
        spread = _reach(outputs[target.spatial[d]], forward.strides[d])
        low = reach - 1 - forward.padding[d][0]
        padding.append((low, wide + reach - 1 - spread - low))
    backward = Geometry(
        forward.lhs_dilation,
        padding,
        forward.strides,
        forward.rhs_dilation,
        [not flag for flag in forward.reversal],
    )
    feature_groups = op.feature_group_count.value.data
    batch_groups = op.batch_group_count.value.data
    groups = feature_groups * batch_groups  # at most one of them is above 1
    swapped = _move_groups(e, b.value(op.rhs), kernel.second, kernel.first, groups)
    spatial = [inputs[d] for d in source.spatial]
    batch, features = inputs[source.first], inputs[source.second]
    if batch_groups == 1:
        # The result is laid out as the input.
        result = _convolve(
            e,
            op,
            ct,
            swapped,
            (target, Layout(kernel.second, kernel.first, kernel.spatial), source),
            backward,
            [batch, features, *spatial],
            feature_groups=feature_groups,
        )
    else:
        result = _convolve(
            e,
            op,
            ct,
            swapped,
            (target, Layout(kernel.second, kernel.first, kernel.spatial), source),
            backward,
            [batch // batch_groups, features * batch_groups, *spatial],
            feature_groups=batch_groups,
        )
        result = _move_groups(e, result, source.second, source.first, batch_groups)
    return e.convert(result, element_of(op.lhs))


def _move_groups(e: Emitter, x: SSAValue, origin: int, to: int, groups: int) -> SSAValue:
    """Split dimension `origin` into (groups, rest) and make `groups` the outer part of `to`."""
    if groups == 1:
        return x
    shape = list(shape_of(x))
    split = [*shape[:origin], groups, shape[origin] // groups, *shape[origin + 1 :]]
    x = e.reshape(x, split)
    order = [d for d in range(len(split)) if d != origin]
    place = order.index(to if to < origin else to + 1)
    order.insert(place, origin)
    x = transpose(e, x, order)
    shape[origin] //= groups
    shape[to] *= groups
    return e.reshape(x, shape)


def _by_kernel(b: Backward, op: stablehlo.ConvolutionOp, ct: SSAValue) -> SSAValue:
    e = b.emit
    source, kernel, target = _layouts(op)
    forward = Geometry.of(op)
    inputs, weights, outputs = shape_of(op.lhs), shape_of(op.rhs), shape_of(ct)
    padding: list[tuple[int, int]] = []
    for d in range(len(forward.strides)):
        reach = _reach(weights[kernel.spatial[d]], forward.rhs_dilation[d])
        wide = _reach(inputs[source.spatial[d]], forward.lhs_dilation[d])
        spread = _reach(outputs[target.spatial[d]], forward.strides[d])
        low = forward.padding[d][0]
        padding.append((low, reach + spread - 1 - wide - low))
    backward = Geometry(
        forward.rhs_dilation,
        padding,
        forward.lhs_dilation,
        forward.strides,
        [False] * len(padding),
    )
    # Input features take the place of the batch, and the batch that of the features summed over.
    result = _convolve(
        e,
        op,
        b.value(op.lhs),
        ct,
        (
            Layout(source.second, source.first, source.spatial),
            Layout(target.first, target.second, target.spatial),
            Layout(kernel.first, kernel.second, kernel.spatial),
        ),
        backward,
        [weights[kernel.first], weights[kernel.second], *(weights[d] for d in kernel.spatial)],
        feature_groups=op.batch_group_count.value.data,
        batch_groups=op.feature_group_count.value.data,
    )
    flipped = [d for d, flag in zip(kernel.spatial, forward.reversal) if flag]
    if flipped:
        result = e.value(stablehlo.ReverseOp(result, flipped))
    return e.convert(result, element_of(op.rhs))
