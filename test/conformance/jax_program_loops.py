"""Programs for `jax_programs.py`: loops, branches and scans."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax_programs import ints, normal, program


def collatz(n: Any) -> Any:
    def step(s: Any) -> Any:
        n, k = s
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1

    return lax.while_loop(lambda s: s[0] != 1, step, (n, jnp.int32(0)))[1]


@program()
def vmap_of_while() -> Any:
    return jax.vmap(collatz), (np.array([1, 2, 7, 27, 6], np.int32),)


def triangle(n: Any) -> Any:
    def outer(s: Any) -> Any:
        i, total = s
        inner = lax.while_loop(lambda t: t[0] < i, lambda t: (t[0] + 1, t[1] + t[0]), (0, total))
        return i + 1, inner[1]

    return lax.while_loop(lambda s: s[0] < n, outer, (0, 0))[1]


@program()
def nested_vmap_of_nested_while() -> Any:
    return jax.vmap(jax.vmap(triangle)), (np.array([[0, 3, 5], [1, 2, 6]], np.int32),)


@program()
def vmap_of_cond_and_switch() -> Any:
    def f(i: Any, x: Any) -> Any:
        x = lax.cond(x > 0, lambda x: jnp.sqrt(x), lambda x: x * 2, x)
        return lax.switch(i, [jnp.sin, jnp.cos, lambda x: x], x)

    return jax.vmap(f), (np.array([0, 1, 2, 5, -1], np.int32), normal(5))


@program()
def jvp_through_while() -> Any:
    def newton(a: Any) -> Any:
        far = lambda s: jnp.abs(s * s - a) > 1e-4  # noqa: E731
        return lax.while_loop(far, lambda s: 0.5 * (s + a / s), a)

    return lambda a: jax.jvp(newton, (a,), (jnp.float32(1),)), (np.float32(7.0),)


@program(debuginfo=True)
def newton_with_debug_locations() -> Any:
    def newton(a: Any, x: Any) -> Any:
        with jax.named_scope("iteration"):
            far = lambda s: jnp.abs(s[0] * s[0] - a) > 1e-3  # noqa: E731
            return lax.while_loop(far, lambda s: (0.5 * (s[0] + a / s[0]), s[1] + 1), (x, 0))

    return newton, (np.float32(2), np.float32(1))


@program()
def mandelbrot() -> Any:
    def escape(c: Any) -> Any:
        def step(s: Any) -> Any:
            z, k = s
            return z * z + c, k + 1

        return lax.while_loop(lambda s: (jnp.abs(s[0]) < 2) & (s[1] < 40), step, (0 * c, 0))[1]

    points = np.linspace(-2, 0.5, 6)[:, None] + 1j * np.linspace(-1, 1, 5)
    return jax.vmap(jax.vmap(escape)), (points.astype(np.complex64),)


@program()
def runge_kutta_scan() -> Any:
    def trajectory(y: Any, hs: Any) -> Any:
        def slope(y: Any) -> Any:
            return jnp.stack([y[1], -jnp.sin(y[0])])

        def step(y: Any, h: Any) -> Any:
            k1 = slope(y)
            k2 = slope(y + h / 2 * k1)
            k3 = slope(y + h / 2 * k2)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + h * k3))
            return y, y

        return lax.scan(step, y, hs)

    return trajectory, (normal(2), np.full(12, 0.1, np.float32))


@program()
def viterbi() -> Any:
    def decode(trans: Any, emit: Any) -> Any:
        def forward(score: Any, e: Any) -> Any:
            options = score[:, None] + trans
            return options.max(0) + e, options.argmax(0)

        last, back = lax.scan(forward, emit[0], emit[1:])
        state, path = lax.scan(lambda s, b: (b[s], s), last.argmax(), back, reverse=True)
        return last, state, path

    return decode, (normal(4, 4), normal(7, 4))


@program()
def beam_search() -> Any:
    def search(scores: Any) -> Any:
        def step(state: Any) -> Any:
            i, best, tokens, _ = state
            values, where = lax.top_k((best[:, None] + scores[i]).reshape(-1), 3)
            tokens = tokens[where // 8].at[:, i].set(where % 8)
            return i + 1, values, tokens, tokens[0, i] == 0

        start = (0, jnp.zeros(3), jnp.zeros((3, 5), jnp.int32), False)
        return lax.while_loop(lambda s: (s[0] < 5) & ~s[3], step, start)

    return search, (normal(5, 3, 8),)


@program()
def game_of_life() -> Any:
    def run(board: Any, n: Any) -> Any:
        def step(_: Any, b: Any) -> Any:
            near = sum(jnp.roll(b, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - b
            return ((near == 3) | ((near == 2) & (b == 1))).astype(b.dtype)

        return lax.fori_loop(0, n, step, board)

    return run, (ints(2, 8, 8).astype(np.int8), np.int32(6))


@program(ulps=256)
def power_iteration() -> Any:
    def run(a: Any, v: Any) -> Any:
        def step(s: Any) -> Any:
            v, _, k = s
            w = a @ v
            w = w / jnp.linalg.norm(w)
            return w, jnp.linalg.norm(w - v), k + 1

        return lax.while_loop(lambda s: (s[1] > 1e-3) & (s[2] < 50), step, (v, jnp.inf, 0))[0]

    a = normal(4, 4)
    return run, (a @ a.T + np.eye(4, dtype=np.float32), np.ones(4, np.float32))


@program()
def mapped_in_batches() -> Any:
    return lambda x: lax.map(lambda r: jnp.sort(r) * r.sum(), x, batch_size=2), (normal(5, 3),)


@program()
def associative_scan() -> Any:
    def run(a: Any, b: Any) -> Any:
        combine = lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1])  # noqa: E731, E741
        return lax.associative_scan(combine, (a, b)), lax.associative_scan(jnp.maximum, a)

    return run, (normal(9), normal(9))
