"""The reverse of scans: against differences, at first and second order, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects import dcf
from anabranch.frontends.mlir_text import make_context
from anabranch.passes import get_pass
from anabranch.runtime.reference import evaluate

from .scans import check, check_second, gradient

RNG = np.random.default_rng(7)
XS = RNG.uniform(0.3, 1.2, 5)


def simple(attributes: str = "", length: str = "", outs: str = "", rows: int = 5) -> str:
    """c' = sin(c) * x + w; y = c * x * w: a carry, an input, an output, a captured value."""
    return f"""
func.func @main(%c: tensor<f64>, %xs: tensor<5xf64>, %w: tensor<f64>, %ys: tensor<5xf64>,
    %n: tensor<i32>) -> (tensor<f64>, tensor<f64>, tensor<{rows}xf64>) {{
  %r, %out = dcf.scan "s" (%a = %c : tensor<f64>) ins(%x = %xs : tensor<5xf64>) {outs} {length}
      -> (tensor<f64>, tensor<{rows}xf64>) do {{
    %s = stablehlo.sine %a : tensor<f64>
    %m = stablehlo.multiply %s, %x : tensor<f64>
    %b = stablehlo.add %m, %w : tensor<f64>
    %p = stablehlo.multiply %a, %x : tensor<f64>
    %y = stablehlo.multiply %p, %w : tensor<f64>
    dcf.yield %b, %y : tensor<f64>, tensor<f64>
  }} {attributes}
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %q = stablehlo.multiply %out, %out : tensor<{rows}xf64>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<{rows}xf64>, tensor<f64>) -> tensor<f64>
  %u = stablehlo.add %t, %r : tensor<f64>
  func.return %u, %r, %out : tensor<f64>, tensor<f64>, tensor<{rows}xf64>
}}"""


OUTS = "outs(%ys : tensor<5xf64>)"
RUN_TIME = "length %n : tensor<i32>"


@pytest.mark.parametrize("reverse", ["", "{reverse}"])
@pytest.mark.parametrize(
    ("length", "outs", "n", "rows"),
    [
        ("", "", 5, 5),
        ("", OUTS, 5, 5),
        ("length 3", OUTS, 3, 5),
        ("length 3", "", 3, 3),
        ("length 0", OUTS, 0, 5),
        ("length 0", "", 0, 0),
        (RUN_TIME, OUTS, 5, 5),
        (RUN_TIME, OUTS, 3, 5),
        (RUN_TIME, OUTS, 1, 5),
        (RUN_TIME, OUTS, 0, 5),
    ],
)
def test_behaviour_54_gradient_of_a_scan(reverse: str, length: str, outs: str, n: int, rows: int):
    text = simple(reverse, length, outs, rows)
    ys = RNG.uniform(0.3, 1.2, 5)
    arguments = [np.float64(0.7), XS, np.float64(0.4), ys, np.int32(n)]
    check(text, arguments)
    if n == 3 or not reverse:
        check_second(text, arguments, wrt=1)


def test_rows_beyond_the_length_keep_the_cotangents_of_their_buffer():
    text = simple("", RUN_TIME, OUTS)
    ys = np.arange(1.0, 6.0)
    arguments = [np.asarray(a) for a in (np.float64(0.7), XS, np.float64(0.4), ys, np.int32(3))]
    *_, by_xs, _, by_ys = evaluate(gradient(text), arguments, "main.grad")
    np.testing.assert_array_equal(by_ys, [0, 0, 0, 8, 10])
    assert np.all(by_xs[:3] != 0)
    np.testing.assert_array_equal(by_xs[3:], [0, 0])


def test_a_scan_without_rows():
    text = """
func.func @main(%c: tensor<f64>, %w: tensor<2xf64>) -> tensor<f64> {
  %r = dcf.scan (%a = %c : tensor<f64>) length 4 -> tensor<f64> do {
    %v = stablehlo.slice %w [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %u = stablehlo.reshape %v : (tensor<1xf64>) -> tensor<f64>
    %s = stablehlo.multiply %a, %u : tensor<f64>
    %b = stablehlo.tanh %s : tensor<f64>
    dcf.yield %b : tensor<f64>
  }
  func.return %r : tensor<f64>
}"""
    check(text, [np.float64(0.7), np.array([0.3, 0.8])])
    check_second(text, [np.float64(0.7), np.array([0.3, 0.8])], wrt=1)


