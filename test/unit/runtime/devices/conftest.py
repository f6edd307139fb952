"""Programs on several devices, as text of structured parts, for the tests of the engine."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

T = "tensor<4xf32>"
I = "tensor<i32>"  # noqa: E741


def program(arguments: list[str], results: list[str], channels: list[str], parts: list[str]) -> str:
    """A whole module."""
    text = "\n".join([*(f"dfg.channel {channel}" for channel in channels), *parts])
    return f"dfg.program @main ({', '.join(arguments)}) -> ({', '.join(results)}) {{\n{text}\n}}"


def channel(number: int, source: int, target: int, type: str = T) -> str:
    """`0 from "cpu:0" to "cpu:1" : type`."""
    return f'{number} from "cpu:{source}" to "cpu:{target}" : {type}'


def counted(
    carries: str, inits: str, types: str, body: str, yields: str, name: str = "loop"
) -> str:
    """A loop of %n trips with the counter %i and other carries."""
    names = ", ".join(
        f"%{carry} = %{init}" for carry, init in zip(carries.split(), inits.split(), strict=True)
    )
    inside = ", ".join(["%i = %zero", *([names] if names else [])])
    kinds = ", ".join([I, *([types] if types else [])])
    back = ", ".join(["%j", *(f"%{value}" for value in yields.split())])
    results = 1 + len(carries.split())
    left = "%r" if results == 1 else f"%r:{results}"
    return f"""
    {left} = dcf.while "{name}" ({inside} : {kinds}) cond {{
      %go = stablehlo.compare LT, %i, %n, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : {I}
      {body}
      dcf.yield {back} : {kinds}
    }}"""


CONSTANTS = f"""
    %zero = stablehlo.constant dense<0> : {I}
    %one = stablehlo.constant dense<1> : {I}
    %c = stablehlo.constant dense<1.0> : {T}
    %half = stablehlo.constant dense<0.5> : {T}
