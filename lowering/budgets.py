"""What a memory budget changes of the program: what gradients keep of scans goes on stacks."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects.plan.topology import SIMULATED, topology_of
from ..passes.stack_scan_rows import StackScanRowsPass
from .gradient_pipeline import without_requests


def has_budgets(module: ModuleOp) -> bool:
    """Whether the module's topology bounds the memory of a device that is not simulated."""
    topology = topology_of(module)
    return topology is not None and any(
        op.memory is not None and op.kind_name != SIMULATED for op in topology.devices
    )


def with_stacks(module: ModuleOp, function: str, min_bytes: int) -> ModuleOp:
    """A copy of a source or structured program in which rows of at least `min_bytes`, which a later
    scan takes from the end, are on stacks."""
    module = without_requests(module, function, optimized=False).clone()
    StackScanRowsPass(min_bytes).apply(Context(), module)
    return module
