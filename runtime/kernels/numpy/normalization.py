"""Batch normalisation: inference, training and gradient, over all dimensions but the features'.

Computed in f32 at least, and rounded once. Sums run over a C-contiguous (features, rest) array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import float_of, int_of
from .common import contiguous, operand_dtype, wide_float


class _Features:
    """An op's tensors as (features, rest) arrays of the dtype to compute in, and back."""

    def __init__(self, op: Operation):
        axis, rank = int_of(op, "feature_index"), len(shape_of(op.operands[0]))
        self.dtype = operand_dtype(op)
        self.compute = wide_float(self.dtype)
        self.epsilon = self.compute.type(float_of(op, "epsilon"))
        self.order = (axis, *(d for d in range(rank) if d != axis))
        self.back = np.argsort(self.order)

    def rows(self, x: Any) -> AnyArray:
        moved = contiguous(x.transpose(self.order), self.compute)
        return moved.reshape((moved.shape[0], -1))

    def column(self, x: Any) -> AnyArray:
        """A vector of one number a feature, ready to broadcast over rows."""
        return contiguous(x, self.compute).reshape((-1, 1))

    def tensor(self, rows: AnyArray, like: Any) -> AnyArray:
        shape = tuple(like.shape[d] for d in self.order)
        return rows.reshape(shape).transpose(self.back).astype(self.dtype, order="C")

    def vector(self, x: AnyArray) -> AnyArray:
        return x.reshape(-1).astype(self.dtype)

    def deviation(self, variance: AnyArray) -> AnyArray:
        return np.sqrt(np.add(variance, self.epsilon))


@kernel("stablehlo.batch_norm_inference")
def _inference(op: Operation, scope: Scope) -> Kernel:
    features = _Features(op)

    def inference(x: Any, scale: Any, offset: Any, mean: Any, variance: Any) -> Any:
        column = features.column
        centered = np.subtract(features.rows(x), column(mean))
        normal = np.divide(centered, features.deviation(column(variance)))
        return features.tensor(np.add(np.multiply(normal, column(scale)), column(offset)), x)

    return inference


@kernel("stablehlo.batch_norm_training")
def _training(op: Operation, scope: Scope) -> Kernel:
    features = _Features(op)

    def training(x: Any, scale: Any, offset: Any) -> Any:
        rows = features.rows(x)
        mean = np.mean(rows, axis=1, keepdims=True)
        centered = np.subtract(rows, mean)
        variance = np.mean(np.square(centered), axis=1, keepdims=True)
        normal = np.divide(centered, features.deviation(variance))
        scaled = np.multiply(normal, features.column(scale))
        result = features.tensor(np.add(scaled, features.column(offset)), x)
        return result, features.vector(mean), features.vector(variance)

    return training


@kernel("stablehlo.batch_norm_grad")
def _grad(op: Operation, scope: Scope) -> Kernel:
    features = _Features(op)

    def grad(x: Any, scale: Any, mean: Any, variance: Any, grad_output: Any) -> Any:
        column = features.column
        centered = np.subtract(features.rows(x), column(mean))
        outer = features.rows(grad_output)
        count = features.compute.type(outer.shape[1])
        deviation = features.deviation(column(variance))
        total = np.add.reduce(outer, axis=1, keepdims=True)
        moment = np.add.reduce(np.multiply(outer, centered), axis=1, keepdims=True)
        through_variance = np.divide(np.multiply(centered, moment), np.square(deviation))
        rest = np.subtract(np.subtract(np.multiply(outer, count), total), through_variance)
        factor = np.divide(np.divide(column(scale), deviation), count)
        return (
            features.tensor(np.multiply(factor, rest), x),
            features.vector(np.divide(moment, deviation)),
            features.vector(total),
        )

    return grad
