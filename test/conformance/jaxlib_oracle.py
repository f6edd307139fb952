"""MLIR as jaxlib has it, as the judge of our texts: two texts mean the same if it prints the same
generic module for both."""

from __future__ import annotations

import re
from typing import Any

_EMPTY = re.compile(r"(arg|res)_attrs = \[(\{\}(, )?)*\], ")
"""Dictionaries without entries, which say nothing."""

_PARSED = re.compile(r'loc\("-":\d+:\d+\)')
"""The location of what has none in the text: where it stands in the text."""


class Jaxlib:
    """One MLIR context of jaxlib; if `foreign`, it also reads ops of dialects that it lacks."""

    def __init__(self, *, foreign: bool = True) -> None:
        from jax._src.interpreters.mlir import make_ir_context
        from jaxlib.mlir import ir

        self._module: Any = ir.Module
        self._context = make_ir_context()
        self._context.allow_unregistered_dialects = foreign

    def canonical(self, text: str, *, debuginfo: bool = False) -> str:
        """The generic print of a text; a `ValueError` says why it cannot be read."""
        with self._context:
            try:
                operation = self._module.parse(text).operation
            except Exception as error:
                raise ValueError(_first_error(str(error))) from None
            asm: str = operation.get_asm(
                print_generic_op_form=True, enable_debug_info=debuginfo, use_local_scope=debuginfo
            )
        return _PARSED.sub("loc(unknown)", _EMPTY.sub("", asm))


def _first_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if (found := re.match(r'(?:error: )?"?-?"?(?::\d+:\d+)?:? *(?:error: )?(.*)', line)) and (
            found.group(1) and not line.startswith("Unable to parse")
        ):
            return found.group(1)
    return lines[0] if lines else "no message"


def first_difference(text: str, other: str) -> str:
    """Where two texts part, for a message: the first pair of lines that differ."""
    for line, instead in zip(text.splitlines(), other.splitlines()):
        if line != instead:
            at = next((k for k, (a, b) in enumerate(zip(line, instead)) if a != b), 0)
            start = max(at - 30, 0)
            return f"expected …{line[start : at + 50]}… got …{instead[start : at + 50]}…"
    return "one text is longer than the other"