def test_a_fold_of_run_time_length_keeps_its_residuals_on_a_stack():
    text = """
func.func @main(%c: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %r = dcf.scan (%a = %c : tensor<f64>) length %n : tensor<i32> -> tensor<f64> do {
    %b = stablehlo.sine %a : tensor<f64>
    dcf.yield %b : tensor<f64>
  }
  func.return %r : tensor<f64>
}"""
    for n in (0, 1, 6):
        module = check(text, [np.float64(0.7), np.int32(n)])
        assert any(isinstance(op, dcf.StackPushOp) for op in module.walk())
        check_second(text, [np.float64(0.7), np.int32(n)])


def test_rows_of_a_dynamic_number():
    text = """
func.func @main(%c: tensor<f64>, %xs: tensor<?xf64>) -> tensor<f64> {
  %r = dcf.scan (%a = %c : tensor<f64>) ins(%x = %xs : tensor<?xf64>) -> tensor<f64> do {
    %s = stablehlo.sine %a : tensor<f64>
    %b = stablehlo.multiply %s, %x : tensor<f64>
    dcf.yield %b : tensor<f64>
  }
  func.return %r : tensor<f64>
}"""
    for n in (0, 1, 4):
        check(text, [np.float64(0.7), XS[:n]])


NESTED = """
func.func @main(%c: tensor<f64>, %xs: tensor<5xf64>, %w: tensor<f64>, %k: tensor<i32>)
    -> tensor<f64> {
  %r, %ys = dcf.scan (%a = %c : tensor<f64>) ins(%x = %xs : tensor<5xf64>)
      -> (tensor<f64>, tensor<5xf64>) do {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l:2 = dcf.while (%i = %zero, %b = %a : tensor<i32>, tensor<f64>) cond {
      %p = stablehlo.compare LT, %i, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %p
    } do {
      %s = stablehlo.sine %b : tensor<f64>
      %t = stablehlo.multiply %s, %x : tensor<f64>
      %d = stablehlo.add %t, %w : tensor<f64>
      %i1 = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %i1, %d : tensor<i32>, tensor<f64>
    }
    %half = stablehlo.constant dense<0.8> : tensor<f64>
    %q = stablehlo.compare LT, %x, %half, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %v = dcf.cond %q : tensor<i1> -> tensor<f64> then {
      %e = stablehlo.exponential %l#1 : tensor<f64>
      %f = stablehlo.multiply %e, %w : tensor<f64>
      dcf.yield %f : tensor<f64>
    } else {
      %f = dcf.scan (%g = %l#1 : tensor<f64>) ins(%h = %xs : tensor<5xf64>) -> tensor<f64> do {
        %m = stablehlo.multiply %g, %h : tensor<f64>
        %o = stablehlo.tanh %m : tensor<f64>
        dcf.yield %o : tensor<f64>
      }
      dcf.yield %f : tensor<f64>
    }
    %y = stablehlo.multiply %v, %a : tensor<f64>
    dcf.yield %v, %y : tensor<f64>, tensor<f64>
  }
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %t = stablehlo.reduce(%ys init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
  func.return %t : tensor<f64>
}"""


@pytest.mark.parametrize("k", [0, 1, 3])
def test_loops_branches_and_scans_in_a_scan(k: int):
    arguments = [np.float64(0.6), XS, np.float64(0.3), np.int32(k)]
    check(NESTED, arguments)
    check_second(NESTED, arguments)
    check_second(NESTED, arguments, wrt=1)


@pytest.mark.parametrize("k", [0, 1, 3])
def test_a_scan_in_a_loop_over_rows_the_loop_made(k: int):
    text = """
func.func @main(%v: tensor<4xf64>, %w: tensor<f64>, %k: tensor<i32>) -> tensor<4xf64> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %l:2 = dcf.while (%i = %zero, %u = %v : tensor<i32>, tensor<4xf64>) cond {
    %p = stablehlo.compare LT, %i, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %xs = stablehlo.sine %u : tensor<4xf64>
    %r, %ys = dcf.scan (%a = %w : tensor<f64>) ins(%x = %xs : tensor<4xf64>)
        -> (tensor<f64>, tensor<4xf64>) do {
      %s = stablehlo.multiply %a, %x : tensor<f64>
      %b = stablehlo.cosine %s : tensor<f64>
      dcf.yield %b, %s : tensor<f64>, tensor<f64>
    } {reverse}
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %ys : tensor<i32>, tensor<4xf64>
  }
  func.return %l#1 : tensor<4xf64>
}"""
    arguments = [XS[:4], np.float64(0.3), np.int32(k)]
    check(text, arguments)
    check_second(text, arguments)


