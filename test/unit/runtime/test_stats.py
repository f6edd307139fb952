"""Statistics: counts, live iterations at peak, bytes at peak."""

from __future__ import annotations

import numpy as np
import pytest

from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.stats import Stats


def i32(value):
    return np.int32(value)


def loop(make, window=32):
    n, x = make.feed(), make.feed()

    def body(make, frame, i, x):
        one = make.enter(make.const(np.float32(1)), frame, constant=True)
        return [make.op(np.add, x, one)]

    make.fetch(*make.counted("f", make.i32(0), n, [x], body, window=window))
    return make.graph()


def test_counts_of_a_loop(make):
    stats = Stats()
    run_graph(loop(make), [i32(4), np.zeros(8, np.float32)], stats=stats)
    assert stats.ops["less"] == 5 and stats.ops["dfg.merge"] == 10
    assert stats.ops["add"] == 8
    # Four iterations have two dead exits each; the last has two dead adds and next_iterations.
    assert stats.fired_dead == 4 * 2 + 4
    assert stats.dead_tokens == 4 * 2 + 4
    assert stats.fired == sum(stats.ops.values())
    frame = stats.frames[("f",)]
    assert (frame.instances, frame.iterations) == (1, 5)


@pytest.mark.parametrize("window", [1, 2, 32])
def test_live_iterations_stay_in_the_window(make, window):
    stats = Stats()
    feeds = [i32(50), np.zeros(8, np.float32)]
    # Newest first, to run as far ahead as the window allows.
    run_graph(loop(make, window), feeds, stats=stats, order=lambda ready: len(ready) - 1)
    assert 1 <= stats.frames[("f",)].live_peak <= window


def test_bytes_at_peak_count_distinct_values(make):
    stats = Stats()
    x = make.feed()
    a = make.op(np.negative, x)
    total = make.op(lambda *values: np.add(values[0], values[1]), a, a, a)
    make.fetch(total)
    run_graph(make.graph(), [np.zeros(1000, np.float32)], stats=stats)
    assert stats.frames[()].bytes_peak == 4000
    assert stats.frames[()].bytes == 0


@pytest.mark.parametrize("trips", [10, 100])
def test_bytes_at_peak_do_not_grow_with_the_trips(make, trips):
    stats = Stats()
    run_graph(loop(make, 1), [i32(trips), np.zeros(1000, np.float32)], stats=stats)
    assert 4000 <= stats.frames[("f",)].bytes_peak < 2 * 4000 + 100


def test_a_constant_counts_once_however_many_iterations_see_it(make):
    n, x = make.feed(), make.feed()

    def body(make, frame, i):
        constant = make.enter(x, frame, constant=True)
        make.op(lambda value, i: i, constant, i)
        return []

    make.fetch(*make.counted("f", make.i32(0), n, body=body))
    stats = Stats()
    run_graph(
        make.graph(),
        [i32(20), np.zeros(1000)],
        stats=stats,
        order=lambda ready: len(ready) - 1,
    )
    assert 8000 <= stats.frames[("f",)].bytes_peak < 9000


def test_the_table(make):
    stats = Stats()
    run_graph(loop(make), [i32(4), np.zeros(8, np.float32)], stats=stats)
    lines = stats.table().splitlines()
    assert lines[0].split() == ["nodes", "fired", f"{stats.fired}"]
    header = next(line for line in lines if line.startswith("frame"))
    assert header.split("  ")[0] == "frame" and header.endswith("bytes at peak")
    assert any(line.startswith("(root)") for line in lines)
    assert any(line.split()[:3] == ["f", "1", "5"] for line in lines)
    assert any(line.split() == ["less", "5"] for line in lines)


def test_statistics_add_up_over_runs(make):
    stats = Stats()
    graph = loop(make)
    for _ in range(2):
        run_graph(graph, [i32(4), np.zeros(8, np.float32)], stats=stats)
    assert stats.ops["less"] == 10 and stats.frames[("f",)].instances == 2
