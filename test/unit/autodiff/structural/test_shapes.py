"""Rules of ops that rearrange elements, of slices and of updates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize("source", [(2, 3), (1, 3), (2, 1), (1, 1)])
def test_broadcast_in_dim(
    source: tuple[int, ...], against_jax: Any, jax64: Any, random: Any
) -> None:
    broadcast = jax64.lax.broadcast_in_dim
    against_jax(lambda x: broadcast(x, (4, 2, 3), (1, 2)), random(*source))


def test_broadcast_in_any_order(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.broadcast_in_dim %a0, dims = [2, 0] : (tensor<3x2xf64>) -> tensor<2x4x3xf64>",
        [random(3, 2)],
        ["tensor<2x4x3xf64>"],
    )


def test_broadcast(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.broadcast %a0, sizes = [4, 3] : (tensor<2xf64>) -> tensor<4x3x2xf64>",
        [random(2)],
        ["tensor<4x3x2xf64>"],
    )


def test_reshape_transpose_reverse(against_jax: Any, jax64: Any, random: Any) -> None:
    lax = jax64.lax

    def function(x: Any) -> Any:
        turned = lax.transpose(lax.rev(x, (0, 2)), (2, 0, 1))
        return lax.reshape(turned, (8, 3)), lax.reshape(x, (24,)) * x.sum()

    against_jax(function, random(2, 3, 4))


def test_concatenate(against_jax: Any, jax64: Any, random: Any) -> None:
    join = jax64.lax.concatenate
    x, y, z = random(2, 1), random(2, 3), random(2, 0)
    against_jax(lambda x, y, z: join([x, y, z, y], 1), x, y, z)


def test_concatenate_with_constants(against_jax: Any, jax64: Any, random: Any) -> None:
    ones = np.ones((2, 2))
    against_jax(lambda x: jax64.lax.concatenate([ones, x, ones], 0), random(3, 2))


@pytest.mark.parametrize(
    "config",
    [
        ((1, 2, 0), (0, 0, 0), (0, 3, 0)),
        ((1, 2, 0), (-1, 1, 2), (-2, -1, 1)),
        ((0, 0, 0), (-1, -1, 0), (0, -2, 0)),
        ((-2, 5, 0), (3, -4, 1), (0, 0, 0)),
    ],
)
def test_pad(config: Any, against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x, value: jax64.lax.pad(x, value, config), random(2, 3, 4), random())


def test_pad_of_nothing(against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x, value: jax64.lax.pad(x, value, ((1, 2, 3),)), random(0), random())


def test_pad_of_a_scalar(against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x, value: jax64.lax.pad(x, value, ()), random(), random())


def test_slice(against_jax: Any, jax64: Any, random: Any) -> None:
    against_jax(lambda x: jax64.lax.slice(x, (1, 0), (5, 3), (2, 1)), random(6, 4))


def test_slices_of_one_array(against_jax: Any, random: Any) -> None:
    against_jax(lambda x: x[1:3] * x[2:4] + x[0:2] + x[3], random(6, 4))


@pytest.mark.parametrize("start", [0, 3, -7, 100])
def test_dynamic_slice(start: int, against_jax: Any, jax64: Any, random: Any) -> None:
    part = jax64.lax.dynamic_slice
    against_jax(
        lambda x, i, j: part(x, (i, j), (2, 3)) * part(x, (j, i), (2, 3)),
        random(5, 4),
        np.int32(start),
        np.int32(1),
    )


@pytest.mark.parametrize("start", [0, 3, 100])
def test_dynamic_update_slice(start: int, against_jax: Any, jax64: Any, random: Any) -> None:
    update = jax64.lax.dynamic_update_slice
    against_jax(
        lambda x, u, i: update(x, u, (i, i)) * x.sum(),
        random(5, 4),
        random(2, 2),
        np.int32(start),
    )
