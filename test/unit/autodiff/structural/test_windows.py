"""Rules of `reduce_window` and `select_and_scatter`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

CUMULATIVE = ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", CUMULATIVE)
def test_cumulative(name: str, reverse: bool, against_jax: Any, jax64: Any, random: Any) -> None:
    function = getattr(jax64.lax, name)
    against_jax(
        lambda x: function(x, 1, reverse=reverse),
        random(2, 6),
        second=not reverse and name in ("cumsum", "cumprod"),
    )


def test_the_inverse_of_a_cumulative_sum_is_one(random: Any) -> None:
    """Padding is the window's own, so that it takes n steps, not n windows of n."""
    import anabranch as ab
    from anabranch.passes._symbols import functions_of
    from anabranch.passes.autodiff.functions import add_vjp

    module = ab.parse(WINDOWS.format(**SUMS))
    add_vjp(functions_of(module)["main"])
    text = ab.print_module(module)
    assert text.count("stablehlo.reduce_window") == 3  # @main, and twice in its derivative
    assert "padding = dense<[[0, 3]]>" in text
    assert "stablehlo.pad" not in text


WINDOWS = """func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {{
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %y = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 4>, {padding}}}> ({{
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = {op} %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }}) : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}}"""
SUMS = {"op": "stablehlo.add", "padding": "padding = dense<[[3, 0]]> : tensor<1x2xi64>"}

GEOMETRIES: dict[str, Any] = {
    "overlapping": ((5, 6), (2, 3), (1, 2), ((1, 0), (0, 1))),
    "apart": ((4, 7), (2, 2), (2, 3), ((0, 0), (0, 0))),
    "gaps": ((5, 5), (1, 2), (2, 3), ((0, 0), (1, 0))),
}


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("name", ["add", "max", "min"])
def test_windows(name: str, geometry: str, against_jax: Any, jax64: Any, random: Any) -> None:
    shape, size, strides, padding = GEOMETRIES[geometry]
    start = {"add": 0.0, "max": -np.inf, "min": np.inf}[name]
    operation = getattr(jax64.lax, name)

    def function(x: Any) -> Any:
        return jax64.lax.reduce_window(x, np.float64(start), operation, size, strides, padding)

    against_jax(function, random(*shape), second=geometry == "overlapping")


@pytest.mark.parametrize(
    ("size", "strides", "padding", "base", "dilations"),
    [
        ((2, 3), (1, 2), ((1, 2), (3, 1)), (2, 1), (1, 2)),
        ((2, 3), (2, 3), ((0, 2), (-1, 1)), (3, 2), (2, 1)),
    ],
)
def test_dilated_sums(
    size: Any,
    strides: Any,
    padding: Any,
    base: Any,
    dilations: Any,
    against_jax: Any,
    jax64: Any,
    random: Any,
) -> None:
    def function(x: Any) -> Any:
        return jax64.lax.reduce_window(
            x, 0.0, jax64.lax.add, size, strides, padding, base, dilations
        )

    against_jax(function, random(4, 5))


def test_ties_of_a_window(against_jax: Any, jax64: Any) -> None:
    """The first of equal elements is selected."""

    def function(x: Any) -> Any:
        return jax64.lax.reduce_window(x, -np.inf, jax64.lax.max, (2,), (1,), "VALID")

    against_jax(function, np.array([1.0, 1.0, 2.0, 2.0, 0.0]))


REGION = """"stablehlo.reduce_window"(%a0, %a1) <{{window_dimensions = array<i64: 2, 3>,
  window_strides = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>,
  window_dilations = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>}}> ({{
^bb0(%x: tensor<f64>, %z: tensor<f64>):
  %m = stablehlo.{op} %x, %z : tensor<f64>
  stablehlo.return %m : tensor<f64>
}}) : (tensor<5x4xf64>, tensor<f64>) -> tensor<4x3xf64>"""


@pytest.mark.parametrize("op", ["add", "multiply", "maximum"])
def test_written_out(op: str, against_differences: Any, random: Any) -> None:
    """Dilated windows with an initial value that varies."""
    given = [random(5, 4), np.float64(-0.3)]
    against_differences(REGION.format(op=op), given, ["tensor<4x3xf64>"])


def test_wide_windows_of_any_region(error_of: Any) -> None:
    message = error_of(
        """"stablehlo.reduce_window"(%a0, %a1) <{window_dimensions = array<i64: 20, 20>}> ({
^bb0(%x: tensor<f64>, %z: tensor<f64>):
  %m = stablehlo.multiply %x, %z : tensor<f64>
  stablehlo.return %m : tensor<f64>
}) : (tensor<30x30xf64>, tensor<f64>) -> tensor<11x11xf64>""",
        [np.ones((30, 30)), np.float64(1)],
        ["tensor<11x11xf64>"],
    )
    assert "of at most 256 elements, got 400" in message


def test_select_and_scatter(against_jax: Any, jax64: Any, random: Any) -> None:
    lax = jax64.lax

    def pool(x: Any) -> Any:
        return lax.reduce_window(x, -np.inf, lax.max, (2, 2), (1, 2), ((1, 0), (0, 0)))

    def function(x: Any, source: Any) -> Any:
        return jax64.vjp(pool, x)[1](source)[0]

    against_jax(function, random(4, 6), random(4, 3))


SCATTER = """"stablehlo.select_and_scatter"(%a0, %a1, %a2) <{{window_dimensions = array<i64: 2>,
  window_strides = array<i64: 2>}}> ({{
^bb0(%x: tensor<f64>, %z: tensor<f64>):
  %c = stablehlo.compare LT, %x, %z : (tensor<f64>, tensor<f64>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
}}, {{
^bb0(%x: tensor<f64>, %z: tensor<f64>):
  %m = stablehlo.{op} %x, %z : tensor<f64>
  stablehlo.return %m : tensor<f64>
}}) : (tensor<6xf64>, tensor<3xf64>, tensor<f64>) -> tensor<6xf64>"""


def test_select_and_scatter_by_any_selection(against_differences: Any, random: Any) -> None:
    given = [random(6), random(3), random()]
    against_differences(SCATTER.format(op="add"), given, ["tensor<6xf64>"])


def test_select_and_scatter_that_multiplies(error_of: Any, random: Any) -> None:
    given = [random(6), random(3), random()]
    message = error_of(SCATTER.format(op="multiply"), given, ["tensor<6xf64>"])
    assert "when it scatters by adding" in message
