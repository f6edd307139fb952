"""Every clean-up pass leaves results and probes of random programs as they are, bit by bit."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from anabranch.frontends.mlir_text import make_context, parse_module, verify_module
from anabranch.passes import get_pass
from anabranch.runtime.reference import evaluate

_spec = importlib.util.spec_from_file_location(
    "random_programs", Path(__file__).with_name("random_programs.py")
)
assert _spec is not None and _spec.loader is not None
random_programs = importlib.util.module_from_spec(_spec)
sys.modules["random_programs"] = random_programs
_spec.loader.exec_module(random_programs)

PASSES = (
    "inline-calls",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "remove-dead-code",
    "expand-scan",
    "name-frames",
)
SEEDS = int(os.environ.get("RANDOM_PROGRAMS", "24"))
ARGUMENTS = [
    np.array(3, np.int32),
    np.array(-1, np.int32),
    np.array(1.25, np.float32),
    np.array(-7.5, np.float32),
    np.array([0.5, -2.0, 3.0], np.float32),
]


def observed(module: ModuleOp) -> list[Any]:
    """What a run of the module shows: result bits, and probes with theirs, in order."""
    seen: list[Any] = []

    def probe(label: str, values: tuple[Any, ...]) -> None:
        seen.append((label, [np.asarray(value).tobytes() for value in values]))

    results = evaluate(module, ARGUMENTS, probe=probe)
    return [*seen, *[(str(r.dtype), np.asarray(r).tobytes()) for r in results]]


def run_pass(module: ModuleOp, name: str) -> None:
    get_pass(name)().apply(make_context(), module)
    verify_module(module)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_each_pass_alone(seed: int):
    text = random_programs.ProgramWriter(seed).program()
    expected = observed(parse_module(text))
    for name in PASSES:
        module = parse_module(text)
        run_pass(module, name)
        assert observed(module) == expected, f"{name} changed\n{text}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_passes_in_a_row(seed: int):
    text = random_programs.ProgramWriter(1000 + seed, size=25).program()
    module = parse_module(text)
    expected = observed(module)
    for name in PASSES:
        run_pass(module, name)
        assert observed(module) == expected, f"{name} changed\n{text}"


@pytest.mark.parametrize("seed", range(0, SEEDS, 4))
def test_a_second_run_changes_nothing(seed: int):
    module = parse_module(random_programs.ProgramWriter(2000 + seed, size=25).program())
    for name in PASSES:
        run_pass(module, name)
        once = str(module)
        run_pass(module, name)
        assert str(module) == once, name
