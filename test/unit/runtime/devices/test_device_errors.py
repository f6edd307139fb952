"""Runs on several devices that fail: which op, device, iteration and line; who waits for whom."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.diagnostics import ProgramError, position_of
from anabranch.runtime.providers import Provider
from anabranch.runtime.reports import DeadlineError, KernelError

X = np.arange(4, dtype=np.float32)
MODES = [{}, {"fuse": False}, {"executors": 2}, {"executors": 2, "fuse": False}]


class Failing(Provider):
    """Adds fail once the first element is over a limit."""

    def __init__(self, limit):
        self.limit = limit

    def kernel(self, node):
        if node.name != "stablehlo.add" or "4x" not in node.result_types[0]:
            return node.kernel

        def fail(a, b):
            if a[0] + b[0] > self.limit:
                raise ValueError("too much")
            return np.add(a, b)

        return fail


@pytest.mark.parametrize("mode", MODES)
def test_the_first_error_stops_all_devices_and_says_where_it_was(texts, mode):
    module = ab.parse(texts.one_way(3))
    exe = ab.compile(module, providers={"cpu:2": Failing(10)}, parallel_iterations=4, **mode)
    before = threading.active_count()
    with pytest.raises(KernelError) as caught:
        exe.run([np.int32(1_000_000), X], deadline=60)
    error = caught.value
    assert error.message == 'stablehlo.add on cpu:2 in iteration 9 of "loop": too much'
    assert error.op_name == "stablehlo.add" and error.device == "cpu:2"
    assert error.tag == (("loop", 9),) and position_of(error.location) is not None
    assert threading.active_count() == before
    (result,) = exe(np.int32(5), X)
    assert result[0] == 6


@pytest.mark.parametrize("mode", MODES)
def test_a_deadline_ends_loops_on_all_devices(texts, mode):
    exe = ab.compile(ab.parse(texts.ring(3)), **mode)
    before = time.perf_counter()
    with pytest.raises(DeadlineError, match=r'deadline of 0\.2 s passed: loop "loop"') as caught:
        exe.run([np.int32(2**30), X], deadline=0.2)
    assert time.perf_counter() - before < 10
    assert all(f"cpu:{k}" in caught.value.message for k in range(3))
    assert len(re.findall(r'loop "loop" is at iteration \d+', caught.value.message)) >= 2


@pytest.mark.parametrize("mode", [*MODES, {"order": True}])
def test_devices_that_wait_for_each_other_are_reported(mode):
    text = """
    dfg.program @main (tensor<f32>) -> tensor<f32> {
      dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
      dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<f32>
      dfg.partition on "cpu:0" (%x: tensor<f32>) -> tensor<f32> {
        %a = dfg.recv from "cpu:1" channel 1 : tensor<f32>
        %b = stablehlo.add %a, %x : tensor<f32>
        dfg.send %b to "cpu:1" channel 0 : tensor<f32>
        dfg.fetch %b : tensor<f32>
      }
      dfg.partition on "cpu:1" () -> () {
        %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
        dfg.send %a to "cpu:0" channel 1 : tensor<f32>
        dfg.fetch
      }
    }
    """
    options = {"order": lambda ready: 0} if "order" in mode else {}
    exe = ab.compile(
        ab.parse(text), **{k: v for k, v in mode.items() if k != "order"}, verify=False
    )
    with pytest.raises(ProgramError) as caught:
        exe.run([np.float32(1)], **options)
    message = caught.value.message
    assert message.startswith("no node can fire and results are missing on cpu:0, cpu:1: ")
    one = "cpu:0 waits for the message of channel 1 from cpu:1, which has not sent it"
    other = "cpu:1 waits for the message of channel 0 from cpu:0, which has not sent it"
    assert one in message and other in message
    assert position_of(caught.value.location) is not None


def uneven(texts, first, second):
    """Two devices whose loops make different numbers of trips."""
    t = "tensor<4xf32>"
    send = f'dfg.send %x to "cpu:1" channel 0 : {t}'
    take = f'%a = dfg.recv from "cpu:0" channel 0 : {t}\n%s = stablehlo.add %v, %a : {t}'
    return texts.program(
        ["tensor<i32>", "tensor<i32>", t],
        [t],
        [texts.channel(0, 0, 1)],
        [
            f'dfg.partition on "cpu:0" (%n: tensor<i32>, %x: {t}) -> () feeds [{first}, 2] {{'
            f"{texts.constants}{texts.counted('', '', '', send, '')}\ndfg.fetch\n}}",
            f'dfg.partition on "cpu:1" (%n: tensor<i32>, %x: {t}) -> {t} feeds [{second}, 2] {{'
            f"{texts.constants}{texts.counted('v', 'x', t, take, 's')}\ndfg.fetch %r#1 : {t}\n}}",
        ],
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_message_that_was_never_sent_since_its_sender_finished(texts, mode):
    exe = ab.compile(ab.parse(uneven(texts, 0, 1)), verify=False, **mode)
    with pytest.raises(ProgramError) as caught:
        exe.run([np.int32(3), np.int32(4), X], deadline=20)
    assert (
        'cpu:1 waits in iteration 3 of "loop" for the message of channel 0 from cpu:0, which has'
        " finished without sending it"
    ) in caught.value.message
    assert "on cpu:1:" in caught.value.message


@pytest.mark.parametrize("mode", MODES)
def test_a_message_that_nobody_received(texts, mode):
    exe = ab.compile(ab.parse(uneven(texts, 0, 1)), verify=False, **mode)
    with pytest.raises(ProgramError) as caught:
        exe.run([np.int32(4), np.int32(3), X], deadline=20)
    assert caught.value.message == (
        "expected cpu:1 to receive every message, got one of channel 0 from cpu:0 for iteration 3"
        " that it did not"
    )


def test_a_device_held_back_for_ever_is_reported(texts):
    exe = ab.compile(ab.parse(uneven(texts, 0, 1)), parallel_iterations=2, fuse=False, verify=False)
    with pytest.raises(ProgramError) as caught:
        exe.run([np.int32(100), np.int32(0), X], deadline=20)
    assert (
        'cpu:0 holds back iteration 3 of "loop" until cpu:1 has retired 2 there (1 now)'
    ) in caught.value.message


@pytest.mark.parametrize("mode", MODES)
def test_an_interrupt_stops_the_threads(texts, mode):
    exe = ab.compile(ab.parse(texts.ring(3)), **mode)
    calls = []

    def interrupt(fired, where):
        calls.append((fired, where))
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt) as caught:
        exe.run([np.int32(2**30), X], progress=interrupt, deadline=60)
    assert "loop" in calls[0][1] and "interrupted" in caught.value.__notes__[0]
    assert threading.active_count() == before


@pytest.mark.parametrize("mode", MODES)
def test_a_message_missing_in_a_nest_names_all_loops_and_the_line(texts, mode):
    """The inner loop on the second device goes round once more."""
    lines = texts.nested.splitlines()
    wrong = [n for n, line in enumerate(lines) if "stablehlo.compare LT, %k, %i" in line][-1]
    lines[wrong] = lines[wrong].replace("LT", "LE")
    exe = ab.compile(ab.parse("\n".join(lines)), verify=False, **mode)
    with pytest.raises(ProgramError) as caught:
        exe.run([np.int32(4), X], deadline=20)
    found = re.search(
        r'cpu:1 waits in iteration 0 of "inner" in iteration 0 of "outer" for the message of'
        r" channel 1 from cpu:0, which (.*?) \(<string>:(\d+):\d+\)",
        caught.value.message,
    )
    assert found is not None
    assert "dfg.recv" in lines[int(found[2]) - 1] and "channel 1" in lines[int(found[2]) - 1]
