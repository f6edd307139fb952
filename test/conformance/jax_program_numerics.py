"""Programs for `jax_programs.py`: linear algebra, random numbers, element types, functions of one
element."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax
from jax_programs import ints, normal, program

# Linear algebra and transforms


def positive(n: int, dtype: Any = np.float32) -> Any:
    a = normal(n, n, dtype=np.float64)
    return (a @ a.T + n * np.eye(n)).astype(dtype)


@program(ulps=256)
def cholesky_and_triangular_solve() -> Any:
    def run(a: Any, b: Any) -> Any:
        factor = jnp.linalg.cholesky(a)
        x = jsp.linalg.solve_triangular(factor, b, lower=True)
        return factor, x, jsp.linalg.solve_triangular(factor, b, trans=1, lower=True)

    return run, (positive(4), normal(4, 2))


@program(ulps=1024)
def cholesky_gradient() -> Any:
    return jax.grad(lambda a: jnp.linalg.cholesky(a).sum()), (positive(3),)


@program(ulps=512)
def qr_decomposition() -> Any:
    def run(a: Any) -> Any:
        q, r = jnp.linalg.qr(a)
        return q @ r, jnp.abs(r), q.T @ q + 1.0

    return run, (normal(5, 3),)


@program(ulps=512)
def solve_and_determinant() -> Any:
    def run(a: Any, b: Any) -> Any:
        return jnp.linalg.solve(a, b), jnp.linalg.inv(a), jnp.linalg.slogdet(a), jnp.linalg.det(a)

    return run, (positive(4) + normal(4, 4), normal(4, 2))


@program(ulps=512)
def symmetric_eigenvalues() -> Any:
    def run(a: Any) -> Any:
        values, vectors = jnp.linalg.eigh(a)
        return values, (vectors * values) @ vectors.T

    return run, (positive(4),)


@program(ulps=512)
def singular_values() -> Any:
    def run(a: Any) -> Any:
        u, s, vt = jnp.linalg.svd(a, full_matrices=False)
        return s, (u * s) @ vt, jnp.linalg.norm(a, 2)

    return run, (normal(5, 3),)


@program(x64=True, ulps=4096)
def eigenvalues_of_any_matrix() -> Any:
    return lambda a: jnp.sort(jnp.abs(jnp.linalg.eigvals(a))), (normal(4, 4, dtype=np.float64),)


@program(ulps=512)
def matrix_exponential() -> Any:
    return lambda a: (jsp.linalg.expm(a), jnp.linalg.matrix_power(a, 5)), (0.3 * normal(3, 3),)


@program(ulps=64)
def fourier_transforms() -> Any:
    def run(x: Any) -> Any:
        spectrum = jnp.fft.rfft(x)
        both = jnp.fft.fft2(x), jnp.fft.ifft(x, axis=0)
        return spectrum, jnp.fft.irfft(spectrum * 2), both, jnp.fft.fftshift(x)

    return run, (normal(4, 6),)


@program()
def products_of_every_kind() -> Any:
    def run(a: Any, b: Any, i: Any) -> Any:
        wide = lax.dot(i, i.T, preferred_element_type=jnp.int32)
        return jnp.einsum("bij,bkj->bik", a, b), jnp.tensordot(a, b, 3), wide, jnp.outer(i[0], i[1])

    return run, (normal(2, 3, 4), normal(2, 3, 4), ints(100, 2, 3).astype(np.int8))


# Random numbers


@program(ulps=64)
def random_normal() -> Any:
    def run(seed: Any) -> Any:
        a, b = jax.random.split(jax.random.key(seed))
        return jax.random.normal(a, (3, 3)), jax.random.truncated_normal(b, -1, 2, (4,))

    return run, (np.uint32(3),)


@program()
def random_uniform() -> Any:
    def run(seed: Any) -> Any:
        key = jax.random.fold_in(jax.random.key(seed), 7)
        numbers = jax.random.uniform(key, (5,), minval=-1, maxval=3)
        return numbers, jax.random.randint(key, (4,), 0, 100), jax.random.bits(key, (3,), "uint8")

    return run, (np.uint32(5),)


@program()
def random_choices() -> Any:
    def run(seed: Any, logits: Any) -> Any:
        key = jax.random.key(seed)
        drawn = (
            jax.random.categorical(key, logits, shape=(6,)),
            jax.random.bernoulli(key, 0.3, (5,)),
        )
        return jax.random.permutation(key, 9), drawn, jax.random.choice(key, 5, (3,), replace=False)

    return run, (np.uint32(1), normal(4))


@program(ulps=256)
def random_gamma() -> Any:
    def run(seed: Any, a: Any) -> Any:
        return jax.random.gamma(jax.random.key(seed), a)

    return run, (np.uint32(2), np.array([0.5, 2.0, 7.5], np.float32))


@program()
def random_bits_of_the_machine() -> Any:
    def run(words: Any) -> Any:
        key = jax.random.wrap_key_data(words, impl="rbg")
        return jax.random.bits(key, (5,)), jax.random.uniform(key, (3,))

    return run, (np.array([1, 2, 3, 4], np.uint32),)


# Element types and functions of one element


@program()
def complex_arithmetic() -> Any:
    def run(z: Any, w: Any) -> Any:
        parts = z.real, z.imag, jnp.abs(z), jnp.angle(z), z.conj()
        return z * w / (w + 2), parts, jnp.exp(z), jnp.sqrt(z), jnp.log(w), z @ w.T

    a, b = normal(2, 2, 3), normal(2, 2, 3)
    return run, ((a[0] + 1j * a[1]).astype(np.complex64), (b[0] + 1j * b[1]).astype(np.complex64))


@program(ulps=256)
def complex_gradient() -> Any:
    def run(x: Any) -> Any:
        return jax.grad(lambda x: jnp.abs(jnp.fft.fft(x * jnp.exp(1j * x))).sum())(x)

    return run, (normal(6),)


@program(ulps=4)
def small_floats() -> Any:
    def run(x: Any) -> Any:
        kinds = (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2)
        cast = [x.astype(kind) for kind in kinds]
        return cast, [c * c for c in cast], lax.reduce_precision(x, 5, 7)

    return run, (normal(6),)


@program()
def integers_and_bits() -> Any:
    def run(a: Any, b: Any) -> Any:
        bits = lax.population_count(a), lax.clz(a), a ^ b, ~a, a << 3, a >> 2
        unsigned = lax.shift_right_logical(a, jnp.int32(1)), a.astype(jnp.uint8), a.astype(jnp.int4)
        return bits, unsigned, a // b, a % b, lax.div(a, b), lax.rem(a, b), a**3

    return run, (np.array([-7, 9, 1000, -1], np.int32), np.array([2, -4, 7, 3], np.int32))


@program(x64=True, ulps=256)
def double_precision() -> Any:
    def run(x: Any, n: Any) -> Any:
        return jax.nn.logsumexp(x), jnp.expm1(x * 1e-9), jnp.hypot(x, 2.0), n * 2**40, jnp.cbrt(x)

    return run, (normal(5, dtype=np.float64), np.arange(4))


@program(ulps=256)
def special_functions() -> Any:
    def run(x: Any) -> Any:
        p = jnp.abs(x) + 0.5
        gammas = jsp.special.gammaln(p), jsp.special.digamma(p), jsp.special.gammainc(p, 1.5)
        erfs = jsp.special.erf(x), jsp.special.erfc(x), jsp.special.erfinv(jnp.tanh(x))
        bessel = jsp.special.i0e(x), jsp.special.i1e(x)
        return gammas, erfs, bessel, jsp.special.betainc(p, 2.0, 0.3), jsp.special.zeta(p + 1, p)

    return run, (normal(6),)


@program(ulps=64)
def elementary_functions() -> Any:
    names = "sin cos tan tanh exp log1p expm1 sinh cosh arcsinh arctan cbrt round floor ceil square"
    return lambda x: [getattr(jnp, name)(x) for name in names.split()], (np.abs(normal(8)),)


@program()
def comparisons_with_nan_and_zero() -> Any:
    def run(a: Any, b: Any) -> Any:
        order = a < b, a >= b, a == b, a != b, lax.max(a, b), lax.min(a, b), jnp.isfinite(a)
        return order, lax.sort(a), lax.eq_to_p.bind(a, b), lax.lt_to_p.bind(a, b)

    a = np.array([np.nan, 0.0, -0.0, np.inf, 1.0, -np.inf], np.float32)
    return run, (a, a[::-1].copy())


@program()
def constants_of_every_type() -> Any:
    table = np.arange(150, dtype=np.float32).reshape(10, 15)
    mask = np.arange(30) % 3 == 0

    def run(x: Any) -> Any:
        return (
            x + table,
            jnp.where(mask, 1, 0),
            jnp.array([jnp.nan, -jnp.inf]) * x[:2],
            jnp.array([1 + 2j]),
            jnp.zeros((2, 0)),
            jnp.array([1, -3], jnp.int4),
            jnp.bfloat16(1.5) * jnp.ones(3, jnp.bfloat16),
            jnp.uint64(7) if jax.config.jax_enable_x64 else jnp.uint32(7),
        )

    return run, (normal(15),)
