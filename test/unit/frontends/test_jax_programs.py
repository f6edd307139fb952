"""What JAX prints is read in every form, and our text of it means the same to MLIR.

MLIR's print of our text must equal its print of the original, locations included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

jax = pytest.importorskip("jax", reason="the oracle needs jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

from anabranch.frontends.mlir_text import (  # noqa: E402
    parse_module,
    print_module,
    verify_module,
)

LONG = (np.arange(3200) / 7).astype(np.float32)
MASK = np.arange(3200) % 7 == 0
COMPLEX = (np.arange(300) / 7 + 1j).astype(np.complex64)


def shape(*dimensions: int, dtype: Any = np.float32) -> Any:
    return jax.ShapeDtypeStruct(dimensions, dtype)


def sharded(x: Any) -> Any:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("a", "b"))
    spec = jax.sharding.PartitionSpec("a", "b")
    return lax.with_sharding_constraint(x, jax.sharding.NamedSharding(mesh, spec))


PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "while": (lambda x: lax.while_loop(lambda v: v.sum() < 9, lambda v: v * 2, x), [shape(8)]),
    "scan": (lambda x: lax.scan(lambda c, y: (c + y, c * y), x[0], x), [shape(8, 4)]),
    "cond": (lambda x: lax.cond(x[0] > 0, lambda x: x + 1, lambda x: x - 1, x), [shape(8)]),
    "switch": (
        lambda i, x: lax.switch(i, [lambda x: x, lambda x: x * 2, lambda x: x * 3], x),
        [shape(dtype=np.int32), shape(8)],
    ),
    "scatter": (
        lambda x, i: x[i] + x.at[i].add(1.0)[:2],
        [shape(8, 4), shape(2, dtype=np.int32)],
    ),
    "sort": (lambda x: lax.sort((x, x), num_keys=1), [shape(8)]),
    "argmax": (lambda x: jnp.argmax(x, axis=0), [shape(8, 4)]),
    "reduce_window": (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 1), "VALID"),
        [shape(8, 4)],
    ),
    "convolution": (
        lambda a, b: lax.conv_general_dilated(a, b, (1, 1), "SAME"),
        [shape(1, 2, 8, 8), shape(3, 2, 3, 3)],
    ),
    "random": (lambda: jax.random.normal(jax.random.key(0), (4,)), []),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T), [shape(4, 4)]),
    "long constant": (lambda x: jnp.asarray(LONG) + x, [shape(3200)]),
    "long mask": (lambda x: jnp.where(MASK, x, 1.0), [shape(3200)]),
    "complex constant": (lambda x: jnp.asarray(COMPLEX) * x, [shape(300)]),
    "infinities": (lambda x: jnp.exp(x + 1j * jnp.inf) * jnp.nan, [shape(8)]),
    "bf16": (lambda x: x.astype(jnp.bfloat16) * jnp.bfloat16(-jnp.inf), [shape(8)]),
    "f8": (lambda x: x.astype(jnp.float8_e4m3fn) + jnp.float8_e4m3fn(1.5), [shape(8)]),
    "i4": (lambda x: x.astype(jnp.int4) + jnp.int4(-3), [shape(8, dtype=np.int32)]),
    "sharding": (sharded, [shape(8, 4)]),
}


@pytest.fixture(scope="module")
def mlir() -> Any:
    """A function: MLIR's print of a module's text."""
    from jax._src.interpreters import mlir as jax_mlir
    from jax._src.lib.mlir import ir

    context = jax_mlir.make_ir_context()

    def print_again(text: str, locations: bool) -> str:
        with context:
            return ir.Module.parse(text).operation.get_asm(enable_debug_info=locations)

    return print_again


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(mlir: Any, name: str) -> None:
    function, arguments = PROGRAMS[name]
    operation = jax.jit(function).lower(*arguments).compiler_ir("stablehlo").operation
    for generic in (False, True):
        for locations in (False, True):
            text = operation.get_asm(print_generic_op_form=generic, enable_debug_info=locations)
            module = parse_module(text, f"{name}.mlir")
            verify_module(module)
            for as_generic in (False, True):
                printed = print_module(module, generic=as_generic, debuginfo=True)
                assert mlir(printed, locations) == mlir(text, locations)


def test_symbolic_shapes() -> None:
    from jax import export

    (b,) = export.symbolic_shape("b")
    exported: Any = export.export(jax.jit(lambda x: jnp.sin(x).sum(0).reshape(-1)))
    text = exported(jax.ShapeDtypeStruct((b, 4), np.float32)).mlir_module()
    module = parse_module(text)
    verify_module(module)
    assert "jax.uses_shape_polymorphism = true" in print_module(module)
