"""MLIR bytecode and StableHLO's portable artifacts (`jax.export`), read through jaxlib.

jaxlib turns them into text, locations included, which is then read like any other; so it is needed
for nothing else than these files.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..dialects.diagnostics import DataError

MAGIC = b"ML\xefR"
"""What bytecode starts with."""

_ARTIFACT = b"StableHLO_v"
"""In the producer's name, right behind the magic number, of a portable artifact."""


def jaxlib_context() -> Any:
    """A context of jaxlib's MLIR with the dialects that JAX emits; ImportError without jaxlib."""
    ir = _jaxlib("ir")
    registry = ir.DialectRegistry()
    _jaxlib("_mlir_libs._jax_mlir_ext").register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in ("stablehlo", "chlo", "sdy"):
        _jaxlib(f"dialects.{dialect}").register_dialect(context)
    return context


def _jaxlib(module: str) -> Any:
    """A module of jaxlib's MLIR, most of which tell no types."""
    return importlib.import_module(f"jaxlib.mlir.{module}")


def text_of_bytecode(content: bytes, name: str) -> str:
    """The module in bytecode as text; `name` is the file that messages tell."""
    try:
        ir, stablehlo = _jaxlib("ir"), _jaxlib("dialects.stablehlo")
        context = jaxlib_context()
    except ImportError:
        raise DataError(
            "MLIR bytecode is read through jaxlib, which is not installed; "
            '`python -m pip install "anabranch[jax]"` installs it',
            name,
        ) from None
    messages: list[str] = []

    def keep(diagnostic: Any) -> bool:
        messages.append(str(diagnostic.message))
        return True

    with context:
        context.attach_diagnostic_handler(keep)
        try:
            if _ARTIFACT in content[:64]:
                module = stablehlo.deserialize_portable_artifact(context, content)
            else:
                module = ir.Module.parse(content, context)
        except (ValueError, ir.MLIRError) as error:
            reason = messages[0] if messages else str(error).strip().splitlines()[-1]
            raise DataError(f"this MLIR bytecode cannot be read: {reason}", name) from None
        return module.operation.get_asm(enable_debug_info=True)
