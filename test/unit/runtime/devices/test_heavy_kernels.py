"""Kernels that take long go to a pool while an event loop has other devices to serve."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.engine import device
from anabranch.runtime.providers import Provider
from anabranch.runtime.reports import KernelError
from anabranch.runtime.stats import Stats
from anabranch.runtime.trace import Trace

M = "tensor<200x200xf32>"
I = "tensor<i32>"  # noqa: E741
A = np.random.default_rng(0).standard_normal((200, 200)).astype(np.float32) / 20


def dots(texts, *, ring: bool) -> str:
    """Two devices that multiply matrices in each trip, `ring`: each other's."""
    parts: list[str] = []
    channels = [texts.channel(1, 0, 1, M), texts.channel(100, 0, 1, I)]
    back = "%v"
    send = f'dfg.send %n to "cpu:1" channel 100 : {I}'
    if ring:
        channels.append(texts.channel(0, 1, 0, M))
        back = "%b"
    body = f"""
      %a = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0] : ({M}, {M}) -> {M}
      dfg.send %a to "cpu:1" channel 1 : {M}
      {f'%b = dfg.recv from "cpu:1" channel 0 : {M}' if ring else ""}
    """
    parts.append(
        f'dfg.partition on "cpu:0" (%n: {I}, %x: {M}) -> {M} feeds [0, 1] fetches [0] {{'
        f"{send}{texts.constants}{texts.counted('v', 'x', M, body, back[1:])}\n"
        f"dfg.fetch %r#1 : {M}\n}}"
    )
    body = f"""
      %a = dfg.recv from "cpu:0" channel 1 : {M}
      %d = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : ({M}, {M}) -> {M}
      %b = stablehlo.add %a, %d : {M}
      {f'dfg.send %b to "cpu:0" channel 0 : {M}' if ring else ""}
    """
    parts.append(
        f'dfg.partition on "cpu:1" (%x: {M}) -> {M} feeds [1] fetches [1] {{\n'
        f'%n = dfg.recv from "cpu:0" channel 100 : {I}'
        f"{texts.constants}{texts.counted('v', 'x', M, body, 'b')}\ndfg.fetch %r#1 : {M}\n}}"
    )
    return texts.program([I, M], [M, M], channels, parts)


@pytest.fixture
def pooled(monkeypatch):
    """The threads that kernels ran in."""
    real = device.pool()
    jobs = []

    class Counting:
        def submit(self, work):
            jobs.append(work)
            return real.submit(work)

    monkeypatch.setattr(device, "pool", Counting)
    return jobs


@pytest.mark.parametrize("ring", [True, False])
def test_heavy_kernels_run_in_the_pool_and_give_the_same_bits(texts, pooled, ring):
    module = ab.parse(dots(texts, ring=ring))
    expected = ab.compile(module, executors=2)(np.int32(6), A)
    assert not pooled  # every loop has one device: there is nobody to hold up
    for options in ({}, {"fuse": False}, {"parallel_iterations": 1}):
        pooled.clear()
        got = ab.compile(module, **options).run([np.int32(6), A], deadline=60)
        assert [r.tobytes() for r in got] == [r.tobytes() for r in expected]
        assert len(pooled) == 12


class Failing(Provider):
    """Products fail from the fourth on; they note their threads."""

    def __init__(self):
        self.calls = 0
        self.threads = set()

    def kernel(self, node):
        kernel = node.kernel
        if node.name != "stablehlo.dot_general":
            return kernel
        assert kernel is not None

        def product(*values):
            self.threads.add(threading.current_thread().name.rpartition("_")[0])
            self.calls += 1
            if self.calls > 3:
                raise ValueError("tired")
            return kernel(*values)

        return product


@pytest.mark.parametrize("fuse", [True, False])
def test_an_error_in_the_pool_names_its_place(texts, fuse):
    failing = Failing()
    exe = ab.compile(
        ab.parse(dots(texts, ring=True)),
        providers={"cpu:1": failing},
        fuse=fuse,
        parallel_iterations=1,
    )
    with pytest.raises(KernelError) as caught:
        exe.run([np.int32(6), A], deadline=60)
    assert failing.threads == {"anabranch-kernels"}
    message = 'stablehlo.dot_general on cpu:1 in iteration 3 of "loop": tired'
    assert caught.value.message == message


def test_a_deadline_passes_while_a_kernel_runs(texts):
    class Slow(Failing):
        def kernel(self, node):
            if node.name != "stablehlo.dot_general":
                return node.kernel
            return lambda *values: threading.Event().wait(0.5) or values[0]

    exe = ab.compile(ab.parse(dots(texts, ring=False)), providers={"cpu:0": Slow()})
    with pytest.raises(ab.ProgramError, match=r"the deadline of 0\.1 s passed"):
        exe.run([np.int32(600), A], deadline=0.1)


def test_progress_is_told_while_all_wait_for_a_kernel(texts):
    class Slow(Failing):
        def kernel(self, node):
            if node.name != "stablehlo.dot_general":
                return node.kernel
            return lambda *values: threading.Event().wait(0.4) or values[0]

    exe = ab.compile(ab.parse(dots(texts, ring=False)), providers={"cpu:0": Slow()})
    calls = []
    exe.run([np.int32(3), A], progress=lambda fired, where: calls.append((fired, where)))
    assert len(calls) >= 3 and all("loop" in where for _, where in calls)


@pytest.mark.parametrize("fuse", [True, False])
def test_heavy_kernels_take_no_virtual_time(texts, pooled, fuse):
    """A device that is not simulated, beside one that is."""
    module = ab.parse(dots(texts, ring=True))
    expected = ab.compile(module)(np.int32(4), A)
    pooled.clear()
    exe = ab.compile(
        module,
        clock="virtual",
        providers={"cpu:0": ab.Simulated({"stablehlo.dot_general": 2.0})},
        fuse=fuse,
    )
    got = exe.run([np.int32(4), A], deadline=60)
    assert [r.tobytes() for r in got] == [r.tobytes() for r in expected]
    assert not pooled
    stats, trace = Stats(), Trace()
    exe.run([np.int32(4), A], stats=stats, trace=trace)
    assert stats.elapsed == 8
    times = [event["ts"] for event in trace.events() if event["ph"] == "X"]
    assert max(times) == 8e6
