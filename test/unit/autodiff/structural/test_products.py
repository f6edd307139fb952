"""Rules of dot products, contractions and convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

DOTS: dict[str, Any] = {
    "matrices": ((2, 3), (3, 4), ((1,), (0,)), ((), ())),
    "transposed": ((3, 2), (4, 3), ((0,), (1,)), ((), ())),
    "batches": ((2, 3, 4), (2, 4, 5), ((2,), (1,)), ((0,), (0,))),
    "any dimensions": ((2, 3, 4, 5), (5, 4, 6, 2), ((0, 2), (3, 1)), ((3,), (0,))),
    "vectors": ((3,), (3,), ((0,), (0,)), ((), ())),
    "outer": ((3,), (4,), ((), ()), ((), ())),
    "batch only": ((3, 2), (3, 4), ((), ()), ((0,), (0,))),
    "elementwise": ((3,), (3,), ((), ()), ((0,), (0,))),
}


@pytest.mark.parametrize("name", DOTS)
def test_dot_general(name: str, against_jax: Any, jax64: Any, random: Any) -> None:
    left, right, contracting, batching = DOTS[name]
    numbers = (contracting, batching)
    dot = jax64.lax.dot_general
    against_jax(lambda x, y: dot(x, y, numbers), random(*left), random(*right))


def test_dot_general_of_complex(against_jax: Any, random: Any) -> None:
    against_jax(lambda x, y: x @ y, random.complex(2, 3), random.complex(3, 2))


def test_dot_general_that_widens(against_jax: Any, jax64: Any, random: Any) -> None:
    def function(x: Any, y: Any) -> Any:
        numbers = (((1,), (0,)), ((), ()))
        return jax64.lax.dot_general(x, y, numbers, preferred_element_type=np.float64)

    x, y = (random(*shape).astype(np.float32) for shape in ((2, 3), (3, 2)))
    against_jax(function, x, y, tolerance=1e-6)


def test_one_factor_active(against_jax: Any, random: Any) -> None:
    fixed = random(3, 4)
    against_jax(lambda x: x @ fixed, random(2, 3))


def test_dot(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.dot %a0, %a1 : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>",
        [random(2, 3), random(3)],
        ["tensor<2xf64>"],
    )


def test_einsum(against_differences: Any, random: Any) -> None:
    """With a letter that only the left operand has."""
    against_differences(
        'stablehlo.einsum %a0, %a1, config = "abx,cb->ca" :'
        " (tensor<2x3x5xf64>, tensor<4x3xf64>) -> tensor<4x2xf64>",
        [random(2, 3, 5), random(4, 3)],
        ["tensor<4x2xf64>"],
    )


def test_unary_einsum(against_differences: Any, random: Any) -> None:
    against_differences(
        'stablehlo.unary_einsum %a0, config = "abc->ca" : (tensor<2x3x5xf64>) -> tensor<5x2xf64>',
        [random(2, 3, 5)],
        ["tensor<5x2xf64>"],
    )


def test_einsum_of_a_diagonal(error_of: Any, random: Any) -> None:
    message = error_of(
        'stablehlo.einsum %a0, %a1, config = "aa,ab->b" :'
        " (tensor<2x2xf64>, tensor<2x3xf64>) -> tensor<3xf64>",
        [random(2, 2), random(2, 3)],
        ["tensor<3xf64>"],
    )
    assert "where each operand has each letter once" in message


CONVOLUTIONS: dict[str, Any] = {
    "valid": ((2, 3, 5, 6), (4, 3, 2, 3), {}),
    "same": ((2, 3, 5, 6), (4, 3, 2, 3), {"padding": "SAME"}),
    "strides": (
        (2, 3, 7, 6),
        (4, 3, 2, 3),
        {"window_strides": (2, 3), "padding": ((1, 2), (0, 1))},
    ),
    "dilations": (
        (2, 3, 7, 6),
        (4, 3, 2, 3),
        {
            "window_strides": (2, 1),
            "padding": ((1, 2), (3, 1)),
            "lhs_dilation": (1, 2),
            "rhs_dilation": (2, 1),
        },
    ),
    "negative padding": (
        (2, 3, 7, 6),
        (4, 3, 2, 3),
        {"window_strides": (1, 2), "padding": ((-1, 2), (1, -2))},
    ),
    "channels last": (
        (2, 5, 6, 3),
        (2, 3, 3, 4),
        {"padding": "SAME", "dimension_numbers": ("NHWC", "HWIO", "NHWC")},
    ),
    "any layout": (
        (5, 2, 3, 6),
        (2, 4, 3, 3),
        {
            "window_strides": (1, 2),
            "padding": "SAME",
            "dimension_numbers": ("HNCW", "HOIW", "WNHC"),
        },
    ),
    "feature groups": (
        (2, 6, 5, 6),
        (4, 3, 2, 3),
        {"window_strides": (1, 2), "padding": "SAME", "feature_group_count": 2},
    ),
    "depthwise": (
        (2, 5, 6, 3),
        (2, 3, 1, 6),
        {
            "padding": "SAME",
            "dimension_numbers": ("NHWC", "HWIO", "NHWC"),
            "feature_group_count": 3,
        },
    ),
    "batch groups": (
        (6, 3, 5, 6),
        (4, 3, 2, 3),
        {"window_strides": (1, 2), "padding": "SAME", "batch_group_count": 2},
    ),
    "batch groups, any layout": (
        (6, 5, 6, 3),
        (2, 3, 3, 4),
        {
            "padding": "SAME",
            "rhs_dilation": (2, 1),
            "dimension_numbers": ("NHWC", "HWIO", "HWNC"),
            "batch_group_count": 2,
        },
    ),
    "kernel wider than the input": ((1, 1, 3, 2), (1, 1, 5, 1), {"padding": ((4, 4), (0, 0))}),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str, against_jax: Any, jax64: Any, random: Any) -> None:
    left, right, options = CONVOLUTIONS[name]
    options = {"window_strides": (1, 1), "padding": "VALID", **options}

    def function(x: Any, w: Any) -> Any:
        return jax64.lax.conv_general_dilated(x, w, **options)

    against_jax(function, random(*left), random(*right), second=name == "feature groups")


def test_convolution_with_reversal(against_differences: Any, random: Any) -> None:
    against_differences(
        "stablehlo.convolution(%a0, %a1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window ="
        " {stride = [2], pad = [[1, 2]], rhs_dilate = [2], reverse = [true]}"
        " {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
        " : (tensor<2x3x8xf64>, tensor<4x3x3xf64>) -> tensor<2x4x4xf64>",
        [random(2, 3, 8), random(4, 3, 3)],
        ["tensor<2x4x4xf64>"],
    )


def test_convolution_of_complex(against_jax: Any, jax64: Any, random: Any) -> None:
    convolve = jax64.lax.conv
    x, w = random.complex(2, 3, 5), random.complex(2, 3, 3)
    against_jax(lambda x, w: convolve(x, w, (1,), "SAME"), x, w, second=False)


def test_dynamic_conv(error_of: Any, random: Any) -> None:
    message = error_of(
        '"stablehlo.dynamic_conv"(%a0, %a1, %a2) <{dimension_numbers ='
        " #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64,"
        " batch_group_count = 1 : i64}> : (tensor<1x1x4xf64>, tensor<1x1x2xf64>, tensor<1x2xi64>)"
        " -> tensor<1x1x?xf64>",
        [random(1, 1, 4), random(1, 1, 2), np.array([[1, 0]])],
        ["tensor<1x1x?xf64>"],
    )
    assert "'stablehlo.dynamic_conv' has no derivative" in message
