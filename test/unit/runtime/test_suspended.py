"""Fused nodes: generators that the engine runs on by turns."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.graph import NodeKind
from anabranch.runtime.reports import DeadlineError, KernelError, RunError

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


# Fused nodes.


def fused(make, function, *inputs, results=1, label="f"):
    ref = make.add(
        NodeKind.FUSED,
        "dfg.loop_cond",
        *inputs,
        kernel=function,
        result_types=("?",) * results,
        label=label,
    )
    return [(ref[0], number) for number in range(results)]


def count_to(n):
    i = 0
    while i < n:
        yield i
        i += 1
    return (n, np.negative(n))


def test_a_fused_node_gives_what_its_generator_returns(make, run):
    x = make.feed()
    a, b = fused(make, count_to, x, results=2)
    (c, _) = fused(make, count_to, a, results=2)
    make.fetch(a, b, c)
    assert run(make.graph(), [i32(100)]) == [100, -100, 100]


def test_a_fused_node_with_one_result(make, run):
    x = make.feed()

    def one(x):
        yield
        return (np.add(x, x),)

    make.fetch(*fused(make, one, x))
    assert run(make.graph(), [i32(4)]) == [8]


def test_a_fused_node_that_never_yields(make, run):
    x = make.feed()

    def at_once(x):
        if x < 0:
            yield
        return (x,)

    make.fetch(*fused(make, at_once, x))
    assert run(make.graph(), [i32(4)]) == [4]


def test_a_fused_node_with_a_dead_input_is_dead(make, run):
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    a, b = fused(make, count_to, true, x, results=2)
    make.fetch(make.merge(a, make.op(np.square, false)), make.merge(b, false))
    assert run(make.graph(), [i32(3), FALSE]) == [9, 3]


def test_suspended_fused_nodes_take_turns(make):
    turns = []

    def loop(name):
        def run(x):
            for _ in range(3):
                turns.append(name)
                yield
            return (x,)

        return run

    x = make.feed()
    make.fetch(*fused(make, loop("a"), x), *fused(make, loop("b"), x))
    run_graph(make.graph(), [i32(1)])
    assert sorted(turns[:2]) == sorted(turns[2:4]) == ["a", "b"]


def test_a_deadline_in_a_fused_node(make, run):
    def endless(x):
        i = 0
        while True:
            yield i
            i += 1

    x = make.feed()
    make.fetch(*fused(make, endless, x, label="newton"))
    with pytest.raises(DeadlineError, match=r'loop "newton" is at iteration \d\d+'):
        run(make.graph(), [i32(1)], deadline=0.05)


def test_an_error_in_a_fused_node_is_placed_in_the_whole_graph(make, run):
    n = make.feed()

    def body(make, frame, i):
        def fails(i):
            yield
            if i == 2:
                raise KernelError("bad", make.nodes[0], ["inner"], [7])
            return (i,)

        fused(make, fails, i)
        return []

    make.fetch(*make.counted("outer", make.i32(0), n, body=body))
    with pytest.raises(KernelError) as caught:
        run(make.graph(), [i32(5)])
    assert caught.value.tag == (("outer", 2), ("inner", 7))
    assert caught.value.message == (
        'feed on cpu:0 in iteration 7 of "inner" in iteration 2 of "outer": bad'
    )


def test_a_fused_node_is_told_how_many_trips_to_run_on_for(make):
    told = []

    def listens(x):
        for _ in range(5):
            told.append((yield))
        return (x,)

    x = make.feed()
    make.fetch(*fused(make, listens, x))
    run_graph(make.graph(), [i32(1)])
    assert told[0] >= 1 and told == sorted(told) and told[-1] > told[0]


def test_generators_are_closed_when_a_run_fails(make):
    closed = []

    def endless(x):
        try:
            while True:
                yield
        finally:
            closed.append(True)

    def fail(x):
        raise ValueError("no")

    x = make.feed()
    make.fetch(*fused(make, endless, x), make.op(fail, fused(make, count_to, x, results=2)[0]))
    with pytest.raises(RunError):
        run_graph(make.graph(), [i32(3)])
    assert closed == [True]


def test_slow_trips_of_a_fused_node_do_not_outrun_the_deadline_by_much(make):
    def slow(x):
        trips = 1
        for i in itertools.count():
            for _ in range(trips):
                # Quick trips first.
                time.sleep(0.02 if i > 20 else 0)
            trips = yield i

    x = make.feed()
    make.fetch(*fused(make, slow, x))
    begin = time.monotonic()
    with pytest.raises(DeadlineError):
        run_graph(make.graph(), [i32(1)], deadline=0.3)
    assert time.monotonic() - begin < 30
