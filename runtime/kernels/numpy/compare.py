"""`compare` and `select`.

FLOAT follows IEEE (NaN is unordered); TOTALORDER orders -NaN < -inf < … < -0 < +0 < … < inf < NaN
by bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import DType, shape_of
from .. import Kernel, Scope, kernel
from .attributes import text_of
from .common import SIGNED, SMALL_INTS, is_float, operand_dtype, three, two, wide_int

_DIRECTIONS: Final[dict[str, Callable[..., Any]]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


@kernel("stablehlo.compare", elementwise=True)
def _compare(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    ufunc = _DIRECTIONS[text_of(op, "comparison_direction")]
    if text_of(op, "compare_type") == "TOTALORDER" and is_float(dtype):

        def compare_total(x: Any, y: Any) -> Any:
            return ufunc(total_order_key(x), total_order_key(y))

        return compare_total
    if dtype in SMALL_INTS:
        compute = wide_int(dtype)
        return two(lambda x, y: ufunc(x.astype(compute), y.astype(compute)))
    return ufunc


def total_order_key(x: Any) -> Any:
    """Signed integers in the total order of the floats: a negative float's other bits are
    inverted."""
    signed = SIGNED[x.dtype.itemsize]
    raw = x.view(signed)
    negative = np.right_shift(raw, signed.type(signed.itemsize * 8 - 1))
    return np.bitwise_xor(raw, np.bitwise_and(negative, _MAXIMA[signed]))


_MAXIMA: Final[dict[DType, Any]] = {
    dtype: dtype.type(np.iinfo(dtype).max) for dtype in SIGNED.values()
}


@kernel("stablehlo.select", elementwise=True)
def _select(op: Operation, scope: Scope) -> Kernel:
    if scope.batched or shape_of(op.operands[0]) != ():
        return np.where
    return three(lambda pred, on_true, on_false: on_true if pred else on_false)
