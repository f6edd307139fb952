"""Results do not depend on the order in which ready nodes fire, nor on the window.

Random structured programs are evaluated directly, and as graphs in many orders.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.stats import Stats

WINDOWS = (1, 2, 10, 4000)
BINARY = (np.add, np.subtract, np.multiply, np.maximum)
ONE, THREE = np.int32(1), np.int32(3)


def is_odd(value):
    return np.equal(np.bitwise_and(value, ONE), ONE)


def trips_of(value):
    return np.bitwise_and(value, THREE)


INDEX = st.integers(0, 20)
LEAF = st.one_of(
    st.tuples(st.just("op"), st.integers(0, 3), INDEX, INDEX), st.tuples(st.just("probe"), INDEX)
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    block = st.lists(inner, max_size=3)
    return st.one_of(
        LEAF,
        st.tuples(st.just("cond"), INDEX, block, block),
        st.tuples(st.just("while"), INDEX, st.lists(INDEX, max_size=2), block),
    )


PROGRAMS = st.lists(st.recursive(LEAF, _nested, max_leaves=12), min_size=1, max_size=5)


# Directly.


def evaluate(block, env, seen):
    """Runs a block; `env` grows by a value per statement that has one."""
    env = list(env)
    for statement in block:
        match statement:
            case ("op", kind, i, j):
                env.append(BINARY[kind](env[i % len(env)], env[j % len(env)]))
            case ("probe", i):
                seen.append(int(env[i % len(env)]))
            case ("cond", i, then, orelse):
                taken = then if is_odd(env[i % len(env)]) else orelse
                env.append(evaluate(taken, env, seen)[-1])
            case ("while", i, carried, body):
                stop = trips_of(env[i % len(env)])
                carries = [env[c % len(env)] for c in carried]
                for trip in range(int(stop)):
                    inner = evaluate(body, [*env, np.int32(trip), *carries], seen)
                    carries = [*carries[1:], inner[-1]] if carries else []
                env.extend(carries)
            case _:
                raise AssertionError(statement)
    return env


# As a graph.


class Lowering:
    def __init__(self, make):
        self.make = make

    def block(self, block, env, token):
        """The same over refs, all of them gated; the token orders the probes."""
        make = self.make
        env = list(env)
        for statement in block:
            match statement:
                case ("op", kind, i, j):
                    env.append(make.op(BINARY[kind], env[i % len(env)], env[j % len(env)]))
                case ("probe", i):
                    token = make.probe("p", env[i % len(env)], token)
                case ("cond", i, then, orelse):
                    predicate = make.op(is_odd, env[i % len(env)])
                    sides = [make.switch(value, predicate) for value in (*env, token)]
                    ends = []
                    for side, branch in ((1, then), (0, orelse)):
                        *values, start = (pair[side] for pair in sides)
                        ends.append(self.block(branch, values, start))
                    (then_env, then_token), (else_env, else_token) = ends
                    env.append(make.merge(then_env[-1], else_env[-1]))
                    token = make.merge(then_token, else_token)
                case ("while", i, carried, body):
                    carries, token = self.loop(env, token, i, carried, body)
                    env.extend(carries)
                case _:
                    raise AssertionError(statement)
        return env, token

    def loop(self, env, token, i, carried, body):
        make = self.make
        stop = make.op(trips_of, env[i % len(env)])
        zero = make.op(np.bitwise_xor, stop, stop)
        one = make.op(np.equal, zero, zero)  # true counts as 1
        carries = [env[c % len(env)] for c in carried]

        def inner(make, frame, trip, *values):
            *values, token = values
            go = (make.frames[frame].loop_cond, 0)
            outer = [make.switch(make.enter(v, frame, constant=True), go)[1] for v in env]
            results, token = self.block(body, [*outer, trip, *values], token)
            return [*([*values[1:], results[-1]] if values else []), token]

        _, *outs, token = make.counted(
            f"loop{len(make.frames)}", zero, stop, [*carries, token], inner, step=one
        )
        return outs, token


SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SETTINGS
@given(PROGRAMS, st.lists(st.integers(-8, 8), min_size=2, max_size=2), st.integers(0, 2**32))
def test_results_and_effects_are_the_same_in_every_order(maker, program, arguments, seed):
    values = [np.int32(value) for value in arguments]
    expected_seen: list[int] = []
    with np.errstate(all="ignore"):
        expected = evaluate(program, values, expected_seen)

    make = maker()
    feeds = [make.feed() for _ in values]
    env, token = Lowering(make).block(program, feeds, make.token())
    make.fetch(*env, token)
    graph = make.graph()

    def check(**options):
        seen: list[int] = []
        probe = lambda label, values: seen.append(int(values[0]))  # noqa: E731
        results = run_graph(graph, values, probe=probe, deadline=60, **options)
        assert [int(value) for value in results[:-1]] == [int(value) for value in expected]
        assert seen == expected_seen

    check()
    stats = Stats()
    check(stats=stats)
    assert all(not frame.held for frame in stats.frames.values())
    shuffle = random.Random(seed)
    for window in WINDOWS:
        check(parallel_iterations=window)
        check(parallel_iterations=window, order=lambda ready: shuffle.randrange(len(ready)))
    for window in (1, 4000):
        check(parallel_iterations=window, order=lambda ready: len(ready) - 1)
        check(parallel_iterations=window, order=lambda ready: 0)
