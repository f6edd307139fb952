"""The classes of `stablehlo` and `chlo`: names, documentation, tests, and constructors that infer types."""

from __future__ import annotations

import pathlib
import re
from typing import TypeVar

import pytest
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    StringAttr,
    TensorType,
    UnregisteredOp,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, RecursiveMemoryEffect, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from anabranch.dialects import stablehlo as hlo
from anabranch.dialects.chlo import CHLO, TopKOp
from anabranch.dialects.sdy import SDY
from anabranch.dialects.stablehlo.attributes import (
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)

LIT = pathlib.Path(__file__).parents[2] / "lit" / "dialects"
OPS = [*hlo.STABLEHLO.operations, *CHLO.operations, *SDY.operations]

OpT = TypeVar("OpT", bound=Operation)

I32 = TensorType(i32, ())
F32 = TensorType(f32, ())
PRED = TensorType(i1, ())
ROWS = TensorType(f32, (4, 3))


def value(type: TensorType) -> SSAValue:
    return UnregisteredOp.with_name("test.value").create(result_types=[type]).results[0]


def verified(op: OpT) -> OpT:
    op.verify()
    return op


def region(types: list[TensorType], *ops: type[Operation]) -> Region:
    """A block that applies each op to its first two arguments and returns the last result."""
    block = Block(arg_types=types)
    results = [block.args[0]]
    for op in ops:
        made = op(block.args[0], block.args[1])
        block.add_op(made)
        results.append(made.results[0])
    block.add_op(hlo.ReturnOp(results[-1]))
    return Region(block)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_name_and_docstring(op: type[Operation]) -> None:
    dialect, mnemonic = op.name.split(".")
    assert op.__name__ == "".join(part.capitalize() for part in re.split("[_-]", mnemonic)) + "Op"
    assert op.name in (op.__doc__ or ""), "the docstring shows the op's text"


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_has_a_round_trip_test(op: type[Operation]) -> None:
    dialect = op.name.split(".")[0]
    texts = [
        path.read_text()
        for path in (LIT / dialect).glob("*.mlir")
        if not path.name.startswith("invalid")
    ]
    assert any(re.search(rf"{re.escape(op.name)}\b", text) for text in texts)


def test_purity() -> None:
    add = hlo.AddOp(value(F32), value(F32))
    assert is_side_effect_free(add)
    assert hlo.ReduceOp.has_trait(RecursiveMemoryEffect)
    assert hlo.ReturnOp.has_trait(IsTerminator)
    assert not is_side_effect_free(
        hlo.CustomCallOp.create(properties={"call_target_name": StringAttr("f")})
    )


def test_elementwise_constructors() -> None:
    x = value(ROWS)
    assert verified(hlo.SineOp(x)).result.type == ROWS
    assert verified(hlo.AddOp(x, x)).result.type == ROWS
    assert verified(hlo.IsFiniteOp(x)).y.type == TensorType(i1, (4, 3))
    compare = verified(hlo.CompareOp(x, x, "LT", "FLOAT"))
    assert compare.result.type == TensorType(i1, (4, 3))
    assert compare.comparison_direction.data.value == "LT"
    assert verified(hlo.SelectOp(compare, x, x)).result.type == ROWS
    assert verified(hlo.ClampOp(value(F32), x, value(F32))).result.type == ROWS
    double = TensorType(f64, (4, 3))
    assert verified(hlo.ConvertOp(x, double)).result.type == double


def test_shape_constructors() -> None:
    x, zero = value(ROWS), value(I32)
    assert verified(hlo.TransposeOp(x, [1, 0])).result.type == TensorType(f32, (3, 4))
    assert verified(hlo.ConcatenateOp([x, x], 1)).result.type == TensorType(f32, (4, 6))
    assert verified(hlo.SliceOp(x, [1, 0], [4, 3], [2, 1])).result.type == TensorType(f32, (2, 3))
    padded = verified(hlo.PadOp(x, value(F32), [1, 0], [0, -1], [1, 0]))
    assert padded.result.type == TensorType(f32, (8, 2))
    assert verified(hlo.ReverseOp(x, [0])).result.type == ROWS
    row = verified(hlo.DynamicSliceOp(x, [zero, zero], [1, 3]))
    assert row.result.type == TensorType(f32, (1, 3))
    assert verified(hlo.DynamicUpdateSliceOp(x, row.result, [zero, zero])).result.type == ROWS
    wide = TensorType(f32, (2, 4, 3))
    assert verified(hlo.BroadcastInDimOp(x, [1, 2], wide)).result.type == wide
    assert verified(hlo.ReshapeOp(x, TensorType(f32, (12,)))).result.type == TensorType(f32, (12,))
    assert verified(hlo.IotaOp(0, TensorType(i32, (3,)))).iota_dimension.value.data == 0


