"""The dataflow primitives (Yu et al. 2018, section 4): how tokens choose, repeat and move.

A token is (value or dead, tag); a tag is the path of frames with an iteration number each.
"""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, TensorType, UnitAttr, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

DEFAULT_PARALLEL_ITERATIONS = 32


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`%false, %true = dfg.switch %v, %p`: `%v` goes to one output; the other is dead."""

    name = "dfg.switch"
    data = operand_def()
    predicate = operand_def()
    false_output = result_def()
    true_output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation, predicate: SSAValue | Operation):
        type = SSAValue.get(data).type
        super().__init__(operands=[data, predicate], result_types=[type, type])


@irdl_op_definition
class MergeOp(IRDLOperation):
    """`%v, %from = dfg.merge %a, %b`: the live input and its index (a `tensor<i32>`).

    In a loop (one input from `dfg.enter`, one from `dfg.next_iteration`) it expects only its enter in
    iteration 0 and only its next_iteration later, and is dead when that one is. Elsewhere it fires on its
    first live input and is dead when all are. Two live inputs in one iteration are a run-time error.
    """

    name = "dfg.merge"
    inputs = var_operand_def()
    output = result_def()
    index = result_def()
    traits = traits_def(Pure())

    def __init__(self, *inputs: SSAValue | Operation):
        super().__init__(
            operands=[inputs],
            result_types=[SSAValue.get(inputs[0]).type, TensorType(i32, [])],
        )


@irdl_op_definition
class EnterOp(IRDLOperation):
    """`dfg.enter [constant] %v in "frame"`: into iteration 0 of a child frame.

    A constant enter is delivered to every iteration.
    """

    name = "dfg.enter"
    data = operand_def()
    frame = prop_def(StringAttr)
    constant = opt_prop_def(UnitAttr)
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation, frame: str, *, constant: bool = False):
        super().__init__(
            operands=[data],
            result_types=[SSAValue.get(data).type],
            properties={
                "frame": StringAttr(frame),
                "constant": UnitAttr() if constant else None,
            },
        )


@irdl_op_definition
class ExitOp(IRDLOperation):
    """`dfg.exit %v`: from a frame to its parent iteration; only the last iteration's exit is live."""

    name = "dfg.exit"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])


@irdl_op_definition
class NextIterationOp(IRDLOperation):
    """`dfg.next_iteration %v`: from iteration i to iteration i + 1 of the same frame."""

    name = "dfg.next_iteration"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])


@irdl_op_definition
class LoopCondOp(IRDLOperation):
    """`dfg.loop_cond %p`: marks the predicate that governs its frame.

    `parallel_iterations` (>= 1, default 32) is the frame's window of live iterations; more true
    predicates than `trip_bound` are a run-time error.
    """

    name = "dfg.loop_cond"
    predicate = operand_def()
    output = result_def()
    parallel_iterations = opt_prop_def(IntegerAttr[I64])
    trip_bound = opt_prop_def(IntegerAttr[I64])
    traits = traits_def(Pure())

    def __init__(
        self,
        predicate: SSAValue | Operation,
        *,
        parallel_iterations: int | None = None,
        trip_bound: int | None = None,
    ):
        super().__init__(
            operands=[predicate],
            result_types=[SSAValue.get(predicate).type],
            properties={
                "parallel_iterations": _i64(parallel_iterations),
                "trip_bound": _i64(trip_bound),
            },
        )


def _i64(value: int | None) -> IntegerAttr[I64] | None:
    return None if value is None else IntegerAttr(value, i64)


