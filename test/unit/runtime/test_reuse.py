"""Results of elementwise ops in the memory of operands that nobody reads again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.dfg import GraphOp
from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline
from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.fuse import FusedKernel, fuse_frames
from anabranch.runtime.graph import NodeKind, load_graph
from anabranch.runtime.stats import Stats

T = "tensor<64x128xf32>"
LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<64x128xf32>, %y: tensor<64x128xf32>)
    -> (tensor<64x128xf32>, tensor<64x128xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<64x128xf32>
  {before}
  %i, %r:2 = dcf.while "w" (%k = %zero, %a = %x, %b = {second} : tensor<i32>, tensor<64x128xf32>, {type}) cond {{
    %go = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  }} do {{
    %j = stablehlo.add %k, %one : tensor<i32>
    {body}
    dcf.yield %j, {yielded} : tensor<i32>, tensor<64x128xf32>, {type}
  }}
  {after}
  return %r#0, {result} : tensor<64x128xf32>, tensor<64x128xf32>
}}
"""


def loop(body: str, yielded: str, **parts: str) -> str:
    parts = {"before": "", "second": "%y", "type": T, "after": "", "result": "%r#1"} | parts
    return LOOP.format(body=body, yielded=yielded, **parts)


STACK = f"!dcf.stack<{T}>"
PROGRAMS = {
    "a sum in a carry": (loop(f"%c = stablehlo.add %a, %b : {T}", "%c, %b"), 1),
    "a chain": (
        loop(
            f"""%c = stablehlo.multiply %a, %half : {T}
            %d = stablehlo.tanh %c : {T}
            %e = stablehlo.subtract %b, %d : {T}""",
            "%d, %e",
        ),
        3,
    ),
    "twice in one op": (
        loop(
            f"""%c = stablehlo.multiply %a, %half : {T}
            %d = stablehlo.multiply %c, %c : {T}""",
            "%d, %b",
        ),
        2,
    ),
    "the second operand": (loop(f"%c = stablehlo.subtract %half, %a : {T}", "%c, %b"), 1),
    "carries that change places": (loop(f"%c = stablehlo.add %a, %b : {T}", "%b, %c"), 1),
    "one value in two carries": (loop(f"%c = stablehlo.add %a, %b : {T}", "%c, %c"), 1),
    "read again": (
        loop(
            f"""%c = stablehlo.multiply %a, %half : {T}
            %d = stablehlo.add %c, %half : {T}
            %e = stablehlo.add %c, %b : {T}""",
            "%d, %e",
        ),
        2,
    ),
    "kept on a stack": (
        loop(
            f"""%c = stablehlo.add %a, %half : {T}
            %d = stablehlo.multiply %c, %half : {T}
            %s = dcf.stack_push %b, %c : {STACK}""",
            "%d, %s",
            before=f"%empty = dcf.stack_new : {STACK}",
            second="%empty",
            type=STACK,
            after=f"""%rest, %top = dcf.stack_pop %r#1 : {STACK}
            %rest1, %under = dcf.stack_pop %rest : {STACK}""",
            result="%under",
        ),
        1,
    ),
    "a view": (
        loop(
            f"""%c = stablehlo.add %a, %half : {T}
            %v = stablehlo.reshape %c : ({T}) -> tensor<8192xf32>
            %d = stablehlo.negate %c : {T}
            %e = stablehlo.reshape %v : (tensor<8192xf32>) -> {T}""",
            "%d, %e",
        ),
        2,
    ),
    "a broadcast": (
        loop(
            f"""%s = stablehlo.slice %a [0:1, 0:1] : ({T}) -> tensor<1x1xf32>
            %w = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x1xf32>) -> {T}
            %d = stablehlo.add %w, %half : {T}""",
            "%d, %b",
        ),
        1,
    ),
}


