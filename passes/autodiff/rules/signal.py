"""Rules of `fft`: Fourier transforms are linear, and symmetric but for what real signals leave out."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.constraints import i64_array
from ....dialects.stablehlo.enums import FftType, FftTypeAttr
from ....dialects.stablehlo.inference import element_of, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, vjp
from .common import conjugate, copy, iota, linear, only, real_part_of, scalar_type
from .expansion import expect_static

linear("stablehlo.fft")


@vjp("stablehlo.fft")
def _fft(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.FftOp)
    ct = only(cotangents)
    expect_static(op, op.operand)
    e = b.emit
    kind = op.fft_type.data
    lengths = op.fft_length.get_values()
    if not prod(shape_of(ct)) or not prod(shape_of(op.operand)):
        return [b.zero(op.operand)]
    if kind in (FftType.FFT, FftType.IFFT):
        return copy(e, op, [ct]).results
    if kind == FftType.RFFT:
        # The frequencies left out have zero cotangents; of the whole transform, the real part.
        shape = shape_of(ct)
        missing = [0] * (len(shape) - 1) + [lengths[-1] - shape[-1]]
        none = [0] * len(shape)
        zero = e.constant(0, scalar_type(ct))
        whole = e.value(stablehlo.PadOp(ct, zero, none, missing, none))
        back = _transform(e, op, whole, FftType.FFT, whole.type)
        return [real_part_of(e, back)]
    # Each frequency but the first and (of an even length) the last stands for its mirror image, too.
    found = _transform(e, op, ct, FftType.RFFT, op.operand.type)
    return [conjugate(e, e.mul(found, _weights(e, found, lengths[-1], prod(lengths))))]


def _transform(
    e: Emitter, op: stablehlo.FftOp, x: SSAValue, kind: FftType, type: Attribute
) -> SSAValue:
    return e.value(
        stablehlo.FftOp.create(
            operands=[x],
            result_types=[type],
            properties={
                "fft_type": FftTypeAttr(kind),
                "fft_length": i64_array(op.fft_length.get_values()),
            },
        )
    )


def _weights(e: Emitter, like: SSAValue, length: int, total: int) -> SSAValue:
    """1/total for frequencies that are real of a real signal, 2/total for the others."""
    count = shape_of(like)[-1]
    place = iota(e, 0, [count])
    alone = e.compare("EQ", place, e.constant(0, place.type))
    if length % 2 == 0:
        last = e.compare("EQ", place, e.constant(count - 1, place.type))
        alone = e.value(stablehlo.OrOp(alone, last))
    line = TensorType(element_of(like), [count])
    weights = e.select(alone, e.constant(1 / total, line), e.constant(2 / total, line))
    shape = shape_of(like)
    return e.broadcast(weights, shape, [len(shape) - 1])
