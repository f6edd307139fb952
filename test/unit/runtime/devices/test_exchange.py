"""Mailboxes and ledgers by themselves."""

from __future__ import annotations

from collections import deque

import pytest

from anabranch.runtime.engine.loops import spread
from anabranch.runtime.exchange import Ledger, Mailbox
from anabranch.runtime.routes import Routes
from anabranch.runtime.suspended import Suspended
from anabranch.runtime.waits import CLOSED, Credit, Job, Receive, inbox_key, key_numbers


def test_a_ledger_knows_an_instance_by_what_was_told_of_it():
    ledger = Ledger(("a",), "cpu:1", None)
    assert ledger.retired(()) == 0
    ledger.update((), 3)
    assert ledger.retired(()) == 3
    ledger.update((), CLOSED)
    assert ledger.retired(()) == CLOSED


def test_an_inner_frame_is_closed_once_the_iteration_around_it_has_retired():
    outer = Ledger(("a",), "cpu:1", None)
    inner = Ledger(("a", "b"), "cpu:1", outer)
    innermost = Ledger(("a", "b", "c"), "cpu:1", inner)
    inner.update((0,), 5)
    innermost.update((0, 4), 1)
    assert inner.retired((0,)) == 5 and inner.retired((1,)) == 0
    inner.update((0,), CLOSED)
    assert innermost.counts == {} and innermost.retired((0, 4)) == CLOSED
    outer.update((), 1)
    assert inner.counts == {} and inner.retired((0,)) == CLOSED
    assert innermost.retired((0, 7)) == CLOSED and innermost.retired((1, 0)) == 0


def test_a_count_that_jumps_forgets_all_that_it_passes():
    outer = Ledger(("a",), "cpu:1", None)
    inner = Ledger(("a", "b"), "cpu:1", outer)
    for number in range(6):
        inner.update((number,), 2)
    outer.update((), 4)
    assert sorted(inner.counts) == [(4,), (5,)]
    outer.update((), CLOSED)
    assert not inner.counts


def test_who_waits_for_credit_is_woken_once():
    ledger = Ledger(("a",), "cpu:1", None)
    waiter = Suspended(None, None, None)  # type: ignore[arg-type]
    ledger.gated[()] = (3, waiter)
    assert ledger.update((), 2) is None
    assert ledger.update((), 3) is waiter
    assert ledger.update((), 4) is None and not ledger.gated


class Place:
    """A loop that does nothing but to note."""

    def __init__(self, *, direct=True):
        self.direct = direct
        self.awake = []
        self.posted = deque()

    def wake(self, mailbox):
        self.awake.append(mailbox.device)

    def post(self, source, target, action, order):
        self.posted.append((source, target.device, order, action))


def pair(first, second):
    routes = Routes(
        {4: ("cpu:0", "cpu:1")},
        {"cpu:0": {("a",): ("cpu:1",)}},
        {"cpu:1": {("a",): ("cpu:0",)}},
        {"cpu:0": {"a": [("a",)]}, "cpu:1": {"a": [("a",)]}},
        {},
        {},
    )
    boxes = [Mailbox("cpu:0", routes, first), Mailbox("cpu:1", routes, second)]
    for box in boxes:
        box.peers = {other.device: other for other in boxes}
    return boxes


@pytest.mark.parametrize("numbers", [(), (3,), (3, 0)])
def test_a_message_waits_for_its_receive_or_wakes_it(numbers):
    place = Place()
    source, target = pair(place, place)
    got = []
    source.send((4, numbers), "x")
    target.recv((4, numbers), got.append)
    assert got == ["x"] and not target.inboxes[4] and not place.awake
    target.recv((4, numbers), got.append)
    source.send((4, numbers), "y")
    assert got == ["x"] and place.awake == ["cpu:1"]
    ((waiter, key),) = target.woken
    target.take(waiter, key)
    assert got == ["x", "y"] and not target.inboxes[4] and not target.waiting[4]


def test_messages_of_different_iterations_do_not_meet():
    place = Place()
    source, target = pair(place, place)
    got = []
    for number in (2, 0, 1):
        source.send((4, (number,)), number)
    for number in (0, 1, 2):
        target.recv((4, (number,)), got.append)
    assert got == [0, 1, 2]


def test_messages_to_another_loop_are_posted():
    here, there = Place(), Place()
    source, target = pair(here, there)
    source.send((4, (1,)), "x")
    assert not target.inboxes[4]
    ((sender, receiver, order, action),) = there.posted
    assert (sender, receiver, order) == ("cpu:0", "cpu:1", False)
    action()
    assert target.inboxes[4] == {1: "x"} and not here.posted


def test_what_a_receiver_tells_of_itself_stays_in_order():
    here, there = Place(), Place(direct=False)
    source, target = pair(here, there)
    for publish in target.publishers(("a",)):
        publish((), 7)
    ((_, _, order, action),) = here.posted
    assert order
    action()
    assert source.ledgers[("a",), "cpu:1"].retired(()) == 7


def test_a_fused_loop_waits_only_for_what_is_not_there():
    place = Place()
    source, target = pair(place, place)
    suspended = Suspended(None, None, None)  # type: ignore[arg-type]
    assert target.await_message(Receive(4, 2), suspended)
    source.send((4, (2,)), "x")
    assert target.woken[0][0] is suspended and target.inboxes[4] == {2: "x"}
    assert not target.await_message(Receive(4, 2), suspended)
    wait = Credit("a", (), "cpu:1", 3)
    assert source.await_credit(wait, (), suspended)
    for count in (2, 3):
        for publish in target.publishers(("a",)):
            publish((), count)
    assert [waiter for waiter, _ in source.woken] == [suspended]
    assert not source.await_credit(wait, (), suspended)


def test_waits_say_what_they_wait_for():
    assert repr(Receive(4, (1, 2))) == "Receive(4, (1, 2))"
    assert repr(Credit("a", (1,), "cpu:1", 3)) == "Credit('a', (1,), 'cpu:1', 3)"
    job = Job(min, (1, 2))
    assert job.kernel(*job.arguments) == 1
    assert [key_numbers(inbox_key(n)) for n in ((), (5,), (5, 6))] == [(), (5,), (5, 6)]


@pytest.mark.parametrize(
    ("executors", "own", "loops"),
    [
        (1, (), [["a", "b", "c", "d", "e"]]),
        (2, (), [["a", "b"], ["c", "d", "e"]]),
        (9, (), [["a"], ["b"], ["c"], ["d"], ["e"]]),
        (2, ("c",), [["a", "b"], ["d", "e"], ["c"]]),
        (1, tuple("abcde"), [["a"], ["b"], ["c"], ["d"], ["e"]]),
    ],
)
def test_devices_are_spread_over_loops(executors, own, loops):
    assert spread("abcde", executors, own) == loops
