"""Every example, and its gradient, split over devices at random: the bits of one device.

`random_devices.py` does the same with many more placements, and with programs of one's own.
"""

from __future__ import annotations

import pathlib
import sys

import pytest

import anabranch as ab

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from random_devices import (
    DEADLINE,
    EXAMPLES,
    arguments_of,
    has_gradient,
    same_bits,
    split,
    structured,
    ways,
)

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.npz"))
PLACEMENTS = ((2, 0), (3, 1), (5, 2), (2, 3), (3, 4))
"""A number of devices and a seed each."""


@pytest.mark.parametrize("gradient", [False, True], ids=["forward", "gradient"])
@pytest.mark.parametrize("name", NAMES)
def test_an_example_gives_the_same_bits_on_many_devices(name: str, gradient: bool):
    module = ab.parse(EXAMPLES / f"{name}.mlir")
    if gradient and not has_gradient(module):
        pytest.skip("no floating-point result to differentiate")
    arguments = arguments_of(EXAMPLES / f"{name}.npz")
    whole, function = structured(module, gradient=gradient)
    want = ab.compile(whole, function=function).run(arguments, deadline=DEADLINE)
    for devices, seed in PLACEMENTS:
        parts = split(whole, function, devices, seed)
        for made, asked in ways(seed):
            executable = ab.compile(parts, function=function, **made)
            got = executable.run(arguments, deadline=DEADLINE, **asked)
            assert same_bits(got, want), f"{devices} devices, seed {seed}, {made}, {list(asked)}"
