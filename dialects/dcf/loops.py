"""Loops of the structured level: `dcf.while`, `dcf.scan` and their terminators."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

DEFAULT_PARALLEL_ITERATIONS = 32


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """`dcf.condition %p`: ends the condition region of a `dcf.while`; `%p : tensor<i1>`."""

    name = "dcf.condition"
    predicate = operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, predicate: SSAValue | Operation):
        super().__init__(operands=[predicate])


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`dcf.yield %values`: ends the body of a loop or a branch."""

    name = "dcf.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


@irdl_op_definition
class WhileOp(IRDLOperation):
    """`dcf.while`: runs `body` as long as `condition` holds; both see the carried values.

    The condition runs trips + 1 times; zero trips return `inits`. Carried types are equal on entry,
    on the back edge and on exit. Regions may use tensors from outside (loop invariants).
    Attributes: `loop_name`; `parallel_iterations` (>= 1, default 32), the window of live
    iterations in the dataflow graph; `trip_bound`, a checked promise; `residual_policy`
    (`save`, `recompute`, `sqrt`, `treeverse:C`) for gradients.
    """

    name = "dcf.while"
    inits = var_operand_def()
    outputs = var_result_def()
    condition: Region = region_def("single_block")
    body: Region = region_def("single_block")
    loop_name = opt_prop_def(StringAttr)
    parallel_iterations = opt_prop_def(IntegerAttr[I64])
    trip_bound = opt_prop_def(IntegerAttr[I64])
    residual_policy = opt_prop_def(StringAttr)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inits: Sequence[SSAValue],
        condition: Region,
        body: Region,
        *,
        loop_name: str | None = None,
        parallel_iterations: int | None = None,
        trip_bound: int | None = None,
        residual_policy: str | None = None,
    ):
        super().__init__(
            operands=[inits],
            result_types=[[value.type for value in inits]],
            regions=[condition, body],
            properties={
                "loop_name": StringAttr(loop_name) if loop_name is not None else None,
                "parallel_iterations": _i64(parallel_iterations),
                "trip_bound": _i64(trip_bound),
                "residual_policy": StringAttr(residual_policy) if residual_policy else None,
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS


@irdl_op_definition
class ScanOp(IRDLOperation):
    """`dcf.scan`: a loop over the leading dimension of its inputs.

    Body arguments: the carries, then one slice (leading dimension dropped) per input. Body yields: the
    carries, then one row per output. Results: the carries, then the outputs (rows stacked along
    a new leading dimension). `reverse` goes from the last row to the first. The number of trips is the
    operand `length` (a scalar integer tensor, 0 <= length <= N) if given, then outputs start from the
    buffers `outs` and rows >= length keep them; else `static_length`, else N of the inputs.
    No carries: a map; no outputs: a fold.
    """

    name = "dcf.scan"
    inits = var_operand_def()
    inputs = var_operand_def()
    outs = var_operand_def()
    length = opt_operand_def()
    outputs = var_result_def()
    body: Region = region_def("single_block")
    loop_name = opt_prop_def(StringAttr)
    static_length = opt_prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    parallel_iterations = opt_prop_def(IntegerAttr[I64])
    residual_policy = opt_prop_def(StringAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inits: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        body: Region,
        *,
        outs: Sequence[SSAValue] = (),
        length: SSAValue | None = None,
        static_length: int | None = None,
        reverse: bool = False,
        loop_name: str | None = None,
        parallel_iterations: int | None = None,
        residual_policy: str | None = None,
    ):
        super().__init__(
            operands=[inits, inputs, outs, [length] if length is not None else []],
            result_types=[result_types],
            regions=[body],
            properties={
                "loop_name": StringAttr(loop_name) if loop_name is not None else None,
                "static_length": _i64(static_length),
                "reverse": UnitAttr() if reverse else None,
                "parallel_iterations": _i64(parallel_iterations),
                "residual_policy": StringAttr(residual_policy) if residual_policy else None,
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS


def _i64(value: int | None) -> IntegerAttr[I64] | None:
    return None if value is None else IntegerAttr(value, i64)


