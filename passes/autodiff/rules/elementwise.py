"""Rules of elementwise ops.

Conventions are JAX's: `abs` has slope 0 at 0, ties of `maximum` and `minimum` share the cotangent. A
product's derivative never divides by a factor.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import tensor_of
from ..backward import Backward
from ..emitter import Emitter
from . import VJP, Contributions, vjp

Slope = Callable[[Emitter, SSAValue, SSAValue], SSAValue]
"""(emitter, operand, result) -> the derivative, elementwise."""


def _one_operand(name: str, slope: Slope, *, operand: bool = True, result: bool = False) -> None:
    """A rule `ct * slope(x, y)` that asks only for the forward values it reads."""

    def rule(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
        (ct,) = cotangents
        assert ct is not None
        x = b.value(op.operands[0]) if operand else ct
        y = b.value(op.results[0]) if result else ct
        return [b.emit.mul(ct, slope(b.emit, x, y))]

    VJP[name] = rule


def _exponential_minus_one(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.value(stablehlo.AddOp(y, e.full_like(1, y)))


def _log(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.div(e.full_like(1, x), x)


def _log_plus_one(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    one = e.full_like(1, x)
    return e.div(one, e.value(stablehlo.AddOp(x, one)))


def _tanh(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.sub(e.full_like(1, y), e.mul(y, y))


def _logistic(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.mul(y, e.sub(e.full_like(1, y), y))


def _sqrt(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.div(e.full_like(0.5, y), y)


def _rsqrt(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.scale(e.div(y, x), -0.5)


def _cbrt(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    third = e.full_like(1 / 3, y)
    return e.mul(third, e.div(y, x))


_one_operand("stablehlo.exponential", lambda e, x, y: y, operand=False, result=True)
_one_operand("stablehlo.exponential_minus_one", _exponential_minus_one, operand=False, result=True)
_one_operand("stablehlo.log", _log)
_one_operand("stablehlo.log_plus_one", _log_plus_one)
_one_operand("stablehlo.sine", lambda e, x, y: e.value(stablehlo.CosineOp(x)))
_one_operand("stablehlo.cosine", lambda e, x, y: e.neg(e.value(stablehlo.SineOp(x))))
_one_operand("stablehlo.tanh", _tanh, operand=False, result=True)
_one_operand("stablehlo.logistic", _logistic, operand=False, result=True)
_one_operand("stablehlo.sqrt", _sqrt, operand=False, result=True)
_one_operand("stablehlo.rsqrt", _rsqrt, result=True)
_one_operand("stablehlo.cbrt", _cbrt, result=True)
_one_operand("stablehlo.abs", lambda e, x, y: e.value(stablehlo.SignOp(x)))


@vjp("stablehlo.add")
def _add(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [cotangents[0], cotangents[0]]


@vjp("stablehlo.subtract")
def _subtract(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [ct, b.emit.neg(ct) if b.is_active(op.operands[1]) else None]


@vjp("stablehlo.negate")
def _negate(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [b.emit.neg(ct)]


@vjp("stablehlo.multiply")
def _multiply(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    lhs, rhs = op.operands
    return [
        b.emit.mul(ct, b.value(rhs)) if b.is_active(lhs) else None,
        b.emit.mul(ct, b.value(lhs)) if b.is_active(rhs) else None,
    ]


@vjp("stablehlo.divide")
def _divide(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    lhs, rhs = op.operands
    divisor = b.value(rhs)
    by_lhs = b.emit.div(ct, divisor)
    by_rhs = None
    if b.is_active(rhs):
        by_rhs = b.emit.neg(b.emit.mul(by_lhs, b.emit.div(b.value(lhs), divisor)))
    return [by_lhs if b.is_active(lhs) else None, by_rhs]


@vjp("stablehlo.power")
def _power(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    base, exponent = op.operands
    x, y = b.value(base), b.value(exponent)
    by_base = by_exponent = None
    if b.is_active(base):
        # y * x ** (y - 1), but 0 where y is 0, whatever x is.
        none = e.compare("EQ", y, e.zeros_like(y))
        lower = e.select(none, e.full_like(1, y), e.sub(y, e.full_like(1, y)))
        by_base = e.mul(ct, e.mul(y, e.value(stablehlo.PowerOp(x, lower))))
    if b.is_active(exponent):
        # log(x) * x ** y, but 0 where x is 0.
        zero = e.compare("EQ", x, e.zeros_like(x))
        safe = e.select(zero, e.full_like(1, x), x)
        log = e.value(stablehlo.LogOp(safe))
        by_exponent = e.mul(ct, e.mul(log, b.value(op.results[0])))
    return [by_base, by_exponent]


@vjp("stablehlo.atan2")
def _atan2(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    y, x = (b.value(operand) for operand in op.operands)
    square = e.value(stablehlo.AddOp(e.mul(x, x), e.mul(y, y)))
    scaled = e.div(ct, square)
    return [e.mul(scaled, x), e.neg(e.mul(scaled, y))]


@vjp("stablehlo.maximum", "stablehlo.minimum")
def _extremum(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    x, y = (b.value(operand) for operand in op.operands)
    direction = "GT" if op.name == "stablehlo.maximum" else "LT"
    half = e.scale(ct, 0.5)
    tie = e.compare("EQ", x, y)
    zero = e.zeros_like(ct)

    def share(mine: SSAValue, other: SSAValue) -> SSAValue:
        return e.select(tie, half, e.select(e.compare(direction, mine, other), ct, zero))

    lhs, rhs = op.operands
    return [
        share(x, y) if b.is_active(lhs) else None,
        share(y, x) if b.is_active(rhs) else None,
    ]


@vjp("stablehlo.select")
def _select(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    _, on_true, on_false = op.operands
    predicate = b.value(op.operands[0])
    zero = b.emit.zeros_like(ct)
    return [
        None,
        b.emit.select(predicate, ct, zero) if b.is_active(on_true) else None,
        b.emit.select(predicate, zero, ct) if b.is_active(on_false) else None,
    ]


@vjp("stablehlo.clamp")
def _clamp(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    low, x, high = (b.value(operand) for operand in op.operands)
    shape = list(tensor_of(ct).get_shape())

    def wide(bound: SSAValue) -> SSAValue:
        return bound if bound.type == x.type else e.broadcast(bound, shape, [])

    def masked(mask: SSAValue, bound: SSAValue) -> SSAValue:
        taken = e.select(mask, ct, e.zeros_like(ct))
        return taken if bound.type == x.type else e.sum(taken, range(len(shape)))

    below, above = e.compare("LT", x, wide(low)), e.compare("GT", x, wide(high))
    outside = e.value(stablehlo.OrOp(below, above))
    inside = e.select(outside, e.zeros_like(ct), ct)
    return [
        masked(below, low) if b.is_active(op.operands[0]) else None,
        inside if b.is_active(op.operands[1]) else None,
        masked(above, high) if b.is_active(op.operands[2]) else None,
    ]


@vjp("stablehlo.convert")
def _convert(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [b.emit.convert(ct, tensor_of(op.operands[0]).element_type)]


@vjp("stablehlo.optimization_barrier")
def _barrier(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return cotangents
