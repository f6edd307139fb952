"""A builder of small graphs, so that the token machine is tested without IR."""

from __future__ import annotations

import gc
import os
import random
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.graph import FrameInfo, Graph, Node, NodeKind
from anabranch.runtime.stats import Stats
from anabranch.runtime.values import TOKEN

Ref = tuple[int, int]


class GraphMaker:
    """Adds nodes one by one; a ref is (node id, output). Frames follow from the inputs."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.frames = [FrameInfo(0, "", -1, ())]
        self.frame_of: dict[int, int] = {}
        self.feeds: list[int] = []
        self.fetches: list[int] = []

    def add(self, kind: NodeKind, name: str, *inputs: Ref, **fields: Any) -> Ref:
        frame = self.frame_of[inputs[0][0]] if inputs else 0
        node = Node(len(self.nodes), kind, name, frame, list(inputs), **fields)
        self.nodes.append(node)
        out = frame
        if kind in (NodeKind.ENTER, NodeKind.CONST_ENTER):
            out = node.child
        elif kind == NodeKind.EXIT:
            out = self.frames[frame].parent
        self.frame_of[node.id] = out
        return (node.id, 0)

    def feed(self) -> Ref:
        ref = self.add(NodeKind.FEED, "feed", value=len(self.feeds))
        self.feeds.append(ref[0])
        return ref

    def const(self, value: Any) -> Ref:
        return self.add(NodeKind.CONST, "constant", value=value)

    def i32(self, value: int) -> Ref:
        return self.const(np.int32(value))

    def token(self) -> Ref:
        return self.add(NodeKind.TOKEN, "dfg.token", value=TOKEN)

    def op(self, kernel: Callable[..., Any], *inputs: Ref, results: int = 1, name: str = "") -> Ref:
        return self.add(
            NodeKind.OP,
            name or getattr(kernel, "__name__", "op"),
            *inputs,
            kernel=kernel,
            result_types=("?",) * results,
        )

    def switch(self, data: Ref, predicate: Ref) -> tuple[Ref, Ref]:
        """(false side, true side)"""
        id, _ = self.add(NodeKind.SWITCH, "dfg.switch", data, predicate)
        return (id, 0), (id, 1)

    def merge(self, *inputs: Ref) -> Ref:
        return self.add(NodeKind.MERGE, "dfg.merge", *inputs)

    def frame(self, name: str, parent: int, window: int = 32, bound: int | None = None) -> int:
        path = (*self.frames[parent].path, name)
        info = FrameInfo(len(self.frames), name, parent, path, window, bound)
        self.frames.append(info)
        return info.index

    def enter(self, value: Ref, frame: int, *, constant: bool = False) -> Ref:
        kind = NodeKind.CONST_ENTER if constant else NodeKind.ENTER
        return self.add(kind, "dfg.enter", value, child=frame)

    def loop_cond(self, predicate: Ref) -> Ref:
        ref = self.add(NodeKind.LOOP_COND, "dfg.loop_cond", predicate)
        self.frames[self.frame_of[ref[0]]].loop_cond = ref[0]
        return ref

    def exit(self, value: Ref) -> Ref:
        return self.add(NodeKind.EXIT, "dfg.exit", value)

    def back(self, value: Ref, merge: Ref) -> Ref:
        """A next_iteration into a merge."""
        ref = self.add(NodeKind.NEXT_ITERATION, "dfg.next_iteration", value)
        self.nodes[merge[0]].inputs.append(ref)
        return ref

    def probe(self, label: str, *values: Ref) -> Ref:
        """Values, then the token."""
        return self.add(NodeKind.PROBE, "dfg.probe", *values, label=label)

    def send(self, value: Ref, channel: int, *, ship_dead: bool = False) -> Ref:
        return self.add(NodeKind.SEND, "dfg.send", value, channel=channel, ship_dead=ship_dead)

    def recv(self, channel: int, *after: Ref, ship_dead: bool = False) -> Ref:
        return self.add(NodeKind.RECV, "dfg.recv", *after, channel=channel, ship_dead=ship_dead)

    def fetch(self, *values: Ref) -> None:
        for value in values:
            ref = self.add(NodeKind.FETCH, "dfg.fetch", value, value=len(self.fetches))
            self.fetches.append(ref[0])

    def graph(self) -> Graph:
        return Graph(self.nodes, self.frames, self.feeds, self.fetches).connect()

    # Shapes of loops that many tests use.

    def counted(
        self,
        name: str,
        start: Ref,
        stop: Ref,
        carries: Sequence[Ref] = (),
        body: Callable[..., Sequence[Ref]] | None = None,
        *,
        step: Ref | None = None,
        window: int = 32,
        bound: int | None = None,
        condition: Callable[..., Any] = np.less,
    ) -> list[Ref]:
        """`while i < stop {i + 1, body(i, *carries)}`; the exits of i and of the carries."""
        parent = self.frame_of[start[0]]
        frame = self.frame(name, parent, window, bound)
        stop_in = self.enter(stop, frame, constant=True)
        step_in = self.enter(self.i32(1) if step is None else step, frame, constant=True)
        merges = [self.merge(self.enter(value, frame)) for value in (start, *carries)]
        predicate = self.loop_cond(self.op(condition, merges[0], stop_in))
        sides = [self.switch(merge, predicate) for merge in merges]
        trues = [true for _, true in sides]
        next_i = self.op(np.add, trues[0], step_in)
        values = list(body(self, frame, *trues)) if body is not None else trues[1:]
        for value, merge in zip([next_i, *values], merges):
            self.back(value, merge)
        return [self.exit(false) for false, _ in sides]

    def nest(self, window: int = 32, inner_window: int = 32) -> Graph:
        """`for i < n: for j < i: total += 1`; fetches n and the total."""
        make = self
        n = make.feed()

        def outer_body(make, frame, i, total):
            zero = make.enter(make.i32(0), frame, constant=True)
            one = make.enter(make.i32(1), frame, constant=True)
            gate = make.op(np.multiply, i, zero)

            def inner_body(make, frame, j, total):
                step = make.enter(one, frame, constant=True)
                return [make.op(np.add, total, step)]

            _, total = make.counted(
                "inner", gate, i, [total], inner_body, step=one, window=inner_window
            )
            return [total]

        outs = make.counted("outer", make.i32(0), n, [make.i32(0)], outer_body, window=window)
        make.fetch(*outs)
        return make.graph()


def _fast(graph: Graph, feeds: Sequence[Any], **options: Any) -> list[Any]:
    return run_graph(graph, feeds, **options)


def _watched(graph: Graph, feeds: Sequence[Any], **options: Any) -> list[Any]:
    stats = Stats()
    results = run_graph(graph, feeds, stats=stats, **options)
    assert all(not frame.bytes and not frame.held for frame in stats.frames.values())
    return results


def _random(seed: int) -> Callable[..., list[Any]]:
    def run(graph: Graph, feeds: Sequence[Any], **options: Any) -> list[Any]:
        rng = random.Random(seed)
        return run_graph(graph, feeds, order=lambda ready: rng.randrange(len(ready)), **options)

    return run


DRIVERS: dict[str, Callable[..., list[Any]]] = {
    "fast": _fast,
    "watched": _watched,
    "fifo": lambda graph, feeds, **options: run_graph(
        graph, feeds, order=lambda ready: 0, **options
    ),
    "lifo": lambda graph, feeds, **options: run_graph(
        graph, feeds, order=lambda ready: len(ready) - 1, **options
    ),
    "random1": _random(1),
    "random2": _random(2),
}


@pytest.fixture(params=list(DRIVERS))
def run(request: pytest.FixtureRequest) -> Callable[..., list[Any]]:
    """Every way to drive the machine."""
    return DRIVERS[request.param]


@pytest.fixture
def make() -> GraphMaker:
    return GraphMaker()


@pytest.fixture
def maker() -> type[GraphMaker]:
    """For tests that make many graphs."""
    return GraphMaker


@pytest.fixture
def interrupted_soon():
    """A moment from now, Ctrl-C is pressed; also where a process in the background ignores it, and
    not in a callback of the garbage collector, which would lose it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    yield
    timer.join()
    gc.enable()
    signal.signal(signal.SIGINT, before)
