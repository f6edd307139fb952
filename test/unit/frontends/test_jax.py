"""`from_jax`: arguments in their order, nothing dropped, errors that name the Python line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import anabranch as ab
from anabranch.frontends.jax import flatten, from_jax

f32 = np.float32


@pytest.fixture
def jax() -> Iterator[Any]:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with jax.enable_x64(False):
        yield jax


def argument_types(module: Any) -> list[str]:
    (main,) = (op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    return [str(type) for type in main.function_type.inputs]


def test_leaves_are_arguments_in_order_and_all_are_kept(jax: Any):
    def fn(x: Any, tree: Any, unused: Any):
        return {"sum": x + tree["a"][1], "b": tree["b"]}

    args = f32(1), {"b": np.int32(7), "a": (f32([9, 9]), f32(2), None)}, np.zeros(3, np.int8)
    module = from_jax(fn, *args)
    assert argument_types(module) == [
        "tensor<f32>",
        "tensor<2xf32>",
        "tensor<f32>",
        "tensor<i32>",
        "tensor<3xi8>",
    ]
    b, total = ab.compile(module)(*flatten(*args))
    assert (b, total) == (7, 3)


def test_shapes_and_types_are_enough(jax: Any):
    spec = jax.ShapeDtypeStruct((2, 3), np.float32)
    module = from_jax(lambda x: x @ x.T, spec)
    assert argument_types(module) == ["tensor<2x3xf32>"]
    x = np.arange(6, dtype=f32).reshape(2, 3)
    np.testing.assert_array_equal(ab.compile(module)(x)[0], x @ x.T)


def test_static_arguments_are_values_of_the_program(jax: Any):
    module = from_jax(lambda x, n: x * n, f32(1), 3, static_argnums=1)
    assert argument_types(module) == ["tensor<f32>"]
    assert ab.compile(module)(f32(5))[0] == 15


def test_a_jitted_function_is_taken_too(jax: Any):
    module = from_jax(jax.jit(lambda x: x + 1), f32(1))
    assert ab.compile(module)(f32(5))[0] == 6


def test_locations_are_those_of_the_python_source(jax: Any):
    def fn(x: Any):
        return jax.lax.while_loop(lambda x: x < 10, lambda x: x * 1, x)

    executable = ab.compile(from_jax(fn, f32(1)))
    with pytest.raises(ab.ProgramError) as raised:
        executable.run([f32(1)], deadline=0.2)
    from anabranch.dialects.diagnostics import render_error

    assert "test_jax.py" in render_error(raised.value, "<jax>")
    assert "test_jax.py" in ab.print_module(from_jax(fn, f32(1)), debuginfo=True)
    plain = from_jax(fn, f32(1), debug_info=False)
    assert "test_jax.py" not in ab.print_module(plain, debuginfo=True)


def test_python_callbacks_do_not_run_but_probes_do(jax: Any):
    def printed(x: Any):
        jax.debug.print("{}", x)
        return x

    def called(x: Any):
        return jax.pure_callback(lambda x: x, x, x)

    for fn in (printed, called):
        with pytest.raises(ab.ProgramError, match="callbacks .* do not run here; a dcf.probe op"):
            ab.compile(from_jax(fn, f32(1)))
    with pytest.raises(ab.ProgramError, match="callbacks .* do not run here; a dcf.probe op"):
        ab.grad(printed)(f32(1))

    text = ab.print_module(from_jax(jax.numpy.sin, f32(1)))
    (sine,) = (line for line in text.splitlines() if "stablehlo.sine" in line)
    name = sine.split()[0]
    text = text.replace(sine, f'{sine}\n  dcf.probe "sine" {name} : tensor<f32>')
    seen: list[Any] = []
    results = ab.compile(ab.parse(text)).run([f32(1)], probe=lambda *got: seen.append(got))
    assert seen == [("sine", (results[0],))]


def test_without_jax_one_sentence_names_the_command(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r'pip install "anabranch\[jax\]"'):
        from_jax(lambda x: x, f32(1))
