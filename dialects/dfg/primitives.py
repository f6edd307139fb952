"""The dataflow primitives (Yu et al. 2018, section 4): how tokens choose, repeat and move.

A token is (value or dead, tag); a tag is the path of frames with an iteration number each. Rules
that concern several ops of a graph (frames, gating, cycles) are verified by `dfg.graph`.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.builtin import (
    I64,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..dcf.assembly import (
    PREDICATE,
    optional_i64,
    parse_predicate,
    parse_type_list,
    print_attributes,
    print_predicate,
    split_properties,
)
from ..dcf.checks import check_at_least, check_predicate, check_type

DEFAULT_PARALLEL_ITERATIONS = 32
"""The window of live iterations of a frame that does not give its own."""


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`%false, %true = dfg.switch %v, %p : type`: `%v` goes to one output; the other is dead.

    `%p` is a `tensor<i1>`; both outputs have the type of `%v`. A dead operand makes both dead.
    Errors: a predicate of another type (given as `%p : type, type` in the text); outputs of
    another type.
    Source: docs/semantics.md §4; TensorFlow's `Switch`.
    """

    name = "dfg.switch"
    data = operand_def()
    predicate = operand_def()
    false_output = result_def()
    true_output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation, predicate: SSAValue | Operation):
        type = SSAValue.get(data).type
        super().__init__(operands=[data, predicate], result_types=[type, type])

    def verify_(self) -> None:
        check_predicate("a predicate", self.predicate.type, self)
        check_type("a false output", self.data.type, self.false_output.type)
        check_type("a true output", self.data.type, self.true_output.type)

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        data = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        predicate = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        type, *other = parse_type_list(parser)
        return cls.create(
            operands=[
                parser.resolve_operand(data, type),
                parser.resolve_operand(predicate, other[0] if other else PREDICATE),
            ],
            result_types=[type, type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.data.type)
        if self.predicate.type != PREDICATE:
            printer.print_string(", ")
            printer.print_attribute(self.predicate.type)


@irdl_op_definition
class EnterOp(IRDLOperation):
    """`dfg.enter [constant] %v in "frame" : type`: into iteration 0 of a child frame.

    A constant enter is delivered to every iteration; it cannot feed a merge.
    Errors: an output of another type; in a graph, enters of one frame from different frames.
    Source: docs/semantics.md §4; TensorFlow's `Enter`.
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

    def verify_(self) -> None:
        check_type("an output", self.data.type, self.output.type)

    @classmethod
    def parse(cls, parser: Parser) -> EnterOp:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("constant") is not None:
            properties["constant"] = UnitAttr()
        data = parser.parse_unresolved_operand()
        parser.parse_keyword("in")
        properties["frame"] = StringAttr(parser.parse_str_literal())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(data, type)],
            result_types=[type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" constant " if self.constant is not None else " ")
        printer.print_ssa_value(self.data)
        printer.print_string(" in ")
        printer.print_string_literal(self.frame.data)
        print_attributes(printer, self, ("frame", "constant"))
        printer.print_string(" : ")
        printer.print_attribute(self.data.type)


@irdl_op_definition
class ExitOp(IRDLOperation):
    """`dfg.exit %v : type`: from a frame to its parent iteration.

    Only the last iteration's exit is live. Errors: an output of another type; in a graph, a value
    that is in no loop.
    Source: docs/semantics.md §4; TensorFlow's `Exit`.
    """

    name = "dfg.exit"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])

    def verify_(self) -> None:
        check_type("an output", self.data.type, self.output.type)

    @classmethod
    def parse(cls, parser: Parser) -> ExitOp:
        return _parse_move(parser, cls)

    def print(self, printer: Printer) -> None:
        _print_move(printer, self)


@irdl_op_definition
class NextIterationOp(IRDLOperation):
    """`dfg.next_iteration %v : type`: from iteration i to iteration i + 1 of the same frame.

    Errors: an output of another type; in a graph, a value that is in no loop, a frame without a
    `dfg.loop_cond`, or a value that stays live when the loop's predicate is false.
    Source: docs/semantics.md §4; TensorFlow's `NextIteration`.
    """

    name = "dfg.next_iteration"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])

    def verify_(self) -> None:
        check_type("an output", self.data.type, self.output.type)

    @classmethod
    def parse(cls, parser: Parser) -> NextIterationOp:
        return _parse_move(parser, cls)

    def print(self, printer: Printer) -> None:
        _print_move(printer, self)


@irdl_op_definition
class LoopCondOp(IRDLOperation):
    """`dfg.loop_cond %p {parallel_iterations = 8 : i64}`: the predicate that governs its frame.

    `%p` is a `tensor<i1>`, and so is the result. `parallel_iterations` (>= 1, default 32) is the
    frame's window of live iterations; more true predicates than `trip_bound` (>= 0) are a run-time
    error.

    Errors: a predicate or result of another type; an attribute out of range; in a graph, a
    predicate that is in no loop, or two in one frame.
    Source: docs/semantics.md §4; TensorFlow's `LoopCond`.
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
                "parallel_iterations": optional_i64(parallel_iterations),
                "trip_bound": optional_i64(trip_bound),
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS

    def verify_(self) -> None:
        check_predicate("a predicate", self.predicate.type, self)
        check_type("a result", self.predicate.type, self.output.type)
        check_at_least(self.parallel_iterations, "parallel_iterations", 1)
        check_at_least(self.trip_bound, "trip_bound", 0)

    @classmethod
    def parse(cls, parser: Parser) -> LoopCondOp:
        predicate, given = parse_predicate(parser)
        properties, attributes = split_properties(cls, given)
        return cls.create(
            operands=[predicate],
            result_types=[predicate.type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_predicate(printer, self.predicate, self)


_Move = TypeVar("_Move", ExitOp, NextIterationOp)


def _parse_move(parser: Parser, op_type: type[_Move]) -> _Move:
    """`%v {attributes} : type`."""
    data = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    return op_type.create(
        operands=[parser.resolve_operand(data, type)], result_types=[type], attributes=attributes
    )


def _print_move(printer: Printer, op: ExitOp | NextIterationOp) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.data)
    print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.data.type)
