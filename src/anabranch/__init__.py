"""Anabranch: dynamic control flow for machine-learning programs, from StableHLO to dataflow graphs.

    import anabranch as ab

    module = ab.parse("program.mlir")          # or ab.from_jax(fn, *example_args)
    exe = ab.compile(module)
    results = exe(*arrays)

Names are loaded when first used, so `import anabranch` costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dialects.diagnostics import DataError, ProgramError
    from .frontends.jax import from_jax
    from .frontends.mlir_text import parse, print_module
    from .runtime.executable import Executable, compile

_HOMES = {
    "DataError": ".dialects.diagnostics",
    "Executable": ".runtime.executable",
    "ProgramError": ".dialects.diagnostics",
    "compile": ".runtime.executable",
    "from_jax": ".frontends.jax",
    "parse": ".frontends.mlir_text",
    "print_module": ".frontends.mlir_text",
}
"""Public name -> module that defines it."""

__all__ = [
    "DataError",
    "Executable",
    "ProgramError",
    "compile",
    "from_jax",
    "parse",
    "print_module",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'anabranch' has no attribute '{name}'")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value
