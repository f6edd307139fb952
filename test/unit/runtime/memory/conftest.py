"""Programs whose gradients keep much on stacks."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import anabranch as ab
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.runtime.stats import Stats

T = "tensor<32x32xf32>"
I = "tensor<i32>"  # noqa: E741
VALUE = 32 * 32 * 4
"""Bytes of one value."""

HEAD = f"""
func.func @main(%n: {I}, %x: {T}) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : {I}
  %one = stablehlo.constant dense<1> : {I}
  %three = stablehlo.constant dense<3> : {I}
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : {T}
"""
TAIL = f"""
  %s = stablehlo.reduce(%r#1 init: %z) applies stablehlo.add across dimensions = [0, 1]
    : ({T}, tensor<f32>) -> tensor<f32>
  func.return %s : tensor<f32>
}}
"""


def counted(name: str, counter: str, until: str, carry: str, init: str, body: str) -> str:
    """A loop; its body defines %next of `carry`."""
    return f"""
    dcf.while "{name}" (%{counter} = %zero, %{carry} = %{init} : {I}, {T}) cond {{
      %go = stablehlo.compare LT, %{counter}, %{until}, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go
    }} do {{
      %{counter}1 = stablehlo.add %{counter}, %one : {I}
      {body}
      dcf.yield %{counter}1, %next : {I}, {T}
    }}"""


FLAT = (
    HEAD
    + "%r:2 = "
    + counted(
        "steps",
        "i",
        "n",
        "v",
        "x",
        f"""
        %a = stablehlo.sine %v : {T}
        %next = stablehlo.multiply %a, %v : {T}
        """,
    )
    + TAIL
)
"""Two values on stacks in each trip."""

INNER = counted(
    "inner",
    "k",
    "i",
    "w",
    "v",
    f"""
    %m = stablehlo.remainder %k, %three : {I}
    %q = stablehlo.compare EQ, %m, %one, SIGNED : ({I}, {I}) -> tensor<i1>
    %next = dcf.cond %q : tensor<i1> -> {T} then {{
      %t = stablehlo.sine %w : {T}
      dcf.yield %t : {T}
    }} else {{
      %t = stablehlo.multiply %w, %v : {T}
      %u = stablehlo.tanh %t : {T}
      dcf.yield %u : {T}
    }}
    """,
)
NESTED = (
    HEAD
    + "%r:2 = "
    + counted(
        "outer",
        "i",
        "n",
        "v",
        "x",
        f"""
        %s:2 = {INNER}
        %h = stablehlo.multiply %s#1, %half : {T}
        %o = stablehlo.add %h, %v : {T}
        %next = stablehlo.cosine %o : {T}
        """,
    )
    + TAIL
)
"""Loops of 0, 1, 2, … trips with a branch, in a loop; stacks go through both."""


def run(exe: ab.Executable, n: int, x: np.ndarray, **options: object):
    """Results and the memory of each device."""
    stats = Stats()
    results = exe.run([np.int32(n), x], stats=stats, deadline=120, **options)
    return results, {name: part.memory for name, part in stats.devices.items()}


def same(left: list[np.ndarray], right: list[np.ndarray]) -> bool:
    """Whether two lists of results are the same bits."""
    return [a.tobytes() for a in left] == [b.tobytes() for b in right]


@pytest.fixture(scope="session")
def programs():
    """Gradients as (module, function), data, and how to run."""
    made = {name: with_gradient(ab.parse(text)) for name, text in PROGRAMS.items()}
    x = np.random.default_rng(0).standard_normal((32, 32)).astype(np.float32)
    return SimpleNamespace(
        gradients=made, x=x, run=run, same=same, value=VALUE, flat=FLAT, nested=NESTED
    )


PROGRAMS = {"flat": FLAT, "nested": NESTED}
