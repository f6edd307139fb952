"""`ab.device` and `ab.place`: what is traced in a context is placed, wherever JAX puts it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import ConstantLike

import anabranch as ab
from anabranch.dialects.dfg import ProgramOp
from anabranch.dialects.diagnostics import user_frame_of
from anabranch.dialects.plan.devices import device_of
from anabranch.lowering.device_pipeline import DevicePipeline
from anabranch.lowering.gradient_pipeline import (
    make_structured,
    with_gradient,
    without_requests,
)
from anabranch.passes._symbols import functions_of
from anabranch.passes.inline_calls import InlineCallsPass
from anabranch.passes.placement.scope import plain_ops

f32: Any = np.float32


@pytest.fixture
def jax() -> Iterator[Any]:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with jax.enable_x64(False):
        yield jax


def structured(module: ModuleOp) -> ModuleOp:
    make_structured(Context(), module)
    return module


def devices(module: ModuleOp, name: str) -> list[str | None]:
    """The devices of the ops `stablehlo.NAME`, in the order of the text."""
    return [device_of(op) for op in module.walk() if op.name == f"stablehlo.{name}"]


def unplaced(module: ModuleOp) -> list[Operation]:
    """Plain ops without a place, constants aside."""
    ops = [op for function in functions_of(module).values() for op in plain_ops(function)]
    return [op for op in ops if not op.has_trait(ConstantLike) and device_of(op) is None]


def test_the_innermost_context_counts(jax: Any):
    def fn(x: Any):
        with ab.device("cpu:1"):
            y = jax.numpy.sin(x)
            with ab.device("cpu:2"):
                y = jax.numpy.cos(y)
            y = jax.numpy.exp(y)
        return -y

    module = ab.from_jax(fn, f32(1))
    found = [devices(module, name) for name in ("sine", "cosine", "exponential", "negate")]
    assert found == [["cpu:1"], ["cpu:2"], ["cpu:1"], [None]]


def test_loops_branches_and_scans_are_placed_inside(jax: Any):
    numpy, lax = jax.numpy, jax.lax

    def body(x: Any):
        y = numpy.sin(x)
        with ab.device("cpu:2"):
            return numpy.cos(y) + 1

    def fn(x: Any):
        with ab.device("cpu:1"):
            x = lax.while_loop(lambda x: x < 0, body, x)
            x = lax.cond(x > 1, body, lambda x: numpy.exp(x), x)
            x, ys = lax.scan(lambda c, y: (body(c) * y, c), x, numpy.arange(3.0))
            x = lax.fori_loop(0, 3, lambda i, x: body(x), x)
            return x + ys.sum()

    module = structured(ab.from_jax(fn, f32(1)))
    assert set(devices(module, "sine")) == {"cpu:1"}
    assert set(devices(module, "cosine")) == {"cpu:2"}
    assert devices(module, "exponential") == ["cpu:1"]
    assert not unplaced(module)


def test_a_body_keeps_its_own_devices_in_a_loop_without_one(jax: Any):
    def body(x: Any):
        with ab.device("cpu:1"):
            x = jax.numpy.sin(x)
        with ab.device("cpu:2"):
            return jax.numpy.cos(x)

    def fn(x: Any):
        return jax.lax.while_loop(lambda x: x < 0.5, body, x)

    module = structured(ab.from_jax(fn, f32(1)))
    assert (devices(module, "sine"), devices(module, "cosine")) == (["cpu:1"], ["cpu:2"])
    assert devices(module, "compare") == [None]


def test_a_jitted_function_is_where_it_is_called(jax: Any):
    inner = jax.jit(lambda x: jax.numpy.sin(x) * 2)

    def fn(x: Any):
        with ab.device("cpu:1"):
            x = inner(x)
        with ab.device("cpu:2"):
            x = inner(x)
        return inner(x)

    module = structured(ab.from_jax(fn, f32(1)))
    assert devices(module, "sine") == devices(module, "multiply") == ["cpu:1", "cpu:2", None]


def test_transformations_of_jax_keep_the_places(jax: Any):
    def fn(x: Any):
        with ab.device("cpu:1"):
            x = jax.numpy.sin(x)
            with ab.device("cpu:2"):
                return jax.numpy.exp(x)

    module = structured(ab.from_jax(jax.vmap(jax.grad(fn)), f32([1, 2])))
    assert devices(module, "cosine") == ["cpu:1"]
    assert devices(module, "exponential") == ["cpu:2"]
    assert not unplaced(module)


def test_gradients_are_where_the_function_is(jax: Any):
    def fn(x: Any):
        with ab.device("cpu:1"):
            x = jax.lax.fori_loop(0, 3, lambda i, x: jax.numpy.sin(x), x)
        with ab.device("cpu:2"):
            return jax.numpy.cos(x)

    module, name = with_gradient(ab.from_jax(fn, f32(0.3)))
    backward = plain_ops(functions_of(module)[name])
    cosines = [device_of(op) for op in backward if op.name == "stablehlo.cosine"]
    assert cosines == ["cpu:2", "cpu:1"]
    got = ab.grad(fn)(f32(0.3))
    assert got == pytest.approx(float(jax.grad(fn)(f32(0.3))), rel=1e-5)


def test_place_moves_a_tree_and_is_an_identity(jax: Any):
    def fn(x: Any, y: Any):
        moved = ab.place({"x": x, "y": (y, 2.0)}, "cpu:1")
        return (moved["x"] * moved["y"][0]).sum() * moved["y"][1]

    args = f32([1, 2, 3]), f32([4, 5, 6])
    module = ab.from_jax(fn, *args)
    assert devices(module, "optimization_barrier") == ["cpu:1"] * 3
    for run in (ab.compile(module), ab.compile(module, engine="reference")):
        assert run(*args) == [64]
    gradients = ab.grad(fn, (0, 1))(*args)
    expected = jax.grad(fn, (0, 1))(*args)
    for got, one in zip(gradients, expected, strict=True):
        assert np.array_equal(got, one)


def test_places_without_debug_info(jax: Any):
    with ab.device("cpu:3"):
        pass

    def fn(x: Any):
        with ab.device("cpu:1"):
            return jax.numpy.sin(x)

    assert devices(ab.from_jax(fn, f32(1), debug_info=False), "sine") == ["cpu:1"]


def test_names_of_devices(jax: Any):
    def fn(x: Any, name: str):
        with ab.device(name):
            return jax.numpy.sin(x)

    for name in ("gpu:0", "host/a:1", "50%", "f(x)"):
        assert devices(ab.from_jax(partial(fn, name=name), f32(1)), "sine") == [name]
    with pytest.raises(
        ValueError, match='expected the name of a device such as "cpu:1", got "a b"'
    ):
        fn(f32(1), "a b")
    with pytest.raises(TypeError, match="expected the name of a device such as .*, got 1"):
        ab.place(f32(1), 1)  # pyright: ignore[reportArgumentType]


def test_text_of_jax_itself_is_understood(jax: Any):
    def fn(x: Any):
        with ab.device("cpu:1"):
            return jax.lax.while_loop(lambda x: x < 5, lambda x: x * x, x)

    text = jax.jit(fn).lower(f32(2)).as_text(debug_info=True)
    module = structured(ab.parse(text))
    assert devices(module, "multiply") == ["cpu:1"]


def test_a_placed_program_is_split_and_runs(jax: Any):
    def fn(x: Any):
        with ab.device("cpu:1"):
            y = jax.numpy.sin(x)
        with ab.device("cpu:2"):
            z = jax.numpy.cos(x)
        return y * z

    module = ab.from_jax(fn, f32(0.5))
    split = module.clone()
    DevicePipeline().apply(Context(), split)
    (program,) = (op for op in split.ops if isinstance(op, ProgramOp))
    assert [graph.device.data for graph in program.graphs] == ["cpu:1", "cpu:2"]
    (expected,) = ab.compile(module, engine="reference")(f32(0.5))
    for options in ({}, {"devices": 3}, {"devices": ["cpu:2", "cpu:1"], "assign": "auto"}):
        assert ab.compile(module, **options)(f32(0.5)) == [expected]  # pyright: ignore[reportArgumentType]
    for seed in range(4):
        assert ab.compile(module, devices=3, assign=f"random:{seed}")(f32(0.5)) == [expected]
    with pytest.raises(
        ab.ProgramError, match='expected one of the devices "cpu:0", "cpu:1", got "cpu:2"'
    ):
        ab.compile(module, devices=2)


def test_wrong_devices():
    module = ab.parse("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    cases: list[tuple[Any, Any, str]] = [
        (0, None, "expected at least 1 device, got 0"),
        ([], None, "expected devices of different names"),
        (["cpu:0", "cpu:0"], None, "expected devices of different names"),
        ("cpu:0", None, "expected a number of devices or a list of names"),
        (2, "random:x", "expected random:SEED with a whole number, got random:x"),
    ]
    for devices, assign, message in cases:
        with pytest.raises(ValueError, match=message):
            ab.compile(module, devices=devices, assign=assign)
    with pytest.raises(ab.DataError, match="cannot read the rules: No such file"):
        ab.compile(module, devices=2, assign="no/such/file")
    with pytest.raises(ValueError, match="expected a pipeline or devices, got both"):
        ab.compile(module, devices=2, pipeline=[])


def test_a_gradient_asked_for_in_a_context_is_there(jax: Any):
    def loss(x: Any):
        y = jax.lax.fori_loop(0, 3, lambda i, x: jax.numpy.sin(x), x)
        with ab.device("cpu:2"):
            return ab.stop_gradient(y) * jax.numpy.exp(y)

    def fn(x: Any):
        with ab.device("cpu:1"):
            return x - 0.5 * ab.grad(loss)(x)

    module = ab.from_jax(fn, f32(0.3))
    plain = without_requests(module, "main")
    InlineCallsPass().apply(Context(), plain)
    assert set(devices(plain, "cosine")) == set(devices(plain, "subtract")) == {"cpu:1"}
    assert set(devices(plain, "exponential")) == {"cpu:2"}
    (expected,) = ab.compile(module, engine="reference")(f32(0.3))
    assert ab.compile(module)(f32(0.3)) == [expected]


def test_a_rule_of_the_user_is_where_it_was_traced(jax: Any):
    @ab.custom_vjp
    def double(x: Any):
        return jax.numpy.sin(x)

    def forward(x: Any):
        return jax.numpy.sin(x), x

    def backward(x: Any, cotangent: Any):
        with ab.device("cpu:2"):
            return (jax.numpy.exp(x) * cotangent,)

    double.defvjp(forward, backward)

    def fn(x: Any):
        with ab.device("cpu:1"):
            return double(x)

    assert ab.grad(fn)(f32(0)) == 1
    module = ab.from_jax(ab.grad(fn), f32(0))
    plain = without_requests(module, "main")
    InlineCallsPass().apply(Context(), plain)
    assert set(devices(plain, "exponential")) == {"cpu:2"}


def test_locations_are_lines_of_the_user(jax: Any):
    constant = np.arange(3.0, dtype=f32)

    def fn(x: Any):
        y = ab.place(jax.numpy.sin(x), "cpu:1")
        return y + constant

    frames = {op.name: user_frame_of(op.location) for op in ab.from_jax(fn, f32([1, 2, 3])).walk()}
    line = fn.__code__.co_firstlineno
    barrier = frames["stablehlo.optimization_barrier"]
    assert barrier is not None and f"test_placement.py:{line + 1}:" in barrier
    assert "test_placement.py:" in (frames["stablehlo.constant"] or "")
