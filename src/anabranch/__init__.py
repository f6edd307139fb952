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
    from .frontends.custom_vjp import custom_vjp
    from .frontends.gradients import grad, hessian_vector_product, jvp, value_and_grad, vjp
    from .frontends.jax import from_jax
    from .frontends.markers import stop_gradient
    from .frontends.mlir_text import parse, print_module
    from .frontends.placement import device, place
    from .runtime.executable import Executable, compile
    from .runtime.memory import MemoryBudget
    from .runtime.providers import Simulated

_HOMES = {
    "DataError": ".dialects.diagnostics",
    "Executable": ".runtime.executable",
    "MemoryBudget": ".runtime.memory",
    "ProgramError": ".dialects.diagnostics",
    "Simulated": ".runtime.providers",
    "compile": ".runtime.executable",
    "custom_vjp": ".frontends.custom_vjp",
    "device": ".frontends.placement",
    "from_jax": ".frontends.jax",
    "grad": ".frontends.gradients",
    "hessian_vector_product": ".frontends.gradients",
    "jvp": ".frontends.gradients",
    "parse": ".frontends.mlir_text",
    "place": ".frontends.placement",
    "print_module": ".frontends.mlir_text",
    "stop_gradient": ".frontends.markers",
    "value_and_grad": ".frontends.gradients",
    "vjp": ".frontends.gradients",
}
"""Public name -> module that defines it."""

__all__ = [
    "DataError",
    "Executable",
    "MemoryBudget",
    "ProgramError",
    "Simulated",
    "compile",
    "custom_vjp",
    "device",
    "from_jax",
    "grad",
    "hessian_vector_product",
    "jvp",
    "parse",
    "place",
    "print_module",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'anabranch' has no attribute '{name}'")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value
