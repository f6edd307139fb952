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


@pytest.mark.parametrize("options", ENGINES)
def test_results_share_no_memory(options: Any) -> None:
    text = """
func.func @main(%x: tensor<3xf32>, %s: !dcf.stack<tensor<3xf32>>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>) {
  %y = stablehlo.negate %x : tensor<3xf32>
  %z = stablehlo.reshape %y : (tensor<3xf32>) -> tensor<3x1xf32>
  %rest, %top = dcf.stack_pop %s : !dcf.stack<tensor<3xf32>>
  return %y, %y, %z, %x, %top
      : tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>
}"""
    x, top = np.arange(3, dtype=np.float32), np.ones(3, np.float32)
    stack: Any = Stack().push(top)
    results = ab.compile(ab.parse(text), **options)(x, stack)
    values = [*results, x, top]
    for number, value in enumerate(values):
        assert not any(np.shares_memory(value, other) for other in values[:number])
    for result in results:
        result[...] = 7
    assert x.tolist() == [0, 1, 2] and top.tolist() == [1, 1, 1]


@pytest.mark.parametrize("options", ENGINES)
def test_one_value_returned_twice_is_two_arrays(options: Any) -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %y = stablehlo.negate %x : tensor<3xf32>
  return %y, %y : tensor<3xf32>, tensor<3xf32>
}"""
    first, second = ab.compile(ab.parse(text), **options)(np.ones(3, np.float32))
    assert not np.shares_memory(first, second)


@pytest.mark.parametrize("options", ENGINES)
def test_what_a_probe_raises_leaves_the_run_as_it_is(options: Any) -> None:
    text = """
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = dcf.while (%i = %one : tensor<i32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    dcf.probe "i" %i : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %j : tensor<i32>
  }
  return %r : tensor<i32>
}"""
    exe = ab.compile(ab.parse(text), **options)

    def refuse(label: str, values: tuple[Any, ...]) -> None:
        if values[0] == 3:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        exe.run([np.int32(9)], probe=refuse)
    assert exe(np.int32(9)) == [9]


def test_an_argument_in_foreign_byte_order() -> None:
    exe = ab.compile(ab.parse("func.func @main(%x: tensor<2xf32>) {\n  return\n}"))
    with pytest.raises(ab.DataError, match="got tensor<2xf32> in foreign byte order"):
        exe(np.zeros(2, np.dtype(np.float32).newbyteorder()))


def test_the_engine_is_one_that_there_is() -> None:
    wrong: Any = "refernce"
    with pytest.raises(ValueError, match="engine must be 'local' or 'reference', got 'refernce'"):
        ab.compile(ab.parse("func.func @main() {\n  return\n}"), engine=wrong)


def test_devices_are_told_once() -> None:
    module = ab.parse("func.func @main() {\n  return\n}")
    with pytest.raises(ValueError, match="own: expected one of the devices cpu:0, cpu:1, got"):
        ab.compile(module, devices=2, own=["cpu:5"])
