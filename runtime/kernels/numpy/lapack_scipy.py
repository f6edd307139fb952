"""The LAPACK routines that JAX calls on CPU and NumPy does not have: through SciPy.

LU and QR factors (pivoted too), their orthogonal matrices, Hessenberg, Schur and tridiagonal
forms, tridiagonal systems. SciPy (the extra `[linalg]`; JAX brings it along) is imported when a
program first needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ....dialects.diagnostics import ProgramError
from ...values import AnyArray, shape_of
from .. import Kernel
from .attributes import text_of
from .common import operand_dtype
from .custom_calls import Config, custom_call, lapack_targets, over_batches

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}


def _routine(op: Operation, name: str) -> Callable[..., Any]:
    """A LAPACK routine for the type of the op's first operand; needs SciPy."""
    try:
        lapack: Any = import_module("scipy.linalg.lapack")
    except ImportError:
        target = text_of(op, "call_target_name")
        raise ProgramError(
            f"custom call to '{target}' needs SciPy:"
            ' `python -m pip install "anabranch[linalg]"` installs it',
            op,
        ) from None
    return getattr(lapack, _LETTERS[operand_dtype(op).name] + name)


def _complex(op: Operation) -> bool:
    return operand_dtype(op).kind == "c"


def _lwork(size: int) -> int:
    """Enough room for LAPACK to work on blocks of columns."""
    return max(64 * size, 1)


@custom_call(*lapack_targets("sdcz", "getrf"))
def _getrf(op: Operation, config: Config) -> Kernel:
    """Results: both factors in one matrix, pivots counted from 1, info."""
    routine = _routine(op, "getrf")

    def getrf(a: Any) -> tuple[Any, ...]:
        factors, pivots, info = routine(a)
        return factors, pivots + 1, info

    return over_batches(op, 2, getrf)


@custom_call(*lapack_targets("sdcz", "geqrf"))
def _geqrf(op: Operation, config: Config) -> Kernel:
    """Results: R above the reflectors, and the reflectors' factors."""
    routine = _routine(op, "geqrf")

    def geqrf(a: Any) -> tuple[Any, ...]:
        return routine(a, lwork=_lwork(a.shape[-1]))[:2]

    return over_batches(op, 2, geqrf)


@custom_call(*lapack_targets("sdcz", "geqp3"))
def _geqp3(op: Operation, config: Config) -> Kernel:
    """As `geqrf` with columns exchanged: their numbers, from 1, are the second result."""
    routine = _routine(op, "geqp3")

    def geqp3(a: Any, fixed: Any) -> tuple[Any, ...]:
        if fixed.any():
            raise ValueError("columns that must come first are not supported")
        return routine(a, lwork=_lwork(a.shape[-1] + 1))[:3]

    return over_batches(op, 2, geqp3)


@custom_call(*lapack_targets("sd", "orgqr"), *lapack_targets("cz", "ungqr"))
def _orgqr(op: Operation, config: Config) -> Kernel:
    routine = _routine(op, "ungqr" if _complex(op) else "orgqr")

    def orgqr(a: Any, tau: Any) -> tuple[Any, ...]:
        return routine(a, tau, lwork=_lwork(a.shape[-1]))[:1]

    return over_batches(op, 2, orgqr)


@custom_call(*lapack_targets("sd", "ormqr"), *lapack_targets("cz", "unmqr"))
def _ormqr(op: Operation, config: Config) -> Kernel:
    """The orthogonal matrix of a QR factor, or its adjoint, times a matrix."""
    routine = _routine(op, "unmqr" if _complex(op) else "ormqr")
    side = "L" if config["left"] else "R"
    adjoint = ("C" if _complex(op) else "T") if config["transpose"] else "N"

    def ormqr(a: Any, tau: Any, c: Any) -> tuple[Any, ...]:
        return routine(side, adjoint, a, tau, c, _lwork(max(c.shape)))[:1]

    return over_batches(op, 2, ormqr)


