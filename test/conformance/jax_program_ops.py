"""Programs for `jax_programs.py`: sorting, reductions, indexing, windows, convolutions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax_programs import ints, normal, program

TIES = np.array([3, 1, 3, 0, 1, 2], np.float32)

# Sorting and reductions


@program()
def top_k() -> Any:
    return lambda x, y: (lax.top_k(x, 3), lax.top_k(y, 2)), (normal(4, 6), ints(9, 5))


@program()
def sort_of_several_operands() -> Any:
    def run(a: Any, b: Any, c: Any) -> Any:
        return lax.sort((a, b, c), num_keys=2), jnp.argsort(a, descending=True), jnp.lexsort((b, a))

    return run, (TIES, ints(3, 6), np.arange(6, dtype=np.int32))


@program()
def argmax_with_nans_and_ties() -> Any:
    def run(x: Any, t: Any) -> Any:
        return jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.argmax(t), jnp.nanargmax(x, 1), x.max()

    x = normal(3, 4)
    x[0, 1] = x[2, 3] = np.nan
    return run, (x, TIES)


@program()
def cumulative() -> Any:
    def run(x: Any, i: Any) -> Any:
        backward = lax.cumsum(x, 1, reverse=True)
        running = lax.cummax(i), lax.cummin(x), lax.cumlogsumexp(x, 1)
        return jnp.cumsum(x, 0), jnp.cumprod(x, 1), backward, jnp.cumsum(i), running

    return run, (normal(3, 5), ints(9, 6))


@program(ulps=512)
def cumulative_gradient() -> Any:
    return jax.grad(lambda x: (jnp.cumprod(x) * jnp.cumsum(x)).sum()), (normal(5),)


@program()
def reductions_of_every_kind() -> Any:
    def run(x: Any, b: Any) -> Any:
        pair = lambda a, c: (a[0] + c[0], jnp.maximum(a[1], c[1]))  # noqa: E731
        two = lax.reduce((x, x), (np.float32(0), np.float32(-np.inf)), pair, (1,))
        return two, b.any(0), b.all(), x.prod(), x.std(1), jnp.ptp(x), jax.nn.logsumexp(x, 1)

    x = normal(3, 4)
    return run, (x, x > 0)


@program()
def order_statistics() -> Any:
    return lambda x: (jnp.median(x), jnp.quantile(x, 0.3, axis=1)), (normal(3, 5),)


# Indexing


@program()
def scatter_add_and_others() -> Any:
    def run(x: Any, i: Any, u: Any) -> Any:
        return (
            x.at[i].add(u),
            x.at[i].multiply(2.0),
            x.at[i].min(0.5),
            x.at[i].max(u, mode="drop", unique_indices=False),
            x.at[:2, 1].set(7.0),
            x.at[i].apply(jnp.sin),
        )

    return run, (normal(5, 3), np.array([0, 3, 3, 9], np.int32), normal(4, 3))


@program()
def segment_sums() -> Any:
    def run(x: Any, s: Any) -> Any:
        return jax.ops.segment_sum(x, s, 4), jax.ops.segment_max(x, s, 4), jnp.bincount(s, length=5)

    return run, (normal(6, 2), np.array([0, 1, 1, 3, 0, 3], np.int32))


@program()
def gather_modes() -> Any:
    def run(x: Any, i: Any) -> Any:
        modes = ("clip", "fill", "promise_in_bounds")
        taken = [x.at[i % 5 if mode == modes[2] else i].get(mode=mode) for mode in modes]
        return taken, jnp.take(x, i, axis=1, mode="wrap"), x[i[:, None] % 5, i[None] % 3]

    return run, (normal(5, 3), np.array([0, 7, -2, 4], np.int32))


@program()
def gather_gradient() -> Any:
    return jax.grad(lambda x, i: (x[i] ** 2).sum()), (normal(5, 2), np.array([1, 1, 4], np.int32))


@program()
def slices_and_updates() -> Any:
    def run(x: Any, k: Any) -> Any:
        return (
            lax.dynamic_slice(x, (k, k), (2, 3)),
            lax.dynamic_update_slice(x, x[:1, :2], (k, jnp.int32(9))),
            x[k],
            x[::-1, ::2],
            jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
            lax.pad(x, np.float32(1), ((1, 2, 3), (0, -1, 0))),
            jnp.roll(x, k),
        )

    return run, (normal(4, 5), np.int32(3))


@program()
def sets_of_fixed_size() -> Any:
    def run(x: Any) -> Any:
        return (
            jnp.unique(x, size=5, fill_value=-1),
            jnp.nonzero(x > 1, size=4),
            jnp.searchsorted(jnp.sort(x), x),
        )

    return run, (TIES,)


@program()
def clip_and_select() -> Any:
    def run(x: Any) -> Any:
        grad = jax.grad(lambda x: jnp.clip(x, -0.5, 0.5).sum())
        chosen = jnp.select([x > 1, x > 0], [x, x * 2], 0)
        return jnp.clip(x, -1, 1), grad(x), jnp.where(x > 0, x, -x), chosen, jnp.abs(x), jnp.sign(x)

    return run, (normal(6),)


# Windows and convolutions


@program()
def pooling() -> Any:
    def run(x: Any) -> Any:
        window = ((1, 1, 3, 2), (1, 1, 2, 1))
        most = lax.reduce_window(x, -jnp.inf, lax.max, *window, "SAME")
        return most, lax.reduce_window(x, 0.0, lax.add, *window, "VALID")

    return run, (normal(1, 2, 6, 5),)


@program()
def pooling_gradient() -> Any:
    def pooled(x: Any) -> Any:
        most = lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (2, 1), "SAME")
        return (most**2).sum() + lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 2), "VALID").sum()

    return jax.grad(pooled), (normal(5, 6),)


@program(ulps=256)
def convolutions_of_every_kind() -> Any:
    def run(x: Any, w: Any, d: Any) -> Any:
        strided = lax.conv_general_dilated(x, w, (2, 1), "SAME", rhs_dilation=(1, 2))
        depthwise = lax.conv_general_dilated(x, d, (1, 1), "VALID", feature_group_count=4)
        uneven = lax.conv_general_dilated(x, w, (1, 1), ((0, 1), (2, -1)), lhs_dilation=(2, 1))
        return strided, depthwise, uneven

    return run, (normal(2, 4, 7, 6), normal(3, 4, 3, 2), normal(8, 1, 2, 2))


@program(ulps=256)
def convolution_transposed() -> Any:
    def run(x: Any, w: Any) -> Any:
        y = lax.conv_transpose(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return y, jax.grad(lambda w: (lax.conv_transpose(x, w, (2, 1), "VALID") ** 2).sum())(w)

    return run, (normal(2, 4, 3, 2), normal(3, 3, 2, 4))


@program(ulps=256)
def convolution_in_one_and_three_dimensions() -> Any:
    def run(a: Any, b: Any, c: Any, d: Any) -> Any:
        causal = lax.conv_general_dilated(a, b, (1,), ((4, 0),), rhs_dilation=(2,))
        return causal, lax.conv(c, d, (1, 2, 1), "SAME"), jnp.convolve(a[0, 0], b[0, 0])

    return run, (normal(1, 2, 9), normal(3, 2, 3), normal(1, 2, 4, 5, 3), normal(2, 2, 2, 3, 2))


@program(ulps=256)
def image_resize() -> Any:
    return lambda x: jax.image.resize(x, (6, 5), "linear"), (normal(4, 4),)
