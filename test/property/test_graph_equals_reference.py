"""On random programs, the dataflow graph gives the bits and the effects of the structured reference.

Node by node, fused, with several windows, and with ready nodes fired in random orders.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anabranch as ab

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def run(program: Program, engine: str = "local", order: Any = None, **options: Any) -> Any:
    """Bytes of the results, and what the probes reported, in order."""
    seen: list[tuple[str, list[bytes]]] = []

    def probe(label: str, values: tuple[Any, ...]) -> None:
        seen.append((label, [value.tobytes() for value in values]))

    exe = ab.compile(ab.parse(program.text), engine=engine, **options)
    results = exe.run(program.arguments, probe=probe, order=order, deadline=20)
    return [result.tobytes() for result in results], seen


@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(programs(), st.integers(0, 2**32))
def test_same_bits_and_effects(program: Program, seed: int) -> None:
    expected = run(program, "reference")
    assert run(program) == expected
    assert run(program, fuse=False) == expected
    for window in (1, 2, 4000):
        assert run(program, fuse=False, parallel_iterations=window) == expected
    shuffle = random.Random(seed)
    assert run(program, fuse=False, order=lambda ready: shuffle.randrange(len(ready))) == expected


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(programs(probes=False))
def test_fused_loops_give_the_same_bits(program: Program) -> None:
    assert run(program) == run(program, "reference")
