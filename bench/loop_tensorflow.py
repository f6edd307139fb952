"""The loops of `loop.py` as TensorFlow v1's tf.while_loop: times one run for each line it reads.

Runs in a process of its own, since TensorFlow may need another environment.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np
import tensorflow as tf


def main() -> None:
    """Prints the version, then the seconds of each loop asked for."""
    n = int(sys.argv[1])
    x0 = np.ones(8, np.float32)
    v1 = tf.compat.v1
    # Enter, Merge, Switch, NextIteration and Exit, run by the executor, instead of a While op.
    v1.disable_control_flow_v2()
    graph = tf.Graph()
    with graph.as_default(), v1.device("/cpu:0"):
        limit = v1.placeholder(tf.int32, [])
        x = v1.placeholder(tf.float32, [8])
        loop_a = v1.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(0)])
        loop_b = v1.while_loop(
            lambda i, x: i < limit,
            lambda i, x: (i + 1, x * 0.999 + 0.1),
            [tf.constant(0), x],
        )
    session = v1.Session(graph=graph)
    call_a = session.make_callable(loop_a, feed_list=[limit])
    call_b = session.make_callable(list(loop_b), feed_list=[limit, x])
    runs = {"A": lambda: call_a(n), "B": lambda: call_b(n, x0)}
    print(tf.__version__, flush=True)
    for line in sys.stdin:
        run = runs[line.strip()]
        begin = time.perf_counter()
        run()
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
