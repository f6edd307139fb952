"""What devices keep of each other stays small, however long a loop runs."""

from __future__ import annotations

import time

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.engine import devices
from anabranch.runtime.exchange import Mailbox
from anabranch.runtime.fuse import ProgramChannels
from anabranch.runtime.providers import Provider

X = np.arange(4, dtype=np.float32)


class Watched(Mailbox):
    """Notes how much a mailbox ever held."""

    messages = 0
    counts = 0
    gated = 0

    def wake(self, waiter, key):
        self.note()
        super().wake(waiter, key)

    def await_message(self, wait, suspended):
        self.note()
        return super().await_message(wait, suspended)

    def await_credit(self, wait, inside, suspended):
        self.note()
        return super().await_credit(wait, inside, suspended)

    def note(self):
        kind = type(self)
        kind.messages = max(kind.messages, *map(len, self.inboxes.values()), 0)
        for ledger in self.ledgers.values():
            kind.counts = max(kind.counts, len(ledger.counts))
            kind.gated = max(kind.gated, len(ledger.gated))

    def take(self, callback, key):
        self.note()
        super().take(callback, key)


@pytest.fixture
def watched(monkeypatch):
    class Fresh(Watched):
        pass

    monkeypatch.setattr(devices, "Mailbox", Fresh)
    return Fresh


@pytest.mark.parametrize("fuse", [True, False])
def test_ten_thousand_trips_on_four_devices(texts, watched, fuse):
    exe = ab.compile(ab.parse(texts.one_way(4)), parallel_iterations=4, fuse=fuse)
    (result,) = exe.run([np.int32(10_000), X], deadline=120)
    assert result[0] == 20_001
    assert 0 < watched.messages <= 8
    assert watched.counts <= 1 and watched.gated <= 1


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("executors", [1, 2])
def test_a_device_that_only_sends_runs_ahead_of_a_slow_one_by_two_windows_at_most(
    texts, watched, fuse, executors
):
    class Slow(Provider):
        def kernel(self, node):
            if node.name != "stablehlo.add" or "4x" not in node.result_types[0]:
                return node.kernel

            def slow(*values):
                time.sleep(0.0005)
                return np.add(*values)

            return slow

    exe = ab.compile(
        ab.parse(texts.one_way(2)),
        parallel_iterations=4,
        fuse=fuse,
        executors=executors,
        providers={"cpu:1": Slow()},
    )
    exe.run([np.int32(300), X], deadline=120)
    assert 0 < watched.messages <= 8


def test_nested_loops_forget_inner_instances(texts, watched):
    for fuse in (True, False):
        exe = ab.compile(ab.parse(texts.nested), parallel_iterations=3, fuse=fuse)
        exe.run([np.int32(60), X], deadline=120)
    assert watched.counts <= 7 and watched.gated <= 4
    assert watched.messages <= 7


def test_nothing_is_kept_after_a_run(texts, monkeypatch):
    boxes = []

    class Kept(Mailbox):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            boxes.append(self)

    monkeypatch.setattr(devices, "Mailbox", Kept)
    for text in (texts.nested, texts.branches, texts.ring(3), texts.one_way(3)):
        for fuse in (True, False):
            ab.compile(ab.parse(text), fuse=fuse)(np.int32(20), X)
    for box in boxes:
        assert not any(box.inboxes.values()) and not any(box.waiting.values())
        for (frame, _), ledger in box.ledgers.items():
            assert not ledger.gated
            assert len(ledger.counts) <= (1 if len(frame) == 1 else 0)


@pytest.mark.parametrize("unfused", [("outer", "cpu:0"), ("outer", "cpu:1"), ("inner", "cpu:1")])
def test_fused_loops_and_node_by_node_ones_hold_each_other_back(
    texts, watched, monkeypatch, unfused
):
    """An inner loop fused in an outer one that is not; one device fused, the other not."""
    monkeypatch.setattr(
        ProgramChannels,
        "may_fuse",
        lambda self, frame, device: frame != unfused[0] or device != unfused[1],
    )
    n = np.int32(40)
    (expected,) = ab.compile(ab.parse(texts.nested), fuse=False)(n, X)
    for window in (1, 3):
        exe = ab.compile(ab.parse(texts.nested), parallel_iterations=window)
        (result,) = exe.run([n, X], deadline=120)
        assert result.tobytes() == expected.tobytes()
    monkeypatch.setattr(
        ProgramChannels, "may_fuse", lambda self, frame, device: device != unfused[1]
    )
    for number in (2, 4):
        exe = ab.compile(ab.parse(texts.one_way(number)), parallel_iterations=2)
        exe.run([np.int32(500), X], deadline=120)
    assert watched.messages <= 8 and watched.gated <= 4 and watched.counts <= 8
