"""jaxlib's own StableHLO printer agrees with this one, letter for letter but for the names of values.

Each JAX function is lowered on the spot; its pretty and its generic text are parsed and printed here
in both forms, which must be what jaxlib prints, and jaxlib must read it as the same module.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

jax = pytest.importorskip("jax", reason="needs jax: python -m pip install -e '.[jax]'")

import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import AxisType, NamedSharding, PartitionSpec  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402

from anabranch.frontends.mlir_text import (  # noqa: E402
    parse_module,
    print_module,
    verify_module,
)

from .same_text import with_numbers  # noqa: E402

F = jnp.ones(8, jnp.float32)
M = jnp.ones((4, 8), jnp.float32)
I = jnp.arange(8, dtype=jnp.int32)  # noqa: E741
B = jnp.arange(8) > 3
C = jnp.ones(8, jnp.complex64)
K = jnp.int32(1)
IMAGE = jnp.ones((2, 3, 8, 8), jnp.float32)
FILTER = jnp.ones((4, 3, 3, 3), jnp.float32)
SQUARE = jnp.eye(4, dtype=jnp.float32)


def newton(a: Any, x: Any) -> Any:
    def far(state: Any) -> Any:
        return jnp.abs(state[0] * state[0] - a) > 1e-3

    return lax.while_loop(far, lambda s: (0.5 * (s[0] + a / s[0]), s[1] + 1), (x, 0))


def lstm(w: Any, xs: Any, n: Any) -> Any:
    def step(i: Any, carry: Any) -> Any:
        h, c = carry
        gates = jnp.concatenate([xs[i], h]) @ w
        f, g, o, u = jnp.split(jax.nn.sigmoid(gates), 4)
        c = f * c + g * jnp.tanh(u)
        return o * jnp.tanh(c), c

    return lax.fori_loop(0, n, step, (jnp.zeros(4), jnp.zeros(4)))


def nested(n: Any) -> Any:
    def outer(s: Any) -> Any:
        i, total = s
        inner = lax.while_loop(lambda t: t[0] < i, lambda t: (t[0] + 1, t[1] + t[0]), (0, total))
        return i + 1, inner[1]

    return lax.while_loop(lambda s: s[0] < n, outer, (0, 0))


def branches(n: Any, x: Any) -> Any:
    def body(i: Any, x: Any) -> Any:
        x = lax.cond(x.sum() > 3.0, lambda v: v * 0.5, jnp.sin, x)
        return lax.switch(i, [jnp.cos, lambda v: v, lambda v: v + 1], x)

    return lax.fori_loop(0, n, body, x)


def beam(scores: Any) -> Any:
    def step(state: Any) -> Any:
        i, best, tokens, _ = state
        values, where = lax.top_k((best[:, None] + scores).reshape(-1), 3)
        tokens = tokens[where // 8].at[:, i].set(where % 8)
        order = jnp.argsort(values)
        return i + 1, values[order], tokens[order], jnp.argmax(values) == 0

    start = (0, jnp.zeros(3), jnp.zeros((3, 5), jnp.int32), False)
    return lax.while_loop(lambda s: (s[0] < 5) & ~s[3], step, start)


def train(w: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        hidden = jax.nn.softplus(jnp.tanh(x @ w) * lax.rsqrt(1.0 + jnp.float32(2)))
        return jnp.mean(jnp.log1p(hidden[::-1] ** 2)) + jnp.pad(w, 1).sum()

    return lax.fori_loop(0, 10, lambda _, w: w - 0.1 * jax.grad(loss)(w), w)


def power_iteration(a: Any, v: Any) -> Any:
    return lax.fori_loop(0, 20, lambda _, v: (a @ v) / jnp.linalg.norm(a @ v), v)


def sinkhorn(cost: Any) -> Any:
    def body(s: Any) -> Any:
        f, g, _ = s
        f2 = -jax.nn.logsumexp((g[None] - cost) / 0.1, axis=1)
        return f2, -jax.nn.logsumexp((f2[:, None] - cost) / 0.1, axis=0), jnp.abs(f2 - f).sum()

    zeros = jnp.zeros(4)
    return lax.while_loop(lambda s: s[2] > 1e-4, body, (zeros, zeros, jnp.inf))


def rearranged(x: Any) -> Any:
    return (
        x[1:3, ::2],
        x[::-1],
        x.T,
        jnp.concatenate([x, x], 1),
        lax.pad(x, jnp.float32(0), ((1, 2, 3), (0, -1, 0))),
        jnp.broadcast_to(x, (2, 4, 8)),
        jnp.arange(5),
        jnp.array([1.5, jnp.nan, -jnp.inf]),
        jnp.array([1 + 2j]),
        jnp.zeros((2, 0)),
    )


def converted(x: Any) -> Any:
    kinds = (jnp.int32, jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, bool, jnp.complex64)
    bits = (lax.bitcast_convert_type(x, jnp.uint32), lax.bitcast_convert_type(x, jnp.uint8))
    return [x.astype(kind) for kind in kinds], bits, lax.reduce_precision(x, 8, 10)


def reduced(x: Any) -> Any:
    two = lax.reduce((x, x), (0.0, 1.0), lambda a, b: (a[0] + b[0], a[1] * b[1]), (0,))
    odd = lax.reduce(x, jnp.float32(0), lambda a, b: a * 2 + b, (0,))
    return x.sum(), x.max(), (x > 0).any(), (x > 0).all(), jnp.argmin(x), jnp.var(x), two, odd


def windows(x: Any) -> Any:
    return jnp.cumsum(x), lax.cummax(x), lax.cumlogsumexp(x, reverse=True)


def scattered(x: Any, i: Any) -> Any:
    return (
        x[i],
        jnp.take_along_axis(x, i, 0),
        x.at[i].set(1.0),
        x.at[i].add(2.0),
        x.at[i].max(3.0, mode="drop", unique_indices=True, indices_are_sorted=True),
        x.at[i].apply(jnp.sin),
        jax.ops.segment_sum(x, i, 4),
    )


def sliced(x: Any, k: Any) -> Any:
    return (
        lax.dynamic_slice(x, (k, jnp.int32(0)), (1, 3)),
        lax.dynamic_update_slice(x, x[:1, :2], (k, k)),
        x[k],
    )


def random_numbers(key: Any) -> Any:
    return (
        jax.random.normal(key, (3,)),
        jax.random.randint(key, (2,), 0, 5),
        jax.random.permutation(key, 8),
        jax.random.categorical(key, jnp.ones(4)),
    )


def linear_algebra(a: Any) -> Any:
    return (
        jnp.linalg.cholesky(a),
        jax.scipy.linalg.solve_triangular(a, a),
        jnp.linalg.eigh(a),
        jnp.fft.rfft(a),
        jnp.fft.irfft(jnp.fft.rfft(a)),
    )


def convolved(x: Any, w: Any) -> Any:
    def run(x: Any, w: Any) -> Any:
        return lax.conv_general_dilated(x, w, (1, 2), "SAME", rhs_dilation=(2, 1))

    return run(x, w), jax.grad(lambda x, w: run(x, w).sum(), argnums=(0, 1))(x, w)


def sharded(x: Any) -> Any:
    mesh = jax.make_mesh((1, 1), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    spec = PartitionSpec("x", None)
    x = lax.with_sharding_constraint(x, NamedSharding(mesh, spec))
    local = jax.shard_map(
        lambda v: lax.psum(v, "x"), mesh=mesh, in_specs=spec, out_specs=PartitionSpec()
    )
    return local(x)


def called(x: Any) -> Any:
    jax.debug.print("x {}", x)
    composite = lax.composite(jnp.sin, name="test.sin")
    return composite(x), lax.optimization_barrier((x, x)), jax.pure_callback(lambda v: v, x, x)


UNARY = [
    "abs",
    "cbrt",
    "ceil",
    "cos",
    "exp",
    "expm1",
    "floor",
    "log",
    "log1p",
    "logistic",
    "neg",
    "rsqrt",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "round",
    "is_finite",
    "erf",
    "erf_inv",
    "erfc",
    "lgamma",
    "digamma",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "asinh",
    "acosh",
    "atanh",
    "square",
]
BINARY = [
    "add",
    "sub",
    "mul",
    "div",
    "max",
    "min",
    "pow",
    "rem",
    "atan2",
    "nextafter",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "zeta",
]
INTEGER = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "shift_left",
    "shift_right_logical",
    "shift_right_arithmetic",
    "add",
    "div",
    "rem",
    "max",
    "eq",
    "lt",
]

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "unary": (lambda x: [getattr(lax, name)(x) for name in UNARY], (F,)),
    "binary": (lambda x: [getattr(lax, name)(x, x) for name in BINARY], (F,)),
    "integer": (lambda x: [getattr(lax, name)(x, x) for name in INTEGER], (I,)),
    "unsigned": (lambda x: (lax.population_count(x), lax.clz(x), ~x), (I.astype(jnp.uint8),)),
    "boolean": (lambda x: (x & x, x | x, x ^ x, ~x, x == x), (B,)),
    "complex": (lambda x: (abs(x), x.real, x.imag, x.conj(), x * x, x == x, jnp.exp(x)), (C,)),
    "complex parts": (lax.complex, (F, F)),
    "accuracy": (partial(lax.exp, accuracy=lax.Tolerance(atol=1e-5, rtol=0.0, ulps=2)), (F,)),
    "choice": (lambda b, x: (jnp.where(b, x, 0), jnp.clip(x, 0, 1)), (B, F)),
    "rearranged": (rearranged, (M,)),
    "converted": (converted, (F,)),
    "reduced": (reduced, (F,)),
    "windows": (windows, (F,)),
    "pooling": (
        jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2,), (2,), "SAME").sum()),
        (F,),
    ),
    "scattered": (scattered, (F, I)),
    "sliced": (sliced, (M, K)),
    "sorted": (lambda x, i: (lax.sort(x), lax.sort((x, i), num_keys=2)), (F, I)),
    "top_k": (lambda x: lax.top_k(x, 3), (M,)),
    "dots": (
        lambda x: (x @ x.T, jnp.einsum("bij,bjk->bik", x[None], x.T[None]), x @ x[0]),
        (M,),
    ),
    "convolved": (convolved, (IMAGE, FILTER)),
    "linear algebra": (linear_algebra, (SQUARE,)),
    "random": (random_numbers, (jax.random.key(0),)),
    "random bits": (lambda k: jax.random.bits(k, (3,)), (jax.random.key(0, impl="rbg"),)),
    "random state": (lambda: lax.rng_uniform(0.0, 1.0, (3,)), ()),
    "called": (called, (F,)),
    "sharded": (sharded, (M,)),
    "newton": (newton, (jnp.float32(2), jnp.float32(1))),
    "lstm": (lstm, (jnp.ones((7, 16), jnp.float32), jnp.ones((6, 3), jnp.float32), 4)),
    "nested": (nested, (4,)),
    "branches": (branches, (3, F)),
    "vmapped while": (jax.vmap(nested), (jnp.arange(4, dtype=jnp.int32),)),
    "beam": (beam, (jnp.ones((3, 8), jnp.float32),)),
    "train": (train, (jnp.ones((8, 2), jnp.float32), M)),
    "power iteration": (power_iteration, (SQUARE, jnp.ones(4, jnp.float32))),
    "sinkhorn": (sinkhorn, (SQUARE,)),
    "scan": (lambda x: lax.scan(lambda c, v: (c + v, c), 0.0, x, reverse=True), (F,)),
}


EXAMPLES = sorted((pathlib.Path(__file__).parents[3] / "examples").glob("*.mlir"))


def read_by_jaxlib(text: str) -> tuple[str, str]:
    """The module as jaxlib prints it: generic and pretty."""
    from jax._src.interpreters.mlir import make_ir_context

    with make_ir_context():
        module = ir.Module.parse(text)
        return module.operation.get_asm(print_generic_op_form=True), str(module)


def expect_same_texts(text: str) -> None:
    """What jaxlib prints is what we print, from its pretty text and from its generic one."""
    generic, pretty = read_by_jaxlib(text)
    for source in (pretty, generic):
        module = parse_module(source)
        verify_module(module)
        assert with_numbers(print_module(module)) == with_numbers(pretty)
        assert with_numbers(print_module(module, generic=True)) == with_numbers(generic)
        assert read_by_jaxlib(print_module(module)) == read_by_jaxlib(pretty)


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_texts(name: str) -> None:
    function, arguments = PROGRAMS[name]
    with jax.enable_x64(False):  # another test module may have switched it on
        lowered = jax.jit(function).lower(*arguments).as_text()
    expect_same_texts(lowered)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_same_texts_of_examples(path: pathlib.Path) -> None:
    expect_same_texts(path.read_text())


FUNCTIONS = """module @"a b" {
  func.func private @one(tensor<2xf32> {a.b = 1 : i32}, i32) -> (i32 {x.y})
  func.func private @two() attributes {a = [1, 2 : i32, 1.0, 2.0 : f32, true, unit, [1 : i8]]}
  func.func private @three(tensor<3xf32>) -> (tuple<i32>, () -> i32, complex<f32>, index, none)
  func.func @main(%x: tensor<2xf32> {a.b}) -> (tensor<2xf32> {jax.result_info = ""}) {
    %0 = call @main(%x) {a = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    %i = stablehlo.constant dense<1> : tensor<i32>
    %1 = "stablehlo.case"(%i) ({
      %2 = func.call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }, {
      stablehlo.return %x : tensor<2xf32>
    }) {f = @main, g = @main::@x} : (tensor<i32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def test_same_texts_of_functions() -> None:
    expect_same_texts(FUNCTIONS)


def test_dynamic_shapes() -> None:
    from jax import export

    (n,) = export.symbolic_shape("n")
    spec = jax.ShapeDtypeStruct((n, 8), jnp.float32)

    def run(x: Any) -> Any:
        return (
            jnp.sin(x) + jnp.arange(x.shape[0], dtype=jnp.float32)[:, None],
            x.reshape(-1),
            jnp.concatenate([x, x]),
            jnp.broadcast_to(x[None], (2, *x.shape)),
            x.at[0].set(1.0),
            x @ x.T,
            x[1:],
        )

    with jax.enable_x64(False):
        exported = export.export(jax.jit(run))(spec).mlir_module()
    expect_same_texts(exported)
