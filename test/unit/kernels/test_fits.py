"""Special functions of 32 bits and fewer against those of 64, and their ends."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

POINTS = {
    "erf": np.concatenate([np.linspace(-6, 6, 4001), 10.0 ** np.arange(-37, 1)]),
    "erfc": np.linspace(-5, 9.2, 4001),
    "erf_inv": np.concatenate([np.linspace(-0.999, 0.999, 4001), 1 - 2.0 ** -np.arange(2.0, 24)]),
    "bessel_i1e": np.concatenate([np.linspace(-20, 20, 4001), 10.0 ** np.arange(-37, 38)]),
    "lgamma": np.linspace(-5.05, 40, 4001),
    "digamma": np.linspace(-5.05, 40, 4001),
}
ENDS = {
    "erf": ([np.inf, -np.inf, np.nan, -0.0], [1, -1, np.nan, -0.0]),
    "erfc": ([np.inf, -np.inf, np.nan, 0.0], [0, 2, np.nan, 1]),
    "erf_inv": ([1, -1, np.nan, 2, -0.0], [np.inf, -np.inf, np.nan, np.nan, -0.0]),
    "lgamma": (
        [np.inf, -np.inf, np.nan, 0.0, -3.0, 1, 2],
        [np.inf, np.inf, np.nan, np.inf, np.inf, 0, 0],
    ),
    "bessel_i1e": ([np.inf, -np.inf, np.nan, -0.0], [0, -0.0, np.nan, -0.0]),
}


def apply(run: Any, helpers: Any, op: str, a: np.ndarray) -> np.ndarray:
    type = helpers.type(a)
    return run(f"  %r = chlo.{op} %a : {type} -> {type}\n  return %r : {type}", [a], [type])[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("op", POINTS)
def test_rounded_as_from_double_precision(op: str, dtype: Any, run: Any, helpers: Any) -> None:
    with np.errstate(all="ignore"):
        a = POINTS[op].astype(dtype)
    if op == "erf_inv":
        a = a[np.abs(a.astype(np.float64)) < 1]
    want = apply(run, helpers, op, a.astype(np.float64))
    got = apply(run, helpers, op, a)
    assert got.dtype == dtype
    eps = float(ml_dtypes.finfo(dtype).eps)
    tiny = float(ml_dtypes.finfo(dtype).tiny)
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=0.51 * eps, atol=tiny)


@pytest.mark.parametrize("op", ENDS)
def test_ends(op: str, run: Any, helpers: Any) -> None:
    a, want = (np.array(column, np.float32) for column in ENDS[op])
    helpers.assert_same(apply(run, helpers, op, a), want)


def test_many_elements_and_none(run: Any, helpers: Any) -> None:
    a = np.linspace(-1, 1, 3 * 8192 + 5).astype(np.float32).reshape(1, -1)
    got = apply(run, helpers, "erf", a)
    np.testing.assert_array_equal(got[:, ::1000], apply(run, helpers, "erf", a[:, ::1000].copy()))
    assert apply(run, helpers, "erf", np.zeros((0, 3), np.float32)).shape == (0, 3)
    assert apply(run, helpers, "erf", np.array(0.5, np.float32)).shape == ()
