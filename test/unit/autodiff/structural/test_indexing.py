"""Rules of gathers and scatters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

Ints = tuple[int, ...]


def ints(*numbers: Any) -> Any:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("mode", ["clip", "fill", "promise_in_bounds"])
def test_gather_windows(mode: str, against_jax: Any, jax64: Any, random: Any) -> None:
    lax = jax64.lax
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0, 1)
    )
    places = ints([0, 1], [3, 2], [2, 2])
    if mode != "promise_in_bounds":
        places = ints([0, 1], [5, -1], [2, 2])
    against_jax(lambda x, i: lax.gather(x, i, numbers, (1, 2), mode=mode), random(4, 5), places)


def test_take(against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(
        lambda x, i: jax64.numpy.take(x, i, axis=1),
        random(3, 5),
        ints(0, 2, 2, -1, 9),
        second=False,
    )


def test_gathers_of_one_array(against_jax: Any, random: Any) -> None:
    against_jax(lambda x, i: x[i] * x[i + 1] + x[2], random(6, 3), ints(0, 2, 2, 4))


def test_gather_along_an_axis(against_jax: Any, jax64: Any, random: Any) -> None:
    pick = jax64.numpy.take_along_axis
    against_jax(lambda x, i: pick(x, i, 1), random(3, 5), ints([0, 1], [2, 2], [4, 0]))


def test_gather_in_batches(against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(
        lambda x, i: jax64.vmap(lambda a, j: a[j])(x, i),
        random(3, 5, 2),
        ints([0, 1], [2, 2], [4, 0]),
    )


def test_gather_with_narrow_indices(against_jax: Any, jax64: Any, random: Any) -> None:
    """The operand is longer than the index type can say."""
    lax = jax64.lax
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,)
    )
    places = np.array([[0], [100], [255]], np.uint8)
    against_jax(lambda x, i: lax.gather(x, i, numbers, (1,), mode="clip"), random(300), places)


@pytest.mark.parametrize(
    ("dimension", "batch", "shape", "index", "result"),
    [
        (1, 0, (2, 5, 3), (4,), "2x4x3"),
        (2, 1, (2, 3, 5), (2, 4, 2), "2x3x4x2"),
        (0, 0, (5,), (), ""),
    ],
)
def test_torch_index_select(
    dimension: int,
    batch: int,
    shape: Ints,
    index: Ints,
    result: str,
    against_differences: Any,
    random: Any,
) -> None:
    operand, numbers = "x".join(map(str, shape)), "".join(f"{size}x" for size in index)
    out = f"tensor<{result}{'x' if result else ''}f64>"
    places = np.arange(np.prod(index, dtype=int)).reshape(index).astype(np.int32) % 5
    against_differences(
        f'"stablehlo.torch_index_select"(%a0, %a1) <{{dim = {dimension} : i64,'
        f" batch_dims = {batch} : i64}}> : (tensor<{operand}xf64>, tensor<{numbers}i32>) -> {out}",
        [random(*shape), places],
        [out],
    )


KINDS = ("add", "subtract", "set", "multiply", "min", "max")


@pytest.mark.parametrize("kind", KINDS)
def test_scatter_at_constant_places(kind: str, against_jax: Any, jax64: Any, random: Any) -> None:
    def function(x: Any, u: Any) -> Any:
        return getattr(x.at[jax64.numpy.array([0, 2, 3])], kind)(u, unique_indices=True)

    against_jax(function, random(6, 3), random(3, 3))


@pytest.mark.parametrize("kind", KINDS)
def test_scatter_with_repeats_and_outside(
    kind: str, against_jax: Any, jax64: Any, random: Any
) -> None:
    unique = kind == "multiply"

    def function(x: Any, u: Any, i: Any) -> Any:
        return getattr(x.at[i], kind)(u, unique_indices=unique)

    places = ints(0, 2, -1, 9) if unique else ints(0, 2, 2, 9)
    against_jax(function, random(6, 3), random(4, 3), places)


@pytest.mark.parametrize("kind", KINDS)
def test_scatter_of_one_row(kind: str, against_jax: Any, random: Any) -> None:
    against_jax(
        lambda x, u, i: getattr(x.at[i], kind)(u),
        random(6, 3),
        random(3),
        np.int32(4),
        second=False,
    )


@pytest.mark.parametrize("kind", ["min", "max"])
def test_ties_of_a_scatter_are_shared(kind: str, against_jax: Any, jax64: Any) -> None:
    x, u = np.array([1.0, 5.0, 3.0]), np.array([1.0, 5.0, 5.0])
    places = np.array([0, 1, 1])
    against_jax(lambda x, u: getattr(x.at[places], kind)(u), x, u, second=False)


def test_scatter_multiplies_the_operand_with_repeats(against_jax: Any, random: Any) -> None:
    updates = random(3)
    against_jax(lambda x, i: x.at[i].multiply(updates), random(4), ints(1, 1, 2))


def test_scatter_of_windows(against_jax: Any, jax64: Any, random: Any) -> None:
    lax = jax64.lax
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,)
    )
    places = ints([0], [1], [4])
    x, u = random(6), random(3, 2)
    against_jax(lambda x, i, u: lax.scatter_add(x, i, u, numbers), x, places, u)
    against_jax(lambda x, i, u: lax.scatter(x, i, u, numbers), x, places, u)


SCATTER = """"stablehlo.scatter"(%a0, %a1, %a2) <{{scatter_dimension_numbers = #stablehlo.scatter<
  update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{more}}}> ({{
^bb0(%x: tensor<f64>, %z: tensor<f64>):
{body}
}}) : (tensor<8xf64>, tensor<4x1xi32>, tensor<4x2xf64>) -> tensor<8xf64>"""


def test_scatter_of_windows_partly_outside(against_differences: Any, random: Any) -> None:
    """An element of a window that lies outside is dropped on its own."""
    against_differences(
        SCATTER.format(body="stablehlo.return %z : tensor<f64>", more=""),
        [random(8), ints([-1], [3], [7], [20]), random(4, 2)],
        ["tensor<8xf64>"],
    )


def test_scatter_in_batches(against_jax: Any, jax64: Any, random: Any) -> None:
    x, u, places = random(3, 5, 2), random(3, 2, 2), ints([0, 1], [2, 2], [4, 0])
    vmap = jax64.vmap
    against_jax(lambda x, u, i: vmap(lambda a, b, j: a.at[j].add(b))(x, u, i), x, u, places)
    against_jax(lambda x, u, i: vmap(lambda a, b, j: a.at[j].set(b))(x, u, i), x, u, places)


def test_scatter_of_complex(against_jax: Any, random: Any) -> None:
    x, u = random.complex(4), random.complex(3)
    against_jax(lambda x, u, i: x.at[i].add(u), x, u, ints(0, 2, 2))


def test_scatter_that_multiplies_repeated_places(error_of: Any, random: Any) -> None:
    body = "%m = stablehlo.multiply %x, %z : tensor<f64>\nstablehlo.return %m : tensor<f64>"
    given = [random(8), ints([0], [3], [3], [5]), random(4, 2)]
    for mode in ("vjp", "jvp"):
        message = error_of(SCATTER.format(body=body, more=""), given, ["tensor<8xf64>"], mode)
        assert "when it has unique_indices = true" in message


def test_scatter_by_another_region(error_of: Any, random: Any) -> None:
    body = "%m = stablehlo.atan2 %x, %z : tensor<f64>\nstablehlo.return %m : tensor<f64>"
    given = [random(8), ints([0], [3], [3], [5]), random(4, 2)]
    message = error_of(SCATTER.format(body=body, more=""), given, ["tensor<8xf64>"])
    assert "takes an extremum, got atan2" in message
