"""`rng`: numbers that depend on the run's seed, the op's number and the iterations around it.

Never on what ran before: the engines fire ops in different orders. The bits are Philox-4x64's,
whose key is the seed and the op's number (`number-draws` gives it), and whose counter starts at
the iterations, outermost first, mixed into 128 bits. NumPy guarantees that stream.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ....dialects.diagnostics import DataError, ProgramError
from ...values import AnyArray, DType
from .. import Kernel, Scope, Tag, kernel, with_tag
from .attributes import attribute, int_of, text_of
from .common import is_bool, is_float, result_dtype, where, wide_float

SEEDS: Final = 2**64
"""Seeds are from 0 to below this."""
_MASK: Final = SEEDS - 1


@kernel("stablehlo.rng")
def _rng(op: Operation, scope: Scope) -> Kernel:
    if attribute(op, "dcf.draw") is None:
        raise ProgramError("stablehlo.rng has no number (dcf.draw): run number-draws", op)
    number = int_of(op, "dcf.draw")
    dtype = result_dtype(op)
    draw = _normal if text_of(op, "rng_distribution") == "NORMAL" else _uniform(dtype)

    def rng(tag: Tag, a: Any, b: Any, shape: Any) -> AnyArray:
        sizes = [int(size) for size in shape]
        if min(sizes, default=0) < 0:
            raise DataError(f"shape: expected sizes of at least 0, got {sizes}")
        bits = random_bits(tag, number, prod(sizes) * (1 + (draw is _normal)))
        return draw(bits, a, b, dtype).reshape(sizes)

    return with_tag(rng)


def random_bits(tag: Tag, number: int, count: int) -> AnyArray:
    """So many 64-bit words for an op and a tag."""
    seed, *iterations = tag
    if not 0 <= seed < SEEDS:
        raise DataError(f"seed: expected a number from 0 to {_MASK}, got {seed}")
    low = high = len(iterations)
    for iteration in iterations:
        low = _mixed(low + iteration)
        high = _mixed((high ^ iteration) + 0x9E3779B97F4A7C15)
    # The lowest word counts blocks of the array.
    counter = np.array([0, low, high, 0], np.uint64)
    key = np.array([seed, number], np.uint64)
    return np.random.Philox(counter=counter, key=key).random_raw(count)


def _mixed(x: int) -> int:
    """A word every bit of which depends on every bit of `x` (the finalizer of SplitMix64)."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _uniform(dtype: DType) -> Any:
    if is_float(dtype):
        return _uniform_floats
    return _uniform_bools if is_bool(dtype) else _uniform_ints


def _uniform_floats(bits: AnyArray, a: Any, b: Any, dtype: DType) -> AnyArray:
    """From a to below b: steps that the type has between 1/2 and 1."""
    compute = wide_float(dtype)
    digits = int(np.finfo(compute).nmant) + 1 if compute == dtype else 8
    low, high = a.astype(compute), b.astype(compute)
    unit = np.multiply(_top_bits(bits, digits).astype(compute), compute.type(2.0**-digits))
    result = np.add(low, np.multiply(unit, np.subtract(high, low))).astype(dtype)
    # Where rounding would reach b.
    return where(np.less(result, b), result, np.nextafter(b, a))


def _top_bits(bits: AnyArray, digits: int) -> AnyArray:
    return np.right_shift(bits, np.uint64(64 - digits))


def _uniform_ints(bits: AnyArray, a: Any, b: Any, dtype: DType) -> AnyArray:
    """From a to below b; a where there is nothing between."""
    low, high = int(a), int(b)
    # Each number is as probable as any other up to one part in 2**64 / (high - low).
    offsets = np.remainder(bits, np.uint64(max(high - low, 1)))
    return np.add(offsets, np.uint64(low & _MASK)).astype(np.int64).astype(dtype)


def _uniform_bools(bits: AnyArray, a: Any, b: Any, dtype: DType) -> AnyArray:
    return np.full(bits.shape, a, dtype)


def _normal(bits: AnyArray, a: Any, b: Any, dtype: DType) -> AnyArray:
    """With mean a and standard deviation b, by Box and Muller's transformation in f64."""
    first, second = np.split(_top_bits(bits, 53).astype(np.float64), 2)
    radius = np.sqrt(np.multiply(np.log(np.multiply(np.add(first, 1), 2.0**-53)), -2.0))
    angle = np.multiply(second, 2.0**-52 * np.pi)
    standard = np.multiply(radius, np.cos(angle))
    mean, deviation = a.astype(np.float64), b.astype(np.float64)
    return np.add(mean, np.multiply(standard, deviation)).astype(dtype)
