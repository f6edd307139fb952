"""Matrix factorisation and solving, FFT, einsum. Batches of matrices are done one by one, in C
order."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray
from .. import Kernel, Scope, kernel
from .attributes import flag, ints, text_of
from .common import contiguous, operand_dtype, result_dtype, wide_float
from .dot import compute_dtype


@kernel("stablehlo.cholesky")
def _cholesky(op: Operation, scope: Scope) -> Kernel:
    """Reads one triangle and returns it, with zeros in the other; NaN where there is no factor."""
    lower = flag(op, "lower")
    dtype = operand_dtype(op)
    compute = wide_float(dtype)

    def cholesky(a: Any) -> Any:
        result = np.empty(a.shape, compute)
        for at in np.ndindex(a.shape[:-2]):
            matrix = a[at].astype(compute)
            matrix = matrix if lower else np.conjugate(matrix.T)
            result[at] = _factor(np.tril(matrix))
        if not lower:
            result = np.conjugate(np.swapaxes(result, -1, -2))
        return result.astype(dtype, order="C")

    return cholesky


def _factor(lower: AnyArray) -> AnyArray:
    try:
        return np.linalg.cholesky(lower)
    except np.linalg.LinAlgError:
        return np.full_like(lower, np.nan)


@kernel("stablehlo.triangular_solve")
def _triangular_solve(op: Operation, scope: Scope) -> Kernel:
    left, lower = flag(op, "left_side"), flag(op, "lower")
    unit, transpose = flag(op, "unit_diagonal"), text_of(op, "transpose_a")
    dtype = operand_dtype(op)
    compute = wide_float(dtype)

    def triangular_solve(a: Any, b: Any) -> Any:
        x = solve_triangular(
            a.astype(compute),
            b.astype(compute),
            left,
            lower,
            unit,
            transpose=transpose in ("TRANSPOSE", "ADJOINT"),
            conjugate=transpose == "ADJOINT",
        )
        return x.astype(dtype, order="C")

    return triangular_solve


def solve_triangular(
    a: AnyArray,
    b: AnyArray,
    left: bool,
    lower: bool,
    unit: bool,
    *,
    transpose: bool = False,
    conjugate: bool = False,
) -> AnyArray:
    """x with op(a) x = b, or x op(a) = b when not `left`; reads one triangle of `a`."""
    a = np.tril(a) if lower else np.triu(a)
    if transpose:
        a, lower = np.swapaxes(a, -1, -2), not lower
    if conjugate:
        a = np.conjugate(a)
    if not left:  # x a = b is aᵀ xᵀ = bᵀ
        a, lower = np.swapaxes(a, -1, -2), not lower
        b = np.swapaxes(b, -1, -2)
    x = _substitute(contiguous(a), contiguous(b), lower, unit)
    return x if left else np.swapaxes(x, -1, -2)


def _substitute(a: AnyArray, b: AnyArray, lower: bool, unit: bool) -> AnyArray:
    """Row by row: from the first for a lower triangle, from the last for an upper one."""
    x = np.zeros_like(b)
    size = a.shape[-1]
    for k in range(size) if lower else range(size - 1, -1, -1):
        done = slice(0, k) if lower else slice(k + 1, size)
        known = np.matmul(a[..., k : k + 1, done], x[..., done, :])[..., 0, :]
        row = np.subtract(b[..., k, :], known)
        x[..., k, :] = row if unit else np.divide(row, a[..., k, k : k + 1])
    return x


@kernel("stablehlo.fft")
def _fft(op: Operation, scope: Scope) -> Kernel:
    kind, lengths = text_of(op, "fft_type"), ints(op, "fft_length")
    axes = tuple(range(-len(lengths), 0))
    function: Any = {
        "FFT": np.fft.fftn,
        "IFFT": np.fft.ifftn,
        "RFFT": np.fft.rfftn,
        "IRFFT": np.fft.irfftn,
    }[kind]
    result = result_dtype(op)

    def fft(x: Any) -> Any:
        if 0 in x.shape or 0 in lengths:
            shape = (*x.shape[:-1], lengths[-1] // 2 + 1 if kind == "RFFT" else lengths[-1])
            return np.zeros(shape, result)
        return function(contiguous(x), lengths, axes).astype(result, order="C")

    return fft


@kernel("stablehlo.einsum", "stablehlo.unary_einsum")
def _einsum(op: Operation, scope: Scope) -> Kernel:
    config = text_of(op, "einsum_config")
    result = result_dtype(op)
    compute = compute_dtype(operand_dtype(op), result)

    def einsum(*operands: Any) -> Any:
        inputs = [contiguous(x, compute) for x in operands]
        return np.einsum(config, *inputs).astype(result, order="C")

    return einsum