"""


def ring(devices: int, *, state: bool = True, op: str = "stablehlo.add") -> str:
    """(n, x) -> x after n trips around all devices: halved on the first, plus 1 on the others.

    Without `state` every trip starts from x itself, so trips may overlap; the result is a carry
    that takes what comes back.
    """
    last = devices - 1
    parts: list[str] = []
    channels = [channel(k, k, (k + 1) % devices) for k in range(devices)]
    channels += [channel(100 + k, 0, k, I) for k in range(1, devices)]
    sends = "\n".join(
        f'dfg.send %n to "cpu:{k}" channel {100 + k} : {I}' for k in range(1, devices)
    )
    start = "%v" if state else "%x"
    body = f"""
      %a = stablehlo.multiply {start}, %half : {T}
      dfg.send %a to "cpu:1" channel 0 : {T}
      %b = dfg.recv from "cpu:{last}" channel {last} : {T}
    """
    parts.append(
        f'dfg.partition on "cpu:0" (%n: {I}, %x: {T}) -> {T} feeds [0, 1] fetches [0] {{'
        f"{sends}{CONSTANTS}{counted('v', 'x', T, body, 'b')}\ndfg.fetch %r#1 : {T}\n}}"
    )
    for k in range(1, devices):
        body = f"""
          %a = dfg.recv from "cpu:{k - 1}" channel {k - 1} : {T}
          %b = {op} %a, %c : {T}
          dfg.send %b to "cpu:{(k + 1) % devices}" channel {k} : {T}
        """
        parts.append(
            f'dfg.partition on "cpu:{k}" () -> () {{\n'
            f'%n = dfg.recv from "cpu:0" channel {100 + k} : {I}'
            f"{CONSTANTS}{counted('', '', '', body, '')}\ndfg.fetch\n}}"
        )
    return program([I, T], [T], channels, parts)


def one_way(devices: int) -> str:
    """(n, x) -> x: each device adds 1 and sends on; the last sums what comes."""
    parts: list[str] = []
    channels = [channel(k, k, k + 1) for k in range(devices - 1)]
    channels += [channel(100 + k, 0, k, I) for k in range(1, devices)]
    sends = "\n".join(
        f'dfg.send %n to "cpu:{k}" channel {100 + k} : {I}' for k in range(1, devices)
    )
    body = f"""
      %a = stablehlo.multiply %v, %half : {T}
      dfg.send %a to "cpu:1" channel 0 : {T}
    """
    parts.append(
        f'dfg.partition on "cpu:0" (%n: {I}, %x: {T}) -> () feeds [0, 1] {{'
        f"{sends}{CONSTANTS}{counted('v', 'x', T, body, 'a')}\ndfg.fetch\n}}"
    )
    for k in range(1, devices - 1):
        body = f"""
          %a = dfg.recv from "cpu:{k - 1}" channel {k - 1} : {T}
          %b = stablehlo.add %a, %c : {T}
          dfg.send %b to "cpu:{k + 1}" channel {k} : {T}
        """
        parts.append(
            f'dfg.partition on "cpu:{k}" () -> () {{\n'
            f'%n = dfg.recv from "cpu:0" channel {100 + k} : {I}'
            f"{CONSTANTS}{counted('', '', '', body, '')}\ndfg.fetch\n}}"
        )
    last = devices - 1
    body = f"""
      %a = dfg.recv from "cpu:{last - 1}" channel {last - 1} : {T}
      %s = stablehlo.add %v, %a : {T}
    """
    parts.append(
        f'dfg.partition on "cpu:{last}" () -> {T} fetches [0] {{\n'
        f'%n = dfg.recv from "cpu:0" channel {100 + last} : {I}'
        f"{CONSTANTS}{counted('v', 'c', T, body, 's')}\ndfg.fetch %r#1 : {T}\n}}"
    )
    return program([I, T], [T], channels, parts)


NESTED = f"""
dfg.program @main ({I}, {T}) -> ({T}) {{
  dfg.channel 0 from "cpu:0" to "cpu:1" : {I}
  dfg.channel 1 from "cpu:0" to "cpu:1" : {T}
  dfg.channel 2 from "cpu:1" to "cpu:0" : {T}
  dfg.channel 3 from "cpu:0" to "cpu:1" : {T}
  dfg.partition on "cpu:0" (%n: {I}, %x: {T}) -> {T} feeds [0, 1] fetches [0] {{
    dfg.send %n to "cpu:1" channel 0 : {I}
    {CONSTANTS}
    %r:2 = dcf.while "outer" (%i = %zero, %v = %x : {I}, {T}) cond {{
      %go = stablehlo.compare LT, %i, %n, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : {I}
      dfg.send %v to "cpu:1" channel 3 : {T}
      %s:2 = dcf.while "inner" (%k = %zero, %w = %v : {I}, {T}) cond {{
        %go = stablehlo.compare LT, %k, %i, SIGNED : ({I}, {I}) -> tensor<i1>
        dcf.condition %go : tensor<i1>
      }} do {{
        %l = stablehlo.add %k, %one : {I}
        %a = stablehlo.multiply %w, %half : {T}
        dfg.send %a to "cpu:1" channel 1 : {T}
        %b = dfg.recv from "cpu:1" channel 2 : {T}
        dcf.yield %l, %b : {I}, {T}
      }}
      %t = stablehlo.add %s#1, %c : {T}
      dcf.yield %j, %t : {I}, {T}
    }}
    dfg.fetch %r#1 : {T}
  }}
  dfg.partition on "cpu:1" () -> () {{
    %n = dfg.recv from "cpu:0" channel 0 : {I}
    {CONSTANTS}
    %r = dcf.while "outer" (%i = %zero : {I}) cond {{
      %go = stablehlo.compare LT, %i, %n, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : {I}
      %v = dfg.recv from "cpu:0" channel 3 : {T}
      %s = dcf.while "inner" (%k = %zero : {I}) cond {{
        %go = stablehlo.compare LT, %k, %i, SIGNED : ({I}, {I}) -> tensor<i1>
        dcf.condition %go : tensor<i1>
      }} do {{
        %l = stablehlo.add %k, %one : {I}
        %a = dfg.recv from "cpu:0" channel 1 : {T}
        %b = stablehlo.add %a, %v : {T}
        dfg.send %b to "cpu:0" channel 2 : {T}
        dcf.yield %l : {I}
      }}
      dcf.yield %j : {I}
    }}
    dfg.fetch
  }}
}}
"""
"""Inner loops of 0, 1, 2, … trips; what the outer trip began with is added on the other device."""

BRANCHES = f"""
dfg.program @main ({I}, {T}) -> ({T}) {{
  dfg.channel 0 from "cpu:0" to "cpu:1" : {I}
  dfg.channel 1 from "cpu:0" to "cpu:1" : {T}
  dfg.channel 2 from "cpu:1" to "cpu:0" : {T}
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<i1>
  dfg.partition on "cpu:0" (%n: {I}, %x: {T}) -> {T} feeds [0, 1] fetches [0] {{
    dfg.send %n to "cpu:1" channel 0 : {I}
    {CONSTANTS}
    %three = stablehlo.constant dense<3> : {I}
    %r:2 = dcf.while "loop" (%i = %zero, %v = %x : {I}, {T}) cond {{
      %go = stablehlo.compare LT, %i, %n, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : {I}
      %m = stablehlo.remainder %i, %three : {I}
      %p = stablehlo.compare EQ, %m, %one, SIGNED : ({I}, {I}) -> tensor<i1>
      dfg.send %p to "cpu:1" channel 3 : tensor<i1>
      %w = dcf.cond %p : tensor<i1> -> {T} then {{
        %a = stablehlo.multiply %v, %half : {T}
        dfg.send %a to "cpu:1" channel 1 : {T}
        %b = dfg.recv from "cpu:1" channel 2 : {T}
        dcf.yield %b : {T}
      }} else {{
        %a = stablehlo.subtract %v, %half : {T}
        dcf.yield %a : {T}
      }}
      dcf.yield %j, %w : {I}, {T}
    }}
    dfg.fetch %r#1 : {T}
  }}
  dfg.partition on "cpu:1" () -> () {{
    %n = dfg.recv from "cpu:0" channel 0 : {I}
    {CONSTANTS}
    %r = dcf.while "loop" (%i = %zero : {I}) cond {{
      %go = stablehlo.compare LT, %i, %n, SIGNED : ({I}, {I}) -> tensor<i1>
      dcf.condition %go : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : {I}
      %p = dfg.recv from "cpu:0" channel 3 : tensor<i1>
      dcf.cond %p : tensor<i1> then {{
        %a = dfg.recv from "cpu:0" channel 1 : {T}
        %b = stablehlo.add %a, %c : {T}
        dfg.send %b to "cpu:0" channel 2 : {T}
        dcf.yield
      }} else {{
        dcf.yield
      }}
      dcf.yield %j : {I}
    }}
    dfg.fetch
  }}
}}
"""
"""A branch in a loop, one side of it on two devices; its predicate crosses."""


ACTIVATIONS = (
    NESTED.replace("%w = %v :", "%w = %x :")
    .replace("%t = stablehlo.add %s#1, %c", "%t = stablehlo.add %s#1, %v")
    .replace("stablehlo.add %a, %v", "stablehlo.add %a, %c")
    .replace(f'      dfg.send %v to "cpu:1" channel 3 : {T}\n', "")
    .replace(f'      %v = dfg.recv from "cpu:0" channel 3 : {T}\n', "")
    .replace(f'  dfg.channel 3 from "cpu:0" to "cpu:1" : {T}\n', "")
)
"""The same nest, but no inner loop needs another: all may go round at once. Their sum."""


@pytest.fixture(scope="session")
def texts():
    """What makes the texts of programs."""
    return SimpleNamespace(
        ring=ring,
        one_way=one_way,
        nested=NESTED,
        branches=BRANCHES,
        activations=ACTIVATIONS,
        program=program,
        channel=channel,
        counted=counted,
        constants=CONSTANTS,
    )
