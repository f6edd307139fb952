"""The steps of `gradient.py` in TensorFlow v1: times one for each line it reads.

Runs in a process of its own, since TensorFlow may need another environment; so the data is made
here once more, from the same seeds.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
BATCH = 64
TOLERANCE = 1e-5


def lstm(steps: int, width: int) -> Any:
    """A callable of the LSTM's loss and gradients."""
    draw = np.random.default_rng(0)
    weights = draw.standard_normal((2 * width, 4 * width)) / np.sqrt(2 * width)
    bias = np.zeros(4 * width)
    bias[2 * width : 3 * width] = 1
    inputs = draw.standard_normal((steps, BATCH, width))
    data = [array.astype(np.float32) for array in (weights, bias, inputs)]
    w, b, x = (v1.placeholder(tf.float32, array.shape) for array in data)
    rows = tf.TensorArray(tf.float32, steps, element_shape=[BATCH, width]).unstack(x)
    states = tf.TensorArray(tf.float32, steps, element_shape=[BATCH, width])

    def body(t: Any, c: Any, h: Any, states: Any) -> Any:
        i, j, f, o = tf.split(tf.concat([rows.read(t), h], 1) @ w + b, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return t + 1, c, h, states.write(t, h)

    zeros = tf.zeros([BATCH, width])
    start = [tf.constant(0), zeros, zeros, states]
    states = v1.while_loop(lambda t, *_: t < steps, body, start)[3]
    loss = tf.reduce_mean(states.stack() ** 2)
    return [loss, *tf.gradients(loss, [w, b])], [w, b, x], data


def fixed_point(width: int, gain: float) -> Any:
    """A callable of the fixed point's loss and gradients."""
    draw = np.random.default_rng(1)
    matrix = draw.standard_normal((width, width))
    matrix *= gain / np.linalg.norm(matrix, 2)
    data = [matrix.astype(np.float32), draw.standard_normal(width).astype(np.float32)]
    m, u = (v1.placeholder(tf.float32, array.shape) for array in data)
    _, x = v1.while_loop(
        lambda before, x: tf.reduce_max(tf.abs(x - before)) > TOLERANCE,
        lambda before, x: (x, tf.tanh(tf.linalg.matvec(m, x) + u)),
        [tf.zeros([width]), tf.tanh(u)],
    )
    loss = tf.reduce_sum(x * x)
    return [loss, *tf.gradients(loss, [m, u])], [m, u], data


def main() -> None:
    """Prints the version, then the seconds of each step asked for."""
    v1.disable_control_flow_v2()
    work, first, second = sys.argv[1:]
    graph = tf.Graph()
    with graph.as_default(), v1.device("/cpu:0"):
        if work == "lstm":
            fetches, feeds, data = lstm(int(first), int(second))
        else:
            fetches, feeds, data = fixed_point(int(first), float(second))
    call = v1.Session(graph=graph).make_callable(fetches, feed_list=feeds)
    print(tf.__version__, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        call(*data)
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
