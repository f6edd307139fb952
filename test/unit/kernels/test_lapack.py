"""Custom calls of linear algebra: what JAX lowers on CPU, run by our kernels and by JAX."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.reference import evaluate

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import jax.scipy.linalg as jsl  # noqa: E402
from jax.lax import linalg as ll  # noqa: E402

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def random(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.normal(size=shape)
    return x.astype(dtype)


def positive(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    a = random(shape, dtype)
    product = a @ np.conjugate(np.swapaxes(a, -1, -2))
    return (product + np.eye(shape[-1])).astype(dtype)


def check(function: Callable[..., Any], *args: np.ndarray, tolerance: float = 300) -> None:
    """Our results are JAX's, up to so many rounding errors."""
    want = [np.asarray(x) for x in jax.tree.leaves(jax.jit(function)(*args))]
    got = evaluate(ab.from_jax(function, *args), args)
    eps = np.finfo(args[0].dtype).eps
    for x, y in zip(got, want, strict=True):
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        np.testing.assert_allclose(x, y, rtol=tolerance * eps, atol=tolerance * eps)


def symmetric_eigen(a: Any) -> Any:
    """Vectors are known up to a factor of length 1: what does not depend on it."""
    w, v = jnp.linalg.eigh(a)
    return w, jnp.einsum("...ij,...j,...kj->...ik", v, w, jnp.conj(v))


def singular(full: bool) -> Callable[[Any], Any]:
    def function(a: Any) -> Any:
        u, s, vh = jnp.linalg.svd(a, full_matrices=full)
        k = s.shape[-1]
        return (
            s,
            (u[..., :k] * s[..., None, :]) @ vh[..., :k, :],
            jnp.conj(jnp.swapaxes(u, -1, -2)) @ u,
        )

    return function


def eigen(a: Any) -> Any:
    w, v = jnp.linalg.eig(a)
    return w, a @ v - v * w[..., None, :], jnp.sum(jnp.abs(v) ** 2, axis=-2)


def left_eigen(a: Any) -> Any:
    w, vl, vr = ll.eig(a)
    left = jnp.conj(jnp.swapaxes(vl, -1, -2))
    return w, left @ a - w[..., :, None] * left, a @ vr - vr * w[..., None, :]


def hessenberg(a: Any) -> Any:
    return jsl.hessenberg(a, calc_q=True)


def schur(a: Any) -> Any:
    t, z = jsl.schur(a)
    return z @ t @ jnp.conj(z.T), jnp.tril(t, -2), jnp.conj(z.T) @ z


def tridiagonal(a: Any) -> Any:
    _, d, e, _ = ll.tridiagonal(a)
    return d, jnp.abs(e)


ANY = {
    "qr": jnp.linalg.qr,
    "qr of all columns": lambda a: jnp.linalg.qr(a, mode="complete"),
    "qr with pivots": lambda a: jsl.qr(a[0], pivoting=True),
    "lu": lambda a: ll.lu(a),
    "svd, thin": singular(False),
    "svd, full": singular(True),
    "singular values": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "svd by QR": lambda a: ll.svd(a, algorithm=ll.SvdAlgorithm.QR)[1],
    "pseudo-inverse": jnp.linalg.pinv,
}
SQUARE = {
    "solve": lambda a: jnp.linalg.solve(a, a[..., :2]),
    "inverse": jnp.linalg.inv,
    "determinant": jnp.linalg.det,
    "eigenvalues": lambda a: jnp.sort(jnp.linalg.eigvals(a), axis=-1),
    "eigenvectors": eigen,
    "left eigenvectors": left_eigen,
    "hessenberg": lambda a: hessenberg(a[0]),
    "schur": lambda a: schur(a[0]),
}
POSITIVE = {
    "cholesky": jnp.linalg.cholesky,
    "upper cholesky": lambda a: jnp.linalg.cholesky(a, upper=True),
    "cholesky solve": lambda a: jsl.cho_solve(jsl.cho_factor(a[0]), a[1]),
    "symmetric eigenvectors": symmetric_eigen,
    "symmetric eigenvalues": jnp.linalg.eigvalsh,
    "tridiagonal form": tridiagonal,
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ANY)
def test_any_matrix(name: str, dtype: Any) -> None:
    check(ANY[name], random((2, 5, 3), dtype))


@pytest.mark.parametrize("name", ["qr", "svd, thin", "svd, full", "lu"])
def test_wide_and_single_matrices(name: str) -> None:
    check(ANY[name], random((3, 5), np.float32))
    check(ANY[name], random((1, 2, 4, 4), np.float64))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SQUARE)
