"""Sends and receives inside one graph."""

from __future__ import annotations

import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.engine.local import run_graph
from anabranch.runtime.frames import DEAD

TRUE, FALSE = np.bool_(True), np.bool_(False)


def i32(value):
    return np.int32(value)


# Channels inside one graph.


def test_a_send_meets_its_receive(make, run):
    x = make.feed()
    make.send(make.op(np.negative, x), 4)
    make.fetch(make.recv(4))
    assert run(make.graph(), [i32(3)]) == [-3]


def test_messages_of_different_iterations_do_not_mix(make, run):
    n = make.feed()

    def body(make, frame, i, total):
        make.send(make.op(np.square, i), 1)
        received = make.recv(1, i)
        return [make.op(np.add, make.op(lambda a, b: a * 100 + b, total, received), received)]

    outs = make.counted("f", make.i32(0), n, [make.i32(0)], body)
    make.fetch(outs[1])
    expected = 0
    for i in range(4):
        expected = expected * 100 + i * i + i * i
    assert run(make.graph(), [i32(4)]) == [expected]


def test_a_dead_send_sends_nothing_and_a_dead_receive_awaits_nothing(make, run):
    class Watched:
        def __init__(self):
            self.calls = []

        def send(self, key, value):
            self.calls.append(("send", key, value))

        def recv(self, key, callback):
            self.calls.append(("recv", key))
            callback(i32(9))

    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    make.send(false, 1)
    make.send(true, 2)
    make.fetch(make.merge(make.recv(3, false), make.recv(4, true)))
    channels = Watched()
    assert run(make.graph(), [i32(5), TRUE], channels=channels) == [9]
    assert sorted(channels.calls) == [("recv", (4, ())), ("send", (2, ()), 5)]


def test_ship_dead_ships_the_bit(make, run):
    x, p = make.feed(), make.feed()
    false, true = make.switch(x, p)
    make.send(false, 1, ship_dead=True)
    make.send(true, 2, ship_dead=True)
    received = make.merge(
        make.recv(1, false, ship_dead=True), make.op(np.negative, make.recv(2, ship_dead=True))
    )
    make.fetch(received)
    graph = make.graph()
    assert run(graph, [i32(5), TRUE]) == [-5]
    assert run(graph, [i32(5), FALSE]) == [5]


def test_a_shipped_dead_token_is_seen_by_the_channels(make):
    sent = []

    class Watched:
        def send(self, key, value):
            sent.append(value)

        def recv(self, key, callback):
            raise NotImplementedError

    x, p = make.feed(), make.feed()
    make.send(make.switch(x, p)[0], 1, ship_dead=True)
    make.fetch(x)
    run_graph(make.graph(), [i32(1), TRUE], channels=Watched())
    assert sent == [DEAD] and repr(DEAD) == "DEAD"


def test_an_unanswered_receive_is_reported(make, run):
    make.fetch(make.recv(7))
    with pytest.raises(ProgramError, match="dfg.recv lacks a message of channel 7"):
        run(make.graph(), [])


def test_a_message_key_holds_the_iterations_of_all_frames_around_it(make, run):
    keys = []

    class Watched:
        def send(self, key, value):
            keys.append(key)

        def recv(self, key, callback):
            raise NotImplementedError

    n = make.feed()

    def body(make, frame, i):
        one = make.enter(make.i32(1), frame, constant=True)

        def inner(make, frame, j):
            make.send(j, 3)
            return []

        make.counted(
            "inner",
            make.op(np.multiply, i, make.enter(make.i32(0), frame, constant=True)),
            i,
            body=inner,
            step=one,
        )
        return []

    make.fetch(*make.counted("outer", make.i32(0), n, body=body))
    run(make.graph(), [i32(3)], channels=Watched())
    assert sorted(keys) == [
        (3, (1, 0)),
        (3, (2, 0)),
        (3, (2, 1)),
    ]