def reuses(text: str) -> int:
    """How many calls of the only loop may write into an operand."""
    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    fused = fuse_frames(load_graph(graph_op, module))
    (kernel,) = [node.kernel for node in fused.nodes if node.kind is NodeKind.FUSED]
    assert isinstance(kernel, FusedKernel)
    return kernel.text.count(", out=")


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_stay_the_same(name: str):
    text, count = PROGRAMS[name]
    assert reuses(text) == count
    module = ab.parse(text)
    draw = np.random.default_rng(0)
    x, y = (draw.standard_normal((64, 128)).astype(np.float32) for _ in range(2))
    before = x.copy(), y.copy()
    for trips in (2, 5):
        arguments: list[Any] = [np.int32(trips), x, y]
        expected = ab.compile(module, engine="reference")(*arguments)
        fused = ab.compile(module)
        for results in (ab.compile(module, fuse=False)(*arguments), *(fused(*arguments),) * 2):
            for one, other in zip(results, expected, strict=True):
                assert one.tobytes() == other.tobytes()
    assert np.array_equal(x, before[0]) and np.array_equal(y, before[1])


def test_a_probe_may_keep_what_it_sees():
    text = loop(
        f"""%c = stablehlo.add %a, %half : {T}
        dcf.probe "c" %c : {T}
        %d = stablehlo.negate %c : {T}""",
        "%d, %b",
    )
    kept: list[tuple[Any, Any]] = []
    executable = ab.compile(ab.parse(text))
    x = np.ones((64, 128), np.float32)
    executable.run([np.int32(4), x, x], probe=lambda _, v: kept.append((v[0], np.array(v[0]))))
    assert len(kept) == 4
    assert all(np.array_equal(one, other) for one, other in kept)


@pytest.mark.parametrize("shape", ["16x16", "?x128"])
def test_small_arrays_and_those_of_unknown_size_get_new_memory(shape: str):
    text = loop(f"%c = stablehlo.add %a, %b : {T}", "%c, %b").replace("64x128", shape)
    if "?" in shape:
        text = text.replace(f"%half = stablehlo.constant dense<0.5> : tensor<{shape}xf32>", "")
    assert reuses(text) == 0


UPDATES = """
func.func @main(%n: tensor<i32>, %x: tensor<100x8xf32>, %row: tensor<1x8xf32>) -> tensor<100x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %r = dcf.while "w" (%k = %zero, %a = %x : tensor<i32>, tensor<100x8xf32>) cond {
    %go = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %j = stablehlo.add %k, %one : tensor<i32>
    %b = stablehlo.dynamic_update_slice %a, %row, %k, %zero
      : (tensor<100x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<100x8xf32>
    dcf.yield %j, %b : tensor<i32>, tensor<100x8xf32>
  }
  return %r : tensor<100x8xf32>
}
"""


@pytest.mark.parametrize("window", [1, 32])
@pytest.mark.parametrize("watched", [False, True])
def test_node_by_node_an_array_is_updated_in_place_too(window: int, watched: bool):
    """Copies would make a loop over rows quadratic."""
    module = ab.parse(UPDATES)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    graph = load_graph(graph_op, module)
    (kernel,) = [n.kernel for n in graph.nodes if n.name == "stablehlo.dynamic_update_slice"]
    original, calls = kernel.__dict__["in_place"], []

    def counted(*operands: Any) -> Any:
        calls.append(1)
        return original(*operands)

    kernel.__dict__["in_place"] = counted
    x, row = np.zeros((100, 8), np.float32), np.ones((1, 8), np.float32)
    stats = Stats() if watched else None
    (result,) = run_graph(graph, [np.int32(100), x, row], stats=stats, parallel_iterations=window)
    assert len(calls) == 99  # the first update may not change the argument
    assert np.array_equal(result, np.ones((100, 8))) and not x.any()


def test_an_array_that_a_loop_updates_needs_room_once():
    """Beside the argument, which may not change; a copy each trip would be a third."""
    rows, width = 100, 1024
    text = UPDATES.replace("x8xf32", f"x{width}xf32").replace("100x", f"{rows}x")
    x, row = np.zeros((rows, width), np.float32), np.ones((1, width), np.float32)
    executable = ab.compile(ab.parse(text), memory=2 * x.nbytes + 4 * row.nbytes)
    (result,) = executable(np.int32(rows), x, row)
    assert np.array_equal(result, np.ones((rows, width)))
