"""When the token machine fires what, and how long values, iterations and frames live."""

from __future__ import annotations

import gc
import weakref

import numpy as np

from anabranch.runtime.graph import NodeKind
from anabranch.runtime.propagator import Propagator

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


# Values and time.


class Value:
    """Something that a weak reference can watch."""


def test_values_are_released_when_their_last_consumer_has_fired(make):
    watched = []

    def new(*_):
        value = Value()
        watched.append(weakref.ref(value))
        return value

    alive = []

    def look(*_):
        alive.append(sum(ref() is not None for ref in watched))
        return i32(0)

    n = make.feed()

    def body(make, frame, i, x):
        fresh = make.op(new, x, i)
        return [fresh]

    outs = make.counted("f", make.i32(0), n, [make.op(new, n)], body, window=1)
    make.fetch(make.op(look, *outs))
    gc.disable()
    try:
        core = Propagator(make.graph(), [i32(50)])
        while core.run(1):
            # Reference counting alone keeps what is alive to two trips' values.
            assert sum(ref() is not None for ref in watched) <= 2
        core.check_progress()
    finally:
        gc.enable()
    # The kernel that looked still held the last one as its argument.
    assert len(watched) == 51 and alive == [1]
    assert not any(ref() for ref in watched)


def test_finished_iterations_and_frames_are_freed(make):
    core = Propagator(make.nest(), [i32(6)])
    instances = 0
    while core.run(1):
        outer = (core.root.children or {}).get(1)
        at = outer.oldest if outer else None
        live = 0
        while at is not None:
            live += 1
            instances = max(instances, len(at.children or ()))
            at = at.next
        assert outer is None or live == outer.live
    assert instances == 1
    assert core.finished and not core.root.children and not core.heap


def test_a_fast_part_runs_ahead_of_a_slow_one_up_to_the_window(make):
    n = make.feed()
    done = []

    def body(make, frame, i):
        make.op(lambda i: done.append(int(i)), i, name="slow")
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body, window=5))
    core = Propagator(make.graph(), [i32(20)])
    pool = []

    def run_but_slow():
        while True:
            pool.extend(core.pop_all())
            entry = next((e for e in pool if core.step_of(*e).node.name != "slow"), None)
            if entry is None:
                return
            pool.remove(entry)
            core.fire(*entry)

    run_but_slow()
    # Five iterations are live, none of which ran its slow node; the window holds back the rest.
    numbers = sorted(iteration.number for iteration, entry in pool if entry > 0)
    assert numbers == [0, 1, 2, 3, 4] and done == []
    # Iterations retire in order: finishing iteration 1 alone frees nothing.
    second = next(e for e in pool if e[0].number == 1)
    pool.remove(second)
    core.fire(*second)
    run_but_slow()
    assert core.root.children[1].live == 5 and core.root.children[1].oldest.number == 0
    first = next(e for e in pool if e[0].number == 0)
    pool.remove(first)
    core.fire(*first)
    run_but_slow()
    assert core.root.children[1].oldest.number == 2
    assert sorted(iteration.number for iteration, entry in pool if entry > 0) == [2, 3, 4, 5, 6]
    while pool:
        core.fire(*pool.pop())
        run_but_slow()
    core.check_progress()
    assert sorted(done) == list(range(20)) and core.results == [20]


def test_the_oldest_iteration_goes_first(make):
    n = make.feed()
    seen = []

    def body(make, frame, i):
        for _ in range(3):
            i = make.op(np.positive, i)
        make.op(lambda i: seen.append(int(i)), i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    core = Propagator(make.graph(), [i32(8)])
    while core.run(1000):
        pass
    assert seen == list(range(8))


def test_kernels_may_complete_later_and_in_any_order(make):
    n = make.feed()

    def body(make, frame, i, total):
        return [make.op(np.add, total, make.op(np.square, i))]

    make.fetch(*make.counted("f", make.i32(0), n, [make.i32(0)], body))
    core = Propagator(make.graph(), [i32(6)])
    under_way = []
    while not core.finished:
        for iteration, entry in core.pop_all():
            step = core.step_of(iteration, entry)
            if entry > 0 and step.kind == NodeKind.OP:
                under_way.append((iteration, step, core.begin(iteration, step)))
            else:
                core.fire(iteration, entry)
        if not core.heap and under_way:
            iteration, step, inputs = under_way.pop()
            core.complete(iteration, step, step.node.kernel(*inputs))
    assert core.results == [6, sum(i * i for i in range(6))]
