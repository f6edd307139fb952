"""`rng_bit_generator`: the counter-based generators Threefry-2x32 and Philox-4x32, with XLA's
layout of the bits.

The state is a key and a counter (`tensor<2xui64>`, or 3 for Philox with a counter of 128 bits).
Counter values are used one after the other, and the new state counts those used. DEFAULT is
Philox, as in XLA on CPU. `rng`, which has no state, is in `draws`.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ....dialects.diagnostics import ProgramError
from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import text_of
from .common import UNSIGNED, is_int, result_dtype

_THREEFRY_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_THREEFRY_PARITY: Final = np.uint32(0x1BD11BDA)
_PHILOX_MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_PHILOX_KEY_STEPS: Final = (0x9E3779B9, 0xBB67AE85)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)


@kernel("stablehlo.rng_bit_generator")
def _rng_bit_generator(op: Operation, scope: Scope) -> Kernel:
    dtype, shape = result_dtype(op, 1), shape_of(op.results[1])
    words = shape_of(op.operands[0])
    algorithm = text_of(op, "rng_algorithm")
    if not is_int(dtype) or dtype.itemsize * words[0] == 0 or words[0] not in (2, 3):
        raise ProgramError(f"{op.name}: expected integers from a state of 2 or 3 words", op)
    raw = UNSIGNED[dtype.itemsize]
    generate = _threefry_bits if algorithm == "THREE_FRY" else _philox_bits

    def rng_bit_generator(state: Any) -> tuple[Any, Any]:
        # Narrow integers are the low bits of one 32-bit word each.
        bits, used = generate(state, shape, raw.itemsize == 8)
        return _advance(state, used), bits.astype(raw).view(dtype)

    return rng_bit_generator


def _advance(state: Any, used: int) -> AnyArray:
    result = state.copy()
    result[1] = np.add(state[1], np.uint64(used))
    if len(state) == 3 and result[1] < state[1]:
        result[2] = np.add(state[2], np.uint64(1))
    return result


def _halves(words: Any) -> tuple[Any, Any]:
    """The low and the high 32 bits."""
    return np.bitwise_and(words, _LOW).astype(np.uint32), np.right_shift(words, _HALF).astype(
        np.uint32
    )


def _joined(low: Any, high: Any) -> Any:
    return np.bitwise_or(low.astype(np.uint64), np.left_shift(high.astype(np.uint64), _HALF))


def threefry(key: tuple[Any, Any], counter: tuple[Any, Any]) -> tuple[Any, Any]:
    """Threefry-2x32 with 20 rounds."""
    parity = np.bitwise_xor(np.bitwise_xor(key[0], key[1]), _THREEFRY_PARITY)
    keys = (key[0], key[1], parity)
    x, y = np.add(counter[0], keys[0]), np.add(counter[1], keys[1])
    for group in range(5):
        for turn in _THREEFRY_ROTATIONS[group % 2]:
            x = np.add(x, y)
            left = np.left_shift(y, np.uint32(turn))
            y = np.bitwise_xor(np.bitwise_or(left, np.right_shift(y, np.uint32(32 - turn))), x)
        x = np.add(x, keys[(group + 1) % 3])
        y = np.add(np.add(y, keys[(group + 2) % 3]), np.uint32(group + 1))
    return x, y


def _threefry_bits(state: Any, shape: tuple[int, ...], wide: bool) -> tuple[AnyArray, int]:
    key = _halves(state[0])
    if wide:
        count = prod(shape)
        counter = np.add(state[1], np.arange(count, dtype=np.uint64))
        return _joined(*threefry(key, _halves(counter))).reshape(shape), count
    # One counter gives two words, which lie along one dimension: the first of even size, or the
    # (first) largest, padded.
    if not shape:
        bits, used = _threefry_bits(state, (1,), wide)
        return bits.reshape(()), used
    even = [d for d, size in enumerate(shape) if size % 2 == 0]
    split = even[0] if even else shape.index(max(shape))
    half = tuple((size + 1) // 2 if d == split else size for d, size in enumerate(shape))
    count = prod(half)
    counter = np.add(state[1], np.arange(count, dtype=np.uint64)).reshape(half)
    pair = np.stack(threefry(key, _halves(counter)), axis=split + 1)
    whole = pair.reshape(tuple(2 * size if d == split else size for d, size in enumerate(half)))
    return whole[tuple(slice(0, size) for size in shape)], count


def philox(key: tuple[Any, Any], counter: list[Any]) -> list[Any]:
    """Philox-4x32 with 10 rounds."""
    first, second = int(key[0]), int(key[1])
    a, b, c, d = counter
    for _ in range(10):
        low_a, high_a = _halves(np.multiply(a.astype(np.uint64), _PHILOX_MULTIPLIERS[0]))
        low_c, high_c = _halves(np.multiply(c.astype(np.uint64), _PHILOX_MULTIPLIERS[1]))
        a = np.bitwise_xor(np.bitwise_xor(high_c, b), np.uint32(first))
        c = np.bitwise_xor(np.bitwise_xor(high_a, d), np.uint32(second))
        b, d = low_c, low_a
        first = (first + _PHILOX_KEY_STEPS[0]) & 0xFFFFFFFF
        second = (second + _PHILOX_KEY_STEPS[1]) & 0xFFFFFFFF
    return [a, b, c, d]


def _philox_bits(state: Any, shape: tuple[int, ...], wide: bool) -> tuple[AnyArray, int]:
    count = prod(shape)
    used = -(-count // (2 if wide else 4))
    low = np.add(state[1], np.arange(used, dtype=np.uint64))
    # The high half of the counter: the third word, with the carry, or the key again.
    high = np.full(used, state[0])
    if len(state) == 3:
        high = np.add(state[2], np.less(low, state[1]).astype(np.uint64))
    words = philox(_halves(state[0]), [*_halves(low), *_halves(high)])
    if wide:
        words = [_joined(words[0], words[1]), _joined(words[2], words[3])]
    return np.stack(words, axis=-1).ravel()[:count].reshape(shape), used
