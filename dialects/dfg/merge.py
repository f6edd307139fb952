"""`dfg.merge`, where the sides of a branch or the iterations of a loop meet."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..dcf.assembly import parse_operand_list, parse_type_list, print_attributes
from ..dcf.checks import check_type, type_list
from .primitives import EnterOp, NextIterationOp

INDEX = TensorType(i32, [])
"""The type of the second result of `dfg.merge`."""


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
    that is not a `tensor<i32>`; an input from a constant enter; an input from a next_iteration
    beside anything but one enter.
    Source: docs/semantics.md §4; TensorFlow's `Merge`.
    """

    name = "dfg.merge"
    inputs = var_operand_def()
    output = result_def()
    index = result_def()
    traits = traits_def(Pure())

    def __init__(self, *inputs: SSAValue | Operation):
        types = [SSAValue.get(value).type for value in inputs]
        super().__init__(operands=[inputs], result_types=[join_types(types) or types[0], INDEX])

    @property
    def is_loop_merge(self) -> bool:
        """Whether this merge is where a carried value enters its loop's iterations."""
        return any(isinstance(value.owner, NextIterationOp) for value in self.inputs)

    def verify_(self) -> None:
        types = list(self.inputs.types)
        if not types:
            raise VerifyException("expected at least one input, got none")
        check_type("an index", INDEX, self.index.type)
        joined = join_types(types)
        if joined is None:
            raise VerifyException(
                f"expected inputs of one type, up to dimensions that differ, got {type_list(types)}"
            )
        # What the output's type leaves open, the inputs may have fixed.
        if join_types([joined, self.output.type]) != self.output.type:
            raise VerifyException(
                f"expected an output of type {joined}, the join of the inputs,"
                f" got {self.output.type}"
            )
        self._verify_producers()

    def _verify_producers(self) -> None:
        producers = [value.owner for value in self.inputs]
        for position, producer in enumerate(producers):
            if isinstance(producer, EnterOp) and producer.constant is not None:
                raise VerifyException(
                    f"expected inputs that come once, got a constant dfg.enter for input {position}"
                    f' in frame "{producer.frame.data}": it delivers to every iteration'
                )
        if self.is_loop_merge:
            enters = sum(isinstance(producer, EnterOp) for producer in producers)
            if len(producers) != 2 or enters != 1:
                names = ", ".join(
                    producer.name if isinstance(producer, Operation) else "an argument"
                    for producer in producers
                )
                raise VerifyException(
                    "expected a dfg.enter and a dfg.next_iteration as the inputs of a loop's merge,"
                    f" got {names}"
                )

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
