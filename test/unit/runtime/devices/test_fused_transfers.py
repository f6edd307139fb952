"""Which loops that send and receive are fused, and the code they become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.dfg import ProgramOp
from anabranch.lowering.convert_dcf_to_dfg import ConvertDcfToDfgPass
from anabranch.runtime.fuse import FusedKernel, ProgramChannels, fuse_frames
from anabranch.runtime.graph import Graph, NodeKind, load_graph


def graphs_of(text: str) -> list[Graph]:
    """The graphs of a program of partitions or graphs."""
    module = ab.parse(text)
    ConvertDcfToDfgPass().apply(Context(), module)
    (program,) = [op for op in module.body.block.ops if isinstance(op, ProgramOp)]
    return [load_graph(graph, module) for graph in program.graphs]


def fused_loops(graphs: list[Graph], jobs: Mapping[str, Iterable[int]] | None = None):
    """By device, the names and the kernels of what was fused."""
    jobs = jobs or {}
    channels = ProgramChannels(graphs, jobs)
    found: dict[str, dict[str, FusedKernel]] = {}
    for graph in graphs:
        fused = fuse_frames(graph, program=channels, jobs=jobs.get(graph.device, ()))
        found[graph.device] = {
            node.label: node.kernel  # pyright: ignore
            for node in fused.nodes
            if node.kind == NodeKind.FUSED
        }
    return found


def test_a_chain_of_devices_is_fused_on_each(texts):
    fused = fused_loops(graphs_of(texts.one_way(3)))
    assert {device: list(loops) for device, loops in fused.items()} == {
        f"cpu:{k}": ["loop"] for k in range(3)
    }
    middle = fused["cpu:1"]["loop"]
    assert middle.needs_link
    # One look and one store a trip; the numbers of a loop at the root are plain integers.
    assert "take0(i1, MISSING)" in middle.text
    assert "out1[i1] = " in middle.text
    assert "if i1 >= limit1:" in middle.text
    assert "retire1(i1 + 1)" in middle.text


def test_a_ring_of_quick_kernels_is_fused(texts):
    """With all kernels in one thread there is nothing that overlapping trips could hide."""
    fused = fused_loops(graphs_of(texts.ring(3)))
    assert all("loop" in loops for loops in fused.values())


def test_a_ring_with_a_kernel_worth_a_pool_is_not(texts):
    graphs = graphs_of(texts.ring(3))
    adds = [node.id for node in graphs[1].nodes if node.name == "stablehlo.add" and node.frame]
    fused = fused_loops(graphs, {"cpu:1": adds})
    assert not any(fused.values())


def test_a_chain_with_such_a_kernel_is_and_hands_it_out(texts):
    graphs = graphs_of(texts.one_way(3))
    adds = [node.id for node in graphs[1].nodes if node.name == "stablehlo.add" and node.frame]
    fused = fused_loops(graphs, {"cpu:1": adds})
    assert "(yield Job(" in fused["cpu:1"]["loop"].text
    assert "Job(" not in fused["cpu:0"]["loop"].text


CROSSED = """
dfg.program @main (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
  dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<i32>
  dfg.partition on "cpu:0" (%n: tensor<i32>) -> tensor<i32> feeds [0] fetches [0] {
    FIRST
    dfg.fetch %r : tensor<i32>
  }
  dfg.partition on "cpu:1" (%n: tensor<i32>) -> tensor<i32> feeds [1] fetches [1] {
    SECOND
    dfg.fetch %r : tensor<i32>
  }
}
"""


def crossed(first: str, second: str) -> str:
    """Two devices that send each other their counter in every trip, and add what comes."""
    loop = """
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i, %r = dcf.while "loop" (%k = %zero, %s = %zero : tensor<i32>, tensor<i32>) cond {
      %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      BODY
      %t = stablehlo.add %s, %v : tensor<i32>
      %j = stablehlo.add %k, %one : tensor<i32>
      dcf.yield %j, %t : tensor<i32>, tensor<i32>
    }
    """
    text = CROSSED
    for place, body in (("FIRST", first), ("SECOND", second)):
        text = text.replace(place, loop.replace("BODY", body))
    return text


SEND_0 = 'dfg.send %k to "cpu:1" channel 0 : tensor<i32>\n'
RECV_1 = '%v = dfg.recv from "cpu:1" channel 1 : tensor<i32>\n'
SEND_1 = 'dfg.send %k to "cpu:0" channel 1 : tensor<i32>\n'
RECV_0 = '%v = dfg.recv from "cpu:0" channel 0 : tensor<i32>\n'


@pytest.mark.parametrize(
    ("first", "second", "fuses"),
    [
        (SEND_0 + RECV_1, RECV_0 + SEND_1, True),
        # Both send first: channel 0 before 1 on one, 1 before 0 on the other.
        (SEND_0 + RECV_1, SEND_1 + RECV_0, False),
        # Both receive first: as dataflow it runs, as one statement after the other it would not.
        (RECV_1 + SEND_0, RECV_0 + SEND_1, False),
    ],
)
def test_devices_must_agree_on_an_order_to_be_fused_in_a_ring(first: str, second: str, fuses: bool):
    text = crossed(first, second)
    fused = fused_loops(graphs_of(text))
    assert all(bool(loops) == fuses for loops in fused.values())
    results = ab.compile(ab.parse(text), verify=False).run([np.int32(50)] * 2, deadline=20)
    assert [int(result) for result in results] == [1225, 1225]
