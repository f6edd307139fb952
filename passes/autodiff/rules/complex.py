"""Rules of `abs` and of the ops between complex numbers and their parts.

A complex cotangent is JAX's: that of `real(z)` is itself, that of `imag(z)` is `-i` times itself, so
that products are transposed without a conjugate.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, ComplexType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.inference import element_of, real_part, tensor_of, with_element_type
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .partials import elementwise


def _is_complex(value: SSAValue) -> bool:
    return isinstance(tensor_of(value).element_type, ComplexType)


def _real(e: Emitter, z: SSAValue) -> SSAValue:
    return e.value(stablehlo.RealOp(z, _part_type(z)))


def _imag(e: Emitter, z: SSAValue) -> SSAValue:
    return e.value(stablehlo.ImagOp(z, _part_type(z)))


def _part_type(z: SSAValue) -> Attribute:
    return with_element_type(z.type, real_part(element_of(z)))


def _complex(e: Emitter, real: SSAValue | None, imag: SSAValue | None) -> SSAValue:
    like = real or imag
    assert like is not None
    element = tensor_of(like).element_type
    assert isinstance(element, AnyFloat)
    return e.value(
        stablehlo.ComplexOp.create(
            operands=[real or e.zeros_like(like), imag or e.zeros_like(like)],
            result_types=[with_element_type(like.type, ComplexType(element))],
        )
    )


def _real_slope(e: Emitter, x: SSAValue, t: SSAValue) -> SSAValue:
    """The sign of real `x`, 1 at 0, times `t`."""
    return e.select(e.compare("GE", x, e.zeros_like(x)), t, e.neg(t))


def _direction(e: Emitter, z: SSAValue) -> SSAValue:
    """The derivative of |z|: the conjugate of z / |z|, and 0 at 0."""
    return e.value(chlo.ConjOp(e.value(stablehlo.SignOp(z))))


@vjp("stablehlo.abs")
def _abs(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    x = b.value(op.operands[0])
    if _is_complex(x):
        return [b.emit.mul(_complex(b.emit, ct, None), _direction(b.emit, x))]
    return [_real_slope(b.emit, x, ct)]


@jvp("stablehlo.abs")
def _abs_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    assert tangent is not None
    x = op.operands[0]
    if _is_complex(x):
        return [_real(e, e.mul(tangent, _direction(e, x)))]
    return [_real_slope(e, x, tangent)]


@vjp("stablehlo.real")
def _of_real(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    return [_complex(b.emit, ct, None) if _is_complex(op.operands[0]) else ct]


@vjp("stablehlo.imag")
def _of_imag(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    # The imaginary part of a float is zero.
    return [_complex(b.emit, None, b.emit.neg(ct)) if _is_complex(op.operands[0]) else None]


@jvp("stablehlo.real")
def _real_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    assert tangent is not None
    return [_real(e, tangent) if _is_complex(tangent) else tangent]


@jvp("stablehlo.imag")
def _imag_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    assert tangent is not None
    return [_imag(e, tangent) if _is_complex(tangent) else None]


@vjp("stablehlo.complex")
def _of_complex(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    real, imag = op.operands
    return [
        _real(b.emit, ct) if b.is_active(real) else None,
        b.emit.neg(_imag(b.emit, ct)) if b.is_active(imag) else None,
    ]


@jvp("stablehlo.complex")
def _complex_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    return [_complex(e, tangents[0], tangents[1])]


elementwise("chlo.conj", lambda e, v, t: e.value(chlo.ConjOp(t)))
