"""The steps of `gradient.py` in TensorFlow, v1 and v2: times one for each line it reads.

Runs in a process of its own, since TensorFlow may need another environment.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.pop("OPENBLAS_CORETYPE", None)

import tensorflow as tf
from gradient_steps import (
    BATCH,
    TOLERANCE,
    check,
    fixed_point_data,
    fixed_point_numpy,
    lstm_data,
    lstm_numpy,
)

v1 = tf.compat.v1


def lstm(w: Any, b: Any, x: Any) -> Any:
    """The loss of the LSTM."""
    steps, _, width = x.shape
    rows = tf.TensorArray(tf.float32, steps, element_shape=[BATCH, width]).unstack(x)
    states = tf.TensorArray(tf.float32, steps, element_shape=[BATCH, width])

    def body(t: Any, c: Any, h: Any, states: Any) -> Any:
        i, j, f, o = tf.split(tf.concat([rows.read(t), h], 1) @ w + b, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return t + 1, c, h, states.write(t, h)

    zeros = tf.zeros([BATCH, width])
    start = [tf.constant(0), zeros, zeros, states]
    states = tf.while_loop(lambda t, *_: t < steps, body, start)[3]
    return tf.reduce_mean(states.stack() ** 2)


def fixed_point(m: Any, u: Any) -> Any:
    """The loss of the fixed point."""
    _, x = tf.while_loop(
        lambda before, x: tf.reduce_max(tf.abs(x - before)) > TOLERANCE,
        lambda before, x: (x, tf.tanh(tf.linalg.matvec(m, x) + u)),
        [tf.zeros(u.shape), tf.tanh(u)],
    )
    return tf.reduce_sum(x * x)


def step_v1(loss: Any, data: list[Any]) -> Any:
    """A callable of loss and gradients: a session on a graph, the old control flow."""
    v1.disable_control_flow_v2()
    graph = tf.Graph()
    with graph.as_default(), v1.device("/cpu:0"):
        feeds = [v1.placeholder(tf.float32, array.shape) for array in data]
        value = loss(*feeds)
        fetches = [value, *tf.gradients(value, feeds[:2])]
    call = v1.Session(graph=graph).make_callable(fetches, feed_list=feeds)
    return lambda: call(*data)


def step_v2(loss: Any, data: list[Any]) -> Any:
    """A callable of loss and gradients: a `tf.function` with a tape."""
    there = [tf.constant(array) for array in data]

    @tf.function
    def both(*arguments: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(arguments[:2])
            value = loss(*arguments)
        return [value, *tape.gradient(value, arguments[:2])]

    return lambda: [result.numpy() for result in both(*there)]


def main() -> None:
    """Prints the version, then the seconds of each step asked for."""
    system, work, first, second = sys.argv[1:]
    if work == "lstm":
        loss, data, by_hand = lstm, lstm_data(int(first), int(second)), lstm_numpy
    else:
        loss, data = fixed_point, fixed_point_data(int(first), float(second))
        by_hand = fixed_point_numpy
    step = (step_v1 if system == "v1" else step_v2)(loss, data)
    check(f"TensorFlow {system}", step()[1:], by_hand(*data))
    print(tf.__version__, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        step()
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
