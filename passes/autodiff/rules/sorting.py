"""Rules of `sort` and `chlo.top_k`: cotangents go back to where the elements were."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, TensorType, i32
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.inference import element_of, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .common import only, or_zeros, scalar_type
from .expansion import expect_static
from .indexing import scatter


@vjp("stablehlo.sort")
def _sort(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.SortOp)
    expect_static(op, *op.inputs)
    places = b.value(_places(op))
    contributions: list[SSAValue | None] = [None] * len(op.operands)
    for k, (operand, ct) in enumerate(zip(op.inputs, cotangents)):
        if ct is not None and b.is_active(operand):
            dimension = op.dimension.value.data % len(shape_of(ct))
            contributions[k] = _put_back(b.emit, ct, places, dimension, shape_of(operand))
    return contributions


def _places(op: stablehlo.SortOp) -> SSAValue:
    """Where each element of the results was: the places, sorted along by the forward op.

    It may do so already. If not, it gets them as one more operand, and with that one more result."""
    block = op.parent_block()
    assert block is not None
    shape = shape_of(op.inputs[0])
    dimension = op.dimension.value.data % len(shape)
    for operand, result in zip(op.inputs, op.outputs):
        numbers = operand.owner
        if isinstance(numbers, stablehlo.IotaOp) and isinstance(element_of(operand), IntegerType):
            if numbers.iota_dimension.value.data == dimension:
                return result
    places = stablehlo.IotaOp(dimension, TensorType(i32, shape))
    places.location = op.location
    block.insert_op_before(places, op)
    op.operands = [*op.operands, places.output]
    op.results = SSAValues((*op.results, OpResult(places.output.type, op, len(op.results))))
    for _ in range(2):
        op.comparator.block.insert_arg(TensorType(i32, []), len(op.comparator.block.args))
    return op.results[-1]


def _put_back(
    e: Emitter,
    ct: SSAValue,
    places: SSAValue,
    dimension: int,
    shape: Sequence[int],
) -> SSAValue:
    """An array of zeros but for `ct`, each element of which goes to a place along `dimension`."""
    rank = len(shape)
    others = [d for d in range(rank) if d != dimension]
    numbers = stablehlo.ScatterDimensionNumbersAttr(
        [], [dimension], others, others, [dimension], rank
    )
    zero = e.constant(0, TensorType(scalar_type(ct).element_type, shape))
    return scatter(e, "set", zero, places, ct, numbers, is_unique=True)


@jvp("stablehlo.sort")
def _sort_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    """The tangents are sorted along with the inputs."""
    assert isinstance(op, stablehlo.SortOp)
    count = len(op.inputs)
    varied = [k for k, tangent in enumerate(tangents) if tangent is not None]
    comparator = op.comparator.clone()
    for k in varied:
        for _ in range(2):
            comparator.block.insert_arg(scalar_type(op.inputs[k]), len(comparator.block.args))
    given = [or_zeros(e, tangents[k], op.inputs[k]) for k in varied]
    # Stable, so that elements that compare equal come in the order of the results.
    made = stablehlo.SortOp([*op.inputs, *given], op.dimension.value.data, True, comparator)
    found: list[SSAValue | None] = [None] * count
    for k, result in zip(varied, e.emit(made).results[count:]):
        found[k] = result
    return found


@vjp("chlo.top_k")
def _top_k(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, chlo.TopKOp)
    ct = cotangents[0]
    if ct is None:
        return [None]
    expect_static(op, op.operand)
    shape = shape_of(op.operand)
    places = b.value(op.indices)
    return [_put_back(b.emit, ct, places, len(shape) - 1, shape)]


@jvp("chlo.top_k")
def _top_k_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, chlo.TopKOp)
    if tangents[0] is None:
        return [None, None]
    tangent = only(tangents)
    rank = len(shape_of(tangent))
    others = list(range(rank - 1))
    numbers = stablehlo.GatherDimensionNumbersAttr([], [rank - 1], others, others, [rank - 1], rank)
    picked = stablehlo.GatherOp(tangent, op.indices, numbers, [1] * rank, op.values.type)
    return [e.value(picked), None]
