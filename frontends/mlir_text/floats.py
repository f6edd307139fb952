"""Bits of floating-point values: numbers to bytes and back, exactly, with NaN payloads.

As in MLIR, a decimal literal is first read as a double and then rounded (to nearest, ties to even)
to its type; a hexadecimal one gives the bits themselves.
"""

from __future__ import annotations

import math
import struct

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    FloatData,
)

_MANTISSA_BITS: dict[type[AnyFloat], int] = {
    BFloat16Type: 7,
    Float16Type: 10,
    Float32Type: 23,
    Float64Type: 52,
}
"""Of the types whose NaNs carry a payload; the others have one NaN, or one of each sign."""


def encode_float(value: float, type: AnyFloat) -> bytes:
    """The bytes (little end first) of `value` rounded to `type`."""
    if math.isnan(value) and (bits := _nan_to_bits(value, type)) is not None:
        return bits.to_bytes(type.compile_time_size, "little")
    try:
        return type.pack((value,))
    except OverflowError:  # `struct` refuses what rounds to infinity
        return type.pack((math.copysign(math.inf, value),))


def decode_float(raw: bytes, type: AnyFloat) -> float:
    """The value of the bytes `raw`; the payload of a NaN is kept in the result."""
    value = type.unpack(raw, 1)[0]
    if math.isnan(value):
        return _nan_from_bits(int.from_bytes(raw, "little"), type)
    return value


def float_attribute(raw: bytes, type: AnyFloat) -> FloatAttr:
    """A `FloatAttr` with exactly these bits."""
    # Around the constructor, which would round: that turns signalling NaNs into quiet ones.
    return FloatAttr.new([FloatData(decode_float(raw, type)), type])


def _nan_to_bits(value: float, type: AnyFloat) -> int | None:
    mantissa = _MANTISSA_BITS.get(type.__class__)
    if mantissa is None:
        return None
    (wide,) = struct.unpack("<Q", struct.pack("<d", value))
    exponent = (1 << type.bitwidth - 1 - mantissa) - 1
    payload = (wide & ((1 << 52) - 1)) >> (52 - mantissa) or 1 << (mantissa - 1)
    sign = wide >> 63
    return sign << (type.bitwidth - 1) | exponent << mantissa | payload


def _nan_from_bits(bits: int, type: AnyFloat) -> float:
    mantissa = _MANTISSA_BITS.get(type.__class__)
    if mantissa is None:
        return math.nan
    sign = bits >> (type.bitwidth - 1)
    payload = (bits & ((1 << mantissa) - 1)) << (52 - mantissa)
    wide = sign << 63 | 0x7FF << 52 | payload
    return struct.unpack("<d", struct.pack("<Q", wide))[0]


def float_literal(raw: bytes, type: AnyFloat) -> str:
    """The literal that MLIR prints for the bits `raw`; it reads back to the same bits."""
    value = type.unpack(raw, 1)[0]
    if math.isfinite(value):
        # MLIR's first choice has six digits and a zero behind them.
        digits, exponent = f"{value:.5e}".split("e")
        candidate = f"{digits}0e{exponent}"
        if encode_float(float(candidate), type) == raw:
            return candidate
        for precision in (9, 17):
            candidate = f"{value:.{precision}g}"
            if "." in candidate and encode_float(float(candidate), type) == raw:
                return candidate
    return hex_literal(raw, type)


def hex_literal(raw: bytes, type: AnyFloat) -> str:
    """The bits as a hexadecimal literal, all digits of the type's width."""
    return f"0x{int.from_bytes(raw, 'little'):0{(type.bitwidth + 3) // 4}X}"
