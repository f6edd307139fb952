"""The local engine: deadlines, progress, interrupts, fused nodes, channels in one graph."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.engine import local
from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.frames import DEAD
from anabranch.runtime.graph import NodeKind
from anabranch.runtime.reports import DeadlineError, KernelError, RunError
from anabranch.runtime.stats import Stats
from anabranch.runtime.trace import Trace

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


def endless(make, name="f"):
    n = make.feed()
    make.fetch(*make.counted(name, make.i32(0), n, condition=lambda i, n: TRUE))
    return make.graph()


# Deadlines, progress, interrupts.


def test_a_deadline_ends_an_endless_loop_and_names_it(make, run):
    with pytest.raises(DeadlineError, match=r'deadline of 0.1 s passed: loop "f" is at iteration'):
        run(endless(make), [i32(1)], deadline=0.1)


def test_a_deadline_names_the_loop_in_its_outer_iteration(make, run):
    n = make.feed()

    def body(make, frame, i):
        one = make.enter(make.i32(1), frame, constant=True)
        make.counted("inner", i, one, step=one, condition=lambda i, n: TRUE)
        return []

    make.fetch(*make.counted("outer", make.i32(0), n, body=body, window=1))
    pattern = r'loop "inner" is at iteration \d+ in iteration 0 of "outer"'
    with pytest.raises(DeadlineError, match=pattern):
        run(make.graph(), [i32(2)], deadline=0.1)


def test_a_run_within_its_deadline(make, run):
    n = make.feed()
    make.fetch(*make.counted("f", make.i32(0), n))
    assert run(make.graph(), [i32(10)], deadline=60) == [10]


def test_slow_kernels_do_not_outrun_the_deadline_by_much(make):
    n = make.feed()

    def body(make, frame, i):
        make.op(lambda i: time.sleep(0.01), i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    begin = time.monotonic()
    with pytest.raises(DeadlineError):
        run_graph(make.graph(), [i32(10_000)], deadline=0.2)
    assert time.monotonic() - begin < 5


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


def test_progress_is_told_now_and_then(make, monkeypatch):
    monkeypatch.setattr(local, "PROGRESS", 0.01)
    told = []
    with pytest.raises(DeadlineError):
        run_graph(
            endless(make),
            [i32(1)],
            deadline=0.2,
            progress=lambda fired, where: told.append((fired, where)),
        )
    assert len(told) >= 2 and told[0][0] < told[-1][0]
    assert told[-1][1].startswith('loop "f" is at iteration ')


def test_an_interrupt_says_where_the_run_was(make):
    n = make.feed()

    def body(make, frame, i):
        def interrupted(i):
            if i == 3:
                raise KeyboardInterrupt
            return i

        make.op(interrupted, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body, window=1))
    with pytest.raises(KeyboardInterrupt) as caught:
        run_graph(make.graph(), [i32(10)])
    assert caught.value.__notes__ == ['interrupted: loop "f" is at iteration 3']


def test_the_number_of_feeds_is_checked(make):
    make.fetch(make.feed())
    with pytest.raises(ValueError, match="expected 1 feeds, got 2"):
        run_graph(make.graph(), [i32(1), i32(2)])


def test_floating_point_warnings_are_silent(make, run):
    x = make.feed()
    make.fetch(make.op(np.log, x))
    with np.errstate(all="raise"):
        (value,) = run(make.graph(), [np.float32(-1)])
    assert np.isnan(value)


def test_unused_feeds_and_unused_results(make, run):
    make.feed()
    x = make.feed()
    make.op(np.negative, x)
    (a, b) = [(make.op(lambda v: (v, np.negative(v)), x, results=2)[0], k) for k in (0, 1)]
    assert a != b
    make.fetch(b, x, x)
    assert run(make.graph(), [i32(1), i32(2)]) == [-2, 2, 2]


def test_ops_with_no_and_with_many_inputs_and_results(make, run):
    x = make.feed()
    two = make.op(lambda: i32(2), results=1)
    total = make.op(lambda *values: i32(sum(values)), x, x, two, x)
    make.op(lambda v: (), total, results=0)
    parts = make.op(lambda v: (v, np.negative(v), np.add(v, v)), total, results=3)
    make.fetch(*((parts[0], k) for k in range(3)))
    assert run(make.graph(), [i32(1)]) == [5, -5, 10]


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


# Channels inside one graph.


def test_a_send_meets_its_receive(make, run):
    x = make.feed()
    make.send(make.op(np.negative, x), 4)
    make.fetch(make.recv(4))
    assert run(make.graph(), [i32(3)]) == [-3]


def test_messages_of_different_iterations_do_not_mix(make, run):
    n = make.feed()

    def body(make, frame, i, total):
        make.send(make.op(np.square, i), 1)
        received = make.recv(1, i)
        return [make.op(np.add, make.op(lambda a, b: a * 100 + b, total, received), received)]

    outs = make.counted("f", make.i32(0), n, [make.i32(0)], body)
    make.fetch(outs[1])
    expected = 0
    for i in range(4):
        expected = expected * 100 + i * i + i * i
    assert run(make.graph(), [i32(4)]) == [expected]


def test_a_dead_send_sends_nothing_and_a_dead_receive_awaits_nothing(make, run):
    class Watched:
        def __init__(self):
            self.calls = []

        def send(self, key, value):
            self.calls.append(("send", key, value))

        def recv(self, key, callback):
            self.calls.append(("recv", key))
            callback(i32(9))

    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    make.send(false, 1)
    make.send(true, 2)
    make.fetch(make.merge(make.recv(3, false), make.recv(4, true)))
    channels = Watched()
    assert run(make.graph(), [i32(5), TRUE], channels=channels) == [9]
    assert sorted(channels.calls) == [("recv", (4, ())), ("send", (2, ()), 5)]


def test_ship_dead_ships_the_bit(make, run):
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    make.send(false, 1, ship_dead=True)
    make.send(true, 2, ship_dead=True)
    received = make.merge(
        make.recv(1, false, ship_dead=True), make.op(np.negative, make.recv(2, ship_dead=True))
    )
    make.fetch(received)
    graph = make.graph()
    assert run(graph, [i32(5), TRUE]) == [-5]
    assert run(graph, [i32(5), FALSE]) == [5]


def test_a_shipped_dead_token_is_seen_by_the_channels(make):
    sent = []

    class Watched:
        def send(self, key, value):
            sent.append(value)

        def recv(self, key, callback):
            raise NotImplementedError

    x, p = make.feed(), make.feed()
    make.send(make.switch(x, p)[0], 1, ship_dead=True)
    make.fetch(x)
    run_graph(make.graph(), [i32(1), TRUE], channels=Watched())
    assert sent == [DEAD] and repr(DEAD) == "DEAD"


def test_an_unanswered_receive_is_reported(make, run):
    make.fetch(make.recv(7))
    with pytest.raises(ProgramError, match="dfg.recv lacks a message of channel 7"):
        run(make.graph(), [])


# Watching.


def test_watching_changes_no_result(make):
    n = make.feed()
    make.fetch(*make.counted("f", make.i32(0), n))
    graph = make.graph()
    for stats, trace in itertools.product((None, Stats()), (None, Trace())):
        for order in (None, lambda ready: 0):
            assert run_graph(graph, [i32(5)], stats=stats, trace=trace, order=order) == [5]


def test_a_message_key_holds_the_whole_frame_path(make, run):
    keys = []

    class Watched:
        def send(self, key, value):
            keys.append(key)

        def recv(self, key, callback):
            raise NotImplementedError

    n = make.feed()

    def body(make, frame, i):
        one = make.enter(make.i32(1), frame, constant=True)

        def inner(make, frame, j):
            make.send(j, 3)
            return []

        make.counted(
            "inner",
            make.op(np.multiply, i, make.enter(make.i32(0), frame, constant=True)),
            i,
            body=inner,
            step=one,
        )
        return []

    make.fetch(*make.counted("outer", make.i32(0), n, body=body))
    run(make.graph(), [i32(3)], channels=Watched())
    assert sorted(keys) == [
        (3, (("outer", 1), ("inner", 0))),
        (3, (("outer", 2), ("inner", 0))),
        (3, (("outer", 2), ("inner", 1))),
    ]
