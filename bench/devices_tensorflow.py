"""The loops of `devices.py` as TensorFlow v1's tf.while_loop: times one run for each line it reads.

Runs in a process of its own, since TensorFlow may need another environment. A line is
`spread KIND DEVICES WINDOW TRIPS` or `steps FORM TRIPS WIDTH`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
LOOP_OPS = ("Enter", "Merge", "Switch", "NextIteration", "Exit", "Identity")
ONES = np.ones(8, np.float32)


def with_its_value(op: Any) -> str:
    """The device of what an op of a loop's plumbing carries; by default all is on the first."""
    if not op.device and op.type in LOOP_OPS and op.inputs:
        return op.inputs[0].device
    return op.device


def session(graph: Any, devices: int) -> Any:
    """A session with so many logical devices."""
    return v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": devices}))


@cache
def spread(kind: str, devices: int, window: int) -> Callable[[int], Any]:
    """One multiply and one add on each device a trip."""
    graph = tf.Graph()
    with graph.as_default(), v1.device(with_its_value):
        with tf.device("/cpu:0"):
            n = v1.placeholder(tf.int32, [])
            start = tf.constant(0)

        def condition(i: Any, *values: Any) -> Any:
            with tf.device("/cpu:0"):
                return i < n

        def body(i: Any, *values: Any) -> list[Any]:
            with tf.device("/cpu:0"):
                following = i + 1
            made: list[Any] = []
            for device in range(devices):
                with tf.device(f"/cpu:{device}"):
                    other = made[-1] if kind == "chained" and device else 0.1
                    made.append(values[device] * 0.999 + other)
            return [following, *made]

        values: list[Any] = []
        for device in range(devices):
            with tf.device(f"/cpu:{device}"):
                values.append(tf.constant(ONES))
        loop = v1.while_loop(condition, body, [start, *values], parallel_iterations=window)
    call = session(graph, devices).make_callable(loop, feed_list=[n])
    return lambda trips: call(trips)


@cache
def steps(form: str, trips: int, width: int) -> Callable[[], Any]:
    """x = tanh(x w), `trips` times."""
    graph = tf.Graph()
    draw = np.random.default_rng(0)
    start, weights = (
        (draw.standard_normal((width, width)) / width**0.5).astype(np.float32) for _ in range(2)
    )
    with graph.as_default(), v1.device("/cpu:0"):
        n = v1.placeholder(tf.int32, [])
        x, w = (v1.placeholder(tf.float32, [width, width]) for _ in range(2))
        if form == "loop":
            result = v1.while_loop(
                lambda i, x: i < n, lambda i, x: (i + 1, tf.tanh(x @ w)), [tf.constant(0), x]
            )[1]
        else:
            result = x
            for _ in range(trips):
                result = tf.tanh(result @ w)
    call = session(graph, 1).make_callable(result, feed_list=[n, x, w])
    return lambda: call(trips, start, weights)


def main() -> None:
    """Prints the version, then the seconds of each run asked for."""
    processor = tf.config.list_physical_devices("CPU")[0]
    logical = [tf.config.LogicalDeviceConfiguration() for _ in range(int(sys.argv[1]))]
    tf.config.set_logical_device_configuration(processor, logical)
    # Enter, Merge, Switch, NextIteration and Exit, run by the executor, instead of a While op.
    v1.disable_control_flow_v2()
    print(tf.__version__, flush=True)
    for line in sys.stdin:
        what, form, *numbers = line.split()
        if what == "spread":
            devices, window, trips = map(int, numbers)
            run, arguments = spread(form, devices, window), (trips,)
        else:
            run, arguments = steps(form, *map(int, numbers)), ()
        begin = time.perf_counter()
        run(*arguments)
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
