"""Places everything at random: any placement must give the same results, which tests rely on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .groups import Groups
from .scope import Choice, Item


def place_at_random(
    arguments: Sequence[Item],
    ops: Sequence[Operation],
    results: int,
    groups: Groups,
    devices: Sequence[str],
    seed: int,
) -> tuple[dict[Item, Choice], list[str]]:
    """The choices, and the devices of the results.

    Each position has a draw of its own, so the outcome depends on nothing but the program, the
    devices and the seed. What shares a stack or an array goes with the first of it.
    """
    items = [*arguments, *ops]
    draws = np.random.default_rng(seed).integers(len(devices), size=len(items) + results)
    choices: dict[Item, Choice] = {}
    for item, draw in zip(items, draws):
        group = groups.of.get(item)
        first = group.items[0] if group is not None else item
        choices[item] = choices.get(first) or Choice(devices[int(draw)], "at random")
    places = [devices[int(draw)] for draw in draws[len(items) :]]
    for group in groups.all:
        for number in group.results:
            places[number] = choices[group.items[0]].device
    return choices, places
