"""Ops that are differentiated through what they stand for: normalization, maps, calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

NUMBERS = "<{epsilon = 0.01 : f32, feature_index = 1 : i64}>"
X, F = "tensor<4x3x2xf64>", "tensor<3xf64>"


def moments(random: Any) -> list[Any]:
    return [random(3), random(3) ** 2 + 0.5]


def test_batch_norm_inference(against_differences: Any, random: Any) -> None:
    against_differences(
        f'"stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {NUMBERS}'
        f" : ({X}, {F}, {F}, {F}, {F}) -> {X}",
        [random(4, 3, 2), random(3), random(3), *moments(random)],
        [X],
    )


def test_batch_norm_training(against_differences: Any, random: Any) -> None:
    against_differences(
        f'"stablehlo.batch_norm_training"(%a0, %a1, %a2) {NUMBERS}'
        f" : ({X}, {F}, {F}) -> ({X}, {F}, {F})",
        [random(4, 3, 2), random(3), random(3)],
        [X, F, F],
    )


def test_batch_norm_grad(against_differences: Any, random: Any) -> None:
    against_differences(
        f'"stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {NUMBERS}'
        f" : ({X}, {F}, {F}, {F}, {X}) -> ({X}, {F}, {F})",
        [random(4, 3, 2), random(3), *moments(random), random(4, 3, 2)],
        [X, F, F],
    )


def test_map(against_differences: Any, random: Any) -> None:
    against_differences(
        """"stablehlo.map"(%a0, %a1) <{dimensions = array<i64: 0>}> ({
^bb0(%x: tensor<f64>, %z: tensor<f64>):
  %k = stablehlo.constant dense<2.0> : tensor<f64>
  %s = stablehlo.sine %x : tensor<f64>
  %m = stablehlo.multiply %s, %z : tensor<f64>
  %q = stablehlo.multiply %m, %k : tensor<f64>
  stablehlo.return %q : tensor<f64>
}) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>""",
        [random(3), random(3)],
        [F],
    )


CALLEE = f"""func.func private @f(%x: {F}, %z: {F}) -> ({F}, {F}) {{
  %s = stablehlo.sine %x : {F}
  %m = stablehlo.multiply %s, %z : {F}
  return %m, %s : {F}, {F}
}}"""


@pytest.mark.parametrize(
    "call",
    [
        "func.call @f(%a0, %a1)",
        "dfg.kernel @f(%a0, %a1)",
        'stablehlo.composite "my.f" %a0, %a1 {decomposition = @f}',
    ],
)
def test_calls(call: str, against_differences: Any, random: Any) -> None:
    against_differences(
        f"{call} : ({F}, {F}) -> ({F}, {F})", [random(3), random(3)], [F, F], before=CALLEE
    )


def test_call_of_a_loop(against_differences: Any, random: Any) -> None:
    """A kernel is a node, its function a loop: the backward code runs the loop again, and keeps what it
    then needs."""
    loop = f"""func.func private @f(%x: {F}, %n: tensor<i32>) -> {F} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %v = %x : tensor<i32>, {F}) cond {{
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %c
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.sine %v : {F}
    dcf.yield %j, %s : tensor<i32>, {F}
  }}
  return %r#1 : {F}
}}"""
    call = f"dfg.kernel @f(%a0, %a1) : ({F}, tensor<i32>) -> {F}"
    against_differences(call, [random(3), np.int32(3)], [F], before=loop, second=False)


def test_custom_calls(against_differences: Any, error_of: Any, random: Any) -> None:
    call = "stablehlo.custom_call @{}(%a0) : ({}) -> {}"
    against_differences(call.format("Sharding", F, F), [random(3)], [F])
    message = error_of(call.format("lapack_dgeqrf_ffi", F, F), [random(3)], [F])
    assert "custom call to 'lapack_dgeqrf_ffi' has no derivative" in message


def test_collectives(error_of: Any, random: Any) -> None:
    body = (
        '"stablehlo.all_gather"(%a0) <{all_gather_dim = 0 : i64,'
        f" replica_groups = dense<0> : tensor<1x1xi64>}}> : ({F}) -> {F}"
    )
    message = error_of(body, [random(3)], [F])
    assert "differentiate the program before it is partitioned" in message
