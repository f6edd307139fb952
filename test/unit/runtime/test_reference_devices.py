"""The structured reference on programs in parts: one device at a time, messages between them."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.diagnostics import DataError, ProgramError
from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.reference import evaluate

ORDERS = [None, 0, 1, 2, 3]
PARTITION = Path(__file__).parents[2] / "lit/dialects/dfg/partition.mlir"


def call(text: str, *args: Any, **options: Any) -> list[Any]:
    return evaluate(parse_module(text, "file.mlir"), args, **options)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("trips", [0, 1, 5])
def test_a_loop_on_two_devices(trips: int, order: int | None) -> None:
    (total,) = call(PARTITION.read_text(), np.float32(1), np.int32(trips), order=order)
    assert total == sum(2.0**k for k in range(1, trips + 1))


def test_the_reference_engine_takes_partitions() -> None:
    run = ab.compile(ab.parse(PARTITION.read_text()), engine="reference")
    assert run(np.float32(1), np.int32(3)) == [np.float32(14)]
    with pytest.raises(DataError, match="argument 1"):
        run(np.float32(1), np.float32(3))


def both_ways(first: str, second: str) -> str:
    """Each device has a value of its own and one of the other: which comes first in the text?"""
    lines = {
        "send0": 'dfg.send %x to "cpu:1" channel 0 : tensor<f32>',
        "recv0": '%y = dfg.recv from "cpu:0" channel 0 : tensor<f32>',
        "send1": 'dfg.send %x to "cpu:0" channel 1 : tensor<f32>',
        "recv1": '%y = dfg.recv from "cpu:1" channel 1 : tensor<f32>',
    }

    def joined(names: str) -> str:
        return "\n    ".join(lines[name] for name in names.split())

    return f"""
