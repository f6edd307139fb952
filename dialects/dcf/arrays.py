"""Arrays (`!dcf.array<T>`, TensorFlow's TensorArray as a value).

Each index is written at most once in a forward program; gradient arrays (`!dcf.array<T, grad>`)
add repeated writes and read zeros where nothing was written.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .assembly import Attributes, print_attributes
from .checks import check_not_captured, check_scalar_integer, check_type
from .types import ArrayType, row_type


@irdl_op_definition
class ArrayNewOp(IRDLOperation):
    """`dcf.array_new %n : tensor<i32> -> !dcf.array<T>`: an array of `%n` unwritten elements.

    `%n` is a scalar integer tensor. Error at run time: a negative size.
    Source: docs/semantics.md §1; TensorFlow's `TensorArrayV3`.
    """

    name = "dcf.array_new"
    size = operand_def()
    array = result_def(ArrayType)
    traits = traits_def(Pure())

    def __init__(self, size: SSAValue | Operation, array_type: ArrayType):
        super().__init__(operands=[size], result_types=[array_type])

    def verify_(self) -> None:
        check_scalar_integer("the size", self.size.type)

    @classmethod
    def parse(cls, parser: Parser) -> ArrayNewOp:
        operand, attributes, type = _parse_conversion(parser)
        return cls.create(
            operands=[operand],
            result_types=[_expect_array(parser, type)],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_conversion(printer, self)


@irdl_op_definition
class ArrayWriteOp(IRDLOperation):
    """`dcf.array_write %a, %i, %v : !dcf.array<T>, tensor<i32>`: the array with element `%i` set.

    `%i` is a scalar integer tensor, `%v : T`; `%a` is unchanged. Errors: a value that is not a T; a
    result of another type than `%a`; an array that a loop captures instead of carrying. At run
    time: an index written twice (a gradient array adds instead) or out of range, named.
    Source: docs/semantics.md §1.
    """

    name = "dcf.array_write"
    array = operand_def(ArrayType)
    index = operand_def()
    value = operand_def()
    result = result_def(ArrayType)
    traits = traits_def(Pure())

    def __init__(
        self,
        array: SSAValue | Operation,
        index: SSAValue | Operation,
        value: SSAValue | Operation,
    ):
        super().__init__(operands=[array, index, value], result_types=[SSAValue.get(array).type])

    def verify_(self) -> None:
        check_type("a result", self.array.type, self.result.type)
        check_scalar_integer("the index", self.index.type)
        check_type("a value", array_type(self.array).element_type, self.value.type)
        check_not_captured(self.array, self)

    @classmethod
    def parse(cls, parser: Parser) -> ArrayWriteOp:
        array = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        index = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        value = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        type = parse_array_type(parser)
        parser.parse_punctuation(",")
        return cls.create(
            operands=[
                parser.resolve_operand(array, type),
                parser.resolve_operand(index, parser.parse_type()),
                parser.resolve_operand(value, type.element_type),
            ],
            result_types=[type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_access(printer, self)


@irdl_op_definition
class ArrayReadOp(IRDLOperation):
    """`dcf.array_read %a, %i : !dcf.array<T>, tensor<i32>`: element `%i`, a T.

    `%i` is a scalar integer tensor. Errors: a result that is not a T; a gradient array of dynamic
    T, whose zeros have no shape. At run time: an index out of range or unwritten (a gradient array
    gives zeros instead), named.
    Source: docs/semantics.md §1.
    """

    name = "dcf.array_read"
    array = operand_def(ArrayType)
    index = operand_def()
    value = result_def()
    traits = traits_def(Pure())

    def __init__(self, array: SSAValue | Operation, index: SSAValue | Operation):
        array_type = SSAValue.get(array).type
        assert isinstance(array_type, ArrayType)
        super().__init__(operands=[array, index], result_types=[array_type.element_type])

    def verify_(self) -> None:
        check_scalar_integer("the index", self.index.type)
        check_type("a result", array_type(self.array).element_type, self.value.type)
        _check_zeros(self.array)

    @classmethod
    def parse(cls, parser: Parser) -> ArrayReadOp:
        array = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        index = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        type = parse_array_type(parser)
        parser.parse_punctuation(",")
        return cls.create(
            operands=[
                parser.resolve_operand(array, type),
                parser.resolve_operand(index, parser.parse_type()),
            ],
            result_types=[type.element_type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_access(printer, self)


@irdl_op_definition
class ArrayStackOp(IRDLOperation):
    """`dcf.array_stack %a : !dcf.array<tensor<f32>> -> tensor<?xf32>`: all elements in one tensor.

    The result has one more, leading dimension: the number of elements (`?`, or the size that the
    program knows). Errors: another shape or element type; a gradient array of dynamic T. At run
    time: an unwritten element (a gradient array gives zeros), a size other than the declared one.
    Source: docs/semantics.md §1.
    """

    name = "dcf.array_stack"
    array = operand_def(ArrayType)
    result = result_def()
    traits = traits_def(Pure())

    def verify_(self) -> None:
        element = array_type(self.array).element_type
        if row_type(self.result.type) != element:
            raise VerifyException(
                f"expected a result of rows {element} along a leading dimension,"
                f" got {self.result.type}"
            )
        _check_zeros(self.array)

    @classmethod
    def parse(cls, parser: Parser) -> ArrayStackOp:
        operand, attributes, type = _parse_conversion(parser)
        return cls.create(operands=[operand], result_types=[type], attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_conversion(printer, self)


@irdl_op_definition
class ArrayUnstackOp(IRDLOperation):
    """`dcf.array_unstack %t : tensor<9xf32> -> !dcf.array<tensor<f32>>`: an array of its rows.

    Errors: a tensor without a leading dimension; rows that are not of the array's element type.
    Source: docs/semantics.md §1.
    """

    name = "dcf.array_unstack"
    tensor = operand_def()
    array = result_def(ArrayType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        element = array_type(self.array).element_type
        if row_type(self.tensor.type) != element:
            raise VerifyException(
                f"expected a tensor of rows {element} along a leading dimension,"
                f" got {self.tensor.type}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> ArrayUnstackOp:
        operand, attributes, type = _parse_conversion(parser)
        return cls.create(
            operands=[operand],
            result_types=[_expect_array(parser, type)],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_conversion(printer, self)


@irdl_op_definition
class ArraySizeOp(IRDLOperation):
    """`dcf.array_size %a : !dcf.array<T> -> tensor<i32>`: the number of elements.

    Error: a result that is not a `tensor<i32>`.
    Source: docs/semantics.md §1.
    """

    name = "dcf.array_size"
    array = operand_def(ArrayType)
    size = result_def()
    traits = traits_def(Pure())

    def verify_(self) -> None:
        check_type("a result", TensorType(i32, []), self.size.type)

    @classmethod
    def parse(cls, parser: Parser) -> ArraySizeOp:
        operand, attributes, type = _parse_conversion(parser)
        return cls.create(operands=[operand], result_types=[type], attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_conversion(printer, self)


def array_type(array: SSAValue) -> ArrayType:
    """The type of an array."""
    assert isinstance(array.type, ArrayType)
    return array.type


def _check_zeros(array: SSAValue) -> None:
    """A gradient array reads zeros where nothing was written: they need a shape."""
    type = array_type(array)
    if type.is_grad and not type.element_type.has_static_shape():
        raise VerifyException(
            f"expected a gradient array with elements of static shape to read zeros, got {type}"
        )


def parse_array_type(parser: Parser) -> ArrayType:
    """`: !dcf.array<T>`."""
    parser.parse_punctuation(":")
    return _expect_array(parser, parser.parse_type())


def _expect_array(parser: Parser, type: Attribute) -> ArrayType:
    if not isinstance(type, ArrayType):
        parser.raise_error(f"expected a !dcf.array type, got {type}")
    return type


def _print_access(printer: Printer, op: ArrayWriteOp | ArrayReadOp) -> None:
    """All operands, then the types of the array and of the index."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_list((op.array.type, op.index.type), printer.print_attribute)


def _parse_conversion(parser: Parser) -> tuple[SSAValue, Attributes, Attribute]:
    """`%operand {attributes} : type -> type`: the operand, the attributes, the result's type."""
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    resolved = parser.resolve_operand(operand, parser.parse_type())
    parser.parse_punctuation("->")
    return resolved, attributes, parser.parse_type()


def _print_conversion(printer: Printer, op: Operation) -> None:
    """The counterpart of `_parse_conversion`."""
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" -> ")
    printer.print_attribute(op.results[0].type)