def test_square_matrix(name: str, dtype: Any) -> None:
    check(SQUARE[name], random((2, 4, 4), dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", POSITIVE)
def test_positive_matrix(name: str, dtype: Any) -> None:
    check(POSITIVE[name], positive((2, 4, 4), dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
@pytest.mark.parametrize("transpose", ["N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
def test_triangular_solve(lower: bool, transpose: str, dtype: Any) -> None:
    a, b = positive((2, 4, 4), dtype), random((2, 4, 3), dtype, 1)
    for unit in (False, True):
        for left in (False, True):

            def function(a: Any, b: Any, unit: bool = unit, left: bool = left) -> Any:
                return ll.triangular_solve(
                    a,
                    b if left else jnp.swapaxes(b, -1, -2),
                    left_side=left,
                    lower=lower,
                    transpose_a=transpose != "N",
                    conjugate_a=transpose == "C",
                    unit_diagonal=unit,
                )

            check(function, a, b, tolerance=1e4)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("transpose", [False, True])
def test_products_with_reflectors(transpose: bool, dtype: Any) -> None:
    def function(a: Any, c: Any, d: Any) -> Any:
        turned, tau = jnp.linalg.qr(a, mode="raw")
        r = jnp.swapaxes(turned, -1, -2)
        left = ll.ormqr(r, tau, c, left=True, transpose=transpose)
        return left, ll.ormqr(r, tau, d, left=False, transpose=transpose)

    check(function, random((2, 5, 3), dtype), random((2, 5, 2), dtype), random((2, 2, 5), dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_tridiagonal_systems(size: int, dtype: Any) -> None:
    diagonals = [random((2, size), dtype, seed) for seed in range(3)]
    check(ll.tridiagonal_solve, *diagonals, random((2, size, 3), dtype), tolerance=3000)

    def perturbed(dl: Any, d: Any, du: Any, b: Any) -> Any:
        return ll.tridiagonal_solve(dl, d, du, b, perturb_singular=True)

    check(perturbed, *diagonals, random((2, size, 3), dtype), tolerance=3000)


def test_eigenvectors_of_tridiagonal_matrix() -> None:
    def function(d: Any, e: Any) -> Any:
        w, v = jsl.eigh_tridiagonal(d, e)
        return w, jnp.abs(v)

    check(function, random((6,), np.float64), random((5,), np.float64, 1), tolerance=1e5)


def test_matrices_without_answer() -> None:
    """NaN for them, and the others of the batch are as they were."""
    good = positive((3, 3), np.float32)
    batch = np.stack([good, np.full_like(good, np.nan), -good, good])
    for function in (jnp.linalg.cholesky, lambda a: jnp.linalg.eigh(a)[0]):
        check(function, batch)
    for function in (lambda a: jnp.linalg.svd(a, compute_uv=False), jnp.linalg.eigvals, left_eigen):
        check(function, batch)
    singular = np.array([[1, 2], [2, 4]], np.float32)
    check(jnp.linalg.inv, singular)
    check(jnp.linalg.det, singular)


def test_empty_batch() -> None:
    for function in (jnp.linalg.inv, jnp.linalg.eigh, jnp.linalg.qr, jnp.linalg.cholesky):
        check(function, np.zeros((0, 3, 3), np.float32))


def test_gradients_run() -> None:
    """Derivatives of JAX's are programs of the same calls."""

    def loss(a: Any) -> Any:
        return jnp.sum(jnp.linalg.solve(a @ a.T + jnp.eye(4), a)) + jnp.linalg.slogdet(a)[1]

    check(jax.grad(loss), random((4, 4), np.float64), tolerance=1e5)


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ab.from_jax(jnp.linalg.inv, np.eye(2, dtype=np.float32))
    monkeypatch.setitem(sys.modules, "scipy.linalg.lapack", None)
    with pytest.raises(ab.ProgramError, match=r"'lapack_sgetrf_ffi' needs SciPy: .*\[linalg\]"):
        evaluate(module, [np.eye(2, dtype=np.float32)])


def test_unknown_target_names_itself() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @lapack_sgelsd_ffi(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    with pytest.raises(ab.ProgramError, match="'lapack_sgelsd_ffi' is not supported") as caught:
        evaluate(parse_module(text), [np.zeros(2, np.float32)])
    assert caught.value.location is not None
