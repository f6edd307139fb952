"""Kernels on NumPy, one module per op family; importing a module fills the table."""

from __future__ import annotations

from importlib import import_module

FAMILIES = (
    "binary",
    "bits",
    "calls",
    "compare",
    "containers",
    "convert",
    "dot",
    "dynamic",
    "gather",
    "reduce",
    "scatter",
    "shapes",
    "slices",
    "sort",
    "unary",
)


def load() -> None:
    """Imports every family."""
    for family in FAMILIES:
        import_module(f".{family}", __name__)
