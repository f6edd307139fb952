"""The LAPACK routines that JAX calls on CPU, as far as NumPy has them.

Cholesky factors, triangular solves, eigenvalues of symmetric and of general matrices, singular
values. NumPy takes whole batches; a matrix without an answer has NaN for its results, and an info
code of 1, without disturbing the others of its batch. Programs look at the code only to see
whether it is 0. What an option leaves out (vectors that are not asked for) is zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ....dialects.diagnostics import ProgramError
from ...values import AnyArray, DType
from .. import Kernel
from .common import contiguous, operand_dtype, result_dtype
from .custom_calls import Config, custom_call, lapack_targets
from .lapack_scipy import left_eigenvectors
from .linalg import solve_triangular
from .tridiagonal import solve_perturbed

Factors = tuple[AnyArray, ...]


def _with_codes(function: Callable[[Any], Factors], dtypes: list[DType]) -> Kernel:
    """`function` of a batch of matrices, as a kernel that adds their info codes.

    Where NumPy gives up on a batch, its matrices are done one by one.
    """

    def answers(a: AnyArray) -> Factors:
        return tuple([contiguous(x, t) for x, t in zip(function(a), dtypes)])

    def run(a: Any) -> tuple[Any, ...]:
        a = contiguous(a)
        batch = a.shape[:-2]
        code = np.zeros(batch, np.int32)
        try:
            return (*answers(a), code)
        except np.linalg.LinAlgError:
            pass
        like = answers(np.eye(*a.shape[-2:], dtype=a.dtype))
        found = [np.full(batch + x.shape, np.nan, x.dtype) for x in like]
        for at in np.ndindex(batch):
            try:
                for whole, part in zip(found, answers(a[at])):
                    whole[at] = part
            except np.linalg.LinAlgError:
                code[at] = 1
        return (*found, code)

    return run


def _factor_dtypes(op: Operation) -> list[DType]:
    """The dtypes of all results but the info code."""
    return [result_dtype(op, k) for k in range(len(op.results) - 1)]


@custom_call(*lapack_targets("sdcz", "potrf"))
def _potrf(op: Operation, config: Config) -> Kernel:
    """Reads one triangle; zeros in the other (LAPACK leaves there what was, JAX masks it)."""
    lower = config["uplo"] == "L"

    def potrf(a: AnyArray) -> Factors:
        # NumPy reads the lower triangle.
        factor = np.linalg.cholesky(a if lower else _adjoint(a))
        return (factor if lower else _adjoint(factor),)

    return _with_codes(potrf, _factor_dtypes(op))


def _adjoint(a: AnyArray) -> AnyArray:
    return np.conjugate(np.swapaxes(a, -1, -2))


@custom_call(*lapack_targets("sdcz", "trsm"))
def _trsm(op: Operation, config: Config) -> Kernel:
    left, lower = config["side"] == "L", config["uplo"] == "L"
    unit, transpose = config["diag"] == "U", config["trans_x"]

    def trsm(a: Any, b: Any) -> Any:
        x = solve_triangular(
            a, b, left, lower, unit, transpose=transpose != "N", conjugate=transpose == "C"
        )
        return contiguous(x)

    return trsm


@custom_call(*lapack_targets("sd", "syevd"), *lapack_targets("cz", "heevd"))
def _syevd(op: Operation, config: Config) -> Kernel:
    uplo = config["uplo"]
    vectors = config["mode"] == "V"

    def syevd(a: AnyArray) -> Factors:
        if not vectors:
            return np.zeros_like(a), np.linalg.eigvalsh(a, UPLO=uplo)
        w, v = np.linalg.eigh(a, UPLO=uplo)
        return v, w

    return _with_codes(syevd, _factor_dtypes(op))


@custom_call(*lapack_targets("sdcz", "gesdd", "gesvd"))
def _gesdd(op: Operation, config: Config) -> Kernel:
    """Results: what LAPACK leaves of the matrix (here: it), s, u, v^H, info."""
    mode = config["mode"]
    if mode not in "ASN":
        raise ProgramError(f"singular values: mode '{mode}' is not supported", op)

    def gesdd(a: AnyArray) -> Factors:
        if mode != "N":
            u, s, vh = np.linalg.svd(a, full_matrices=mode == "A")
            return a, s, u, vh
        s = np.linalg.svd(a, compute_uv=False)
        rows, columns = a.shape[-2:]
        u_shape, vh_shape = (*a.shape[:-1], rows), (*a.shape[:-2], columns, columns)
        return a, s, np.zeros(u_shape, a.dtype), np.zeros(vh_shape, a.dtype)

    return _with_codes(gesdd, _factor_dtypes(op))


@custom_call(*lapack_targets("sdcz", "geev"))
def _geev(op: Operation, config: Config) -> Kernel:
    """Results: the eigenvalues (their real and imaginary parts when the matrix is real), left and
    right eigenvectors, info. NumPy has no left ones: these need SciPy."""
    real = operand_dtype(op).kind == "f"
    left, right = config["compute_left"] == "V", config["compute_right"] == "V"
    both = left_eigenvectors(op) if left else None

    def geev(a: AnyArray) -> Factors:
        w: Any
        vl = vr = np.zeros(a.shape, np.complex64)
        if both is not None:
            w, vl, vr = both(a)
        elif right:
            w, vr = np.linalg.eig(a)
        else:
            w = np.linalg.eigvals(a)
        return (w.real, w.imag, vl, vr) if real else (w, vl, vr)

    return _with_codes(geev, _factor_dtypes(op))


@custom_call("tridiagonal_solve_perturbed_ffi")
def _tridiagonal_solve_perturbed(op: Operation, config: Config) -> Kernel:
    return solve_perturbed
