"""Derivatives of one expression, for comparison with JAX's and with differences.

`derive(expression, *arguments)` is a program whose result `%y` is the expression in `%a`, `%b`, …; its
gradients are those of the real part of the sum of `%y` times a weight, which makes the weight the
cotangent of `%y`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.frontends.mlir_text import verify_module
from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes
from anabranch.passes.dcf_gradient import DcfGradientPass
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
"""What comes before differentiation; scans stay."""


def structured(text: str) -> ModuleOp:
    """A module ready to be differentiated."""
    module = ab.parse(text)
    for pass_class in pipeline_passes():
        if pass_class.name in STRUCTURED:
            pass_class().apply(Context(), module)
    return module


def differentiate(module: ModuleOp, **options: Any) -> None:
    """Run `dcf-gradient`."""
    DcfGradientPass(**options).apply(Context(), module)
    verify_module(module)


def run(module: ModuleOp, function: str, arguments: Arrays) -> list[Array]:
    """The results of a function of the module."""
    return [np.asarray(result) for result in ab.compile(module, function=function)(*arguments)]


class Derived:
    """Values and derivatives of one expression at one point."""

    def __init__(self, expression: str, arguments: Arrays, result: str):
        self.arguments = list(arguments)
        self.result = result
        types = [type_text(argument) for argument in arguments]
        names = [f"%{chr(ord('a') + k)}" for k in range(len(types))]
        self.parameters = ", ".join(f"{name}: {type}" for name, type in zip(names, types))
        self.separator = ", " if types else ""
        if "{types}" not in expression:
            expression = f'"{expression}"({", ".join(names)}) : ({{types}}) -> {{result}}'
        self.body = "%y = " + expression.replace("{types}", ", ".join(types)).replace(
            "{result}", result
        )

    def value(self, *arguments: Array) -> Array:
        """The expression itself."""
        text = f"func.func @main({self.parameters}) -> {self.result} {{\n"
        text += f"{self.body}\nreturn %y : {self.result}\n}}"
        return run(ab.parse(text), "main", arguments or self.arguments)[0]

    def gradients(self, weight: Array, wrt: Sequence[int] = (0,)) -> list[Array]:
        """The cotangents of the arguments `wrt` for the cotangent `weight` of the result."""
        module = self.weighted()
        differentiate(module, wrt=tuple(wrt))
        return run(module, "main.grad", [*self.arguments, weight])[1:]

    def tangent(self, tangents: Arrays, wrt: Sequence[int] = (0,)) -> Array:
        """The tangent of the result for tangents of the arguments `wrt`."""
        text = f"func.func @main({self.parameters}) -> {self.result} {{\n"
        module = structured(f"{text}{self.body}\nreturn %y : {self.result}\n}}")
        differentiate(module, wrt=tuple(wrt), mode="forward")
        return run(module, "main.jvp", [*self.arguments, *tangents])[1]

    def hessian_products(self, weight: Array, tangent: Array) -> tuple[Array, Array]:
        """The second derivative times a tangent: forward over reverse, and reverse over forward."""
        module = self.weighted()
        differentiate(module, wrt=(0,))
        differentiate(module, function="main.grad", wrt=(0,), mode="forward")
        forward = run(module, "main.grad.jvp", [*self.arguments, weight, tangent])[-1]
        module = self.weighted()
        differentiate(module, wrt=(0,), mode="forward")
        differentiate(module, function="main.jvp", wrt=(0,), of=1)
        reverse = run(module, "main.jvp.grad", [*self.arguments, weight, tangent])[-1]
        return forward, reverse

    def mixed(self, weight: Array, first: int, second: int) -> Array:
        """The gradient by argument `second` of the sum of the gradient by argument `first`."""
        module = self.weighted()
        differentiate(module, wrt=(first,))
        differentiate(module, function="main.grad", wrt=(second,), of=1)
        return run(module, "main.grad.grad", [*self.arguments, weight])[-1]

    def weighted(self) -> ModuleOp:
        """The real part of the sum of the result times a weight."""
        found = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", self.result)
        assert found is not None
        shape, element = found.groups()
        rank = shape.count("x")
        real, part = f"tensor<{shape}f64>", "%product"
        lines = [
            f"func.func @main({self.parameters}{self.separator}%w: {self.result}) -> tensor<f64> {{",
            self.body,
            f"%product = stablehlo.multiply %y, %w : {self.result}",
        ]
        if element != "f64":
            op = "real" if element.startswith("complex<f64") else "convert"
            lines.append(f"%part = stablehlo.{op} %product : ({self.result}) -> {real}")
            part = "%part"
        dimensions = ", ".join(str(k) for k in range(rank))
        lines += [
            "%zero = stablehlo.constant dense<0.0> : tensor<f64>",
            f"%sum = stablehlo.reduce({part} init: %zero) applies stablehlo.add across dimensions"
            f" = [{dimensions}] : ({real}, tensor<f64>) -> tensor<f64>",
            "return %sum : tensor<f64>\n}",
        ]
        return structured("\n".join(lines))


Derive = Callable[..., Derived]


@pytest.fixture
def derive() -> Derive:
    """`derive(op name or expression, *arguments, result="tensor<…>")`, see the module."""

    def make(expression: str, *arguments: Array, result: str | None = None) -> Derived:
        return Derived(expression, arguments, result or type_text(arguments[0]))

    return make


@pytest.fixture
def jax64() -> Iterator[Any]:
    """JAX with 64-bit floats."""
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        yield jax


class Tools:
    """What tests of whole programs use."""

    structured = staticmethod(structured)
    differentiate = staticmethod(differentiate)
    run = staticmethod(run)


@pytest.fixture
def tools() -> Tools:
    """Parsing, differentiating and running a program's text."""
    return Tools()
