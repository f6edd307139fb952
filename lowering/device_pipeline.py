"""`device-pipeline`: everything between the text JAX prints and one executable graph per device.

Built from public passes only; `anabranch-opt -p` can spell out each of them. What a program leaves
open of where things run, `assign-devices` fills in, whose options these are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..passes import PASSES, get_pass
from ..passes.assign_devices import AssignDevicesPass
from ..passes.partition_devices import PartitionDevicesPass
from ..passes.verify_channels import VerifyChannelsPass
from .convert_dcf_to_dfg import ConvertDcfToDfgPass
from .dcf_to_dfg_pipeline import STRUCTURED_PASSES


@dataclass(frozen=True)
class DevicePipeline(ModulePass):
    """Source or structured program to a `dfg.program` with a graph for each device, in one pass."""

    name = "device-pipeline"
    exactness: ClassVar[str] = "exact"

    function: str | None = None
    devices: tuple[str, ...] = ()
    random: int | None = None
    rules: str | None = None
    report: bool = False

    def __post_init__(self) -> None:
        self.steps()  # checks the options

    def steps(self) -> list[ModulePass]:
        """The passes, in order."""
        from . import get_lowering

        structured = [
            (get_pass(name) if name in PASSES else get_lowering(name))()
            for name in STRUCTURED_PASSES
        ]
        return [
            *structured,
            AssignDevicesPass(self.function, self.devices, self.random, self.rules, self.report),
            PartitionDevicesPass(self.function),
            VerifyChannelsPass(),
            ConvertDcfToDfgPass(),
        ]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for step in self.steps():
            step.apply(ctx, op)
