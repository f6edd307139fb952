"""The structured reference interpreter on `func`, `stablehlo` and `dcf`."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

from anabranch.dialects.diagnostics import DataError, ProgramError
from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.reference import evaluate


def call(text: str, *args: Any, **options: Any) -> list[Any]:
    return evaluate(parse_module(text), args, **options)


COUNT = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
  cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %half : tensor<f32>
    stablehlo.return %next, %w : tensor<i32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}"""


@pytest.mark.parametrize("n, value", [(3, 1.0), (0, 8.0), (-1, 8.0)])
def test_while(n: int, value: float) -> None:
    trips, x = call(COUNT, np.int32(n), np.float32(8))
    assert trips == max(n, 0)
    assert x == value
    assert x.dtype == np.float32
    assert isinstance(x, np.ndarray)


def test_step_past_the_bound() -> None:
    text = COUNT.replace("dense<1> : tensor<i32>", "dense<2> : tensor<i32>")
    assert call(text, np.int32(1), np.float32(8))[0] == 2
    assert call(text, np.int32(3), np.float32(8))[0] == 4


def branch_text(op: str, index_type: str, branches: int) -> str:
    regions = ", ".join(
        f"{{ %c{k} = stablehlo.constant dense<{k}> : tensor<i32>\n"
        f"%s{k} = stablehlo.add %c{k}, %x : tensor<i32>\n"
        f"stablehlo.return %s{k} : tensor<i32> }}"
        for k in range(branches)
    )
    return (
        f"func.func @main(%p: {index_type}, %x: tensor<i32>) -> tensor<i32> {{\n"
        f'  %r = "stablehlo.{op}"(%p) ({regions}) : ({index_type}) -> tensor<i32>\n'
        "  return %r : tensor<i32>\n}"
    )


def test_if_takes_the_first_region_when_true() -> None:
    text = branch_text("if", "tensor<i1>", 2)
    assert call(text, np.True_, np.int32(10)) == [10]
    assert call(text, np.False_, np.int32(10)) == [11]


@pytest.mark.parametrize("index, branch", [(0, 0), (1, 1), (2, 2), (3, 2), (-1, 2), (-(2**31), 2)])
def test_case_out_of_range_runs_the_last(index: int, branch: int) -> None:
    text = branch_text("case", "tensor<i32>", 3)
    assert call(text, np.int32(index), np.int32(10)) == [10 + branch]


STACKS = """
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%n: tensor<i32>, %x: tensor<f32>):
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %s0 = "dcf.stack_new"() : () -> !dcf.stack<tensor<f32>>
    %r:3 = "dcf.while"(%zero, %x, %s0) <{loop_name = "push"}> ({
    ^bb1(%i: tensor<i32>, %v: tensor<f32>, %s: !dcf.stack<tensor<f32>>):
      %go = "stablehlo.compare"(%i, %n) {
        comparison_direction = #stablehlo<comparison_direction LT>} :
        (tensor<i32>, tensor<i32>) -> tensor<i1>
      "dcf.condition"(%go) : (tensor<i1>) -> ()
    }, {
    ^bb2(%i: tensor<i32>, %v: tensor<f32>, %s: !dcf.stack<tensor<f32>>):
      %t = "dcf.stack_push"(%s, %v) :
        (!dcf.stack<tensor<f32>>, tensor<f32>) -> !dcf.stack<tensor<f32>>
      %w = "stablehlo.add"(%v, %v) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "dcf.yield"(%j, %w, %t) : (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>) -> ()
    }) : (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>)
        -> (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>)
    %q:3 = "dcf.while"(%zero, %x, %r#2) <{loop_name = "pop"}> ({
    ^bb3(%i: tensor<i32>, %v: tensor<f32>, %s: !dcf.stack<tensor<f32>>):
      %two = "stablehlo.constant"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
      %go = "stablehlo.compare"(%i, %two) {
        comparison_direction = #stablehlo<comparison_direction LT>} :
        (tensor<i32>, tensor<i32>) -> tensor<i1>
      "dcf.condition"(%go) : (tensor<i1>) -> ()
    }, {
    ^bb4(%i: tensor<i32>, %v: tensor<f32>, %s: !dcf.stack<tensor<f32>>):
      %t, %w = "dcf.stack_pop"(%s) :
        (!dcf.stack<tensor<f32>>) -> (!dcf.stack<tensor<f32>>, tensor<f32>)
      %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "dcf.yield"(%j, %w, %t) : (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>) -> ()
    }) : (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>)
        -> (tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>)
    "func.return"(%q#1) : (tensor<f32>) -> ()
  }) {sym_name = "main", function_type = (tensor<i32>, tensor<f32>) -> tensor<f32>} : () -> ()
}) : () -> ()"""


