"""Every example gives what JAX gives, from the committed text and straight from the function."""

from __future__ import annotations

import importlib.util
import pathlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import anabranch as ab

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "generate")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored_arguments(name: str) -> list[np.ndarray[Any, Any]]:
    with np.load(EXAMPLES / f"{name}.npz", allow_pickle=False) as archive:
        return [archive[f"arg{i}"] for i in range(len(archive.files))]


def test_there_are_examples():
    assert len(NAMES) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_text_gives_what_jax_gives(name: str, jax: Any, assert_close: Any):
    example = load(name)
    want = jax.tree.leaves(jax.jit(example.fn)(*example.example_args()))
    module = ab.parse(EXAMPLES / f"{name}.mlir")
    assert_close(ab.compile(module)(*stored_arguments(name)), want)


@pytest.mark.parametrize("name", NAMES)
def test_from_jax_gives_the_same_bits_as_the_text(name: str, jax: Any, assert_same_bits: Any):
    from anabranch.frontends.jax import flatten

    example = load(name)
    args = example.example_args()
    want = ab.compile(ab.parse(EXAMPLES / f"{name}.mlir"))(*stored_arguments(name))
    got = ab.compile(ab.from_jax(example.fn, *args))(*flatten(*args))
    assert_same_bits(got, want, "from_jax")


def test_the_committed_texts_are_what_the_sources_print(jax: Any):
    generate = load("generate")
    for name in NAMES:
        if generate.made_with(name) != jax.__version__:
            pytest.skip(f"printed by JAX {generate.made_with(name)}, this is {jax.__version__}")
        for file, content in generate.generate(name).items():
            assert generate.same((EXAMPLES / file).read_bytes(), content), file
