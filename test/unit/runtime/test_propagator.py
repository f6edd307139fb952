"""Branches, dead values, probes and errors of the token machine, under every driver (`run`)."""

from __future__ import annotations

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.graph import NodeKind
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
