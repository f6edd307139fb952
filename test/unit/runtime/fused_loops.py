"""Programs as graphs, and the loops of them as generated code."""

from __future__ import annotations

from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.dfg import GraphOp
from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline
from anabranch.runtime.fuse import FusedKernel, fuse_frames
from anabranch.runtime.graph import Graph, NodeKind, load_graph


def graph_of(text: str) -> Graph:
    """The graph of a program for one device."""
    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    return load_graph(graph_op, module)


def only_loop(text: str) -> FusedKernel:
    """The only loop of a program."""
    nodes = fuse_frames(graph_of(text)).nodes
    (kernel,) = [node.kernel for node in nodes if node.kind is NodeKind.FUSED]
    assert isinstance(kernel, FusedKernel)
    return kernel
