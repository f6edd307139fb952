"""Programs for `jax_programs.py`: models, training steps, exports, programs for several devices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jax_programs import ints, normal, program

# Models and their gradients


def attention(x: Any, w: Any, o: Any) -> Any:
    def norm(x: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        return centred * lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + 1e-5)

    batch, length, width = x.shape
    heads = 2
    q, k, v = jnp.split((norm(x) @ w).reshape(batch, length, heads, -1), 3, axis=-1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(jnp.array(width / heads, x.dtype))
    causal = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf), axis=-1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, length, -1)
    return x + jax.nn.gelu(mixed @ o)


@program()
def attention_block() -> Any:
    return attention, (normal(2, 5, 8), normal(8, 24), normal(8, 8))


@program(ulps=512)
def attention_gradient() -> Any:
    loss = lambda *a: jnp.sum(attention(*a) ** 2)  # noqa: E731
    return jax.value_and_grad(loss, (0, 1, 2)), (normal(1, 4, 8), normal(8, 24), normal(8, 8))


@program(ulps=16)
def attention_in_f16() -> Any:
    return attention, tuple(
        0.3 * normal(*s, dtype=np.float16) for s in ((1, 4, 8), (8, 24), (8, 8))
    )


def convolutional(params: Any, images: Any, labels: Any) -> Any:
    x = lax.conv_general_dilated(images, params["conv"], (1, 1), "SAME")
    x = jax.nn.relu(x + params["bias"][:, None, None])
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    logits = x.reshape(x.shape[0], -1) @ params["dense"]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


@program(ulps=512)
def convolutional_net_gradient() -> Any:
    params = {"conv": normal(4, 2, 3, 3), "bias": normal(4), "dense": normal(36, 5)}
    return jax.value_and_grad(convolutional), (params, normal(3, 2, 6, 6), ints(5, 3))


def lstm_loss(w: Any, xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        h, c = carry
        f, i, g, o = jnp.split(jnp.concatenate([x, h]) @ w, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    (h, _), hs = lax.scan(step, (jnp.zeros(4), jnp.zeros(4)), xs)
    return jnp.sum(h**2) + jnp.mean(hs)


@program(ulps=512)
def lstm_scan_gradient() -> Any:
    return jax.value_and_grad(lstm_loss, (0, 1)), (normal(7, 16), normal(6, 3))


@program(ulps=512)
def remat_scan_gradient() -> Any:
    def loss(w: Any, x: Any) -> Any:
        layer = jax.checkpoint(lambda x, w: (jnp.tanh(x @ w), None))
        return lax.scan(layer, x, w)[0].sum()

    return jax.grad(loss, (0, 1)), (normal(3, 4, 4), normal(2, 4))


@program(ulps=256)
def adam_step() -> Any:
    def step(params: Any, m: Any, v: Any, t: Any, x: Any, y: Any) -> Any:
        def loss(p: Any) -> Any:
            return jnp.mean((jnp.tanh(x @ p["w"]) @ p["u"] + p["b"] - y) ** 2)

        value, grads = jax.value_and_grad(loss)(params)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        t = t + 1

        def update(p: Any, m: Any, v: Any) -> Any:
            return p - 1e-2 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

        return jax.tree.map(update, params, m, v), m, v, t, value

    params = {"w": normal(3, 4), "u": normal(4, 2), "b": normal(2)}
    zeros = jax.tree.map(np.zeros_like, params)
    return step, (params, zeros, zeros, np.float32(0), normal(6, 3), normal(6, 2))


@program(ulps=512)
def training_loop() -> Any:
    def train(w: Any, xs: Any, ys: Any) -> Any:
        def body(i: Any, w: Any) -> Any:
            x, y = xs[i % 3], ys[i % 3]
            return w - 0.05 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)

        return lax.fori_loop(0, 10, body, w)

    return train, (normal(4), normal(3, 5, 4), normal(3, 5))


@program(ulps=512)
def batch_norm_gradient() -> Any:
    def loss(x: Any, scale: Any) -> Any:
        y = scale * (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-3)
        return jax.nn.softplus(y).sum()

    return jax.grad(loss, (0, 1)), (normal(6, 3), normal(3))


@program(ulps=8)
def mlp_in_bf16() -> Any:
    def loss(w: Any, u: Any, x: Any) -> Any:
        return jnp.mean(jax.nn.silu(x @ w) @ u)

    weights = (normal(4, 8).astype(jnp.bfloat16), normal(8, 2).astype(jnp.bfloat16))
    return jax.value_and_grad(loss, (0, 1)), (*weights, normal(3, 4).astype(jnp.bfloat16))


@program(ulps=512)
def hessian_of_rosenbrock() -> Any:
    def f(x: Any) -> Any:
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    return jax.hessian(f), (normal(4),)


@program()
def custom_derivatives() -> Any:
    @jax.custom_vjp
    def clipped(x: Any) -> Any:
        return x

    clipped.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -1, 1),))

    @jax.custom_jvp
    def softened(x: Any) -> Any:
        return jnp.log1p(jnp.exp(x))

    softened.defjvps(lambda t, ans, x: jax.nn.sigmoid(x) * t)
    return jax.grad(lambda x: (clipped(softened(x)) * 3).sum()), (normal(5),)


# Exports and several devices


@program(symbolic="")
def exported() -> Any:
    return jax.jit(lambda x: (jnp.sin(x) @ x.T, x.sum())), (normal(3, 4),)


@program(symbolic="n, 4; 4, m")
def exported_with_symbolic_dimensions() -> Any:
    def run(x: Any, w: Any) -> Any:
        rows = jnp.arange(x.shape[0], dtype=jnp.float32)[:, None]
        y = jnp.concatenate([jnp.sin(x) + rows, x])
        return y @ w, y.reshape(-1), x[1:], jnp.broadcast_to(w[None], (2, *w.shape)), x.mean(0)

    return jax.jit(run), (normal(3, 4), normal(4, 2))


@program(symbolic="n")
def exported_loop_with_symbolic_dimensions() -> Any:
    def run(x: Any) -> Any:
        return lax.fori_loop(0, x.shape[0], lambda i, s: s + x[i] * x, jnp.zeros_like(x))

    return jax.jit(run), (normal(6),)


def mesh(*shape: int) -> Mesh:
    names = ("x", "y")[: len(shape)]
    return jax.make_mesh(shape, names, axis_types=(AxisType.Auto,) * len(shape))


@program()
def shard_map_on_one_device() -> Any:
    def local(x: Any) -> Any:
        return lax.psum(x, "x"), lax.pmax(x, "x"), lax.axis_index("x")[None]

    specs = (P(), P(), P("x"))
    return jax.shard_map(local, mesh=mesh(1), in_specs=P("x"), out_specs=specs), (normal(4, 3),)


@program(devices=4)
def shard_map_with_collectives() -> Any:
    def local(x: Any) -> Any:
        ring = [(i, (i + 1) % 4) for i in range(4)]
        moved = lax.ppermute(x, "x", ring) + lax.psum(x, "x")
        gathered = lax.all_gather(x, "x")
        return (
            moved,
            gathered,
            lax.all_to_all(gathered, "x", 0, 0),
            lax.psum_scatter(jnp.tile(x, (4, 1)), "x", tiled=True),
        )

    specs = (P("x"), P("x"), P("x"), P("x"))
    return jax.shard_map(local, mesh=mesh(4), in_specs=P("x"), out_specs=specs), (normal(8, 3),)


@program(devices=4)
def shard_map_of_a_loop() -> Any:
    def local(x: Any) -> Any:
        step = lambda s: (s[0] + 1, s[1] * 0.5 + lax.psum(s[1], "x"))  # noqa: E731
        return lax.while_loop(lambda s: lax.pmin(s[0], "x") < 3, step, (0, x))[1]

    return jax.shard_map(local, mesh=mesh(4), in_specs=P("x"), out_specs=P("x"), check_vma=False), (
        normal(8, 3),
    )


@program(devices=4)
def sharded_jit() -> Any:
    grid = mesh(2, 2)

    def layer(x: Any, w: Any) -> Any:
        x = lax.with_sharding_constraint(x @ w, NamedSharding(grid, P("x", "y")))
        return jax.nn.relu(x).sum(0)

    sharding = NamedSharding(grid, P("x", None)), NamedSharding(grid, P(None, "y"))
    jitted = jax.jit(layer, in_shardings=sharding, out_shardings=NamedSharding(grid, P("y")))
    return jitted, (normal(4, 6), normal(6, 8))
