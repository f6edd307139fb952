"""Ops that go along a dimension in parts: chlo.scan, chlo.ragged_dot; and quantization."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anabranch import ProgramError
from anabranch.frontends.mlir_text import parse_module, verify_module
from anabranch.runtime.reference import evaluate


def small(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float32)


SCAN = """func.func @main(%x: tensor<2x3xf32>, %c: tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=1 attributes {is_reverse = REVERSE} {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %s = stablehlo.add %a, %b : tensor<2xf32>
    %d = stablehlo.add %s, %s : tensor<2xf32>
    stablehlo.return %d, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2xf32>
}"""


@pytest.mark.parametrize("reverse", [False, True])
def test_scan(reverse: bool) -> None:
    module = parse_module(SCAN.replace("REVERSE", str(reverse).lower()))
    verify_module(module)
    x, c = small(2, 3), small(2, seed=1)
    outputs, carry = evaluate(module, [x, c])
    ordered = x[:, ::-1] if reverse else x
    sums = np.cumsum(ordered, axis=1) + c[:, None]
    np.testing.assert_array_equal(outputs, 2 * (sums[:, ::-1] if reverse else sums))
    np.testing.assert_array_equal(carry, sums[:, -1])
    assert outputs.flags.c_contiguous


def ragged(lhs: Any, rhs: Any, sizes: Any, result: str, **numbers: list[int]) -> Any:
    def type(x: Any, element: str) -> str:
        return f"tensor<{'x'.join(map(str, x.shape))}x{element}>"

    lists = ", ".join(f"{name} = {value}" for name, value in numbers.items())
    a, b, c = type(lhs, "f32"), type(rhs, "f32"), type(sizes, "i32")
    module = parse_module(
        f"""func.func @main(%a: {a}, %b: {b}, %c: {c}) -> {result} {{
          %0 = "chlo.ragged_dot"(%a, %b, %c) <{{
            ragged_dot_dimension_numbers = #chlo.ragged_dot<{lists}>
          }}> : ({a}, {b}, {c}) -> {result}
          return %0 : {result}
        }}"""
    )
    verify_module(module)
    return evaluate(module, [lhs, rhs, sizes])[0]


def test_ragged_rows() -> None:
    """Each group of rows has its own matrix; the last row is in no group."""
    lhs, rhs = small(6, 4), small(3, 4, 2, seed=1)
    numbers = dict(
        lhs_batching_dimensions=[],
        rhs_batching_dimensions=[],
        lhs_contracting_dimensions=[1],
        rhs_contracting_dimensions=[1],
        lhs_ragged_dimensions=[0],
        rhs_group_dimensions=[0],
    )
    got = ragged(lhs, rhs, np.array([2, 0, 3], np.int32), "tensor<6x2xf32>", **numbers)
    want = np.concatenate([lhs[:2] @ rhs[0], lhs[2:5] @ rhs[2], np.zeros((1, 2), np.float32)])
    np.testing.assert_array_equal(got, want)


def test_ragged_rows_with_sizes_for_each_batch() -> None:
    lhs, rhs = small(2, 5, 4), small(3, 2, 4, 2, seed=1)
    numbers = dict(
        lhs_batching_dimensions=[0],
        rhs_batching_dimensions=[1],
        lhs_contracting_dimensions=[2],
        rhs_contracting_dimensions=[2],
        lhs_ragged_dimensions=[1],
        rhs_group_dimensions=[0],
    )
    sizes = np.array([[1, 2, 2], [4, 0, 1]], np.int32)
    got = ragged(lhs, rhs, sizes, "tensor<2x5x2xf32>", **numbers)
    for batch in range(2):
        group = np.repeat(np.arange(3), sizes[batch])
        for row in range(5):
            want = lhs[batch, row] @ rhs[group[row], batch]
            np.testing.assert_array_equal(got[batch, row], want)


def test_ragged_contraction() -> None:
    lhs, rhs = small(3, 6), small(6, 2, seed=1)
    numbers = dict(
        lhs_batching_dimensions=[],
        rhs_batching_dimensions=[],
        lhs_contracting_dimensions=[1],
        rhs_contracting_dimensions=[0],
        lhs_ragged_dimensions=[1],
        rhs_group_dimensions=[],
    )
    got = ragged(lhs, rhs, np.array([1, 0, 4], np.int32), "tensor<3x3x2xf32>", **numbers)
    want = [lhs[:, :1] @ rhs[:1], np.zeros((3, 2)), lhs[:, 1:5] @ rhs[1:5]]
    np.testing.assert_array_equal(got, want)


def test_ragged_batch() -> None:
    lhs, rhs = small(4, 3, 5), small(4, 5, 2, seed=1)
    numbers = dict(
        lhs_batching_dimensions=[0],
        rhs_batching_dimensions=[0],
        lhs_contracting_dimensions=[2],
        rhs_contracting_dimensions=[1],
        lhs_ragged_dimensions=[0],
        rhs_group_dimensions=[],
    )
    got = ragged(lhs, rhs, np.array([1, 2], np.int32), "tensor<4x3x2xf32>", **numbers)
    want = np.matmul(lhs, rhs)
    want[3:] = 0
    np.testing.assert_array_equal(got, want)


def quantized(element: str, x: np.ndarray, again: str | None = None) -> tuple[Any, Any]:
    """The integers of `x` quantized, and the numbers they stand for."""
    shape = "x".join(map(str, x.shape))
    last = again or element
    second = (
        f"%q1 = stablehlo.uniform_quantize %q : (tensor<{shape}x{element}>) -> tensor<{shape}x{last}>"
        if again
        else ""
    )
    module = parse_module(
        f"""func.func @main(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
          %q = stablehlo.uniform_quantize %x : (tensor<{shape}xf32>) -> tensor<{shape}x{element}>
          {second}
          %r = stablehlo.uniform_dequantize %q{1 if again else ""} :
            (tensor<{shape}x{last}>) -> tensor<{shape}xf32>
          return %r : tensor<{shape}xf32>
        }}"""
    )
    verify_module(module)
    return evaluate(module, [x])[0], module


def test_quantize_per_tensor() -> None:
    x = np.array([0.0, 0.24, 0.25, 0.75, -1.0, 1e9, -1e9, np.inf], np.float32)
    got, _ = quantized("!quant.uniform<i8:f32, 0.5:-3>", x)
    # Ties go to even integers: 0.25 / 0.5 - 3 is -2.5.
    want = np.array([0.0, 0.0, 0.5, 0.5, -1.0, 65.0, -62.5, 65.0], np.float32)
    np.testing.assert_array_equal(got, want)


def test_quantize_again() -> None:
    x = np.array([0.3, 1.2, -7.0, 200.0], np.float32)
    got, _ = quantized("!quant.uniform<i8:f32, 0.5>", x, "!quant.uniform<u8<0:200>:f32, 0.25:100>")
    np.testing.assert_array_equal(got, np.array([0.5, 1.0, -7.0, 25.0], np.float32))


def test_quantize_per_axis() -> None:
    x = np.array([[1.1, 1.1], [-1.1, -1.1]], np.float32)
    got, _ = quantized("!quant.uniform<i8:f32:1, {0.5, 0.25:7}>", x)
    np.testing.assert_array_equal(got, np.array([[1, 1], [-1, -1]], np.float32))


def test_other_ops_refuse_quantized_tensors() -> None:
    element = "tensor<2x!quant.uniform<i8:f32, 0.5>>"
    module = parse_module(
        f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> {element}
          %s = stablehlo.add %q, %q : {element}
          %r = stablehlo.uniform_dequantize %s : ({element}) -> tensor<2xf32>
          return %r : tensor<2xf32>
        }}"""
    )
    with pytest.raises(ProgramError, match="stablehlo.add: .*has no NumPy dtype"):
        evaluate(module, [np.zeros(2, np.float32)])
