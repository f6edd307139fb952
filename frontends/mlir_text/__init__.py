"""MLIR text in and out: what every tool and test reads and prints programs with.

Reads what JAX and MLIR print, in pretty or generic form, with or without debug locations, and keeps
the bits of every literal. `parse_module` and `load_module` read, `verify_module` checks,
`print_module` prints so that both this parser and MLIR's read the same program again.
"""

from .printer import print_module
from .reading import load_module, make_context, parse, parse_module
from .verifying import verify_module

__all__ = [
    "load_module",
    "make_context",
    "parse",
    "parse_module",
    "print_module",
    "verify_module",
]
