"""Derivatives of functions of JAX against JAX's, and of programs given as text against differences.

Every check runs both modes. With `second` (the default) forward mode is applied to what reverse mode made,
and reverse mode to what forward mode made, which tests the rules of the ops that rules emit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import anabranch as ab
from anabranch.frontends.mlir_text import verify_module
from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes
from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.functions import add_jvp, add_vjp
from anabranch.runtime.values import type_text

Array = np.ndarray[Any, Any]
Arrays = Sequence[Array]

STRUCTURED = (
    "inline-calls",
    "convert-stablehlo-to-dcf",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "remove-dead-code",
)
STEP = 1e-6


class Program:
    """A module with the function @main, derivatives of which are added on demand."""

    def __init__(self, module: ModuleOp, arguments: Arrays, *, inline: bool = True):
        for pass_class in pipeline_passes():
            if pass_class.name in STRUCTURED and (inline or pass_class.name != "inline-calls"):
                pass_class().apply(Context(), module)
        self.module = module
        self.arguments = list(arguments)

    @property
    def varied(self) -> list[int]:
        """The floating-point arguments."""
        return [k for k, x in enumerate(self.arguments) if is_float(x)]

    def function(self, name: str) -> FuncOp:
        return functions_of(self.module)[name]

    def run(self, name: str, *more: Array, at: Arrays | None = None) -> list[Array]:
        exe = ab.compile(self.module, function=name)
        given = self.arguments if at is None else at
        return [np.asarray(result) for result in exe(*given, *more)]

    def add(self, mode: str, name: str, wrt: Sequence[int] | None = None) -> str:
        """Adds the derivative of a function; its name."""
        {"vjp": add_vjp, "jvp": add_jvp}[mode](self.function(name), wrt)
        verify_module(self.module)
        return f"{name}.{mode}"


def is_float(x: Any) -> bool:
    return np.issubdtype(np.asarray(x).dtype, np.inexact)


class Random:
    """Random numbers, the same in each test."""

    def __init__(self) -> None:
        self._generator = np.random.default_rng(11)

    def __call__(self, *shape: int) -> Array:
        return np.asarray(self._generator.normal(size=shape))

    def complex(self, *shape: int) -> Array:
        return self(*shape) + 1j * self(*shape)

    def positive(self, size: int, *batch: int) -> Array:
        """Symmetric, positive definite matrices."""
        root = self(*batch, size, size)
        return root @ np.swapaxes(root, -1, -2) + size * np.eye(size)

    def like(self, x: Any) -> Array:
        array = np.asarray(x)
        made = self.complex(*array.shape) if np.iscomplexobj(array) else self(*array.shape)
        return np.asarray(made).astype(array.dtype)


@pytest.fixture
def random() -> Random:
    return Random()


Check = Callable[..., None]


@pytest.fixture
def against_jax(jax64: Any, random: Random) -> Iterator[Check]:
    """`against_jax(function, *arguments, reference=None, platform=None, second=True)`: both modes of
    `function` against JAX's of `reference` (default: the same function)."""
    jax = jax64

    def check(
        function: Callable[..., Any],
        *arguments: Any,
        reference: Callable[..., Any] | None = None,
        platform: str | None = None,
        second: bool = True,
        tolerance: float = 1e-9,
    ) -> None:
        values = [np.asarray(argument) for argument in arguments]
        if platform is None:
            module = ab.from_jax(function, *values)
        else:
            traced = jax.jit(function, keep_unused=True).trace(*values)
            module = ab.parse(traced.lower(lowering_platforms=(platform,)).as_text())
        program = Program(module, values)
        varied = program.varied

        def floats(*xs: Any) -> Any:
            given: list[Any] = list(values)
            for k, x in zip(varied, xs):
                given[k] = x
            results = (reference or function)(*given)
            results = results if isinstance(results, tuple | list) else (results,)
            return tuple(y for y in results if jax.numpy.issubdtype(y.dtype, np.inexact))

        def reverse(*both: Any) -> Any:
            count = len(varied)
            return jax.vjp(floats, *both[:count])[1](tuple(both[count:]))

        def forward(*both: Any) -> Any:
            count = len(varied)
            results, found = jax.jvp(floats, tuple(both[:count]), tuple(both[count:]))
            return (*results, *found)

        def close(got: Arrays, expected: Any) -> None:
            assert len(got) == len(expected)
            for one, other in zip(got, expected):
                assert one.dtype == np.asarray(other).dtype
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)

        at = [values[k] for k in varied]
        shapes = jax.eval_shape(floats, *at)
        cotangents = [random.like(np.zeros(y.shape, y.dtype)) for y in shapes]
        tangents = [random.like(x) for x in at]
        more = [random.like(y) for y in cotangents]
        seeds = [random.like(y) for y in (*cotangents, *cotangents)]

        def everything(at: Any, cotangents: Any, tangents: Any, more: Any, seeds: Any) -> Any:
            found = [reverse(*at, *cotangents), forward(*at, *tangents)[len(shapes) :]]
            if second:
                primals, directions = (*at, *cotangents), (*tangents, *more)
                found.append(jax.jvp(reverse, primals, directions)[1])
                found.append(jax.vjp(forward, *at, *tangents)[1](tuple(seeds)))
            return found

        # Compiled as one, since JAX takes a moment for each op that it runs on its own.
        expected = jax.jit(everything)(at, cotangents, tangents, more, seeds)
        count, outs = len(at), len(shapes)
        vjp, jvp = program.add("vjp", "main"), program.add("jvp", "main")
        close(program.run(vjp, *cotangents)[-count:], expected[0])
        close(program.run(jvp, *tangents)[-outs:], expected[1])
        if second:
            got = program.run(program.add("jvp", vjp), *cotangents, *tangents, *more)
            close(got[-count:], expected[2])
            got = program.run(program.add("vjp", jvp), *tangents, *seeds)
            close(got[-2 * count :], expected[3])

    yield check


