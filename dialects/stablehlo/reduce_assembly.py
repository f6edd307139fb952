"""The two custom forms of `stablehlo.reduce`.

The short one names the region's only op:

    stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (...) -> ...

The long one writes the region, whose arguments are grouped by input, (accumulator, element),
although the block has all accumulators before all elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, TypeGuard

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Commutative

from .assembly import print_attributes
from .binary import BinaryElementwiseOp
from .clauses import parse_dims, print_dims
from .constraints import as_tensor
from .control_flow import ReturnOp


class ReduceParts(TypedDict):
    """What `create` needs."""

    operands: Sequence[SSAValue]
    result_types: Sequence[Attribute]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]
    regions: list[Region]


def parse_reduce(parser: Parser) -> ReduceParts:
    """Parses either form, after the op's name."""
    position = parser.pos
    pairs = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: _parse_input(parser))
    operands = [value for value, _ in pairs] + [initial for _, initial in pairs]
    inner = _parse_inner_op(parser) if parser.parse_optional_keyword("applies") else None
    parser.parse_keyword("across")
    parser.parse_keyword("dimensions")
    parser.parse_punctuation("=")
    dimensions = DenseArrayBase.from_list(i64, parse_dims(parser))
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    function_type = parser.parse_function_type()
    values = parser.resolve_operands(operands, function_type.inputs.data, position)
    if inner is not None:
        region = Region(_applied_block(inner, function_type.inputs.data[0]))
    else:
        parser.parse_keyword("reducer")
        region = _parse_reducer(parser)
    return {
        "operands": values,
        "result_types": function_type.outputs.data,
        "properties": {"dimensions": dimensions},
        "attributes": attributes,
        "regions": [region],
    }


def _parse_input(parser: Parser) -> tuple[UnresolvedOperand, UnresolvedOperand]:
    with parser.in_parens():
        value = parser.parse_unresolved_operand()
        parser.parse_keyword("init")
        parser.parse_punctuation(":")
        return value, parser.parse_unresolved_operand()


def _parse_inner_op(parser: Parser) -> type[BinaryElementwiseOp]:
    position = parser.pos
    name = parser.parse_identifier()
    op_type = parser.ctx.get_optional_op(name)
    if op_type is None or not _can_be_applied(op_type):
        parser.raise_error(f"expected a commutative op of two operands, got {name}", position)
    return op_type


def _can_be_applied(op_type: type[Operation]) -> TypeGuard[type[BinaryElementwiseOp]]:
    return issubclass(op_type, BinaryElementwiseOp) and op_type.has_trait(Commutative)


def _applied_block(op_type: type[BinaryElementwiseOp], input_type: Attribute) -> Block:
    """The block of the short form: the op on both arguments, returned."""
    tensor = as_tensor(input_type)
    element_type = input_type if tensor is None else TensorType(tensor.element_type, ())
    block = Block(arg_types=[element_type, element_type])
    lhs, rhs = block.args
    op = op_type(lhs, rhs)
    block.add_ops([op, ReturnOp(op)])
    return block


def _parse_reducer(parser: Parser) -> Region:
    accumulators: list[Parser.Argument] = []
    elements: list[Parser.Argument] = []
    while parser.parse_optional_punctuation("(") is not None:
        accumulators.append(parser.parse_argument())
        parser.parse_punctuation(",")
        elements.append(parser.parse_argument())
        parser.parse_punctuation(")")
    return parser.parse_region(accumulators + elements)


def print_reduce(printer: Printer, op: IRDLOperation, dimensions: tuple[int, ...]) -> None:
    """Prints the short form when the region allows, else the long one."""
    count = len(op.operands) // 2
    inputs = zip(op.operands[:count], op.operands[count:])
    printer.print_list(inputs, lambda pair: _print_input(printer, *pair))
    block = op.regions[0].block
    inner = _applied_op(op, block)
    if inner is not None:
        printer.print_string(f" applies {inner.name}")
    printer.print_string(" across dimensions = ")
    print_dims(printer, dimensions)
    print_attributes(printer, op, ("dimensions",))
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)
    if inner is None:
        printer.print_string("\n reducer")
        for accumulator, element in zip(block.args[:count], block.args[count:]):
            with printer.in_parens():
                printer.print_block_argument(accumulator)
                printer.print_string(", ")
                printer.print_block_argument(element)
            printer.print_string(" ")
        printer.print_string(" ")
        printer.print_region(op.regions[0], print_entry_block_args=False)


def _print_input(printer: Printer, value: SSAValue, initial: SSAValue) -> None:
    with printer.in_parens():
        printer.print_ssa_value(value)
        printer.print_string(" init: ")
        printer.print_ssa_value(initial)


def _applied_op(op: Operation, block: Block) -> Operation | None:
    """The region's only op, if the short form says everything about the region."""
    inner = block.first_op
    last = block.last_op
    if inner is None or inner.next_op is not last or not isinstance(last, ReturnOp):
        return None
    op_type = type(inner)
    if not _can_be_applied(op_type) or inner.attributes or last.attributes:
        return None
    same_operands = tuple(inner.operands) == tuple(block.args)
    if not same_operands or tuple(last.operands) != tuple(inner.results):
        return None
    expected = _applied_block(op_type, op.operands[0].type).args[0].type
    types = {*inner.operand_types, *inner.result_types}
    return inner if types == {expected} else None
