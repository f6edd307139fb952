"""`Executable`: which argument goes where, what comes back, and programs that cannot be run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.values import Stack

ENGINES: list[Any] = [{}, {"fuse": False}, {"engine": "reference"}]


@pytest.mark.parametrize("options", ENGINES[:2])
def test_feeds_and_fetches_by_number(options: Any) -> None:
    text = """
dfg.program @main (tensor<i32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<i32>) {
  dfg.graph on "cpu:0" (%b: tensor<i32>, %a: tensor<i32>) -> (tensor<i32>, tensor<i32>)
      feeds [1, 0] fetches [1, 0] {
    %x = stablehlo.negate %b : tensor<i32>
    dfg.fetch %x, %a : tensor<i32>, tensor<i32>
  }
}"""
    results = ab.compile(ab.parse(text), **options)(np.int32(1), np.int32(2), np.float32(3))
    assert [int(result) for result in results] == [1, -2]


@pytest.mark.parametrize("options", ENGINES)
def test_a_stack_comes_back_and_goes_in_as_it_is(options: Any) -> None:
    text = """
func.func @main(%s: !dcf.stack<tensor<i32>>, %x: tensor<i32>) -> !dcf.stack<tensor<i32>> {
  %t = dcf.stack_push %s, %x : !dcf.stack<tensor<i32>>
  return %t : !dcf.stack<tensor<i32>>
}"""
    push = ab.compile(ab.parse(text), **options)
    stack: Any = Stack()
    for number in range(3):
        (stack,) = push(stack, np.int32(number))
    assert isinstance(stack, Stack)
    assert [int(value) for value in stack] == [2, 1, 0]


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        "func.func private @main() -> tensor<f32>",
        "func.func @main() {\n  return\n^other:\n  return\n}",
    ],
)
def test_a_function_needs_one_block(options: Any, text: str) -> None:
    with pytest.raises(ab.ProgramError, match="body|expected a function of one block, got 2"):
        ab.compile(ab.parse(text), **options)()


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("shape", ["1x" * 65, "1000000x1000000x1000000x"])
def test_a_constant_beyond_the_limits_of_numpy(options: Any, shape: str) -> None:
    type = f"tensor<{shape}f32>"
    text = f"""func.func @main() -> {type} {{
  %c = stablehlo.constant dense<1.0> : {type}
  return %c : {type}
}}"""
    with pytest.raises(ab.ProgramError, match=r"stablehlo\.constant: "):
        ab.compile(ab.parse(text), **options)()


@pytest.mark.parametrize("options", ENGINES)
def test_an_array_of_another_size_than_declared(options: Any) -> None:
    text = """
func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
  %a = dcf.array_unstack %x : tensor<?xf32> -> !dcf.array<tensor<f32>>
  %s = dcf.array_stack %a : !dcf.array<tensor<f32>> -> tensor<4xf32>
  return %s : tensor<4xf32>
}"""
    exe = ab.compile(ab.parse(text), **options)
    assert exe(np.ones(4, np.float32))[0].shape == (4,)
    with pytest.raises(ab.ProgramError, match="expected an array of 4, as declared, got one of 3"):
        exe(np.ones(3, np.float32))
