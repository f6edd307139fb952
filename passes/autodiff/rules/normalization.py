"""Rules of batch normalization, through its definition."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of
from ....dialects.stablehlo.normalization import BatchNormOp
from ..emitter import Emitter
from .expansion import expands, expect_static


class _Features:
    """Ops along and across the feature dimension."""

    def __init__(self, op: Operation, e: Emitter):
        assert isinstance(op, BatchNormOp)
        expect_static(op, op.operands[0])
        self.emit = e
        self.shape = shape_of(op.operands[0])
        self.feature = op.feature_index.value.data
        self.others = [d for d in range(len(self.shape)) if d != self.feature]
        self.count = prod(self.shape[d] for d in self.others)
        self.epsilon = op.epsilon.value.data

    def wide(self, x: SSAValue) -> SSAValue:
        return self.emit.broadcast(x, self.shape, [self.feature])

    def sum(self, x: SSAValue) -> SSAValue:
        return self.emit.sum(x, self.others)

    def mean(self, x: SSAValue) -> SSAValue:
        total = self.sum(x)
        return self.emit.div(total, self.emit.full_like(self.count, total))

    def deviation(self, variance: SSAValue) -> SSAValue:
        e = self.emit
        safe = e.value(stablehlo.AddOp(variance, e.full_like(self.epsilon, variance)))
        return e.value(stablehlo.SqrtOp(safe))

    def normalized(
        self, centered: SSAValue, variance: SSAValue, scale: SSAValue, offset: SSAValue
    ) -> SSAValue:
        e = self.emit
        normal = e.div(centered, self.wide(self.deviation(variance)))
        return e.value(stablehlo.AddOp(e.mul(normal, self.wide(scale)), self.wide(offset)))


@expands("stablehlo.batch_norm_inference")
def _inference(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    x, scale, offset, mean, variance = operands
    features = _Features(op, e)
    centered = e.sub(x, features.wide(mean))
    return [features.normalized(centered, variance, scale, offset)]


@expands("stablehlo.batch_norm_training")
def _training(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    x, scale, offset = operands
    features = _Features(op, e)
    mean = features.mean(x)
    centered = e.sub(x, features.wide(mean))
    variance = features.mean(e.mul(centered, centered))
    return [features.normalized(centered, variance, scale, offset), mean, variance]


@expands("stablehlo.batch_norm_grad")
def _grad(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    x, scale, mean, variance, outer = operands
    features = _Features(op, e)
    centered = e.sub(x, features.wide(mean))
    deviation = features.deviation(variance)
    total = features.sum(outer)
    moment = features.sum(e.mul(outer, centered))
    through = features.wide(e.div(moment, e.mul(deviation, deviation)))
    through_variance = e.mul(centered, through)
    count = e.full_like(features.count, outer)
    rest = e.sub(e.sub(e.mul(outer, count), features.wide(total)), through_variance)
    scaled = e.div(scale, deviation)
    factor = e.div(scaled, e.full_like(features.count, scaled))
    return [e.mul(features.wide(factor), rest), e.div(moment, deviation), total]
