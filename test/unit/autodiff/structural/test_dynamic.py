"""Rules of ops on tensors whose shapes are known only at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

ANY = "tensor<?x?xf64>"
CUBE = "tensor<?x?x?xf64>"


@pytest.mark.parametrize("shape", [(3, 1), (1, 1), (3, 4), (1, 4)])
@pytest.mark.parametrize("dims", [(1, 2), (2, 1)])
def test_dynamic_broadcast(shape: Any, dims: Any, against_differences: Any, random: Any) -> None:
    """Which dimensions are repeated is known only at run time."""
    target = [2, 0, 0]
    target[dims[0]], target[dims[1]] = 3, 4
    against_differences(
        f"stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = {list(dims)}"
        f" : ({ANY}, tensor<3xi64>) -> {CUBE}",
        [random(*shape), np.array(target)],
        [CUBE],
        types=[ANY, "tensor<3xi64>"],
        second=False,
    )


@pytest.mark.parametrize("operand", ["tensor<?x1xf64>", "tensor<3x1xf64>"])
def test_dynamic_broadcast_of_one(operand: str, against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = [1, 2]"
        f" : ({operand}, tensor<3xi32>) -> {CUBE}",
        [random(3, 1), np.array([2, 3, 4], np.int32)],
        [CUBE],
        types=[operand, "tensor<3xi32>"],
    )


def test_reshapes(against_differences: Any, random: Any) -> None:
    against_differences(
        f"stablehlo.dynamic_reshape %a0, %a1 : ({ANY}, tensor<1xi64>) -> tensor<?xf64>",
        [random(3, 2), np.array([6])],
        ["tensor<?xf64>"],
        types=[ANY, "tensor<1xi64>"],
    )
    against_differences(
        "stablehlo.reshape %a0 : (tensor<?x2xf64>) -> tensor<6xf64>",
        [random(3, 2)],
        ["tensor<6xf64>"],
        types=["tensor<?x2xf64>"],
    )


@pytest.mark.parametrize("operand", ["tensor<?x4xf64>", "tensor<7x4xf64>"])
@pytest.mark.parametrize(
    ("start", "limit", "step"),
    [([1, 0], [6, 4], [2, 1]), ([0, 0], [0, 4], [2, 3]), ([2, 1], [7, 4], [4, 2])],
)
def test_real_dynamic_slice(
    operand: str, start: Any, limit: Any, step: Any, against_differences: Any, random: Any
) -> None:
    numbers = "tensor<2xi32>"
    against_differences(
        "stablehlo.real_dynamic_slice %a0, %a1, %a2, %a3"
        f" : ({operand}, {numbers}, {numbers}, {numbers}) -> {ANY}",
        [random(7, 4), *(np.array(each, np.int32) for each in (start, limit, step))],
        [ANY],
        types=[operand, numbers, numbers, numbers],
        second=False,
    )


@pytest.mark.parametrize(
    ("low", "high", "interior"),
    [([1, 0], [2, 3], [0, 1]), ([-1, 2], [1, -2], [2, 0])],
)
def test_dynamic_pad(
    low: Any, high: Any, interior: Any, against_differences: Any, random: Any
) -> None:
    numbers = "tensor<2xi64>"
    against_differences(
        "stablehlo.dynamic_pad %a0, %a1, %a2, %a3, %a4"
        f" : (tensor<?x3xf64>, tensor<f64>, {numbers}, {numbers}, {numbers}) -> {ANY}",
        [random(4, 3), random(), *(np.array(each) for each in (low, high, interior))],
        [ANY],
        types=["tensor<?x3xf64>", "tensor<f64>", numbers, numbers, numbers],
    )


def test_set_dimension_size(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.set_dimension_size %a0, %a1, dim = 0 : (tensor<5x2xf64>, tensor<i32>)"
        " -> tensor<?x2xf64>",
        [random(5, 2), np.int32(3)],
        ["tensor<?x2xf64>"],
    )


def test_dynamic_gather(against_differences: Any, random: Any) -> None:
    against_differences(
        '"stablehlo.dynamic_gather"(%a0, %a1, %a2) <{dimension_numbers = #stablehlo.gather<'
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1],"
        " index_vector_dim = 1>}> : (tensor<4x5xf64>, tensor<3x2xi32>, tensor<2xi64>)"
        " -> tensor<3x?xf64>",
        [random(4, 5), np.array([[0, 1], [5, -1], [2, 9]], np.int32), np.array([1, 2])],
        ["tensor<3x?xf64>"],
    )


def test_concatenate(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.concatenate %a0, %a1, dim = 0"
        " : (tensor<?x2xf64>, tensor<3x2xf64>) -> tensor<?x2xf64>",
        [random(4, 2), random(3, 2)],
        ["tensor<?x2xf64>"],
        types=["tensor<?x2xf64>", "tensor<3x2xf64>"],
    )


@pytest.mark.parametrize("op", ["add", "maximum"])
def test_reductions(op: str, against_differences: Any, random: Any) -> None:
    against_differences(
        f"stablehlo.reduce(%a0 init: %a1) applies stablehlo.{op} across dimensions = [0]"
        " : (tensor<?x2xf64>, tensor<f64>) -> tensor<2xf64>",
        [random(4, 2), np.float64(-9)],
        ["tensor<2xf64>"],
        types=["tensor<?x2xf64>", "tensor<f64>"],
    )


def test_products(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0]"
        " : (tensor<?x2xf64>, tensor<2x3xf64>) -> tensor<?x3xf64>",
        [random(4, 2), random(2, 3)],
        ["tensor<?x3xf64>"],
        types=["tensor<?x2xf64>", "tensor<2x3xf64>"],
    )


def test_static_shapes_needed(error_of: Any, random: Any) -> None:
    message = error_of(
        "stablehlo.reduce(%a0 init: %a1) applies stablehlo.multiply across dimensions = [0]"
        " : (tensor<?x2xf64>, tensor<f64>) -> tensor<2xf64>",
        [random(4, 2), random()],
        ["tensor<2xf64>"],
        types=["tensor<?x2xf64>", "tensor<f64>"],
    )
    assert "'stablehlo.reduce' has a derivative for static shapes, got tensor<?x2xf64>" in message
