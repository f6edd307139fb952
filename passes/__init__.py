"""Passes that keep the level: one per file; the file's stem is the pass's name in snake case."""

from __future__ import annotations

from importlib import import_module

from xdsl.passes import ModulePass

PASSES: dict[str, str] = {
    "assign-devices": "AssignDevicesPass",
    "dcf-gradient": "DcfGradientPass",
    "expand-requests": "ExpandRequestsPass",
    "expand-scan": "ExpandScanPass",
    "fold-scalar-constants": "FoldScalarConstantsPass",
    "forward-invariant-carries": "ForwardInvariantCarriesPass",
    "hoist-invariants": "HoistInvariantsPass",
    "inline-calls": "InlineCallsPass",
    "name-frames": "NameFramesPass",
    "number-draws": "NumberDrawsPass",
    "number-origins": "NumberOriginsPass",
    "optimize-scan": "OptimizeScanPass",
    "partition-devices": "PartitionDevicesPass",
    "print-channels": "PrintChannelsPass",
    "raise-logistic": "RaiseLogisticPass",
    "raise-while-to-map": "RaiseWhileToMapPass",
    "raise-while-to-scan": "RaiseWhileToScanPass",
    "remove-dead-code": "RemoveDeadCodePass",
    "remove-unused-carries": "RemoveUnusedCarriesPass",
    "split-products": "SplitProductsPass",
    "split-vjp": "SplitVjpPass",
    "stack-scan-rows": "StackScanRowsPass",
    "verify-channels": "VerifyChannelsPass",
    "verify-dominance": "VerifyDominancePass",
}
"""Pass name -> class name; the class lives in the module of the pass's name in snake case."""


def get_pass(name: str) -> type[ModulePass]:
    """The class of pass `name`, imported on first use."""
    module = import_module(f".{name.replace('-', '_')}", __name__)
    return getattr(module, PASSES[name])
