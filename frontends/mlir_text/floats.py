"""Bits of floating-point values: numbers to bytes and back, exactly, with NaN payloads.

As in MLIR, a decimal literal is first read as a double and then rounded (to nearest, ties to even)
to its type; a hexadecimal one gives the bits themselves.
"""

from __future__ import annotations

import math
import struct

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    FloatData,
)

from .decimals import scientific, shortest

_MANTISSA_BITS = {
    "bf16": 7,
    "f16": 10,
    "f32": 23,
    "f64": 52,
    "f80": 63,
    "f128": 112,
    "tf32": 10,
    "f4E2M1FN": 1,
    "f6E2M3FN": 3,
    "f6E3M2FN": 2,
    "f8E3M4": 4,
    "f8E4M3": 3,
    "f8E4M3FN": 3,
    "f8E4M3FNUZ": 3,
    "f8E4M3B11FNUZ": 3,
    "f8E5M2": 2,
    "f8E5M2FNUZ": 2,
    "f8E8M0FNU": 0,
}
"""Stored bits of the significand, by the type's name."""

_WITH_PAYLOADS = {"bf16", "f16", "f32", "f64", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E5M2"}
"""Types with NaNs of several bit patterns; the others have none or one."""


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
    if type.name not in _WITH_PAYLOADS:
        return None
    mantissa = _MANTISSA_BITS[type.name]
    (wide,) = struct.unpack("<Q", struct.pack("<d", value))
    exponent = (1 << type.bitwidth - 1 - mantissa) - 1
    payload = (wide & ((1 << 52) - 1)) >> (52 - mantissa) or 1 << (mantissa - 1)
    sign = wide >> 63
    return sign << (type.bitwidth - 1) | exponent << mantissa | payload


def _nan_from_bits(bits: int, type: AnyFloat) -> float:
    if type.name not in _WITH_PAYLOADS:
        return math.nan
    mantissa = _MANTISSA_BITS[type.name]
    sign = bits >> (type.bitwidth - 1)
    payload = (bits & ((1 << mantissa) - 1)) << (52 - mantissa)
    wide = sign << 63 | 0x7FF << 52 | payload
    return struct.unpack("<d", struct.pack("<Q", wide))[0]


def float_literal(raw: bytes, type: AnyFloat) -> str:
    """The literal that MLIR prints for the bits `raw`; it reads back to the same bits."""
    value = type.unpack(raw, 1)[0]
    if math.isfinite(value):
        short = scientific(value, 6)
        if encode_float(float(short), type) == raw:
            return short
        full = shortest(value, 2 + (_MANTISSA_BITS[type.name] + 1) * 59 // 196)
        if "." in full and encode_float(float(full), type) == raw:
            return full
    return hex_literal(raw, type)


def hex_literal(raw: bytes, type: AnyFloat) -> str:
    """The bits as a hexadecimal literal."""
    return f"0x{int.from_bytes(raw, 'little'):X}"