def test_stacks() -> None:
    assert call(STACKS, np.int32(4), np.float32(1)) == [4.0]


def test_popping_an_empty_stack_names_op_loop_and_iteration() -> None:
    with pytest.raises(ProgramError) as caught:
        call(STACKS, np.int32(1), np.float32(1))
    message = caught.value.message
    assert message == 'dcf.stack_pop: pop from an empty stack in iteration 1 of loop "pop"'
    assert caught.value.location is not None


ENDLESS = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %go = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %r : tensor<i32>
}"""


def test_an_endless_loop_ends_at_the_deadline() -> None:
    with pytest.raises(ProgramError, match=r"deadline of 0\.1 s passed in the stablehlo\.while"):
        call(ENDLESS, np.int32(0), deadline=0.1)


WHILE = """
func.func @main(%n: tensor<i32>) -> tensor<i32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = "dcf.while"(%zero) <{{loop_name = "bounded", trip_bound = {bound} : i64}}> ({{
  ^bb0(%i: tensor<i32>):
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "dcf.condition"(%go) : (tensor<i1>) -> ()
  }}, {{
  ^bb0(%i: tensor<i32>):
    "dcf.probe"(%i) <{{label = "i"}}> : (tensor<i32>) -> ()
    %j = stablehlo.add %i, %one : tensor<i32>
    "dcf.yield"(%j) : (tensor<i32>) -> ()
  }}) : (tensor<i32>) -> tensor<i32>
  "dcf.probe"(%r) <{{label = "end"}}> : (tensor<i32>) -> ()
  return %r : tensor<i32>
}}"""


def test_trip_bound_is_a_checked_promise() -> None:
    text = WHILE.format(bound=3)
    assert call(text, np.int32(3)) == [3]
    with pytest.raises(
        ProgramError, match='loop "bounded" made more trips than its trip_bound of 3'
    ):
        call(text, np.int32(4))


def test_probes_run_in_program_order() -> None:
    seen: list[tuple[str, int]] = []
    call(
        WHILE.format(bound=9),
        np.int32(3),
        probe=lambda label, values: seen.append((label, int(values[0]))),
    )
    assert seen == [("i", 0), ("i", 1), ("i", 2), ("end", 3)]


def scan_text(attributes: str, operands: str, types: str, segments: str, length: str) -> str:
    return f"""
