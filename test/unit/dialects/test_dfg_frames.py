"""Frames of a graph's ops, and that the rules of graphs take time linear in their size."""

from __future__ import annotations

import time

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, f64, i32
from xdsl.utils.exceptions import VerifyException

from anabranch.dialects.dfg import GraphOp, MergeOp
from anabranch.dialects.dfg.frames import describe, frame_of
from anabranch.dialects.dfg.merge import join_types
from anabranch.dialects.diagnostics import ProgramError, RuleError, position_of
from anabranch.frontends.mlir_text import parse_module, verify_module

NEST = """
dfg.program @main (tensor<i1>) -> tensor<i1> {
  dfg.graph on "cpu:0" (%p: tensor<i1>) -> tensor<i1> {
    %r = dfg.exit %done : tensor<i1>
    %x, %x_from = dfg.merge %in, %next : tensor<i1>
    %go = dfg.loop_cond %x
    %done, %body = dfg.switch %x, %go : tensor<i1>
    %y_in = dfg.enter %body in "b" : tensor<i1>
    %y, %y_from = dfg.merge %y_in, %y_next : tensor<i1>
    %on = dfg.loop_cond %y
    %y_done, %y_body = dfg.switch %y, %on : tensor<i1>
    %y_next = dfg.next_iteration %y_body : tensor<i1>
    %z = dfg.exit %y_done : tensor<i1>
    %next = dfg.next_iteration %z : tensor<i1>
    %in = dfg.enter %p in "a" : tensor<i1>
    dfg.fetch %r : tensor<i1>
  }
}
"""


def graph_of(text: str) -> GraphOp:
    module = parse_module(text, "graph.mlir")
    return next(op for op in module.walk() if isinstance(op, GraphOp))


def test_frames_of_a_nest_in_any_order_of_the_text():
    graph = graph_of(NEST)
    frames = frame_of(graph)
    by_name = {value.name_hint: frames[op] for op in graph.body.block.ops for value in op.results}
    assert by_name["r"] == ()
    assert by_name["in"] == by_name["x"] == by_name["next"] == by_name["z"] == ("a",)
    assert by_name["y_in"] == by_name["y"] == by_name["y_next"] == by_name["y_done"] == ("a", "b")
    assert len(frames) == len(graph.body.block.ops)


def test_frames_in_words():
    assert describe(()) == "root"
    assert describe(("a",)) == 'loop "a"'
    assert describe(("a", "b")) == 'loop "b" in loop "a"'


def test_an_error_is_placed_at_the_op_that_breaks_the_rule():
    text = NEST.replace("dfg.next_iteration %z", "dfg.next_iteration %y_done")
    with pytest.raises(RuleError) as raised:
        frame_of(graph_of(text))
    assert isinstance(raised.value, VerifyException)
    assert isinstance(raised.value, ProgramError)
    # The text's first op whose operands disagree.
    assert raised.value.op.name == "dfg.merge"
    assert position_of(raised.value.location) == ("graph.mlir", 5, 5)


def chain(length: int) -> str:
    """One loop whose body is a chain of `length` ops, and as many constant enters that it uses."""
    lines = [
        "dfg.program @main (tensor<f32>, tensor<i1>) -> tensor<f32> {",
        '  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {',
        '    %p_in = dfg.enter constant %p in "w" : tensor<i1>',
        '    %x_in = dfg.enter %a in "w" : tensor<f32>',
        "    %x, %from = dfg.merge %x_in, %next : tensor<f32>",
        "    %go = dfg.loop_cond %p_in",
        "    %done, %v0 = dfg.switch %x, %go : tensor<f32>",
    ]
    for number in range(length):
        lines.append(f'    %c{number} = dfg.enter constant %a in "w" : tensor<f32>')
        lines.append(f"    %v{number + 1} = stablehlo.add %v{number}, %c{number} : tensor<f32>")
    lines += [
        f"    %next = dfg.next_iteration %v{length} : tensor<f32>",
        "    %r = dfg.exit %done : tensor<f32>",
        "    dfg.fetch %r : tensor<f32>",
        "  }",
        "}",
    ]
    return "\n".join(lines)


def verification_time(text: str) -> float:
    graph = graph_of(text)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        graph.verify_()
        best = min(best, time.process_time() - start)
    return best


def test_verification_is_linear():
    # Ten times the ops: a quadratic rule would take a hundred times as long.
    assert verification_time(chain(5000)) < 30 * verification_time(chain(500))


def test_a_long_chain_does_not_recurse():
    verify_module(parse_module(chain(5000)))


def test_join_of_types():
    three, four = TensorType(f32, [2, 3]), TensorType(f32, [2, 4])
    joined = TensorType(f32, [2, DYNAMIC_INDEX])
    assert join_types([three, three]) == three
    assert join_types([three, four]) == joined
    assert join_types([three, joined]) == joined
    assert join_types([three, TensorType(f32, [2])]) is None
    assert join_types([three, TensorType(f64, [2, 3])]) is None
    assert join_types([three, i32]) is None


def test_a_merge_is_built_with_the_join_of_its_inputs():
    from xdsl.dialects.test import TestOp

    values = TestOp(result_types=[TensorType(f32, [3]), TensorType(f32, [4])]).results
    assert MergeOp(*values).output.type == TensorType(f32, [DYNAMIC_INDEX])
