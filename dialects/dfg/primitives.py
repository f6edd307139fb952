"""The dataflow primitives (Yu et al. 2018, section 4): how tokens choose, repeat and move.

A token is (value or dead, tag); a tag is the path of frames with an iteration number each. Rules
that concern several ops of a graph (frames, gating, cycles) are verified by `dfg.graph`.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
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
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.hints import isa

from ..dcf.assembly import (
    PREDICATE,
    optional_i64,
    parse_operand_list,
    parse_predicate,
    parse_type_list,
    print_attributes,
    print_predicate,
    split_properties,
)

DEFAULT_PARALLEL_ITERATIONS = 32
"""The window of live iterations of a frame that does not give its own."""

INDEX = TensorType(i32, [])
"""The type of the second result of `dfg.merge`."""


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`%false, %true = dfg.switch %v, %p : type`: `%v` goes to one output; the other is dead.

    `%p` is a `tensor<i1>`; both outputs have the type of `%v`. A dead operand makes both dead.
    Errors: a predicate of another type (given as `%p : type, type` in the text); outputs of
    another type.
    Source: SEMANTICS §4; TensorFlow's `Switch`.
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
class MergeOp(IRDLOperation):
    """`%v, %from = dfg.merge %a, %b : type`: the live input and its index (a `tensor<i32>`).

    In a loop (one input from `dfg.enter`, one from `dfg.next_iteration`) it expects only its enter
    in iteration 0 and only its next_iteration later, and is dead when that one is. Elsewhere it
    fires on its first live input and is dead when all are. Two live inputs in one iteration are a
    run-time error. The output's shape joins those of the inputs: a dimension in which they differ
    is dynamic; the text then gives all types, `%a, %b : tensor<2xf32>, tensor<3xf32> ->
    tensor<?xf32>`.

    Errors: no input; inputs without a common type; an output narrower than their join; an index
    that is not a `tensor<i32>`; in a graph, an input from a constant enter.
    Source: SEMANTICS §4; TensorFlow's `Merge`.
    """

    name = "dfg.merge"
    inputs = var_operand_def()
    output = result_def()
    index = result_def()
    traits = traits_def(Pure())

    def __init__(self, *inputs: SSAValue | Operation):
        types = [SSAValue.get(value).type for value in inputs]
        super().__init__(operands=[inputs], result_types=[join_types(types) or types[0], INDEX])

    @classmethod
    def parse(cls, parser: Parser) -> MergeOp:
        inputs = parse_operand_list(parser)
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        types = parse_type_list(parser)
        output = types[0]
        if parser.parse_optional_punctuation("->") is not None:
            output = parser.parse_type()
        elif len(types) == 1:
            types = types * len(inputs)
        return cls.create(
            operands=list(parser.resolve_operands(inputs, types, position)),
            result_types=[output, INDEX],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.inputs, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        if all(type == self.output.type for type in self.inputs.types):
            printer.print_attribute(self.output.type)
            return
        printer.print_list(self.inputs.types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.output.type)


@irdl_op_definition
class EnterOp(IRDLOperation):
    """`dfg.enter [constant] %v in "frame" : type`: into iteration 0 of a child frame.

    A constant enter is delivered to every iteration; it cannot feed a merge.
    Errors: an output of another type; in a graph, enters of one frame from different frames.
    Source: SEMANTICS §4; TensorFlow's `Enter`.
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
    Source: SEMANTICS §4; TensorFlow's `Exit`.
    """

    name = "dfg.exit"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])

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
    Source: SEMANTICS §4; TensorFlow's `NextIteration`.
    """

    name = "dfg.next_iteration"
    data = operand_def()
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, data: SSAValue | Operation):
        super().__init__(operands=[data], result_types=[SSAValue.get(data).type])

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
    Source: SEMANTICS §4; TensorFlow's `LoopCond`.
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


def join_types(types: list[Attribute]) -> Attribute | None:
    """The narrowest type that holds all of `types`: dimensions that differ become dynamic.

    None when there is none: ranks or element types differ, or types that are not tensors.
    """
    joined = types[0]
    for type in types[1:]:
        if type == joined:
            continue
        if not isa(joined, TensorType[Attribute]) or not isa(type, TensorType[Attribute]):
            return None
        joined = _join_tensors(joined, type)
        if joined is None:
            return None
    return joined


def _join_tensors(a: TensorType[Attribute], b: TensorType[Attribute]) -> Attribute | None:
    same_kind = a.element_type == b.element_type and a.encoding == b.encoding
    if not same_kind or a.get_num_dims() != b.get_num_dims():
        return None
    shape = [x if x == y else DYNAMIC_INDEX for x, y in zip(a.get_shape(), b.get_shape())]
    return TensorType(a.element_type, shape, a.encoding)


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
