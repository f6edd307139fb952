"""Kernels on NumPy, one module per op family; importing a module fills the table."""

from __future__ import annotations

from importlib import import_module

FAMILIES = (
    "binary",
    "bits",
    "broadcasting",
    "calls",
    "collectives",
    "compare",
    "containers",
    "convert",
    "convolution",
    "custom_calls",
    "dot",
    "draws",
    "dynamic",
    "gather",
    "lapack",
    "lapack_scipy",
    "linalg",
    "normalization",
    "quantize",
    "ragged",
    "random",
    "reduce",
    "scans",
    "scatter",
    "shapes",
    "slices",
    "sort",
    "special",
    "unary",
    "windows",
)


def load() -> None:
    """Imports every family."""
    for family in FAMILIES:
        import_module(f".{family}", __name__)
