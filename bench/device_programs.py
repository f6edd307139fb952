"""The programs of `devices.py`: loops over k devices, as MLIR text with `plan.device`."""

from __future__ import annotations

from collections.abc import Sequence

VECTOR = "tensor<8xf32>"


def on(device: int) -> str:
    """The attribute that places an op, an argument or a result."""
    return f'{{plan.device = "cpu:{device}"}}'


def counted_loop(
    carries: Sequence[tuple[str, int]], body: Sequence[str], yields: Sequence[str]
) -> str:
    """A `@main` that runs `body` n times over carries of vectors, each given by name and device.

    `%n`, `%x<name>` and constants `%scale`, `%shift` are there; `%i` counts.
    """
    arguments = ", ".join(f"%x{name}: {VECTOR} {on(device)}" for name, device in carries)
    results = ", ".join(f"{VECTOR} {on(device)}" for _, device in carries)
    types = ", ".join(["tensor<i32>", *[VECTOR] * len(carries)])
    bound = ", ".join(["%i = %zero", *(f"%{name} = %x{name}" for name, _ in carries)])
    names = ", ".join(f"%r{name}" for name, _ in carries)
    lines = "\n".join(f"    {line}" for line in body)
    return f"""
func.func @main(%n: tensor<i32> {on(0)}, {arguments}) -> ({results}) {{
  %zero = stablehlo.constant {on(0)} dense<0> : tensor<i32>
  %one = stablehlo.constant {on(0)} dense<1> : tensor<i32>
  %scale = stablehlo.constant {on(0)} dense<0.999> : {VECTOR}
  %shift = stablehlo.constant {on(0)} dense<0.1> : {VECTOR}
  %count, {names} = dcf.while "loop" ({bound} : {types}) cond {{
    %go = stablehlo.compare LT, %i, %n {on(0)} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  }} do {{
{lines}
    %next = stablehlo.add %i, %one {on(0)} : tensor<i32>
    dcf.yield {", ".join(["%next", *yields])} : {types}
  }}
  return {names} : {", ".join([VECTOR] * len(carries))}
}}
"""


def spread_loop(devices: int, *, chained: bool) -> str:
    """x_d = x_d * 0.999 + 0.1 on each device d; chained: + what device d - 1 has just made."""
    body: list[str] = []
    for device in range(devices):
        other = f"%new{device - 1}" if chained and device else "%shift"
        scaled, new = f"%scaled{device}", f"%new{device}"
        body += [
            f"{scaled} = stablehlo.multiply %v{device}, %scale {on(device)} : {VECTOR}",
            f"{new} = stablehlo.add {scaled}, {other} {on(device)} : {VECTOR}",
        ]
    carries = [(f"v{device}", device) for device in range(devices)]
    return counted_loop(carries, body, [f"%new{device}" for device in range(devices)])


def ring(devices: int) -> str:
    """A chain of tanhs, one on each device, whose end comes back to the first within the trip.

    No device's tanh needs anything of an earlier trip, so only the window keeps trips apart.
    """
    body = [
        f"%f = stablehlo.convert %i {on(0)} : (tensor<i32>) -> tensor<f32>",
        f"%b = stablehlo.broadcast_in_dim %f, dims = [] {on(0)} : (tensor<f32>) -> {VECTOR}",
        f"%s0 = stablehlo.tanh %b {on(0)} : {VECTOR}",
    ]
    for device in range(1, devices):
        body.append(f"%s{device} = stablehlo.tanh %s{device - 1} {on(device)} : {VECTOR}")
    body.append(f"%sum = stablehlo.add %acc, %s{devices - 1} {on(0)} : {VECTOR}")
    return counted_loop([("acc", 0)], body, ["%sum"])


def chain_with_state(devices: int) -> str:
    """x_d = tanh(x_d + what device d - 1 has just made): each device's state stays there."""
    body: list[str] = []
    for device in range(devices):
        other = f"%new{device - 1}" if device else "%shift"
        body += [
            f"%sum{device} = stablehlo.add %v{device}, {other} {on(device)} : {VECTOR}",
            f"%new{device} = stablehlo.tanh %sum{device} {on(device)} : {VECTOR}",
        ]
    carries = [(f"v{device}", device) for device in range(devices)]
    return counted_loop(carries, body, [f"%new{device}" for device in range(devices)])


def until_small(devices: int) -> str:
    """Halves x_0 on the first device until all of it is small; the others double theirs as often.

    The predicate depends on data, so its owner sends it to each other device.
    """
    vectors = ", ".join([VECTOR] * devices)
    arguments = ", ".join(f"%x{k}: {VECTOR} {on(k)}" for k in range(devices))
    results = ", ".join(f"{VECTOR} {on(k)}" for k in range(devices))
    bound = ", ".join(f"%v{k} = %x{k}" for k in range(devices))
    names = ", ".join(f"%r{k}" for k in range(devices))
    body = "\n".join(
        f"    %new{k} = stablehlo.multiply %v{k}, {'%half' if k == 0 else '%two'} {on(k)} : {VECTOR}"
        for k in range(devices)
    )
    news = ", ".join(f"%new{k}" for k in range(devices))
    return f"""
func.func @main({arguments}) -> ({results}) {{
  %half = stablehlo.constant {on(0)} dense<0.5> : {VECTOR}
  %two = stablehlo.constant {on(0)} dense<2.0> : {VECTOR}
  %small = stablehlo.constant {on(0)} dense<1.0e-6> : tensor<f32>
  %zero = stablehlo.constant {on(0)} dense<0.0> : tensor<f32>
  {names} = dcf.while "until" ({bound} : {vectors}) cond {{
    %top = stablehlo.reduce(%v0 init: %zero) applies stablehlo.maximum across dimensions = [0]
      {on(0)} : ({VECTOR}, tensor<f32>) -> tensor<f32>
    %go = stablehlo.compare GT, %top, %small {on(0)} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %go
  }} do {{
{body}
    dcf.yield {news} : {vectors}
  }}
  return {names} : {vectors}
}}
"""


def step_loop(trips: int, width: int, *, unrolled: bool) -> str:
    """x = tanh(x w), `trips` times: as a loop, or written out."""
    matrix = f"tensor<{width}x{width}xf32>"
    dot = f"contracting_dims = [1] x [0] : ({matrix}, {matrix}) -> {matrix}"
    if unrolled:
        lines: list[str] = []
        for k in range(trips):
            lines.append(f"  %y{k} = stablehlo.dot_general %x{k}, %w, {dot}")
            lines.append(f"  %x{k + 1} = stablehlo.tanh %y{k} : {matrix}")
        body = "\n".join(lines)
        return f"""
func.func @main(%n: tensor<i32>, %x0: {matrix}, %w: {matrix}) -> {matrix} {{
{body}
  return %x{trips} : {matrix}
}}
"""
    return f"""
func.func @main(%n: tensor<i32>, %x0: {matrix}, %w: {matrix}) -> {matrix} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %r = dcf.while "steps" (%k = %zero, %x = %x0 : tensor<i32>, {matrix}) cond {{
    %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  }} do {{
    %y = stablehlo.dot_general %x, %w, {dot}
    %z = stablehlo.tanh %y : {matrix}
    %j = stablehlo.add %k, %one : tensor<i32>
    dcf.yield %j, %z : tensor<i32>, {matrix}
  }}
  return %r : {matrix}
}}
"""
