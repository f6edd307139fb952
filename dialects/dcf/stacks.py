"""Stacks (`!dcf.stack<T>`): values with O(1) push and pop, used by gradients to keep residuals."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .assembly import parse_attributes, print_attributes
from .checks import check_not_captured, check_type
from .types import StackType


@irdl_op_definition
class StackNewOp(IRDLOperation):
    """`dcf.stack_new : !dcf.stack<T>`: an empty stack.

    Source: docs/semantics.md §1.
    """

    name = "dcf.stack_new"
    stack = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack_type: StackType):
        super().__init__(result_types=[stack_type])

    @classmethod
    def parse(cls, parser: Parser) -> StackNewOp:
        attributes = parser.parse_optional_attr_dict()
        return cls.create(result_types=[parse_stack_type(parser)], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.stack.type)


@irdl_op_definition
class StackPushOp(IRDLOperation):
    """`dcf.stack_push %s, %v : !dcf.stack<T>`: the stack with `%v : T` on top; `%s` is unchanged.

    O(1): the new stack shares the cells of the old one. Errors: a value that is not a T; a result
    of another type than `%s`; a stack that a loop captures instead of carrying.
    Source: docs/semantics.md §1.
    """

    name = "dcf.stack_push"
    stack = operand_def(StackType)
    value = operand_def()
    result = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack: SSAValue | Operation, value: SSAValue | Operation):
        super().__init__(operands=[stack, value], result_types=[SSAValue.get(stack).type])

    def verify_(self) -> None:
        check_type("a result", self.stack.type, self.result.type)
        check_type("a value", element_type(self.stack), self.value.type)
        check_not_captured(self.stack, self)

    @classmethod
    def parse(cls, parser: Parser) -> StackPushOp:
        stack = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        value = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        type = parse_stack_type(parser)
        return cls.create(
            operands=[
                parser.resolve_operand(stack, type),
                parser.resolve_operand(value, type.element_type),
            ],
            result_types=[type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_stack_op(printer, self, self.stack, self.value)


@irdl_op_definition
class StackPopOp(IRDLOperation):
    """`%rest, %v = dcf.stack_pop %s : !dcf.stack<T>`: the stack without its top, and that top.

    O(1); `%s` is unchanged. Popping an empty stack is an error at run time, unless `or_zero`
    (`dcf.stack_pop %s {or_zero} : …`): then the element is a zero and the stack stays empty. When T
    has dynamic dimensions, `or_zero` needs the shape of that zero from a tensor of T's rank:
    `dcf.stack_pop %s like %x {or_zero} : !dcf.stack<T>, tensor<…>`.

    Errors: results of other types; `like` without `or_zero`, missing, or of another rank; a stack
    that a loop captures instead of carrying.
    Source: docs/semantics.md §1 (`or_zero`: cotangent stacks).
    """

    name = "dcf.stack_pop"
    stack = operand_def(StackType)
    like = opt_operand_def()
    rest = result_def(StackType)
    value = result_def()
    or_zero = opt_prop_def(UnitAttr)
    traits = traits_def(Pure())

    def __init__(
        self,
        stack: SSAValue | Operation,
        *,
        or_zero: bool = False,
        like: SSAValue | None = None,
    ):
        stack_type = SSAValue.get(stack).type
        assert isinstance(stack_type, StackType)
        super().__init__(
            operands=[stack, [like] if like is not None else []],
            result_types=[stack_type, stack_type.element_type],
            properties={"or_zero": UnitAttr() if or_zero else None},
        )

    def verify_(self) -> None:
        element = element_type(self.stack)
        check_type("a first result", self.stack.type, self.rest.type)
        check_type("a second result", element, self.value.type)
        check_not_captured(self.stack, self)
        if self.like is not None:
            if self.or_zero is None:
                raise VerifyException("expected or_zero with a shape operand (like), got it alone")
            check_shape_source(element, self.like.type)
        elif self.or_zero is not None and not element.has_static_shape():
            raise VerifyException(
                f"expected a shape operand (like) for zeros of the dynamic type {element}, got none"
            )

    @classmethod
    def parse(cls, parser: Parser) -> StackPopOp:
        stack = parser.parse_unresolved_operand()
        like: UnresolvedOperand | None = None
        if parser.parse_optional_keyword("like") is not None:
            like = parser.parse_unresolved_operand()
        properties, attributes = parse_attributes(parser, cls)
        type = parse_stack_type(parser)
        operands: list[SSAValue] = [parser.resolve_operand(stack, type)]
        if like is not None:
            parser.parse_punctuation(",")
            operands.append(parser.resolve_operand(like, parser.parse_type()))
        return cls.create(
            operands=operands,
            result_types=[type, type.element_type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.stack)
        if self.like is not None:
            printer.print_string(" like ")
            printer.print_ssa_value(self.like)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.stack.type)
        if self.like is not None:
            printer.print_string(", ")
            printer.print_attribute(self.like.type)


@irdl_op_definition
class StackAddOp(IRDLOperation):
    """`dcf.stack_add %a, %b : !dcf.stack<T>`: element by element sum, counted from the top.

    The rest of the longer one is kept. The cotangents of several uses of one stack add like this.
    Errors: operands or result of different types; a stack that a loop captures instead of carrying.
    Source: docs/semantics.md §1.
    """

    name = "dcf.stack_add"
    lhs = operand_def(StackType)
    rhs = operand_def(StackType)
    result = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        super().__init__(operands=[lhs, rhs], result_types=[SSAValue.get(lhs).type])

    def verify_(self) -> None:
        check_type("a second operand", self.lhs.type, self.rhs.type)
        check_type("a result", self.lhs.type, self.result.type)
        check_not_captured(self.lhs, self)
        check_not_captured(self.rhs, self)

    @classmethod
    def parse(cls, parser: Parser) -> StackAddOp:
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        type = parse_stack_type(parser)
        return cls.create(
            operands=[parser.resolve_operand(lhs, type), parser.resolve_operand(rhs, type)],
            result_types=[type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_stack_op(printer, self, self.lhs, self.rhs)


def element_type(stack: SSAValue) -> TensorType[Attribute]:
    """T of a stack's type."""
    assert isinstance(stack.type, StackType)
    return stack.type.element_type


def check_shape_source(element: TensorType[Attribute], like: Attribute) -> None:
    """`like` is a tensor that can have the shape of an `element`."""
    if isa(like, TensorType[Attribute]) and like.get_num_dims() == element.get_num_dims():
        pairs = zip(element.get_shape(), like.get_shape())
        if all(one == other or DYNAMIC_INDEX in (one, other) for one, other in pairs):
            return
    raise VerifyException(
        f"expected the shape operand (like) to have the shape of {element}, got {like}"
    )


def parse_stack_type(parser: Parser) -> StackType:
    """`: !dcf.stack<T>`."""
    parser.parse_punctuation(":")
    position = parser.pos
    type: Attribute = parser.parse_type()
    if not isinstance(type, StackType):
        parser.raise_error(f"expected a !dcf.stack type, got {type}", position)
    return type


def _print_stack_op(printer: Printer, op: Operation, first: SSAValue, second: SSAValue) -> None:
    printer.print_string(" ")
    printer.print_list((first, second), printer.print_ssa_value)
    print_attributes(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(first.type)