@pytest.fixture
def against_differences(random: Random) -> Check:
    """`against_differences(body, arguments, results, types=None, before="", wrt=None, second=True)`:
    `%y = body`, of `%a0, %a1, …`, against central differences, and the two modes against each other."""

    def check(
        body: str,
        arguments: Sequence[Any],
        results: Sequence[str],
        *,
        types: Sequence[str] | None = None,
        before: str = "",
        wrt: Sequence[int] | None = None,
        second: bool = True,
    ) -> None:
        values = [np.asarray(argument) for argument in arguments]
        program = Program(
            ab.parse(text_of(body, values, results, types, before)), values, inline=not before
        )
        varied = program.varied if wrt is None else list(wrt)
        tangents = [random.like(values[k]) for k in varied]
        outs = [k for k, y in enumerate(program.run("main")) if is_float(y)]

        def moved(step: float) -> list[Array]:
            given = list(values)
            for k, tangent in zip(varied, tangents):
                given[k] = np.asarray(given[k] + step * tangent)
            return given

        def slope(name: str, numbers: Sequence[int], *more: Array) -> list[Array]:
            up, down = (program.run(name, *more, at=moved(step)) for step in (STEP, -STEP))
            return [(up[k] - down[k]) / (2 * STEP) for k in numbers]

        vjp, jvp = program.add("vjp", "main", varied), program.add("jvp", "main", varied)
        found = program.run(jvp, *tangents)[-len(outs) :]
        for got, expected in zip(found, slope("main", outs), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)
        cotangents = [random.like(y) for y in found]
        gradients = program.run(vjp, *cotangents)[-len(varied) :]
        one = sum(np.sum(g * t) for g, t in zip(gradients, tangents))
        other = sum(np.sum(c * t) for c, t in zip(cotangents, found))
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
        if not second:
            return
        numbers = list(range(-len(varied), 0))
        twice = program.add("jvp", vjp, varied)
        found = program.run(twice, *cotangents, *tangents)[-len(varied) :]
        for got, expected in zip(found, slope(vjp, numbers, *cotangents), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)

    return check


def text_of(
    body: str,
    values: Arrays,
    results: Sequence[str],
    types: Sequence[str] | None = None,
    before: str = "",
) -> str:
    """The text of a module whose @main returns what `body` gives."""
    given = types or [type_text(value) for value in values]
    parameters = ", ".join(f"%a{k}: {type}" for k, type in enumerate(given))
    count = len(results)
    names = ["%y"] if count == 1 else [f"%y#{k}" for k in range(count)]
    left = "%y" if count == 1 else f"%y:{count}"
    listed = ", ".join(results)
    return (
        f"{before}\nfunc.func @main({parameters}) -> ({listed}) {{\n{left} = {body}\n"
        f"return {', '.join(names)} : {listed}\n}}\n"
    )


@pytest.fixture
def error_of() -> Callable[..., str]:
    """`error_of(body, arguments, results, mode="vjp", …)`: the message of the error."""

    def check(
        body: str, arguments: Sequence[Any], results: Sequence[str], mode: str = "vjp", **more: Any
    ) -> str:
        values = [np.asarray(argument) for argument in arguments]
        program = Program(
            ab.parse(text_of(body, values, results, **more)), values, inline="before" not in more
        )
        with pytest.raises(ab.ProgramError) as error:
            program.add(mode, "main")
        return str(error.value)

    return check
