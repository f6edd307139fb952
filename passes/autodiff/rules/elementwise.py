"""Rules of StableHLO's elementwise ops.

Conventions are JAX's: `abs` has slope 1 at 0, ties of `maximum` and `minimum` share the cotangent,
`clamp` has slope 0 at its limits, and a power has slope 0 by its base where the exponent is 0. A
product's derivative never divides by a factor.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ComplexType, DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import (
    element_of,
    real_part,
    shape_of,
    tensor_of,
    with_element_type,
)
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .partials import (
    Partial,
    Values,
    elementwise,
    from_operand,
    from_result,
    identity,
    minus_from,
    plus,
    splat_number,
)

# Functions of one operand.


def _tan(e: Emitter, y: SSAValue) -> SSAValue:
    return plus(e, e.mul(y, y), 1)


def _cbrt(e: Emitter, y: SSAValue) -> SSAValue:
    return e.div(e.full_like(1 / 3, y), e.mul(y, y))


def _rsqrt(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    return e.mul(t, e.scale(e.div(v.result(), v.operand(0)), -0.5))


elementwise("stablehlo.exponential", from_result(lambda e, y: y))
elementwise("stablehlo.exponential_minus_one", from_result(lambda e, y: plus(e, y, 1)))
elementwise("stablehlo.log", lambda e, v, t: e.div(t, v.operand(0)))
elementwise("stablehlo.log_plus_one", lambda e, v, t: e.div(t, plus(e, v.operand(0), 1)))
elementwise("stablehlo.sine", from_operand(lambda e, x: e.value(stablehlo.CosineOp(x))))
elementwise("stablehlo.cosine", from_operand(lambda e, x: e.neg(e.value(stablehlo.SineOp(x)))))
elementwise("stablehlo.tan", from_result(_tan))
elementwise("stablehlo.tanh", from_result(lambda e, y: minus_from(e, 1, e.mul(y, y))))
elementwise("stablehlo.logistic", from_result(lambda e, y: e.mul(y, minus_from(e, 1, y))))
elementwise("stablehlo.sqrt", from_result(lambda e, y: e.div(e.full_like(0.5, y), y)))
elementwise("stablehlo.rsqrt", _rsqrt)
elementwise("stablehlo.cbrt", from_result(_cbrt))
elementwise("stablehlo.negate", lambda e, v, t: e.neg(t))


# Arithmetic of two operands.


def _divide_by_rhs(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    divisor = v.operand(1)
    quotient = e.div(v.operand(0), divisor) if v.has_operand(0) else v.result()
    return e.neg(e.mul(e.div(t, divisor), quotient))


def _remainder_by_rhs(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    quotient = e.div(v.operand(0), v.operand(1))
    size = e.value(stablehlo.FloorOp(e.value(stablehlo.AbsOp(quotient))))
    return e.neg(e.mul(t, e.mul(e.value(stablehlo.SignOp(quotient)), size)))


def _power_by_base(e: Emitter, v: Values, t: SSAValue) -> SSAValue | None:
    known = splat_number(v.op.operands[1])
    if known is None:
        x, y = v.operand(0), v.operand(1)
        # y * x ** (y - 1), and 0 where y is 0, also for a base of 0 or NaN; the base is replaced, not
        # the power, whose derivative by y is not 0 there.
        size = e.value(stablehlo.AbsOp(x, with_element_type(x.type, real_part(element_of(x)))))
        regular = e.compare("GT", size, e.zeros_like(size))
        chosen = e.value(stablehlo.OrOp(regular, e.compare("NE", y, e.zeros_like(y))))
        base = e.select(chosen, x, e.full_like(1, x))
        return e.mul(t, e.mul(y, e.value(stablehlo.PowerOp(base, plus(e, y, -1)))))
    if known in (0, 1):
        return t if known else None
    x = v.operand(0)
    lower = x if known == 2 else e.value(stablehlo.PowerOp(x, e.full_like(known - 1, x)))
    return e.mul(t, e.scale(lower, known))


def _power_by_exponent(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    # log(x) * x ** y, but 0 where x is 0.
    x = v.operand(0)
    zero = e.compare("EQ", x, e.zeros_like(x))
    log = e.value(stablehlo.LogOp(e.select(zero, e.full_like(1, x), x)))
    return e.mul(t, e.mul(log, v.result()))


def _atan2(mine: int) -> Partial:
    """By the ordinate, x / (x² + y²); by the abscissa, -y / (x² + y²)."""

    def partial(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
        y, x = v.operand(0), v.operand(1)
        square = e.value(stablehlo.AddOp(e.mul(x, x), e.mul(y, y)))
        return e.mul(t, e.div(x if mine == 0 else e.neg(y), square))

    return partial


def _extremum(mine: int) -> Partial:
    """All where this operand wins, half where both are equal, nothing where one is NaN."""

    def partial(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
        x, other = v.operand(mine), v.operand(1 - mine)
        half, zero = e.scale(t, 0.5), e.zeros_like(t)
        tie = e.compare("EQ", x, other)
        if isinstance(tensor_of(x).element_type, ComplexType):
            # Complex numbers have no order to compare by, but the op has one.
            wins = e.compare("EQ", x, v.result())
        else:
            greater = v.op.name == "stablehlo.maximum"
            wins = e.compare("GT" if greater else "LT", x, other)
        return e.select(tie, half, e.select(wins, t, zero))

    return partial


elementwise("stablehlo.add", identity, identity)
elementwise("stablehlo.subtract", identity, lambda e, v, t: e.neg(t))
elementwise(
    "stablehlo.multiply",
    lambda e, v, t: e.mul(t, v.operand(1)),
    lambda e, v, t: e.mul(t, v.operand(0)),
)
elementwise("stablehlo.divide", lambda e, v, t: e.div(t, v.operand(1)), _divide_by_rhs)
elementwise("stablehlo.remainder", identity, _remainder_by_rhs)
elementwise("stablehlo.power", _power_by_base, _power_by_exponent)
elementwise("stablehlo.atan2", _atan2(0), _atan2(1))
elementwise("stablehlo.maximum", _extremum(0), _extremum(1))
elementwise("stablehlo.minimum", _extremum(0), _extremum(1))


# Choices.


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


@jvp("stablehlo.select")
def _select_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    _, on_true, on_false = tangents
    zero = e.zeros_like(op.results[0])
    return [e.select(op.operands[0], on_true or zero, on_false or zero)]


@vjp("stablehlo.clamp")
def _clamp(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    low, x, high = (b.value(operand) for operand in op.operands)
    masks = _clamp_masks(e, low, x, high)
    contributions: list[SSAValue | None] = []
    for operand, mask in zip(op.operands, masks):
        share = None
        if b.is_active(operand):
            share = e.select(mask(), ct, e.zeros_like(ct))
            if not shape_of(operand):
                share = e.sum(share, range(len(shape_of(share))))
        contributions.append(share)
    return contributions


@jvp("stablehlo.clamp")
def _clamp_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    low, x, high = op.operands
    total: SSAValue | None = None
    for tangent, mask in zip(tangents, _clamp_masks(e, low, x, high)):
        if tangent is not None:
            share = e.select(mask(), _wide(e, tangent, x), e.zeros_like(x))
            total = e.add(total, share)
    return [total]


def _clamp_masks(e: Emitter, low: SSAValue, x: SSAValue, high: SSAValue):
    """Makers of the masks that tell which operand was taken; strict, so no one is at a tie."""

    def low_taken() -> SSAValue:
        return both(e.compare("LT", x, _wide(e, low, x)), below_high())

    def x_taken() -> SSAValue:
        inside = e.compare("GT", x, _wide(e, low, x))
        return both(inside, e.compare("LT", x, _wide(e, high, x)))

    def high_taken() -> SSAValue:
        return e.compare("GT", x, _wide(e, high, x))

    def below_high() -> SSAValue:
        return e.compare("LT", _wide(e, low, x), _wide(e, high, x))

    def both(one: SSAValue, other: SSAValue) -> SSAValue:
        return e.value(stablehlo.AndOp(one, other))

    return low_taken, x_taken, high_taken


def _wide(e: Emitter, limit: SSAValue, like: SSAValue) -> SSAValue:
    """A limit, which may be a scalar, in the shape of `like`."""
    shape = shape_of(like)
    if shape_of(limit) or not shape:
        return limit
    if all(size >= 0 for size in shape):
        return e.broadcast(limit, shape, [])
    return e.value(
        stablehlo.DynamicBroadcastInDimOp.create(
            operands=[limit, e.shape(like)],
            result_types=[like.type],
            properties={"broadcast_dimensions": DenseArrayBase.from_list(i64, [])},
        )
    )


# Representation.


def _again(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    """The op itself, which is linear as far as derivatives go."""
    copy = v.op.clone()
    copy.operands = [t]
    return e.value(copy)


elementwise("stablehlo.reduce_precision", _again)


@vjp("stablehlo.convert")
def _convert(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [b.emit.convert(ct, tensor_of(op.operands[0]).element_type)]


@jvp("stablehlo.convert")
def _convert_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    assert tangent is not None
    return [e.convert(tangent, tensor_of(op.results[0]).element_type)]


@vjp("stablehlo.optimization_barrier")
def _barrier(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return cotangents


@jvp("stablehlo.optimization_barrier")
def _barrier_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    return tangents
