"""`verify-channels` refuses exactly the programs in which devices can come to wait in a circle."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from anabranch.dialects.dfg import ProgramOp
from anabranch.dialects.diagnostics import ProgramError
from anabranch.frontends.mlir_text import load_module, parse_module
from anabranch.passes.verify_channels import verify_channels
from anabranch.runtime.reference import evaluate

sys.path.insert(0, str(Path(__file__).parent))
from random_channels import random_channels

VALID = Path(__file__).parents[2] / "lit/passes/verify_channels/valid.mlir"


def refusal(text: str) -> str | None:
    """What the pass says of `@main`; None if nothing."""
    (program,) = parse_module(text, "file.mlir").ops
    assert isinstance(program, ProgramOp)
    try:
        verify_channels(program)
    except ProgramError as error:
        return error.message
    return None


def stuck(text: str) -> bool:
    """Whether the reference gets stuck for some values of the predicates."""
    module = parse_module(text)
    for values in itertools.product((np.False_, np.True_), repeat=2):
        try:
            evaluate(module, values, deadline=60)
        except ProgramError as error:
            assert "no device can go on" in error.message
            return True
    return False


@pytest.mark.parametrize("first", range(0, 150, 50))
def test_random_orders_of_sends_and_receives(first: int) -> None:
    outcomes: set[bool] = set()
    for seed in range(first, first + 50):
        text = random_channels(seed)
        message = refusal(text)
        assert (message is not None) == stuck(text), f"seed {seed}: {message}\n{text}"
        outcomes.add(message is None)
    assert outcomes == {True, False}


@pytest.mark.parametrize("order", [None, 0, 1, 2])
def test_what_is_accepted_runs_in_every_order(order: int | None) -> None:
    for seed in range(60):
        text = random_channels(seed)
        if refusal(text) is None:
            module = parse_module(text)
            for values in itertools.product((np.False_, np.True_), repeat=2):
                evaluate(module, values, deadline=60, order=order)


def test_the_valid_programs_of_the_lit_test_run() -> None:
    module = load_module(VALID)
    arguments = {
        "exchange": [3.0, 4.0],
        "there_and_back": [3.0],
        "crossing": [3.0, 4.0],
        "skip": [0.5],
        "branches": [True, 3.0, 4.0],
        "turns": [False, 3.0],
        "excluded_circle": [True, 3.0],
        "nest": [2, 1.0],
        "rows": [[1.0, 2.0, 3.0, 4.0]],
    }
    expected = {
        "exchange": [4.0, 3.0],
        "there_and_back": [6.0],
        "crossing": [-1.0],
        "branches": [3.0, 3.0, 0.0],
        "turns": [3.0, 3.0],
        "excluded_circle": [3.0],
        "nest": [16.0],
    }
    dtypes = {bool: np.bool_, int: np.int32, float: np.float32, list: np.float32}
    for name, values in arguments.items():
        arrays = [np.asarray(value, dtypes[type(value)]) for value in values]
        for order in (None, 0, 1):
            results = evaluate(module, arrays, name, order=order)
            if name in expected:
                assert [float(result) for result in results] == expected[name], name
