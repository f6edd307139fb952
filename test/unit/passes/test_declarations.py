"""What every pass declares, and nests deeper than people write."""

from __future__ import annotations

import pytest
from xdsl.passes import ModulePass

from anabranch.frontends.mlir_text import make_context, parse_module, verify_module
from anabranch.lowering.convert_stablehlo_to_dcf import ConvertStablehloToDcfPass
from anabranch.passes import get_pass

EXACT = (
    "inline-calls",
    "number-draws",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "remove-dead-code",
    "expand-scan",
    "name-frames",
)


@pytest.mark.parametrize("name", EXACT)
def test_clean_up_passes_are_exact(name: str):
    cls: type[ModulePass] = get_pass(name)
    assert cls.name == name
    assert cls.__doc__
    assert cls.exactness == "exact"


def test_the_lowering_is_exact():
    assert ConvertStablehloToDcfPass.exactness == "exact"


def test_deep_nests():
    depth = 60
    text = "func.func @main(%x0: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {\n"
    for level in range(depth):
        text += (
            f"%r{level}:2 = stablehlo.while(%x{level + 1} = %x{level}, %y{level} = %x{level}) : "
            "tensor<f32>, tensor<f32>\ncond { stablehlo.return %p : tensor<i1> } do {\n"
        )
    text += f"%z = stablehlo.negate %x{depth} : tensor<f32>\n"
    last = f"%x{depth}"
    for level in reversed(range(depth)):
        text += f"stablehlo.return {last}, %y{level} : tensor<f32>, tensor<f32>\n}}\n"
        last = f"%r{level}#0"
    text += f"func.return {last} : tensor<f32>\n}}\n"
    module = parse_module(text)
    context = make_context()
    ConvertStablehloToDcfPass().apply(context, module)
    for name in EXACT:
        get_pass(name)().apply(context, module)
        verify_module(module)
    # Every carry passes the argument on, so nothing is left to loop over.
    assert [op.name for op in module.walk()] == ["builtin.module", "func.func", "func.return"]
