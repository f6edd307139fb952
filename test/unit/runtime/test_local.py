"""The local engine: deadlines, progress, interrupts, watching."""

from __future__ import annotations

import itertools
import re
import time

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.engine import local
from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.reports import DeadlineError
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


def test_a_graph_without_nodes_ends_at_once(make, run):
    assert run(make.graph(), []) == []


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


# Watching.


def test_watching_changes_no_result(make):
    n = make.feed()
    make.fetch(*make.counted("f", make.i32(0), n))
    graph = make.graph()
    for stats, trace in itertools.product((None, Stats()), (None, Trace())):
        for order in (None, lambda ready: 0):
            assert run_graph(graph, [i32(5)], stats=stats, trace=trace, order=order) == [5]


@pytest.mark.parametrize("fuse", [True, False])
def test_an_interrupt_says_where_the_loop_is(fuse: bool, interrupted_soon: None):
    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %no = stablehlo.constant dense<false> : tensor<i1>
      %r = dcf.while "for ever" (%a = %x : tensor<f32>) cond {
        %p = stablehlo.not %no : tensor<i1>
        dcf.condition %p
      } do {
        %b = stablehlo.sine %a : tensor<f32>
        dcf.yield %b : tensor<f32>
      }
      return %r : tensor<f32>
    }
    """
    executable = ab.compile(ab.parse(text), fuse=fuse)
    with pytest.raises(KeyboardInterrupt) as caught:
        executable.run([np.float32(1)], deadline=60)
    (note,) = caught.value.__notes__
    assert re.fullmatch(r'interrupted: loop "for ever" is at iteration [1-9]\d*', note)
