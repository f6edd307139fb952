"""Traces: the Chrome trace format, one row per frame."""

from __future__ import annotations

import json

import numpy as np
import pytest

from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.reports import KernelError
from anabranch.runtime.trace import Trace


def i32(value):
    return np.int32(value)


def test_a_trace_has_a_row_per_frame_and_an_event_per_node(make, tmp_path):
    n = make.feed()

    def body(make, frame, i):
        one = make.enter(make.i32(1), frame, constant=True)
        make.counted("inner", i, one, step=one)
        return []

    make.fetch(*make.counted("outer", make.i32(0), n, body=body))
    trace = Trace()
    run_graph(make.graph(), [i32(2)], trace=trace)
    path = tmp_path / "trace.json"
    trace.write(path)
    events = json.loads(path.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert sorted(names.values()) == ["(root)", "outer", "outer/inner"]
    assert [e["args"]["name"] for e in events if e["name"] == "process_name"] == ["cpu:0"]
    fired = [e for e in events if e["ph"] == "X"]
    assert all(e["ts"] >= 0 and e["dur"] >= 0 and e["tid"] in names for e in fired)
    less = [e for e in fired if e["name"] == "less" and names[e["tid"]] == "outer/inner"]
    assert sorted(e["args"]["path"] for e in less if "dead" not in e["args"]) == [
        "outer[0]/inner[0]",
        "outer[0]/inner[1]",
        "outer[1]/inner[0]",
    ]
    assert any(e["args"].get("dead") and e["cat"] == "dead" for e in fired)
    assert all(e["args"]["iteration"] == int(e["args"]["path"][-2]) for e in less)


def test_events_of_one_row_do_not_overlap(make):
    n = make.feed()
    make.fetch(*make.counted("f", make.i32(0), n))
    trace = Trace()
    run_graph(make.graph(), [i32(5)], trace=trace)
    fired = [e for e in trace.events() if e["ph"] == "X"]
    for before, after in zip(fired, fired[1:]):
        assert before["ts"] + before["dur"] <= after["ts"] + 0.01


def test_a_trace_of_a_run_that_fails_ends_with_the_node_that_failed(make):
    def fail(x):
        raise ValueError("no")

    make.fetch(make.op(fail, make.feed(), name="stablehlo.custom"))
    trace = Trace()
    with pytest.raises(KernelError):
        run_graph(make.graph(), [i32(5)], trace=trace)
    assert trace.events()[-1]["name"] == "stablehlo.custom"


def test_an_empty_trace_is_valid():
    assert json.loads(Trace().json())["traceEvents"] == []