def test_constant() -> None:
    dense = DenseIntOrFPElementsAttr.from_list(TensorType(i32, (2,)), [1, 2])
    assert verified(hlo.ConstantOp(dense)).output.type == TensorType(i32, (2,))


def test_products_and_reductions() -> None:
    x = value(ROWS)
    numbers = DotDimensionNumbersAttr([], [], [0], [0])
    assert numbers.lhs_contracting_dimensions.data == (0,)
    dot = verified(hlo.DotGeneralOp(x, x, numbers))
    assert dot.result.type == TensorType(f32, (3, 3))
    total = verified(hlo.ReduceOp([x], [value(F32)], [0], region([F32, F32], hlo.AddOp)))
    assert total.outputs[0].type == TensorType(f32, (3,))
    less = Block(arg_types=[F32, F32])
    less.add_op(compare := hlo.CompareOp(less.args[0], less.args[1], "LT"))
    less.add_op(hlo.ReturnOp(compare))
    assert verified(hlo.SortOp([x], 0, True, Region(less))).outputs[0].type == ROWS


def test_gather_and_scatter() -> None:
    x, indices = value(ROWS), value(TensorType(i32, (2, 1)))
    numbers = GatherDimensionNumbersAttr([1], [0], [], [], [0], 1)
    gather = verified(hlo.GatherOp(x, indices, numbers, [1, 3]))
    assert gather.result.type == TensorType(f32, (2, 3))
    assert gather.indices_are_sorted.value.data == 0, "an absent property has its default"
    where = ScatterDimensionNumbersAttr([1], [0], [], [], [0], 1)
    body = region([F32, F32], hlo.AddOp)
    scatter = verified(hlo.ScatterOp([x], indices, [gather.result], where, body))
    assert scatter.outputs[0].type == ROWS


def test_control_flow() -> None:
    n, p = value(I32), value(PRED)
    cond, body = Block(arg_types=[I32]), Block(arg_types=[I32])
    cond.add_op(less := hlo.CompareOp(cond.args[0], n, "LT", "SIGNED"))
    cond.add_op(hlo.ReturnOp(less))
    body.add_op(hlo.ReturnOp(body.args[0]))
    assert verified(hlo.WhileOp([n], Region(cond), Region(body))).outputs[0].type == I32

    def branch() -> Region:
        return Region(Block([hlo.ReturnOp(n)]))

    assert verified(hlo.IfOp(p, branch(), branch(), [I32])).outputs[0].type == I32
    assert verified(hlo.CaseOp(n, [branch()], [I32])).outputs[0].type == I32


def test_tuples_and_top_k() -> None:
    pair = verified(hlo.TupleOp([value(F32), value(I32)]))
    assert verified(hlo.GetTupleElementOp(pair.result, 1, I32)).result.type == I32
    top = verified(TopKOp(value(ROWS), 2))
    assert top.values.type == TensorType(f32, (4, 2))
    assert top.indices.type == TensorType(i32, (4, 2))


def test_dynamic_sizes_fit_anything() -> None:
    dynamic = value(TensorType(f32, (-(2**63), 3)))
    verified(hlo.AddOp(dynamic, value(ROWS)))
    with pytest.raises(VerifyException, match=r"expected each operand .* \(add_c1\)"):
        hlo.AddOp(value(TensorType(f32, (4, 2))), dynamic).verify()


def test_a_tensor_is_expected() -> None:
    op: IRDLOperation = hlo.SineOp(value(F32), i32)
    with pytest.raises(VerifyException, match="expected a tensor, got i32"):
        op.verify()
