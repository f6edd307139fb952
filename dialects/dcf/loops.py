"""Loops of the structured level: `dcf.while` (and what it shares with `dcf.scan`)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect

from .assembly import (
    optional_i64,
    parse_attributes,
    parse_optional_label,
    parse_typed_bindings,
    print_attributes,
    print_optional_label,
    print_typed_bindings,
)
from .checks import (
    check_at_least,
    check_carried,
    check_predicate,
    check_residual_policy,
    check_values,
    check_yield,
    terminator_of,
)
from .terminators import ConditionOp, YieldOp

DEFAULT_PARALLEL_ITERATIONS = 32
"""The window of live iterations of a loop that does not give its own."""


@irdl_op_definition
class WhileOp(IRDLOperation):
    """`dcf.while`: runs `body` as long as `condition` holds; both see the carried values.

    ```
    %r, %n = dcf.while "newton" (%x = %x0, %i = %zero : tensor<f32>, tensor<i32>) cond {
      …
      dcf.condition %far
    } do {
      …
      dcf.yield %x1, %i1 : tensor<f32>, tensor<i32>
    } {parallel_iterations = 32 : i64}
    ```

    The condition runs trips + 1 times; zero trips return `inits`. Carried types (tensors, stacks,
    arrays) are equal on entry, on the back edge and on exit; a dimension that changes from trip to
    trip is declared dynamic (`?`). Regions may use tensors from outside (loop invariants); a stack
    or array that the loop changes is carried, never captured. Both regions have the same
    arguments, so the text names them once. The name may be left out; without carries the
    parentheses are empty.

    Attributes: `loop_name`; `parallel_iterations` (>= 1, default 32), the window of live
    iterations in the dataflow graph; `trip_bound` (>= 0), a checked promise; `residual_policy`
    (`save`, `recompute`, `sqrt`, `treeverse:C` with C >= 1) for gradients.

    Errors: counts or types of initial values, region arguments, yielded values and results that
    differ, with the position and both types; a condition that is not a `tensor<i1>`; an attribute
    out of range. At run time: more trips than `trip_bound`.
    Source: docs/semantics.md §1; `stablehlo.while`.
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
                "parallel_iterations": optional_i64(parallel_iterations),
                "trip_bound": optional_i64(trip_bound),
                "residual_policy": StringAttr(residual_policy) if residual_policy else None,
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS

    def verify_(self) -> None:
        types = self.inits.types
        check_carried(types, self)
        check_at_least(self.parallel_iterations, "parallel_iterations", 1)
        check_at_least(self.trip_bound, "trip_bound", 0)
        check_residual_policy(self.residual_policy)
        reason = ", that of the initial value"
        check_values("result", types, self.outputs.types, self, reason)
        regions = (("condition", self.condition), ("body", self.body))
        for name, region in regions:
            arguments = region.block.arg_types
            check_values(f"{name} argument", types, arguments, self, reason)
        condition = terminator_of(self.condition, ConditionOp, "the condition region")
        for type in condition.operand_types:
            check_predicate("a condition", type, condition)
        end = terminator_of(self.body, YieldOp, "the body region")
        check_yield("carried value", types, end.operand_types, end)

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        loop_name = parse_optional_label(parser)
        arguments, inits = parse_typed_bindings(parser)
        parser.parse_keyword("cond")
        condition = parser.parse_region(arguments)
        parser.parse_keyword("do")
        body = parser.parse_region(arguments)
        properties, attributes = parse_attributes(parser, cls, ("loop_name",))
        if loop_name is not None:
            properties["loop_name"] = loop_name
        return cls.create(
            operands=inits,
            result_types=[value.type for value in inits],
            properties=properties,
            attributes=attributes,
            regions=[condition, body],
        )

    def print(self, printer: Printer) -> None:
        print_optional_label(printer, self.loop_name)
        printer.print_string(" ")
        print_typed_bindings(printer, self.condition.block.args, self.inits, self.body.block.args)
        printer.print_string(" cond ")
        print_body(printer, self.condition)
        printer.print_string(" do ")
        print_body(printer, self.body)
        print_attributes(printer, self, ("loop_name",))


def print_body(printer: Printer, region: Region) -> None:
    """A region whose arguments, if any, the text has named already."""
    printer.print_region(region, print_entry_block_args=False, print_empty_block=False)
