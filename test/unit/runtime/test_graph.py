"""Loading a graph: plain data from a `dfg.graph`."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64

from anabranch.dialects.dfg import GraphOp
from anabranch.dialects.diagnostics import ProgramError, position_of
from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.graph import Graph, NodeKind, load_graph
from anabranch.runtime.layout import Layout
from anabranch.runtime.values import TOKEN

LOOP = """
dfg.program @main (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  dfg.graph on "cpu:0" (%n: tensor<i32>, %start: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %t = dfg.token
    %c = dfg.constant dense<4> after %t : tensor<i32>
    %i_in = dfg.enter %start in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %one_in = dfg.enter constant %one in "f" : tensor<i32>
    %i, %from = dfg.merge %i_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less {parallel_iterations = 7 : i64, trip_bound = 100 : i64}
    %done, %body = dfg.switch %i, %go : tensor<i32>
    %i2 = stablehlo.add %body, %one_in : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %r = dfg.exit %done : tensor<i32>
    dfg.fetch %r, %c : tensor<i32>, tensor<i32>
  }
}
"""


def load(text: str) -> Graph:
    module = parse_module(text, "test.mlir")
    (graph,) = (op for op in module.walk() if isinstance(op, GraphOp))
    return load_graph(graph, module)


def by_name(graph: Graph, name: str):
    return [node for node in graph.nodes if node.name == name]


def test_nodes_frames_and_edges():
    graph = load(LOOP)
    assert graph.device == "cpu:0"
    assert [graph.nodes[id].kind for id in graph.feeds] == [NodeKind.FEED] * 2
    assert [graph.nodes[id].kind for id in graph.fetches] == [NodeKind.FETCH] * 2
    root, loop = graph.frames
    assert (root.path, root.parent) == ((), -1)
    assert (loop.name, loop.path, loop.parent) == ("f", ("f",), 0)
    assert (loop.parallel_iterations, loop.trip_bound) == (7, 100)
    (cond,) = by_name(graph, "dfg.loop_cond")
    assert loop.loop_cond == cond.id and position_of(loop.location) == ("test.mlir", 12, 5)
    (merge,) = by_name(graph, "dfg.merge")
    assert merge.kind == NodeKind.LOOP_MERGE and merge.frame == 1
    assert len(merge.outputs[0]) == 2 and merge.outputs[1] == []
    enters = by_name(graph, "dfg.enter")
    assert [node.kind for node in enters] == [
        NodeKind.ENTER,
        NodeKind.CONST_ENTER,
        NodeKind.CONST_ENTER,
    ]
    assert all((node.frame, node.child) == (0, 1) for node in enters)
    (exit,) = by_name(graph, "dfg.exit")
    assert exit.frame == 1 and exit.result_types == ("tensor<i32>",)
    (constant,) = by_name(graph, "stablehlo.constant")
    assert constant.kind == NodeKind.CONST and constant.value == 1
    (token,) = by_name(graph, "dfg.token")
    assert token.kind == NodeKind.TOKEN and token.value is TOKEN
    for node in graph.nodes:
        for slot, (producer, output) in enumerate(node.inputs):
            assert (node.id, slot) in graph.nodes[producer].outputs[output]


def test_a_loaded_graph_runs_and_runs_again():
    graph = load(LOOP)
    for _ in range(2):
        assert run_graph(graph, [np.int32(5), np.int32(2)]) == [5, 4]


def test_feed_and_fetch_numbers():
    module = parse_module(LOOP)
    (graph_op,) = (op for op in module.walk() if isinstance(op, GraphOp))
    graph_op.properties["feeds"] = DenseArrayBase.from_list(i64, [1, 0])
    graph = load_graph(graph_op, module)
    assert graph.feed_numbers == [1, 0] and graph.fetch_numbers == [0, 1]


def test_frames_nest_and_a_frame_may_be_used_before_its_enter_in_the_text():
    graph = load(
        """
        dfg.program @main (tensor<i1>) -> (tensor<i1>) {
          dfg.graph on "cpu:0" (%p: tensor<i1>) -> (tensor<i1>) {
            %r = dfg.exit %a_no : tensor<i1>
            %a_no, %a_yes = dfg.switch %a, %a_go : tensor<i1>
            %b_no, %b_yes = dfg.switch %b, %b_go : tensor<i1>
            %b_go = dfg.loop_cond %b
            %a_go = dfg.loop_cond %a
            %b_next = dfg.next_iteration %b_yes : tensor<i1>
            %out = dfg.exit %b_no : tensor<i1>
            %a_next = dfg.next_iteration %out : tensor<i1>
            %b, %b_from = dfg.merge %b_in, %b_next : tensor<i1>
            %b_in = dfg.enter %a_yes in "inner" : tensor<i1>
            %a, %a_from = dfg.merge %a_in, %a_next : tensor<i1>
            %a_in = dfg.enter %p in "outer" : tensor<i1>
            dfg.fetch %r : tensor<i1>
          }
        }
        """
    )
    assert sorted(frame.path for frame in graph.frames) == [(), ("outer",), ("outer", "inner")]
    for frame in graph.frames[1:]:
        assert graph.frames[frame.parent].path == frame.path[:-1]
    assert run_graph(graph, [np.bool_(False)]) == [False]


def test_an_edge_between_frames_is_refused():
    text = LOOP.replace("stablehlo.add %body, %one_in", "stablehlo.add %body, %one")
    with pytest.raises(ProgramError, match='from one frame.* from loop "f"'):
        load(text)


def test_an_op_without_a_kernel_is_named_with_its_place():
    text = LOOP.replace(
        "%one = stablehlo.constant dense<1> : tensor<i32>",
        '%one = "stablehlo.optimization_barrier_of_mine"() : () -> tensor<i32>',
    )
    with pytest.raises(ProgramError) as caught:
        load(text)
    assert "stablehlo.optimization_barrier_of_mine" in caught.value.message


def chain(length: int) -> ModuleOp:
    lines = [f"%v{k + 1} = stablehlo.negate %v{k} : tensor<i32>" for k in range(length)]
    body = "\n".join(lines)
    return parse_module(
        "dfg.program @main (tensor<i32>) -> (tensor<i32>) {\n"
        f'dfg.graph on "cpu:0" (%v0: tensor<i32>) -> (tensor<i32>) {{\n{body}\n'
        f"dfg.fetch %v{length} : tensor<i32>\n}}\n}}"
    )


def test_long_graphs_need_no_recursion():
    module = chain(5_000)
    (graph_op,) = (op for op in module.walk() if isinstance(op, GraphOp))
    graph = load_graph(graph_op, module)
    assert run_graph(graph, [np.int32(3)]) == [3]


def test_deep_nests_need_no_recursion(make):
    depth = 1_500
    value = make.feed()
    for level in range(depth):
        value = make.enter(value, make.frame(f"f{level}", make.frame_of[value[0]]))
        value = make.merge(value)
    # From the innermost frame out again; the loops run no trip.
    for _ in range(depth):
        predicate = make.loop_cond(make.op(lambda v: np.bool_(False), value))
        false, true = make.switch(value, predicate)
        value = make.exit(false)
    make.fetch(value)
    assert run_graph(make.graph(), [np.int32(3)]) == [3]


def test_layout_counts_what_must_happen_in_an_iteration():
    layout = Layout(load(LOOP))
    root, loop = layout.frames
    # The two fetches and the loop's frame.
    assert root.first[0] == 3
    # A next_iteration and an exit; iteration 0 awaits three enters too.
    assert loop.later[0] == 2 and loop.first[0] == 5
