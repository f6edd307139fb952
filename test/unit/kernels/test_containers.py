"""Kernels of stacks and arrays, of calls, of collectives with one participant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.kernels import kernel_for
from anabranch.runtime.reference import ModuleScope, evaluate
from anabranch.runtime.values import EMPTY_STACK, TensorArray


def first_kernel(text: str, name: str) -> Any:
    module = parse_module(text)
    op = next(op for op in module.walk() if op.name == name)
    return kernel_for(op, ModuleScope(module))


def test_stack_add_from_the_top() -> None:
    add = first_kernel(
        """
func.func @main(%a: !dcf.stack<tensor<f32>>, %b: !dcf.stack<tensor<f32>>)
    -> !dcf.stack<tensor<f32>> {
  %r = "dcf.stack_add"(%a, %b)
      : (!dcf.stack<tensor<f32>>, !dcf.stack<tensor<f32>>) -> !dcf.stack<tensor<f32>>
  return %r : !dcf.stack<tensor<f32>>
}""",
        "dcf.stack_add",
    )
    long = EMPTY_STACK.push(np.float32(1)).push(np.float32(2)).push(np.float32(3))
    short = EMPTY_STACK.push(np.float32(10)).push(np.float32(20))
    assert list(add(long, short)) == [23, 12, 1]
    assert list(add(short, long)) == [23, 12, 1]
    assert list(add(EMPTY_STACK, short)) == [20, 10]


@pytest.mark.parametrize("element, like", [("tensor<2xf32>", ""), ("tensor<?xf32>", ", %x")])
def test_pop_or_zero(element: str, like: str) -> None:
    like_type = f", {element}" if like else ""
    pop = first_kernel(
        f"""
func.func @main(%s: !dcf.stack<{element}>, %x: {element}) -> {element} {{
  %t, %v = "dcf.stack_pop"(%s{like}) <{{or_zero}}>
      : (!dcf.stack<{element}>{like_type}) -> (!dcf.stack<{element}>, {element})
  return %v : {element}
}}""",
        "dcf.stack_pop",
    )
    likes = [np.ones(2, np.float32)] if like else []
    rest, value = pop(EMPTY_STACK, *likes)
    assert rest is EMPTY_STACK
    assert value.tolist() == [0, 0]
    rest, value = pop(EMPTY_STACK.push(np.ones(2, np.float32)), *likes)
    assert value.tolist() == [1, 1]


ARRAYS = """
func.func @main(%x: tensor<3xf32>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<f32>, tensor<i32>) {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %rows = "dcf.array_unstack"(%x) : (tensor<3xf32>) -> !dcf.array<tensor<f32>>
  %v = "dcf.array_read"(%rows, %i) : (!dcf.array<tensor<f32>>, tensor<i32>) -> tensor<f32>
  %new = "dcf.array_new"(%n) : (tensor<i32>) -> !dcf.array<tensor<f32>, grad>
  %a = "dcf.array_write"(%new, %i, %v)
      : (!dcf.array<tensor<f32>, grad>, tensor<i32>, tensor<f32>) -> !dcf.array<tensor<f32>, grad>
  %b = "dcf.array_write"(%a, %i, %v)
      : (!dcf.array<tensor<f32>, grad>, tensor<i32>, tensor<f32>) -> !dcf.array<tensor<f32>, grad>
  %s = "dcf.array_stack"(%b) : (!dcf.array<tensor<f32>, grad>) -> tensor<3xf32>
  %size = "dcf.array_size"(%b) : (!dcf.array<tensor<f32>, grad>) -> tensor<i32>
  return %s, %v, %size : tensor<3xf32>, tensor<f32>, tensor<i32>
}"""


def test_arrays() -> None:
    x = np.array([1, 2, 3], np.float32)
    stacked, value, size = evaluate(parse_module(ARRAYS), [x, np.int32(1)])
    assert stacked.tolist() == [0, 4, 0]
    assert value == 2
    assert size == 3
    assert size.dtype == np.int32
    with pytest.raises(ProgramError, match=r"dcf\.array_read: index 3 is out of range"):
        evaluate(parse_module(ARRAYS), [x, np.int32(3)])


def test_array_kernels_keep_their_operand() -> None:
    write = first_kernel(ARRAYS, "dcf.array_write")
    array = first_kernel(ARRAYS, "dcf.array_new")(np.int32(2))
    assert isinstance(array, TensorArray)
    write(array, np.int32(0), np.float32(5))
    assert array.read(0) == 0


def test_a_call_as_a_kernel() -> None:
    text = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %y = call @double(%x) : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}
func.func private @double(%x: tensor<i32>) -> tensor<i32> {
  %y = stablehlo.add %x, %x : tensor<i32>
  return %y : tensor<i32>
}"""
    assert first_kernel(text, "func.call")(np.int32(4)) == 8


def test_custom_calls(run: Any) -> None:
    body = """
  %r = stablehlo.custom_call @{target}(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>"""
    a = np.ones(2, np.float32)
    assert run(body.format(target="Sharding"), [a], ["tensor<2xf32>"])[0].tolist() == [1, 1]
    with pytest.raises(ProgramError, match="custom call to 'magic' is not supported"):
        run(body.format(target="magic"), [a], ["tensor<2xf32>"])


def test_collectives_of_one(run: Any) -> None:
    body = """
  %r = "stablehlo.all_reduce"(%a) <{{replica_groups = dense<{groups}> : tensor<1x{n}xi64>}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<2xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  return %r, %id : tensor<2xf32>, tensor<ui32>"""
    types = ["tensor<2xf32>", "tensor<ui32>"]
    a = np.ones(2, np.float32)
    assert run(body.format(groups=0, n=1), [a], types)[0].tolist() == [1, 1]
    with pytest.raises(ProgramError, match="expected one participant, got replica groups over 2"):
        run(body.format(groups="[[0, 1]]", n=2), [a], types)


def test_a_region_that_captures_is_refused(run: Any) -> None:
    body = """
  %r = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>"""
    a = np.ones(2, np.float32)
    with pytest.raises(
        ProgramError, match=r"region of stablehlo\.reduce uses a value from outside"
    ):
        run(body, [a, np.float32(0)], ["tensor<f32>"])


def test_every_op_has_a_kernel_or_is_known_to_have_none() -> None:
    from anabranch.dialects.chlo import CHLO
    from anabranch.dialects.stablehlo import STABLEHLO
    from anabranch.runtime.kernels import load_kernels
    from anabranch.runtime.reference import STRUCTURED

    table = load_kernels()
    names = {op.name for dialect in (STABLEHLO, CHLO) for op in dialect.operations}
    without = {
        "stablehlo.return",  # a terminator
        "stablehlo.rng",  # its value depends on the run and the frame
        "stablehlo.send",
        "stablehlo.recv",
        "stablehlo.infeed",
        "stablehlo.outfeed",
        "stablehlo.uniform_quantize",
        "stablehlo.uniform_dequantize",
        "chlo._asin_acos_kernel",
        "chlo.ragged_dot",
        "chlo.scan",
    }
    assert {name for name in names if name not in table and name not in STRUCTURED} <= without
