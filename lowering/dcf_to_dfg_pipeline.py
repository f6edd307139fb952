"""`dcf-to-dfg-pipeline`: everything between the text JAX prints and an executable graph.

Built from public passes only; `anabranch-opt -p` can spell out each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..passes import get_pass

STRUCTURED_PASSES = (
    "convert-markers-to-dcf",
    "inline-calls",
    "number-draws",
    "convert-stablehlo-to-dcf",
    "expand-requests",
    "inline-calls",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "remove-dead-code",
    "expand-scan",
    "name-frames",
)
"""The passes that lead to a structured program that `convert-dcf-to-dfg` accepts."""

PASS_NAMES = (*STRUCTURED_PASSES, "convert-dcf-to-dfg")


@dataclass(frozen=True)
class DcfToDfgPipeline(ModulePass):
    """Source or structured program to dataflow graph, in one pass."""

    name = "dcf-to-dfg-pipeline"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for pass_class in pipeline_passes():
            pass_class().apply(ctx, op)


def pipeline_passes() -> list[type[ModulePass]]:
    """The classes of the pipeline's passes, in order."""
    from . import LOWERINGS, get_lowering

    return [get_lowering(name) if name in LOWERINGS else get_pass(name) for name in PASS_NAMES]