def scans_of(module: Any, function: str = "main.grad") -> list[dcf.ScanOp]:
    found = next(op for op in module.ops if op.sym_name.data == function)
    return [op for op in found.walk() if isinstance(op, dcf.ScanOp)]


def test_behaviour_56_scanned_inputs_are_read_again_and_invariants_are_not_saved():
    text = """
func.func @main(%c: tensor<3xf64>, %xs: tensor<5x3xf64>, %z: tensor<3xf64>) -> tensor<3xf64> {
  %r = dcf.scan (%a = %c : tensor<3xf64>) ins(%x = %xs : tensor<5x3xf64>) -> tensor<3xf64> do {
    %m = stablehlo.multiply %x, %z : tensor<3xf64>
    %b = stablehlo.add %a, %m : tensor<3xf64>
    dcf.yield %b : tensor<3xf64>
  }
  func.return %r : tensor<3xf64>
}"""
    rng = np.random.default_rng(3)
    module = check(text, [rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=3)])
    forward, backward = scans_of(module)
    assert len(forward.outputs) == 1  # nothing is saved
    assert [str(value.type) for value in backward.inputs] == ["tensor<5x3xf64>"]


def test_what_an_output_holds_is_not_saved_twice():
    text = """
func.func @main(%c: tensor<f64>, %xs: tensor<5xf64>) -> (tensor<f64>, tensor<5xf64>) {
  %r, %ys = dcf.scan (%a = %c : tensor<f64>) ins(%x = %xs : tensor<5xf64>)
      -> (tensor<f64>, tensor<5xf64>) do {
    %m = stablehlo.multiply %a, %x : tensor<f64>
    %b = stablehlo.tanh %m : tensor<f64>
    dcf.yield %b, %b : tensor<f64>, tensor<f64>
  }
  func.return %r, %ys : tensor<f64>, tensor<5xf64>
}"""
    module = check(text, [np.float64(0.4), XS])
    forward, _ = scans_of(module)
    assert len(forward.outputs) == 3  # the carry's old value is saved; tanh's result is there


@pytest.mark.parametrize("policy", ["recompute", "sqrt", "treeverse:3"])
def test_a_scan_of_another_policy_is_a_loop_to_the_gradient(policy: str):
    arguments = [np.asarray(a) for a in (np.float64(0.7), XS, np.float64(0.4), XS + 1, np.int32(5))]
    want = evaluate(gradient(simple()), arguments, "main.grad")
    module = gradient(simple(f'{{residual_policy = "{policy}"}}'))
    assert not scans_of(module)
    for got, expected in zip(evaluate(module, arguments, "main.grad"), want, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_no_array_is_touched_as_a_whole_in_a_trip():
    text = """
func.func @main(%c: tensor<f64>, %xs: tensor<1000xf64>) -> tensor<1000xf64> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<1000> : tensor<i32>
  %l:3 = dcf.while (%i = %zero, %a = %c, %ys = %xs
      : tensor<i32>, tensor<f64>, tensor<1000xf64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %s = stablehlo.dynamic_slice %xs, %i, sizes = [1]
        : (tensor<1000xf64>, tensor<i32>) -> tensor<1xf64>
    %x = stablehlo.reshape %s : (tensor<1xf64>) -> tensor<f64>
    %m = stablehlo.multiply %a, %x : tensor<f64>
    %b = stablehlo.sine %m : tensor<f64>
    %row = stablehlo.reshape %b : (tensor<f64>) -> tensor<1xf64>
    %new = stablehlo.dynamic_update_slice %ys, %row, %i
        : (tensor<1000xf64>, tensor<1xf64>, tensor<i32>) -> tensor<1000xf64>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %b, %new : tensor<i32>, tensor<f64>, tensor<1000xf64>
  }
  func.return %l#2 : tensor<1000xf64>
}"""
    module = ab.parse(text)
    for name in ("raise-while-to-scan", "dcf-gradient"):
        get_pass(name)().apply(make_context(), module)
    scans = scans_of(module)
    assert len(scans) == 2
    for scan in scans:
        types = [str(value.type) for op in scan.body.block.ops for value in op.results]
        assert set(types) <= {"tensor<f64>", "tensor<i1>"}
        assert not any("1000" in str(type) for type in scan.body.block.arg_types)
