"""Rules of `reduce` and of sorts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize("axes", [(0,), (1, 2), (0, 1, 2), ()])
@pytest.mark.parametrize("name", ["sum", "max", "min", "prod"])
def test_reductions(name: str, axes: Any, against_jax: Any, jax64: Any, random: Any) -> None:
    reduction = getattr(jax64.numpy, name)
    against_jax(lambda x: reduction(x, axes), random(2, 3, 5), second=axes == (0,))


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_share(name: str, against_jax: Any, jax64: Any) -> None:
    x = np.array([[1.0, 3, 3], [2, 2, 2], [-0.0, 0.0, -1]])
    against_jax(lambda x: getattr(jax64.numpy, name)(x, 1), x)


def test_products_with_zeros(against_jax: Any, jax64: Any) -> None:
    x = np.array([[1.0, 3, 0, 2, 5], [2, 0, 0, 1, 4], [5, 1, 2, -3, 1], [0, 0, 0, 0, 0]])
    against_jax(lambda x: jax64.numpy.prod(x, 1), x)


@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_initial_value(op: str, against_differences: Any, random: Any) -> None:
    x = random(3, 5)
    against_differences(
        f"stablehlo.reduce(%a0 init: %a1) applies stablehlo.{op} across dimensions = [1]"
        " : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>",
        [x, np.sort(x.max(1))[1] - 1e-3],
        ["tensor<3xf64>"],
    )


def test_nothing_reduced(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.reduce(%a0 init: %a1) applies stablehlo.multiply across dimensions = [0]"
        " : (tensor<0x3xf64>, tensor<f64>) -> tensor<3xf64>",
        [random(0, 3), random()],
        ["tensor<3xf64>"],
    )


def test_any_region(against_jax: Any, jax64: Any, random: Any) -> None:
    """log(exp x + exp y), which has no rule of its own."""
    lax, jnp = jax64.lax, jax64.numpy

    def function(x: Any) -> Any:
        start = np.float64(-700.0)
        return lax.reduce(x, start, lambda a, b: jnp.log(jnp.exp(a) + jnp.exp(b)), (1,))

    against_jax(function, random(2, 3))


CHOICE = """stablehlo.reduce(%a0 init: %a1), ({index} init: %a2) across dimensions = [1] :
  (tensor<3x4xf64>, tensor<3x4xi32>, tensor<f64>, tensor<i32>) -> (tensor<3xf64>, tensor<3xi32>)
  reducer(%x: tensor<f64>, %z: tensor<f64>) (%i: tensor<i32>, %j: tensor<i32>) {{
  %2 = stablehlo.compare GT, %x, %z, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %3 = stablehlo.select %2, %x, %z : tensor<i1>, tensor<f64>
  %5 = stablehlo.compare EQ, %x, %z, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %6 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.and %5, %6 : tensor<i1>
  %8 = stablehlo.or %2, %7 : tensor<i1>
  %4 = stablehlo.select %8, %i, %j : tensor<i1>, tensor<i32>
  stablehlo.return %3, %4 : tensor<f64>, tensor<i32>
  }}"""


def test_value_and_index(against_differences: Any, random: Any) -> None:
    """The index is known to be one: the cotangent goes to its element."""
    body = CHOICE.format(index="%k")
    function = f"""func.func private @f(%a0: tensor<3x4xf64>, %a1: tensor<f64>, %a2: tensor<i32>)
    -> tensor<3xf64> {{
  %k = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %y:2 = {body}
  return %y#0 : tensor<3xf64>
}}"""
    against_differences(
        "func.call @f(%a0, %a1, %a2)"
        " : (tensor<3x4xf64>, tensor<f64>, tensor<i32>) -> tensor<3xf64>",
        [random(3, 4), np.float64(-np.inf), np.int32(0)],
        ["tensor<3xf64>"],
        wrt=[0],
        before=function,
    )
    numbers = np.tile(np.arange(4, dtype=np.int32), (3, 1))
    against_differences(
        CHOICE.format(index="%a3"),
        [random(3, 4), np.float64(-np.inf), np.int32(0), numbers],
        ["tensor<3xf64>", "tensor<3xi32>"],
        wrt=[0],
    )


def test_region_that_is_not_elementwise(error_of: Any, random: Any) -> None:
    message = error_of(
        "stablehlo.reduce(%a0 init: %a1) across dimensions = [0] :"
        " (tensor<3xf64>, tensor<f64>) -> tensor<f64>\n"
        " reducer(%x: tensor<f64>, %z: tensor<f64>) {\n"
        "%r = stablehlo.reshape %z : (tensor<f64>) -> tensor<1xf64>\n"
        "%s = stablehlo.reshape %r : (tensor<1xf64>) -> tensor<f64>\n"
        "%t = stablehlo.add %x, %s : tensor<f64>\nstablehlo.return %t : tensor<f64>\n}",
        [random(3), random()],
        ["tensor<f64>"],
    )
    assert "has no derivative when its region contains 'stablehlo.reshape'" in message


# Sorts.


@pytest.mark.parametrize("dimension", [0, 1])
def test_sort(dimension: int, against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x: jax64.lax.sort(x, dimension=dimension), random(3, 5))


@pytest.mark.parametrize("keys", [1, 2])
def test_sort_of_several(keys: int, against_jax: Any, jax64: Any, random: Any) -> None:
    """Keys that tie keep the order of what goes with them."""
    x, y = random(4, 3).round(0), random(4, 3)
    against_jax(lambda x, y: jax64.lax.sort((x, y), num_keys=keys, dimension=0), x, y)


def test_sort_by_integers(against_jax: Any, jax64: Any, random: Any) -> None:
    keys = np.array([3, 1, 2, 1], np.int32)
    against_jax(lambda k, y: jax64.lax.sort((k, y), num_keys=1)[1], keys, random(4))


def test_sort_that_has_the_places(against_jax: Any, jax64: Any, random: Any) -> None:
    def function(x: Any) -> Any:
        places = jax64.lax.broadcasted_iota(np.int32, x.shape, 1)
        return jax64.lax.sort((x, places), num_keys=1)[0] * x

    against_jax(function, random(2, 6))


@pytest.mark.parametrize("shape", [(5,), (3, 5)])
def test_top_k(shape: Any, against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x: jax64.lax.top_k(x, 3), random(*shape))
