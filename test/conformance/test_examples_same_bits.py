"""Every example gives the same bits in every way of running it and after every pass."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.frontends.mlir_text import verify_module
from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.npz"))


def load(name: str) -> tuple[ModuleOp, list[np.ndarray[Any, Any]]]:
    with np.load(EXAMPLES / f"{name}.npz", allow_pickle=False) as archive:
        arguments = [archive[f"arg{i}"] for i in range(len(archive.files))]
    return ab.parse(EXAMPLES / f"{name}.mlir"), arguments


@pytest.mark.parametrize("name", NAMES)
def test_reference_and_graph_agree_for_every_window_and_order(name: str, run: Any):
    module, arguments = load(name)
    run(module, *arguments)


@pytest.mark.parametrize("name", NAMES)
def test_the_bits_stay_the_same_after_every_pass(name: str, assert_same_bits: Any):
    module, arguments = load(name)
    want = ab.compile(module, engine="reference")(*arguments)
    for pass_class in pipeline_passes():
        pass_class().apply(Context(), module)
        # What a pass leaves can be printed and read, and the read module runs too.
        module = ab.parse(ab.print_module(module))
        verify_module(module)
        engine = "local" if pass_class.name == "convert-dcf-to-dfg" else "reference"
        got = ab.compile(module, engine=engine)(*arguments)
        assert_same_bits(got, want, f"after {pass_class.name}")