func.func @main(%c: tensor<f32>, %x: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>)
    -> (tensor<f32>, {length}) {{
  %r:2 = "dcf.scan"({operands}) <{{operandSegmentSizes = array<i32: {segments}>{attributes}}}> ({{
  ^bb0(%s: tensor<f32>, %v: tensor<f32>):
    %t = stablehlo.add %s, %v : tensor<f32>
    "dcf.yield"(%t, %t) : (tensor<f32>, tensor<f32>) -> ()
  }}) : ({types}) -> (tensor<f32>, {length})
  return %r#0, %r#1 : tensor<f32>, {length}
}}"""


def test_scan() -> None:
    x, b = np.array([1, 2, 3, 4], np.float32), np.full(4, -1, np.float32)
    row = "tensor<4xf32>"
    plain = ("%c, %x", f"tensor<f32>, {row}", "1, 1, 0, 0", row)
    args = [np.float32(10), x, b, np.int32(2)]
    total, sums = call(scan_text("", *plain), *args)
    assert (total, sums.tolist()) == (20, [11, 13, 16, 20])
    total, sums = call(scan_text(", reverse", *plain), *args)
    assert (total, sums.tolist()) == (20, [20, 19, 17, 14])
    dynamic = ("%c, %x, %b, %n", f"tensor<f32>, {row}, {row}, tensor<i32>", "1, 1, 1, 1", row)
    total, sums = call(scan_text("", *dynamic), *args)
    assert (total, sums.tolist()) == (13, [11, 13, -1, -1])
    total, sums = call(scan_text(", reverse", *dynamic), *args)
    assert (total, sums.tolist()) == (13, [13, 12, -1, -1])
    total, sums = call(scan_text("", *dynamic), *args[:3], np.int32(0))
    assert (total, sums.tolist()) == (10, [-1] * 4)


def test_scan_length_out_of_range() -> None:
    row = "tensor<4xf32>"
    text = scan_text(
        "", "%c, %x, %b, %n", f"tensor<f32>, {row}, {row}, tensor<i32>", "1, 1, 1, 1", row
    )
    x = np.zeros(4, np.float32)
    for length in (5, -1):
        with pytest.raises(ProgramError, match=f"length: expected 0 to 4, got {length}"):
            call(text, np.float32(0), x, x, np.int32(length))


CALLS = """
func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %a, %b = call @pair(%x) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %b, %a : tensor<i32>, tensor<i32>
}
func.func private @pair(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %y = stablehlo.add %x, %x : tensor<i32>
  return %x, %y : tensor<i32>, tensor<i32>
}
func.func @for_ever(%x: tensor<i32>) -> tensor<i32> {
  %y = call @for_ever(%x) : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}
func.func @lost(%x: tensor<i32>) -> tensor<i32> {
  %y = call @nowhere(%x) : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}"""


def test_calls() -> None:
    assert call(CALLS, np.int32(3)) == [6, 3]
    with pytest.raises(ProgramError, match="'for_ever' calls itself without end"):
        call(CALLS, np.int32(3), function="for_ever")
    with pytest.raises(ProgramError, match="no function 'nowhere' with a body"):
        call(CALLS, np.int32(3), function="lost")
    with pytest.raises(ProgramError, match="no function 'main2'"):
        call(CALLS, np.int32(3), function="main2")


def test_arguments_are_checked() -> None:
    with pytest.raises(DataError, match="'main' takes 2 arguments, got 1"):
        call(COUNT, np.int32(1))
    with pytest.raises(DataError, match=r"argument 1: expected tensor<f32>, got tensor<f64>"):
        call(COUNT, np.int32(1), np.float64(1))


def test_results_are_the_callers_own() -> None:
    text = """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %x, %c : tensor<2xf32>, tensor<2xf32>
}"""
    x = np.zeros(2, np.float32)
    for result in call(text, x):
        assert result.flags.writeable
        result[:] = 7
    assert x.tolist() == [0, 0]
    assert call(text, x)[1].tolist() == [1, 1]


def test_values_are_dropped_after_their_last_use() -> None:
    """The argument of a loop is freed while the loop still runs: only its carries are kept."""
    text = """
func.func @main(%n: tensor<i32>, %x: tensor<8xf32>) -> tensor<i32> {
  %y = stablehlo.add %x, %x : tensor<8xf32>
  "dcf.probe"(%y) <{label = "y"}> : (tensor<8xf32>) -> ()
  "dcf.probe"() <{label = "after"}> : () -> ()
  return %n : tensor<i32>
}"""
    held: list[Any] = []

    def probe(label: str, values: tuple[Any, ...]) -> None:
        if label == "y":
            held.append(weakref.ref(values[0]))
        else:
            assert held[0]() is None

    call(text, np.int32(1), np.zeros(8, np.float32), probe=probe)
    assert held


def test_constant_true_body_values_of_an_untaken_branch_do_not_run() -> None:
    seen: list[str] = []
    text = """
func.func @main(%p: tensor<i1>) -> tensor<i1> {
  %r = "dcf.cond"(%p) ({
    "dcf.probe"() <{label = "then"}> : () -> ()
    "dcf.yield"(%p) : (tensor<i1>) -> ()
  }, {
    "dcf.probe"() <{label = "else"}> : () -> ()
    "dcf.yield"(%p) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}"""
    call(text, np.False_, probe=lambda label, values: seen.append(label))
    assert seen == ["else"]
