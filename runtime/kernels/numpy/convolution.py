"""`convolution`: patches of the input times the kernel, as one matrix product per group.

Accumulates as `dot_general` does. The input is gathered into (group, channel and window, place)
and the kernel into (group, output channel, channel and window), both C-contiguous.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import shape_of
from .. import Kernel, Scope, kernel
from .attributes import as_int, as_ints, attribute, int_of, ints, pairs
from .common import contiguous, operand_dtype, result_dtype, two
from .dot import compute_dtype
from .shapes import pad
from .windows import Windows


@kernel("stablehlo.convolution")
def _convolution(op: Operation, scope: Scope) -> Kernel:
    rank = len(shape_of(op.operands[0])) - 2
    padding = pairs(op, "padding", rank)
    convolve = _convolver(op, rank)
    return two(lambda x, w: convolve(x, w, padding))


@kernel("stablehlo.dynamic_conv")
def _dynamic_conv(op: Operation, scope: Scope) -> Kernel:
    rank = len(shape_of(op.operands[0])) - 2
    convolve = _convolver(op, rank)

    def dynamic_conv(x: Any, w: Any, padding: Any) -> Any:
        return convolve(x, w, tuple((int(low), int(high)) for low, high in padding))

    return dynamic_conv


def _convolver(op: Operation, rank: int) -> Any:
    numbers = attribute(op, "dimension_numbers")
    ones = (1,) * rank
    strides = ints(op, "window_strides") or ones
    lhs_dilation = ints(op, "lhs_dilation") or ones
    rhs_dilation = ints(op, "rhs_dilation") or ones
    reversal = ints(op, "window_reversal") or (0,) * rank
    feature_groups = int_of(op, "feature_group_count", 1)
    batch_groups = int_of(op, "batch_group_count", 1)
    result = result_dtype(op)
    compute = compute_dtype(operand_dtype(op), result)
    to_input = (
        as_int(numbers.input_batch_dimension),
        as_int(numbers.input_feature_dimension),
        *as_ints(numbers.input_spatial_dimensions),
    )
    to_kernel = (
        as_int(numbers.kernel_output_feature_dimension),
        as_int(numbers.kernel_input_feature_dimension),
        *as_ints(numbers.kernel_spatial_dimensions),
    )
    from_output = np.argsort(
        (
            as_int(numbers.output_batch_dimension),
            as_int(numbers.output_feature_dimension),
            *as_ints(numbers.output_spatial_dimensions),
        )
    )
    flip = (slice(None), slice(None), *(slice(None, None, -1 if r else 1) for r in reversal))
    groups = feature_groups * batch_groups  # at most one of them is above 1

    def convolve(x: Any, w: Any, padding: tuple[tuple[int, int], ...]) -> Any:
        x = np.asarray(x).transpose(to_input).astype(compute, copy=False)
        w = np.asarray(w).transpose(to_kernel)[flip].astype(compute, copy=False)
        window = Windows(w.shape[2:], strides, lhs_dilation, rhs_dilation, padding)
        none = (0, 0)
        x = pad(
            x,
            compute.type(0),
            (*none, *(low for low, _ in padding)),
            (*none, *(high for _, high in padding)),
            (*none, *(dilation - 1 for dilation in lhs_dilation)),
        )
        spatial = window.counts(x.shape[2:])
        batch = x.shape[0] // batch_groups
        channels = x.shape[1] // feature_groups
        # (batch group, batch, feature group, channel, spatial)
        x = x.reshape((batch_groups, batch, feature_groups, channels, *x.shape[2:]))
        patches = np.empty((groups, channels, prod(window.sizes), batch, *spatial), compute)
        for k, (_, index) in enumerate(window.elements(x.shape[4:])):
            part = x[(slice(None),) * 4 + index]
            part = part.transpose((0, 2, 3, 1, *range(4, part.ndim)))
            patches[:, :, k] = part.reshape((groups, channels, batch, *spatial))
        columns = patches.reshape((groups, channels * prod(window.sizes), batch * prod(spatial)))
        rows = contiguous(w).reshape((groups, w.shape[0] // groups, -1))
        if not rows.shape[2]:
            rows = rows.reshape((groups, w.shape[0] // groups, 0))
        value = np.matmul(rows, columns).reshape((w.shape[0], batch, *spatial))
        value = np.moveaxis(value, 0, 1).transpose(from_output)
        return value.astype(result, order="C")

    return convolve