@custom_call(*lapack_targets("sdcz", "gehrd"))
def _gehrd(op: Operation, config: Config) -> Kernel:
    """Results: the Hessenberg form above its reflectors, their factors, info."""
    routine = _routine(op, "gehrd")
    low, high = config["low"] - 1, config["high"] - 1

    def gehrd(a: Any) -> tuple[Any, ...]:
        return routine(a, low, high, lwork=_lwork(a.shape[-1]))

    return over_batches(op, 2, gehrd)


@custom_call(*lapack_targets("sd", "sytrd"), *lapack_targets("cz", "hetrd"))
def _sytrd(op: Operation, config: Config) -> Kernel:
    """Results: the reflectors, the diagonal, the one beside it, the reflectors' factors, info."""
    routine = _routine(op, "hetrd" if _complex(op) else "sytrd")
    lower = config["uplo"] == "L"

    def sytrd(a: Any) -> tuple[Any, ...]:
        return routine(a, lower=lower, lwork=_lwork(a.shape[-1]))

    return over_batches(op, 2, sytrd)


@custom_call(*lapack_targets("sdcz", "gees"))
def _gees(op: Operation, config: Config) -> Kernel:
    """Results: the Schur form, its vectors, the eigenvalues (parts, when real), 0, info."""
    if config["sort"] != "N":
        raise ProgramError("sorted Schur forms are not supported", op)
    routine = _routine(op, "gees")
    vectors = config["mode"] == "V"

    def gees(a: Any) -> tuple[Any, ...]:
        form, selected, *eigenvalues, basis, _, info = routine(_none, a, compute_v=vectors)
        return form, basis if vectors else np.zeros_like(a), *eigenvalues, selected, info

    return over_batches(op, 2, gees)


def _none(*eigenvalue: Any) -> bool:
    """Selects no eigenvalue; LAPACK does not ask where nothing is sorted."""
    return False


@custom_call(*lapack_targets("sdcz", "gtsv"))
def _gtsv(op: Operation, config: Config) -> Kernel:
    """Results: the diagonals of the factor, in the operands' places, the solution, info.

    The first number of the diagonal below and the last of the one above do not count.
    """
    routine = _routine(op, "gtsv")

    def gtsv(dl: Any, d: Any, du: Any, b: Any) -> tuple[Any, ...]:
        second, main, above, x, info = routine(dl[1:], d, du[:-1], b)
        zero = np.zeros(1, d.dtype)
        return np.append(second, zero), main, np.append(above, zero), x, info

    def shortest(dl: Any, d: Any, du: Any, b: Any) -> tuple[Any, ...]:
        return dl, d, du, np.divide(b, d[0]), int(np.equal(d[0], 0))

    alone = shape_of(op.operands[1])[-1] == 1
    return over_batches(op, 1, shortest if alone else gtsv)


def left_eigenvectors(op: Operation) -> Callable[[AnyArray], tuple[AnyArray, AnyArray, AnyArray]]:
    """The eigenvalues, left and right eigenvectors of a matrix, all complex."""
    routine = _routine(op, "geev")

    def geev(a: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
        if a.ndim > 2 or not np.isfinite(a).all():
            raise np.linalg.LinAlgError  # one by one, please
        *parts, vl, vr, info = routine(a, compute_vl=1, compute_vr=1)
        if info:
            raise np.linalg.LinAlgError
        if len(parts) == 1:
            return parts[0], vl, vr
        w = parts[0] + parts[1] * np.complex64(1j)
        return w, _unpacked(vl, w.imag), _unpacked(vr, w.imag)

    return geev


def _unpacked(vectors: AnyArray, imaginary: AnyArray) -> AnyArray:
    """Complex vectors from columns that hold real and imaginary parts of conjugate pairs."""
    result = vectors.astype(np.result_type(vectors, np.complex64))
    first = np.flatnonzero(imaginary > 0)
    result[:, first] = vectors[:, first] + vectors[:, first + 1] * np.complex64(1j)
    result[:, first + 1] = np.conjugate(result[:, first])
    return result
