"""Loops of the token machine: frames, iterations, constant enters, under every driver (`run`)."""

from __future__ import annotations

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.graph import NodeKind
from anabranch.runtime.propagator import Propagator
from anabranch.runtime.reports import RunError

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


# Loops.


@pytest.mark.parametrize("window", [1, 2, 32])
@pytest.mark.parametrize(("start", "stop"), [(0, 10), (0, 1), (0, 0), (5, 3), (0, -1)])
def test_a_counted_loop(make, run, window, start, stop):
    a, b = make.feed(), make.feed()
    make.fetch(*make.counted("f", a, b, window=window))
    assert run(make.graph(), [i32(start), i32(stop)]) == [max(start, stop)]


def test_the_argument_overrides_every_window(make, run):
    a, b = make.feed(), make.feed()
    make.fetch(*make.counted("f", a, b, window=1))
    for window in (1, 2, 10, 4000):
        assert run(make.graph(), [i32(0), i32(7)], parallel_iterations=window) == [7]


def test_a_window_below_one_is_refused(make, run):
    make.fetch(make.feed())
    with pytest.raises(ValueError, match="expected parallel_iterations of at least 1, got 0"):
        run(make.graph(), [i32(0)], parallel_iterations=0)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
@pytest.mark.parametrize("windows", [(1, 1), (2, 1), (1, 2), (32, 32)])
def test_nested_frames_whose_inner_bound_is_the_outer_counter(make, run, n, windows):
    assert run(make.nest(*windows), [i32(n)]) == [n, n * (n - 1) // 2]


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("window", [1, 32])
def test_a_while_in_an_untaken_branch_delivers_its_dead_exit(make, run, taken, window):
    n, p = make.feed(), make.feed()
    n_false, n_true = make.switch(n, p)
    start = make.switch(make.i32(0), p)[1]
    step = make.switch(make.i32(1), p)[1]
    (out,) = make.counted("f", start, n_true, step=step, window=window)
    make.fetch(make.merge(make.op(np.negative, n_false), out))
    assert run(make.graph(), [i32(6), np.bool_(taken)]) == [6 if taken else -6]


@pytest.mark.parametrize("window", [1, 2, 32])
def test_branches_in_a_loop(make, run, window):
    n = make.feed()

    def body(make, frame, i, total):
        one = make.enter(make.i32(1), frame, constant=True)
        odd = make.op(lambda a, b: np.equal(np.bitwise_and(a, b), b), i, one)
        false, true = make.switch(total, odd)
        i_false, i_true = make.switch(i, odd)
        up = make.op(np.add, true, i_true)
        down = make.op(np.subtract, false, i_false)
        return [make.merge(down, up)]

    make.fetch(*make.counted("f", make.i32(0), n, [make.i32(0)], body, window=window))
    expected = sum(i if i % 2 else -i for i in range(11))
    assert run(make.graph(), [i32(11)]) == [11, expected]


def test_a_carry_yielded_from_a_gated_constant(make, run):
    # while i < n {(i + 1, c)}: the constant passes a switch, or the loop would never end.
    n = make.feed()

    def body(make, frame, i, c):
        five = make.enter(make.i32(5), frame, constant=True)
        return [make.switch(five, (make.frames[frame].loop_cond, 0))[1]]

    make.fetch(*make.counted("f", make.i32(0), n, [make.i32(0)], body))
    graph = make.graph()
    assert run(graph, [i32(4)]) == [4, 5]
    assert run(graph, [i32(0)]) == [0, 0]


def test_a_loop_that_carries_only_a_token(make, run):
    # The condition reads state from outside: here a kernel that counts down.
    left = [3]

    def more(token):
        left[0] -= 1
        return np.bool_(left[0] >= 0)

    frame = make.frame("f", 0)
    merge = make.merge(make.enter(make.token(), frame))
    predicate = make.loop_cond(make.op(more, merge))
    false, true = make.switch(merge, predicate)
    make.back(true, merge)
    done = make.exit(false)
    make.fetch(make.op(lambda token: i32(7), done))
    assert run(make.graph(), []) == [7]
    assert left == [-1]


def test_trip_bound(make, run):
    n = make.feed()
    make.fetch(*make.counted("f", make.i32(0), n, bound=3))
    graph = make.graph()
    assert run(graph, [i32(3)]) == [3]
    with pytest.raises(RunError) as caught:
        run(graph, [i32(4)])
    assert caught.value.tag == (("f", 3),)
    assert "expected at most 3 trips (trip_bound)" in caught.value.message
    assert 'iteration 3 of "f"' in caught.value.message


def test_merge_index_in_a_loop(make, run):
    n = make.feed()
    seen = []

    def body(make, frame, i):
        merge = make.nodes[make.nodes[i[0]].inputs[0][0]]
        make.op(lambda index: seen.append(int(index)), (merge.id, 1))
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    run(make.graph(), [i32(3)])
    assert sorted(seen) == [0, 1, 1, 1]


def test_two_live_inputs_of_a_merge_in_a_loop_name_the_iteration(make, run):
    n = make.feed()

    def body(make, frame, i):
        two = make.enter(make.i32(2), frame, constant=True)
        at_two = make.op(np.equal, i, two)
        always = make.op(np.negative, i)
        make.merge(always, make.switch(i, at_two)[1])
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    graph = make.graph()
    assert run(graph, [i32(2)]) == [2]
    with pytest.raises(RunError, match='in iteration 2 of "f": expected one live input, got two'):
        run(graph, [i32(5)])


def test_a_loop_merge_with_two_enters_has_two_live_inputs(make, run):
    frame = make.frame("f", 0)
    x = make.feed()
    merge = make.merge(make.enter(x, frame), make.enter(make.op(np.negative, x), frame))
    predicate = make.loop_cond(make.op(lambda v: np.bool_(v < 0), merge))
    false, true = make.switch(merge, predicate)
    make.back(make.op(np.negative, true), merge)
    make.fetch(make.exit(false))
    with pytest.raises(RunError, match='iteration 0 of "f": expected one live input, got two'):
        run(make.graph(), [i32(1)])


def test_a_loop_merge_of_two_enters_of_which_one_is_live(make, run):
    x, p = make.feed(), make.feed()
    frame = make.frame("f", 0)
    a, b = make.switch(x, p)
    merge = make.merge(make.enter(a, frame), make.enter(b, frame))
    stop = make.enter(make.i32(5), frame, constant=True)
    one = make.enter(make.i32(1), frame, constant=True)
    predicate = make.loop_cond(make.op(np.less, merge, stop))
    false, true = make.switch(merge, predicate)
    make.back(make.op(np.add, true, one), merge)
    make.fetch(make.exit(false))
    graph = make.graph()
    assert graph.nodes[merge[0]].kind == NodeKind.MERGE
    assert run(graph, [i32(1), TRUE]) == [5]
    assert run(graph, [i32(1), FALSE], parallel_iterations=1) == [5]


def test_a_carry_that_is_dead_in_some_iteration_is_dead_in_the_next(make, run):
    # The second carry dies on the way back from iteration 1; the loop goes on without it.
    n = make.feed()

    def body(make, frame, i, x):
        one = make.enter(make.i32(1), frame, constant=True)
        return [make.switch(x, make.op(np.equal, i, one))[0]]

    outs = make.counted("f", make.i32(0), n, [make.i32(7)], body)
    make.fetch(outs[0], make.merge(outs[1], make.switch(n, make.op(np.greater, n, outs[0]))[0]))
    graph = make.graph()
    for window in (1, 2, 32):
        assert run(graph, [i32(3)], parallel_iterations=window) == [3, 3]


# Constant enters.


def test_a_constant_enter_reaches_every_iteration_without_a_copy(make, run):
    n, x = make.feed(), make.feed()
    seen = []

    def body(make, frame, i):
        constant = make.enter(x, frame, constant=True)
        make.op(lambda value, i: seen.append(value), constant, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    array = np.arange(3)
    run(make.graph(), [i32(5), array])
    assert len(seen) == 5 and all(value is array for value in seen)


def test_a_constant_enter_that_comes_late_reaches_live_and_later_iterations(make):
    n, x = make.feed(), make.feed()
    late = make.op(np.negative, x)
    seen = []

    def body(make, frame, i):
        constant = make.enter(late, frame, constant=True)
        make.op(lambda value, i: seen.append((int(i), int(value))), constant, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body, window=4))
    core = Propagator(make.graph(), [i32(9), i32(3)])
    held = None
    pool = []
    while True:
        pool += core.pop_all()
        ready = [entry for entry in pool if core.step_of(*entry).node.name != "negative"]
        if not ready:
            if held is not None:
                break
            # All that can happen without it has happened: four iterations are live.
            (held,) = pool
            assert core.root.children[1].live == 4
            ready = [held]
        pool.remove(ready[0])
        core.fire(*ready[0])
    core.check_progress()
    assert sorted(seen) == [(i, -3) for i in range(9)]


def test_iteration_0_waits_for_every_enter(make):
    # Nothing needs the last constant, and the loop runs no trip; still its frame stays until it came.
    n, x = make.feed(), make.feed()
    late = make.op(np.negative, x)

    def body(make, frame, i):
        make.enter(late, frame, constant=True)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    core = Propagator(make.graph(), [i32(0), i32(3)])
    pool = []
    while True:
        pool += core.pop_all()
        ready = [entry for entry in pool if core.step_of(*entry).node.name != "negative"]
        if not ready:
            break
        pool.remove(ready[0])
        core.fire(*ready[0])
    assert core.results == [0] and not core.finished
    assert core.root.children[1].oldest.number == 0
    core.fire(*pool.pop())
    while core.run(10):
        pass
    assert core.finished and not core.root.children


def test_a_node_fed_by_constants_only_fires_in_every_iteration(make, run):
    n = make.feed()
    count = []

    def body(make, frame, i):
        constant = make.enter(make.i32(5), frame, constant=True)
        doubled = make.op(lambda value: count.append(0) or np.add(value, value), constant)
        gated = make.switch(doubled, (make.frames[frame].loop_cond, 0))[1]
        make.op(np.add, gated, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    assert run(make.graph(), [i32(4)]) == [4]
    assert len(count) == 5  # the last iteration, whose body is dead, included


def test_a_constant_enter_into_a_merge_is_refused(make, run):
    frame = make.frame("f", 0)
    x = make.feed()
    merge = make.merge(make.enter(x, frame, constant=True), make.enter(x, frame))
    make.fetch(make.exit(merge))
    with pytest.raises(ProgramError, match="expected a dfg.merge to take no constant dfg.enter"):
        run(make.graph(), [i32(1)])
