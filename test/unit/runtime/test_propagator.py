"""The token machine's rules, one by one, under every driver (`run`)."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.graph import NodeKind
from anabranch.runtime.propagator import Propagator
from anabranch.runtime.reports import KernelError, RunError

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


# Branches.


@pytest.mark.parametrize("predicate", [True, False])
def test_switch_and_merge_give_the_live_side_and_its_index(make, run, predicate):
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    merged = make.merge(make.op(np.negative, false), make.op(np.square, true))
    make.fetch(merged, (merged[0], 1))
    value, index = run(make.graph(), [i32(5), np.bool_(predicate)])
    assert value == (25 if predicate else -5)
    assert index == int(predicate) and index.dtype == np.int32


def test_dead_kernels_do_not_run(make, run):
    ran = []
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    bad = make.op(lambda v: ran.append(v), make.op(np.negative, false))
    good = make.op(np.square, true)
    make.fetch(make.merge(bad, good))
    assert run(make.graph(), [i32(3), TRUE]) == [9]
    assert ran == []


def test_a_node_with_one_dead_and_one_live_input_is_dead(make, run):
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    mixed = make.op(np.add, make.op(np.negative, x), false)
    make.fetch(make.merge(mixed, true))
    assert run(make.graph(), [i32(3), TRUE]) == [3]


def test_a_branch_that_passes_its_operand_on(make, run):
    x, y, p = make.feed(), make.feed(), make.feed()
    merged = make.merge(make.switch(x, p)[0], make.switch(y, p)[1])
    make.fetch(merged)
    graph = make.graph()
    assert run(graph, [i32(1), i32(2), TRUE]) == [2]
    assert run(graph, [i32(1), i32(2), FALSE]) == [1]


def test_a_switch_into_both_sides_of_one_merge(make, run):
    x, p = make.feed(), make.feed()
    make.fetch(make.merge(*make.switch(x, p)))
    graph = make.graph()
    assert run(graph, [i32(7), TRUE]) == [7]
    assert run(graph, [i32(7), FALSE]) == [7]


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_merge_of_three(make, run, index):
    x, which = make.feed(), make.feed()
    rest, first = make.switch(x, make.op(np.equal, which, make.i32(0)))
    rest_which = make.switch(which, make.op(np.equal, which, make.i32(0)))[0]
    third, second = make.switch(rest, make.op(np.equal, rest_which, make.i32(1)))
    merged = make.merge(first, make.op(np.negative, second), make.op(np.square, third))
    make.fetch(merged, (merged[0], 1))
    value, number = run(make.graph(), [i32(3), i32(index)])
    assert (value, number) == ([3, -3, 9][index], index)


def test_nested_branches_in_an_untaken_branch(make, run):
    x, p, q = make.feed(), make.feed(), make.feed()
    outer_false, outer_true = make.switch(x, p)
    q_true = make.switch(q, p)[1]
    inner = make.merge(*make.switch(outer_true, q_true))
    make.fetch(make.merge(outer_false, make.op(np.negative, inner)))
    graph = make.graph()
    for p_value in (TRUE, FALSE):
        for q_value in (TRUE, FALSE):
            assert run(graph, [i32(4), p_value, q_value]) == [-4 if p_value else 4]


def test_two_live_inputs_of_a_merge_are_an_error_whenever_the_second_comes(make, run):
    x = make.feed()
    slow = x
    for _ in range(5):
        slow = make.op(np.negative, slow)
    make.fetch(make.merge(x, slow))
    graph = make.graph()
    with pytest.raises(RunError, match="dfg.merge on cpu:0: expected one live input, got two: "):
        run(graph, [i32(1)])


def test_two_live_inputs_are_found_after_the_fetches_are_in(make, run):
    # A run ends when its fetches are in and nothing is outstanding.
    x = make.feed()
    make.fetch(x)
    make.merge(x, make.op(np.negative, make.op(np.negative, x)))
    with pytest.raises(RunError, match="got two: inputs 0 and 1"):
        run(make.graph(), [i32(1)])


# Dead fetches.


def test_a_dead_fetch_names_the_switch_and_the_branch(make, run):
    x, p = make.feed(), make.feed()
    false, _ = make.switch(x, p)
    make.fetch(make.op(np.negative, make.op(np.negative, false)))
    graph = make.graph()
    with pytest.raises(RunError) as caught:
        run(graph, [i32(1), TRUE])
    assert "expected result 0 to be live, got a dead value" in caught.value.message
    assert f"(dfg.switch, node {false[0]}) took its true branch" in caught.value.message
    assert "its false one is dead" in caught.value.message
    assert run(graph, [i32(1), FALSE]) == [1]


def test_a_dead_fetch_through_a_merge_and_a_loop(make, run):
    x, p = make.feed(), make.feed()
    _, true = make.switch(x, p)
    limit = make.switch(make.i32(3), p)[1]
    step = make.switch(make.i32(1), p)[1]
    (out,) = make.counted("f", true, limit, step=step)
    make.fetch(make.merge(make.op(np.negative, out)))
    with pytest.raises(RunError, match=f"node {true[0]}.* took its false branch, .* true one is"):
        run(make.graph(), [i32(0), FALSE])


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


def _nest(make, window=32, inner_window=32):
    """for i < n: for j < i: total += 1"""
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


@pytest.mark.parametrize("n", [0, 1, 2, 9])
@pytest.mark.parametrize("windows", [(1, 1), (2, 1), (1, 2), (32, 32)])
def test_nested_frames_whose_inner_bound_is_the_outer_counter(make, run, n, windows):
    assert run(_nest(make, *windows), [i32(n)]) == [n, n * (n - 1) // 2]


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
    core = Propagator(_nest(make), [i32(6)])
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


# Probes.


@pytest.mark.parametrize("window", [1, 32])
def test_probes_fire_in_the_order_of_their_token(make, run, window):
    n = make.feed()

    def body(make, frame, i, token):
        token = make.probe("a", i, token)
        return [make.probe("b", token)]

    outs = make.counted("f", make.i32(0), n, [make.token()], body, window=window)
    make.fetch(outs[0])
    seen = []
    run(make.graph(), [i32(3)], probe=lambda label, values: seen.append((label, *values)))
    assert seen == [("a", 0), ("b",), ("a", 1), ("b",), ("a", 2), ("b",)]


def test_a_probe_in_an_untaken_branch_says_nothing(make, run):
    p = make.feed()
    false, true = make.switch(make.token(), p)
    joined = make.merge(make.probe("no", false), make.probe("yes", true))
    make.fetch(make.op(lambda token: i32(1), joined))
    seen = []
    run(make.graph(), [TRUE], probe=lambda label, values: seen.append(label))
    assert seen == ["yes"]


# Errors.


def test_a_failing_kernel_names_op_device_and_iteration(make, run):
    n = make.feed()

    def body(make, frame, i):
        def fail(i):
            if i == 3:
                raise IndexError("no such element")
            return i

        make.op(fail, i, name="stablehlo.custom")
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    graph = make.graph()
    with pytest.raises(KernelError) as caught:
        run(graph, [i32(10)])
    assert caught.value.op_name == "stablehlo.custom"
    assert caught.value.tag == (("f", 3),)
    assert caught.value.message == (
        'stablehlo.custom on cpu:0 in iteration 3 of "f": no such element'
    )
    assert isinstance(caught.value.__cause__, IndexError)
    # The graph can be run again: a run keeps its state to itself.
    assert run(graph, [i32(3)]) == [3]


def test_a_predicate_that_is_no_single_truth_value(make, run):
    x, p = make.feed(), make.feed()
    make.fetch(make.merge(*make.switch(x, p)))
    with pytest.raises(KernelError, match="dfg.switch on cpu:0: .*more than one element"):
        run(make.graph(), [i32(1), np.array([True, False])])


def test_a_loop_that_starts_a_cycle_without_next_iteration_is_refused(make, run):
    x = make.feed()
    merge = make.merge(x)
    loop = make.op(np.negative, merge)
    make.nodes[merge[0]].inputs.append(loop)
    make.fetch(loop)
    with pytest.raises(ProgramError, match="expected cycles to go through dfg.next_iteration"):
        run(make.graph(), [i32(1)])


def test_a_next_iteration_must_feed_a_merge(make, run):
    n = make.feed()

    def body(make, frame, i):
        back = make.add(NodeKind.NEXT_ITERATION, "dfg.next_iteration", i)
        make.op(np.add, back, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    with pytest.raises(ProgramError, match="expected dfg.next_iteration to feed a dfg.merge"):
        run(make.graph(), [i32(1)])


def test_two_live_exits_of_one_frame(make, run):
    n = make.feed()

    def body(make, frame, i):
        make.fetch(make.exit(i))
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    with pytest.raises(RunError, match="dfg.exit .*expected one live value in a frame's life"):
        run(make.graph(), [i32(3)])


def test_an_exit_that_was_never_live(make, run):
    n = make.feed()
    frame_exit = []

    def body(make, frame, i):
        frame_exit.append(make.exit(i))
        return []

    make.counted("f", make.i32(0), n, body=body)
    make.fetch(frame_exit[0])
    graph = make.graph()
    assert run(graph, [i32(1)]) == [0]
    with pytest.raises(RunError, match='was live in no iteration of "f"'):
        run(graph, [i32(0)])


def test_no_progress_lists_what_waits_and_what_it_lacks(make, run):
    n = make.feed()

    def body(make, frame, i):
        make.op(np.add, i, make.recv(5, i))
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    with pytest.raises(ProgramError) as caught:
        run(make.graph(), [i32(2)])
    text = caught.value.message
    assert "no node of cpu:0 can fire and results are missing" in text
    assert 'dfg.recv in iteration 0 of "f" lacks a message of channel 5' in text
    assert "add (node" in text and "lacks input 1 from dfg.recv" in text
    assert 'in iteration 1 of "f"' in text