dfg.program @main (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  dfg.partition on "cpu:0" (%x: tensor<f32>) -> tensor<f32> {{
    {joined(first)}
    %r = stablehlo.subtract %x, %y : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }}
  dfg.partition on "cpu:1" (%x: tensor<f32>) -> tensor<f32> feeds [1] fetches [1] {{
    {joined(second)}
    %r = stablehlo.divide %x, %y : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }}
}}"""


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "first, second",
    [
        ("send0 recv1", "send1 recv0"),
        ("send0 recv1", "recv0 send1"),
        ("recv1 send0", "send1 recv0"),
    ],
)
def test_both_send_before_they_receive(first: str, second: str, order: int | None) -> None:
    results = call(both_ways(first, second), np.float32(3), np.float32(6), order=order)
    assert [float(result) for result in results] == [-3.0, 2.0]


@pytest.mark.parametrize("order", ORDERS)
def test_both_receive_first(order: int | None) -> None:
    before = threading.active_count()
    with pytest.raises(ProgramError) as caught:
        call(both_ways("recv1 send0", "recv0 send1"), np.float32(3), np.float32(6), order=order)
    assert caught.value.message == (
        'no device can go on: "cpu:0" waits for channel 1 from "cpu:1" (at file.mlir:4:5);'
        ' "cpu:1" waits for channel 0 from "cpu:0" (at file.mlir:10:5)'
    )
    assert threading.active_count() == before


LOOP = """
dfg.program @main (tensor<i32>) -> tensor<i32> {{
  dfg.partition on "a" (%n: tensor<i32>) -> tensor<i32> {{
    {start}
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %k = dcf.while "outer" (%i = %zero : tensor<i32>) cond {{
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    }} do {{
      {body}
      %next = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %next : tensor<i32>
    }}
    dfg.fetch %k : tensor<i32>
  }}
  dfg.partition on "b" () {{
    {other}
    dfg.fetch
  }}
}}"""
TOP_RECV = '%x = dfg.recv from "a" channel 7 : tensor<i32>'


def test_a_device_waits_in_a_loop_for_one_that_has_ended() -> None:
    text = LOOP.format(
        start="",
        body='%x = dfg.recv from "b" channel 7 : tensor<i32>',
        other="%c = stablehlo.constant dense<1> : tensor<i32>\n"
        '    dfg.send %c to "a" channel 8 : tensor<i32>',
    )
    with pytest.raises(ProgramError) as caught:
        call(text, np.int32(2))
    assert caught.value.message == (
        'no device can go on: "a" waits for channel 7 from "b" in iteration 0 of loop "outer"'
        ' (at file.mlir:12:7); "b" has ended'
    )


def test_messages_that_nobody_receives() -> None:
    text = LOOP.format(start="", body='dfg.send %i to "b" channel 7 : tensor<i32>', other="")
    with pytest.raises(ProgramError) as caught:
        call(text, np.int32(2))
    assert caught.value.message == (
        'expected every message received, got 2 messages left: the first on channel 7 to "b", sent'
        ' in iteration 0 of loop "outer" on "a"'
    )


def test_two_messages_of_one_iteration() -> None:
    send = 'dfg.send %i to "b" channel 7 : tensor<i32>\n'
    with pytest.raises(ProgramError, match="expected one message on channel 7, got a second one"):
        call(LOOP.format(start="", body=send * 2, other=""), np.int32(2))


@pytest.mark.parametrize("order", ORDERS)
def test_an_error_in_a_kernel_names_the_device(order: int | None) -> None:
    # Popping an empty stack in iteration 1; the other device waits for ever.
    body = """
      %s0 = dcf.stack_new : !dcf.stack<tensor<i32>>
      %v = dcf.cond %odd : tensor<i1> -> tensor<i32> then {
        %s1, %w = dcf.stack_pop %s0 : !dcf.stack<tensor<i32>>
        dcf.yield %w : tensor<i32>
      } else {
        dcf.yield %i : tensor<i32>
      }"""
    body = "%odd = stablehlo.compare EQ, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>" + body
    before = threading.active_count()
    with pytest.raises(ProgramError) as caught:
        call(LOOP.format(start="", body=body, other=TOP_RECV), np.int32(5), order=order)
    assert "dcf.stack_pop" in caught.value.message
    assert caught.value.message.endswith('in iteration 1 of loop "outer" on "a"')
    assert threading.active_count() == before


def test_an_endless_loop_ends_at_the_deadline() -> None:
    text = LOOP.format(start="", body="", other=TOP_RECV).replace("add %i, %one", "and %i, %zero")
    start = time.monotonic()
    with pytest.raises(ProgramError, match='deadline of 0.2 s passed in loop "outer" on "a" after'):
        call(text, np.int32(5), deadline=0.2)
    assert time.monotonic() - start < 5


def test_trip_bounds_name_the_device() -> None:
    text = LOOP.format(start="", body="", other="").replace(
        "    }\n    dfg.fetch %k", "    } {trip_bound = 2 : i64}\n    dfg.fetch %k"
    )
    with pytest.raises(ProgramError, match='more trips than its trip_bound of 2 on "a"'):
        call(text, np.int32(5))
    assert call(text, np.int32(2)) == [2]


def test_what_a_probe_raises_leaves_the_run_as_it_is() -> None:
    def sink(label: str, values: tuple[Any, ...]) -> None:
        raise KeyError(label)

    text = LOOP.format(start="", body='dcf.probe "p" %i : tensor<i32>', other=TOP_RECV)
    with pytest.raises(KeyError, match="p"):
        call(text, np.int32(5), probe=sink)
    seen: list[int] = []

    def see(label: str, values: tuple[Any, ...]) -> None:
        seen.append(int(values[0]))

    text = LOOP.format(start="", body='dcf.probe "p" %i : tensor<i32>', other="")
    call(text, np.int32(3), probe=see)
    assert seen == [0, 1, 2]


def test_an_interrupt_ends_all_devices(interrupted_soon: None) -> None:
    text = LOOP.format(start="", body="", other=TOP_RECV).replace("add %i, %one", "and %i, %zero")
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        call(text, np.int32(5), deadline=60)
    assert threading.active_count() <= before


def test_a_program_without_devices() -> None:
    assert call("dfg.program @main () { }") == []


def test_sends_of_a_function_have_nobody_to_go_to() -> None:
    text = """
func.func @main(%x: tensor<f32>) {
  dfg.send %x to "cpu:1" channel 0 : tensor<f32>
  return
}"""
    with pytest.raises(ProgramError, match="dfg.send: expected a dfg.partition"):
        call(text, np.float32(1))
