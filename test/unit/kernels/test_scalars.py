"""Values of rank 0: NumPy scalars and 0-d arrays go in, and come out with their rank and dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SCALARS = """
  %0 = stablehlo.power %a, %a : tensor<f32>
  %1 = stablehlo.divide %a, %0 : tensor<f32>
  %2 = stablehlo.remainder %a, %0 : tensor<f32>
  %3 = stablehlo.maximum %a, %0 : tensor<f32>
  %4 = stablehlo.clamp %a, %0, %1 : tensor<f32>
  %5 = stablehlo.sign %a : tensor<f32>
  %6 = stablehlo.round_nearest_afz %a : tensor<f32>
  %7 = stablehlo.reduce_precision %a, format = e5m2 : tensor<f32>
  %8 = stablehlo.convert %a : (tensor<f32>) -> tensor<bf16>
  %9 = stablehlo.logistic %8 : tensor<bf16>
  %10 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>
  %11 = stablehlo.divide %10, %10 : tensor<i32>
  %12 = stablehlo.power %10, %10 : tensor<i32>
  %13 = stablehlo.popcnt %10 : tensor<i32>
  %14 = stablehlo.count_leading_zeros %10 : tensor<i32>
  %15 = stablehlo.shift_right_logical %10, %10 : tensor<i32>
  %16 = stablehlo.convert %a : (tensor<f32>) -> tensor<i8>
  %17 = stablehlo.compare LT, %a, %0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %18 = stablehlo.select %17, %a, %0 : tensor<i1>, tensor<f32>
  %19 = stablehlo.complex %a, %0 : tensor<complex<f32>>
  %20 = stablehlo.imag %19 : (tensor<complex<f32>>) -> tensor<f32>
  %21 = stablehlo.rsqrt %a : tensor<f32>
  %22 = chlo.erf %a : tensor<f32> -> tensor<f32>
  %23 = chlo.digamma %a : tensor<f32> -> tensor<f32>
  return"""


@pytest.mark.parametrize("scalar", [np.float32, np.array])
def test_scalars_stay_scalars(scalar: Any) -> None:
    """Operands of rank 0 come as NumPy scalars or 0-d arrays; results have rank 0 and their dtype."""
    from anabranch.frontends.mlir_text import parse_module
    from anabranch.runtime.kernels import kernel_for
    from anabranch.runtime.reference import ModuleScope
    from anabranch.runtime.values import dtype_of

    module = parse_module(f"func.func @main(%a: tensor<f32>) {{{SCALARS}\n}}")
    block = next(iter(module.ops)).regions[0].block
    values: dict[Any, Any] = {block.args[0]: scalar(np.float32(1.625))}
    for op in block.ops:
        if op.results:
            [result] = op.results
            value = kernel_for(op, ModuleScope())(*[values[operand] for operand in op.operands])
            assert isinstance(value, np.ndarray | np.generic), op.name
            assert value.shape == (), op.name
            assert value.dtype == dtype_of(result.type), op.name
            values[result] = value
