"""Lowerings change the level: `convert-x-to-y`; pipelines are built from the same public passes."""

from __future__ import annotations

from importlib import import_module

from xdsl.passes import ModulePass

LOWERINGS: dict[str, str] = {
    "convert-dcf-to-dfg": "ConvertDcfToDfgPass",
    "convert-markers-to-dcf": "ConvertMarkersToDcfPass",
    "convert-stablehlo-to-dcf": "ConvertStablehloToDcfPass",
    "dcf-to-dfg-pipeline": "DcfToDfgPipeline",
    "device-pipeline": "DevicePipeline",
    "gradient-pipeline": "GradientPipeline",
}
"""Lowering name -> class name; the class lives in the module of the lowering's name in snake case."""


def get_lowering(name: str) -> type[ModulePass]:
    """The class of lowering `name`, imported on first use."""
    module = import_module(f".{name.replace('-', '_')}", __name__)
    return getattr(module, LOWERINGS[name])
