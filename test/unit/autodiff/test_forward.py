"""Forward mode through loops, branches, scans, stacks and arrays; alone and with reverse mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

T = "tensor<f64>"
WHILE = """
func.func @main(%x: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<2.0> : tensor<f64>
  %r:3 = dcf.while "w" (%i = %z, %a = %c, %b = %x : tensor<i32>, tensor<f64>, tensor<f64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %s = stablehlo.sine %b : tensor<f64>
    %t = stablehlo.multiply %a, %x : tensor<f64>
    dcf.yield %j, %s, %t : tensor<i32>, tensor<f64>, tensor<f64>
  }
  %y = stablehlo.multiply %r#1, %r#2 : tensor<f64>
  return %y : tensor<f64>
}
"""
"""`%a` becomes active through `%b`, on the second trip."""

NEST = """
func.func @main(%x: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %r:2 = dcf.while "outer" (%i = %z, %a = %x : tensor<i32>, tensor<f64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %big = stablehlo.compare GT, %a, %one, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %b:2 = dcf.cond %big : tensor<i1> -> (tensor<f64>, tensor<f64>) then {
      %s = stablehlo.sine %a : tensor<f64>
      dcf.yield %s, %one : tensor<f64>, tensor<f64>
    } else {
      %q:2 = dcf.while "inner" (%k = %z, %v = %a : tensor<i32>, tensor<f64>) cond {
        %p = stablehlo.compare LE, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %l = stablehlo.add %k, %o : tensor<i32>
        %w = stablehlo.add %v, %x : tensor<f64>
        dcf.yield %l, %w : tensor<i32>, tensor<f64>
      }
      %e = stablehlo.multiply %q#1, %x : tensor<f64>
      dcf.yield %e, %one : tensor<f64>, tensor<f64>
    }
    %c = dcf.case %i : tensor<i32> -> tensor<f64> {
      dcf.yield %b#0 : tensor<f64>
    }, {
      %d = stablehlo.multiply %b#0, %b#1 : tensor<f64>
      dcf.yield %d : tensor<f64>
    }, {
      %d = stablehlo.exponential %b#0 : tensor<f64>
      dcf.yield %d : tensor<f64>
    }
    dcf.yield %j, %c : tensor<i32>, tensor<f64>
  }
  return %r#1 : tensor<f64>
}
"""

SCAN = """
func.func @main(%x: tensor<f64>, %xs: tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>) {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %r:3 = dcf.scan "s" (%k = %one, %a = %x : tensor<f64>, tensor<f64>)
      ins(%v = %xs : tensor<4xf64>) -> (tensor<f64>, tensor<f64>, tensor<4xf64>) do {
    %l = stablehlo.add %k, %one : tensor<f64>
    %m = stablehlo.multiply %a, %v : tensor<f64>
    %b = stablehlo.sine %m : tensor<f64>
    %row = stablehlo.multiply %b, %k : tensor<f64>
    dcf.yield %l, %b, %row : tensor<f64>, tensor<f64>, tensor<f64>
  } {reverse}
  return %r#1, %r#2 : tensor<f64>, tensor<4xf64>
}
"""

BUFFERS = """
func.func @main(%x: tensor<f64>, %ys: tensor<4xf64>, %n: tensor<i32>) -> tensor<4xf64> {
  %flat = stablehlo.constant dense<1> : tensor<4xi32>
  %r:3 = dcf.scan "s" (%a = %x : tensor<f64>) ins(%v = %ys, %u = %flat : tensor<4xf64>, tensor<4xi32>)
      outs(%flat, %ys : tensor<4xi32>, tensor<4xf64>) length %n : tensor<i32>
      -> (tensor<f64>, tensor<4xi32>, tensor<4xf64>) do {
    %b = stablehlo.multiply %a, %v : tensor<f64>
    %c = stablehlo.cosine %b : tensor<f64>
    dcf.yield %c, %u, %b : tensor<f64>, tensor<i32>, tensor<f64>
  }
  return %r#2 : tensor<4xf64>
}
"""
"""Rows that no trip writes keep the buffer's, and its tangent's."""

STACKS = """
func.func @main(%x: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3.0> : tensor<f64>
  %e = dcf.stack_new : !dcf.stack<tensor<f64>>
  %s0 = dcf.stack_push %e, %three : !dcf.stack<tensor<f64>>
  %r:3 = dcf.while "push" (%i = %z, %s = %s0, %a = %x : tensor<i32>, !dcf.stack<tensor<f64>>, tensor<f64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %t = dcf.stack_push %s, %a : !dcf.stack<tensor<f64>>
    %b = stablehlo.sine %a : tensor<f64>
    dcf.yield %j, %t, %b : tensor<i32>, !dcf.stack<tensor<f64>>, tensor<f64>
  }
  %twice = dcf.stack_add %r#1, %s0 : !dcf.stack<tensor<f64>>
  %q:3 = dcf.while "pop" (%i = %r#0, %s = %twice, %a = %x : tensor<i32>, !dcf.stack<tensor<f64>>, tensor<f64>) cond {
    %p = stablehlo.compare GE, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.subtract %i, %o : tensor<i32>
    %t, %v = dcf.stack_pop %s : !dcf.stack<tensor<f64>>
    %b = stablehlo.multiply %a, %v : tensor<f64>
    dcf.yield %j, %t, %b : tensor<i32>, !dcf.stack<tensor<f64>>, tensor<f64>
  }
  return %q#2 : tensor<f64>
}
"""

ARRAYS = """
func.func @main(%x: tensor<f64>, %xs: tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %in = dcf.array_unstack %xs : tensor<4xf64> -> !dcf.array<tensor<f64>>
  %new = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<f64>>
  %r:3 = dcf.while "w" (%i = %z, %out = %new, %a = %x : tensor<i32>, !dcf.array<tensor<f64>>, tensor<f64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = dcf.array_read %in, %i : !dcf.array<tensor<f64>>, tensor<i32>
    %first = dcf.array_read %in, %z : !dcf.array<tensor<f64>>, tensor<i32>
    %b = stablehlo.multiply %a, %v : tensor<f64>
    %c = stablehlo.add %b, %first : tensor<f64>
    %next = dcf.array_write %out, %i, %c : !dcf.array<tensor<f64>>, tensor<i32>
    %back = dcf.array_read %next, %i : !dcf.array<tensor<f64>>, tensor<i32>
    %d = stablehlo.sine %back : tensor<f64>
    dcf.yield %j, %next, %d : tensor<i32>, !dcf.array<tensor<f64>>, tensor<f64>
  }
  %last = dcf.array_read %r#1, %o : !dcf.array<tensor<f64>>, tensor<i32>
  %ys = dcf.array_stack %r#1 : !dcf.array<tensor<f64>> -> tensor<4xf64>
  %y = stablehlo.multiply %last, %r#2 : tensor<f64>
  return %y, %ys : tensor<f64>, tensor<4xf64>
}
"""

BRANCH_ON_ARRAY = """
func.func @main(%x: tensor<f64>, %xs: tensor<4xf64>, %p: tensor<i1>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %in = dcf.array_unstack %xs : tensor<4xf64> -> !dcf.array<tensor<f64>>
  %r:2 = dcf.cond %p : tensor<i1> -> (tensor<f64>, !dcf.array<tensor<f64>>) then {
    %v = dcf.array_read %in, %z : !dcf.array<tensor<f64>>, tensor<i32>
    dcf.yield %v, %in : tensor<f64>, !dcf.array<tensor<f64>>
  } else {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %new = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<f64>>
    %one = dcf.array_write %new, %o, %x : !dcf.array<tensor<f64>>, tensor<i32>
    dcf.yield %x, %one : tensor<f64>, !dcf.array<tensor<f64>>
  }
  %w = dcf.array_read %r#1, %o : !dcf.array<tensor<f64>>, tensor<i32>
  %y = stablehlo.multiply %w, %r#0 : tensor<f64>
  %u = dcf.array_read %in, %o : !dcf.array<tensor<f64>>, tensor<i32>
  %e = stablehlo.multiply %y, %u : tensor<f64>
  return %e : tensor<f64>
}
"""

ARRAY_VERSIONS = """
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %new = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<f64>>
  %base = dcf.array_write %new, %z, %x : !dcf.array<tensor<f64>>, tensor<i32>
  %s = stablehlo.sine %x : tensor<f64>
  %e = stablehlo.exponential %x : tensor<f64>
  %one = dcf.array_write %base, %o, %s : !dcf.array<tensor<f64>>, tensor<i32>
  %two = dcf.array_write %base, %o, %e : !dcf.array<tensor<f64>>, tensor<i32>
  %a = dcf.array_read %one, %z : !dcf.array<tensor<f64>>, tensor<i32>
  %b = dcf.array_read %two, %o : !dcf.array<tensor<f64>>, tensor<i32>
  %c = dcf.array_read %one, %o : !dcf.array<tensor<f64>>, tensor<i32>
  %d = dcf.array_read %two, %z : !dcf.array<tensor<f64>>, tensor<i32>
  %ab = stablehlo.multiply %a, %b : tensor<f64>
  %cd = stablehlo.multiply %c, %d : tensor<f64>
  %y = stablehlo.add %ab, %cd : tensor<f64>
  return %y : tensor<f64>
}
"""
"""Both versions have cotangents for the element that they share."""

EMPTY_STACK = """
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %e = dcf.stack_new : !dcf.stack<tensor<f64>>
  %s = dcf.stack_push %e, %x : !dcf.stack<tensor<f64>>
  %t, %a = dcf.stack_pop %s {or_zero} : !dcf.stack<tensor<f64>>
  %u, %b = dcf.stack_pop %t {or_zero} : !dcf.stack<tensor<f64>>
  %v = dcf.stack_push %u, %a : !dcf.stack<tensor<f64>>
  %w, %c = dcf.stack_pop %v : !dcf.stack<tensor<f64>>
  %ac = stablehlo.multiply %a, %c : tensor<f64>
  %y = stablehlo.add %ac, %b : tensor<f64>
  return %y : tensor<f64>
}
"""

DYNAMIC = """
func.func @main(%x: tensor<?xf64>, %n: tensor<i32>) -> tensor<?xf64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %low = stablehlo.constant dense<-0.5> : tensor<f64>
  %high = stablehlo.constant dense<0.8> : tensor<f64>
  %e = dcf.stack_new : !dcf.stack<tensor<?xf64>>
  %r:3 = dcf.while "w" (%i = %z, %a = %x, %s = %e : tensor<i32>, tensor<?xf64>, !dcf.stack<tensor<?xf64>>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %b = stablehlo.sine %a : tensor<?xf64>
    %c = stablehlo.clamp %low, %b, %high : (tensor<f64>, tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %t = dcf.stack_push %s, %c : !dcf.stack<tensor<?xf64>>
    %d = stablehlo.multiply %c, %x : tensor<?xf64>
    dcf.yield %j, %d, %t : tensor<i32>, tensor<?xf64>, !dcf.stack<tensor<?xf64>>
  }
  %rest, %top = dcf.stack_pop %r#2 : !dcf.stack<tensor<?xf64>>
  %y = stablehlo.add %r#1, %top : tensor<?xf64>
  return %y : tensor<?xf64>
}
"""

XS = np.array([0.3, -1.2, 0.7, 2.0])
PROGRAMS = {
    "while": (WHILE, [np.array(0.7), np.array(5, np.int32)]),
    "while without a trip": (WHILE, [np.array(0.7), np.array(0, np.int32)]),
    "nest": (NEST, [np.array(0.6), np.array(4, np.int32)]),
    "scan": (SCAN, [np.array(0.9), XS]),
    "scan with buffers": (BUFFERS, [np.array(0.9), XS, np.array(3, np.int32)]),
    "stacks": (STACKS, [np.array(0.7), np.array(3, np.int32)]),
    "arrays": (ARRAYS, [np.array(0.7), XS]),
    "array in a taken branch": (BRANCH_ON_ARRAY, [np.array(0.7), XS, np.array(True)]),
    "array in the other branch": (BRANCH_ON_ARRAY, [np.array(0.7), XS, np.array(False)]),
    "array versions": (ARRAY_VERSIONS, [np.array(0.7)]),
    "empty stack": (EMPTY_STACK, [np.array(0.7)]),
    "dynamic": (DYNAMIC, [XS, np.array(3, np.int32)]),
}


class Program:
    """One of the programs: its values and derivatives along a random direction."""

    def __init__(self, name: str, tools: Any):
        self.text, self.arguments = PROGRAMS[name]
        self.tools = tools
        rng = np.random.default_rng(3)
        self.floats = [k for k, a in enumerate(self.arguments) if a.dtype == np.float64]
        self.tangents = [rng.normal(size=self.arguments[k].shape) for k in self.floats]

    def run(self, function: str, *arguments: Any, **steps: Any) -> list[Any]:
        """Results of a function, after `dcf-gradient` with each of the options given."""
        module = self.tools.structured(self.text)
        for options in steps.values():
            self.tools.differentiate(module, **options)
        return self.tools.run(module, function, arguments or self.arguments)

    def along(self, step: float) -> list[Any]:
        """The arguments, moved."""
        moved = list(self.arguments)
        for k, tangent in zip(self.floats, self.tangents):
            moved[k] = moved[k] + step * tangent
        return moved


@pytest.fixture(params=PROGRAMS)
def program(request: Any, tools: Any) -> Program:
    return Program(request.param, tools)


FORWARD = {"mode": "forward"}


def close(got: Any, expected: Any, tolerance: float) -> None:
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def test_tangents_are_slopes(program: Program) -> None:
    """By differences; and the values beside them are those of the primal, bit for bit."""
    got = program.run("main.jvp", *program.arguments, *program.tangents, a=FORWARD)
    values = program.run("main")
    count = len(values)
    for value, primal in zip(got, values):
        np.testing.assert_array_equal(value, primal)
    h = 1e-6
    before, after = (program.run("main", *program.along(s)) for s in (-h, h))
    for tangent, low, high in zip(got[count:], before, after, strict=True):
        close(tangent, (high - low) / (2 * h), 1e-8)


def test_tangents_agree_with_gradients(program: Program) -> None:
    """The product of the gradient and a direction is the tangent along it."""
    along = program.run("main.jvp", *program.arguments, *program.tangents, a=FORWARD)
    count = len(along) // 2
    gradients = program.run("main.grad", a={})[count:]
    product = sum(np.sum(g * t) for g, t in zip(gradients, program.tangents, strict=True))
    close(product, np.sum(along[count]), 1e-12)


def test_forward_over_reverse(program: Program) -> None:
    """The tangent of the gradient, by differences of the gradient."""
    steps = {"a": {}, "b": {"function": "main.grad", "mode": "forward"}}
    got = program.run("main.grad.jvp", *program.arguments, *program.tangents, **steps)
    h = 1e-6
    before, after = (program.run("main.grad", *program.along(s), a={}) for s in (-h, h))
    count = len(got) // 2
    for tangent, low, high in zip(got[count:], before, after, strict=True):
        close(tangent, (high - low) / (2 * h), 1e-7)


def test_reverse_over_forward(program: Program) -> None:
    """The gradient of the tangent is the tangent of the gradient."""
    steps = {"a": {}, "b": {"function": "main.grad", "mode": "forward"}}
    one = program.run("main.grad.jvp", *program.arguments, *program.tangents, **steps)
    count = len(program.floats)
    values = len(program.run("main"))
    steps = {"a": FORWARD, "b": {"function": "main.jvp", "of": values}}
    other = program.run("main.jvp.grad", *program.arguments, *program.tangents, **steps)
    gradients = other[2 * values :]
    assert len(gradients) == 2 * count  # by the arguments, and by their tangents
    for got, expected in zip(gradients[:count], one[-count:], strict=True):
        close(got, expected, 1e-10)


def test_forward_over_forward(program: Program) -> None:
    """The second derivative along a direction, twice."""
    steps = {"a": FORWARD, "b": {"function": "main.jvp", "mode": "forward"}}
    zeros = [np.zeros_like(tangent) for tangent in program.tangents]
    arguments = [*program.arguments, *program.tangents, *program.tangents, *zeros]
    got = program.run("main.jvp.jvp", *arguments, **steps)
    count = len(got) // 4
    h = 1e-6
    before, after = (
        program.run("main.jvp", *program.along(s), *program.tangents, a=FORWARD) for s in (-h, h)
    )
    for k in range(count):
        close(got[3 * count + k], (after[count + k] - before[count + k]) / (2 * h), 1e-7)


def test_arguments_of_interest(tools: Any) -> None:
    """With `wrt`, only these have tangents."""
    program = Program("scan", tools)
    (tangent,) = program.tangents[1:]
    options = {"mode": "forward", "wrt": (1,)}
    got = program.run("main.jvp", *program.arguments, tangent, a=options)
    zero = np.zeros(())
    full = program.run("main.jvp", *program.arguments, zero, tangent, a=FORWARD)
    for one, other in zip(got, full, strict=True):
        close(one, other, 1e-14)


def test_nothing_depends_on_the_arguments(tools: Any) -> None:
    """Tangents of results that no argument reaches are zeros."""
    module = tools.structured("""
func.func @main(%x: tensor<f64>, %n: tensor<i32>) -> (tensor<2xf64>, tensor<i32>) {
  %c = stablehlo.constant dense<1.0> : tensor<2xf64>
  return %c, %n : tensor<2xf64>, tensor<i32>
}""")
    tools.differentiate(module, mode="forward")
    got = tools.run(module, "main.jvp", [np.array(1.0), np.array(2, np.int32), np.array(3.0)])
    assert [value.tolist() for value in got] == [[1.0, 1.0], 2, [0.0, 0.0]]
