"""Random programs of a few devices that do nothing but send and receive, in any order.

Both ends of every channel are at the same place: at the top, in a branch of a `dcf.cond`, in the
body of a loop, or in a branch in a loop, where the predicate changes from trip to trip. Within a
place each device has its own order, so many of these programs wait in a circle.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TRIPS = 6


@dataclass
class Place:
    """A block that all devices have: its channels as (source, target), and structured ops in it."""

    channels: list[tuple[int, tuple[int, int]]] = field(
        default_factory=list[tuple[int, tuple[int, int]]]
    )
    conds: list[tuple[str, Place, Place]] = field(default_factory=list["tuple[str, Place, Place]"])
    loops: list[tuple[str, Place]] = field(default_factory=list["tuple[str, Place]"])


class _Writer:
    def __init__(self, generator: random.Random, devices: int, channels: int):
        self.random = generator
        self.devices = devices
        self.budget = channels
        self.names = 0
        self.channel = 0

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    def place(self, depth: int, predicates: list[str]) -> Place:
        """A block of at most `depth` levels of structured ops."""
        place = Place()
        for _ in range(self.random.randrange(4)):
            kind = self.random.choice(("channel", "channel", "cond", "loop"))
            if kind == "channel" or depth == 0:
                if self.budget > 0:
                    self.budget -= 1
                    source, target = self.random.sample(range(self.devices), 2)
                    place.channels.append((self.channel, (source, target)))
                    self.channel += 1
            elif kind == "cond":
                then, other = (self.place(depth - 1, predicates) for _ in range(2))
                place.conds.append((self.random.choice(predicates), then, other))
            else:
                name = self.name()
                place.loops.append((name, self.place(depth - 1, [*predicates, f"%odd_{name}"])))
        return place

    def block(self, place: Place, device: int, indent: str) -> list[str]:
        """What one device does in a block, in an order of its own."""
        pieces: list[list[str]] = []
        for channel, (source, target) in place.channels:
            if device == source:
                pieces.append([f'dfg.send %v to "d{target}" channel {channel} : tensor<i32>'])
            elif device == target:
                got = f"%{self.name()}"
                pieces.append(
                    [f'{got} = dfg.recv from "d{source}" channel {channel} : tensor<i32>']
                )
        for predicate, then, other in place.conds:
            pieces.append(
                [
                    f"dcf.cond {predicate} : tensor<i1> then {{",
                    *self.block(then, device, "  "),
                    "  dcf.yield",
                    "} else {",
                    *self.block(other, device, "  "),
                    "  dcf.yield",
                    "}",
                ]
            )
        for name, body in place.loops:
            pieces.append(
                [
                    f'%k_{name} = dcf.while "{name}" (%i_{name} = %zero : tensor<i32>) cond {{',
                    f"  %go = stablehlo.compare LT, %i_{name}, %n"
                    " : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                    "  dcf.condition %go",
                    "} do {",
                    f"  %bit_{name} = stablehlo.and %i_{name}, %one : tensor<i32>",
                    f"  %odd_{name} = stablehlo.compare EQ, %bit_{name}, %one"
                    " : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                    *self.block(body, device, "  "),
                    f"  %next_{name} = stablehlo.add %i_{name}, %one : tensor<i32>",
                    f"  dcf.yield %next_{name} : tensor<i32>",
                    "}",
                ]
            )
        self.random.shuffle(pieces)
        return [indent + line for piece in pieces for line in piece]


def random_channels(seed: int) -> str:
    """A program whose arguments are two predicates."""
    generator = random.Random(seed)
    devices = generator.choice((2, 2, 3))
    writer = _Writer(generator, devices, channels=generator.randrange(2, 8))
    place = writer.place(2, ["%p", "%q"])
    lines = ["dfg.program @main (tensor<i1>, tensor<i1>) {"]
    for device in range(devices):
        lines += [
            f'  dfg.partition on "d{device}" (%p: tensor<i1>, %q: tensor<i1>) {{',
            "    %zero = stablehlo.constant dense<0> : tensor<i32>",
            "    %one = stablehlo.constant dense<1> : tensor<i32>",
            f"    %n = stablehlo.constant dense<{TRIPS}> : tensor<i32>",
            f"    %v = stablehlo.constant dense<{device}> : tensor<i32>",
            *writer.block(place, device, "    "),
            "    dfg.fetch",
            "  }",
        ]
    return "\n".join([*lines, "}"])
