"""Requests for derivatives, expanded by the gradient pass, and `dcf.stop_gradient`.

All three requests name a function of the module and give its arguments. `wrt` lists the numbers of
the arguments to differentiate by; left out, it means every floating-point one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .assembly import (
    Attributes,
    parse_attributes,
    parse_i64,
    parse_operand_list,
    print_attributes,
)
from .checks import callee_type, check_type, check_values, type_list
from .types import cotangent_type, is_differentiable

_SPELLED = ("callee", "wrt", "of", "operandSegmentSizes")
"""The properties that have a place of their own in the text of a request."""


def _wrt(wrt: Sequence[int] | None) -> DenseArrayBase[I64] | None:
    return None if wrt is None else DenseArrayBase.from_list(i64, wrt)


@irdl_op_definition
class GradientOp(IRDLOperation):
    """`dcf.gradient @f(%a, %b) wrt [0, 1] of 0 : (types) -> (types)`: gradients of a sum.

    The gradients of the sum of result `of` (default: the first floating-point result) with
    respect to the arguments `wrt`: one result for each, of the argument's type.

    Errors: no such function; arguments that do not match it; `wrt` or `of` out of range,
    repeated or not floating-point; results of other types.
    Source: docs/semantics.md §2; `jax.grad`.
    """

    name = "dcf.gradient"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    gradients = var_result_def()
    wrt = opt_prop_def(DenseArrayBase[I64])
    of = opt_prop_def(IntegerAttr[I64])

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        wrt: Sequence[int] | None = None,
        of: int | None = None,
    ):
        super().__init__(
            operands=[arguments],
            result_types=[result_types],
            properties={
                "callee": SymbolRefAttr(callee),
                "wrt": _wrt(wrt),
                "of": None if of is None else IntegerAttr(of, i64),
            },
        )

    def verify_(self) -> None:
        signature = callee_type(self, self.callee)
        if signature is None:
            return
        inputs, outputs = signature.inputs.data, signature.outputs.data
        check_values("argument", inputs, self.arguments.types, self, ", that of the function")
        self._verify_of(outputs)
        seeds = [cotangent_type(inputs[number]) for number in _checked_wrt(self.wrt, inputs)]
        check_values("gradient", seeds, self.gradients.types, self, ", that of its argument")

    def _verify_of(self, outputs: Sequence[Attribute]) -> None:
        """`of` names a real floating-point result."""
        if self.of is None:
            if not any(_is_real(type) for type in outputs):
                raise VerifyException(
                    f"expected a floating-point result to differentiate, got {type_list(outputs)}"
                )
            return
        number = self.of.value.data
        if not 0 <= number < len(outputs):
            raise VerifyException(
                f"expected the number of a result, below {len(outputs)}, in of, got {number}"
            )
        if not _is_real(outputs[number]):
            raise VerifyException(
                f"expected result {number} to be a real floating-point tensor,"
                f" got {outputs[number]}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> GradientOp:
        properties, arguments = _parse_call(parser)
        _parse_wrt(parser, properties)
        if parser.parse_optional_keyword("of") is not None:
            properties["of"] = parse_i64(parser)
        operands, results, given, attributes = _parse_signature(parser, cls, arguments)
        return cls.create(
            operands=operands,
            result_types=results,
            properties=given | properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_call(printer, self.callee, self.arguments)
        _print_wrt(printer, self.wrt)
        if self.of is not None:
            printer.print_string(f" of {self.of.value.data}")
        _print_signature(printer, self, _SPELLED)


@irdl_op_definition
class VjpOp(IRDLOperation):
    """`dcf.vjp @f(%args) cotangents(%cts) wrt [0] : (types) -> (types)`: reverse mode.

    One cotangent for each floating-point result of `@f`, in order. Results: those of `@f`, then
    the cotangents of the arguments `wrt`. The signature gives the types of all operands.

    Errors: no such function; arguments or cotangents that do not match it; `wrt` out of range,
    repeated or not floating-point; results of other types.
    Source: docs/semantics.md §2; `jax.vjp`.
    """

    name = "dcf.vjp"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    cotangents = var_operand_def()
    outputs = var_result_def()
    wrt = opt_prop_def(DenseArrayBase[I64])
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        cotangents: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        wrt: Sequence[int] | None = None,
    ):
        super().__init__(
            operands=[arguments, cotangents],
            result_types=[result_types],
            properties={"callee": SymbolRefAttr(callee), "wrt": _wrt(wrt)},
        )

    def verify_(self) -> None:
        signature = callee_type(self, self.callee)
        if signature is None:
            return
        inputs, outputs = signature.inputs.data, signature.outputs.data
        check_values("argument", inputs, self.arguments.types, self, ", that of the function")
        seeds = [cotangent_type(type) for type in outputs if is_differentiable(type)]
        check_values("cotangent", seeds, self.cotangents.types, self, ", that of the result")
        wrt = [cotangent_type(inputs[number]) for number in _checked_wrt(self.wrt, inputs)]
        check_values("result", [*outputs, *wrt], self.outputs.types, self)

    @classmethod
    def parse(cls, parser: Parser) -> VjpOp:
        return _parse_with_seeds(parser, cls, "cotangents")

    def print(self, printer: Printer) -> None:
        _print_call(printer, self.callee, self.arguments)
        printer.print_string(" cotangents")
        printer.print_operands(self.cotangents)
        _print_wrt(printer, self.wrt)
        _print_signature(printer, self, _SPELLED)


@irdl_op_definition
class JvpOp(IRDLOperation):
    """`dcf.jvp @f(%args) tangents(%ts) wrt [0] : (types) -> (types)`: forward mode.

    One tangent for each argument of `wrt`, in order. Results: those of `@f`, then the tangents of
    its floating-point results. The signature gives the types of all operands.

    Errors: as for `dcf.vjp`.
    Source: docs/semantics.md §2; `jax.jvp`.
    """

    name = "dcf.jvp"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    tangents = var_operand_def()
    outputs = var_result_def()
    wrt = opt_prop_def(DenseArrayBase[I64])
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        tangents: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        wrt: Sequence[int] | None = None,
    ):
        super().__init__(
            operands=[arguments, tangents],
            result_types=[result_types],
            properties={"callee": SymbolRefAttr(callee), "wrt": _wrt(wrt)},
        )

    def verify_(self) -> None:
        signature = callee_type(self, self.callee)
        if signature is None:
            return
        inputs, outputs = signature.inputs.data, signature.outputs.data
        check_values("argument", inputs, self.arguments.types, self, ", that of the function")
        seeds = [cotangent_type(inputs[number]) for number in _checked_wrt(self.wrt, inputs)]
        check_values("tangent", seeds, self.tangents.types, self, ", that of its argument")
        tangents = [cotangent_type(type) for type in outputs if is_differentiable(type)]
        check_values("result", [*outputs, *tangents], self.outputs.types, self)

    @classmethod
    def parse(cls, parser: Parser) -> JvpOp:
        return _parse_with_seeds(parser, cls, "tangents")

    def print(self, printer: Printer) -> None:
        _print_call(printer, self.callee, self.arguments)
        printer.print_string(" tangents")
        printer.print_operands(self.tangents)
        _print_wrt(printer, self.wrt)
        _print_signature(printer, self, _SPELLED)


@irdl_op_definition
class StopGradientOp(IRDLOperation):
    """`dcf.stop_gradient %x : type`: `%x`, with no derivative.

    Error: a result of another type than `%x`.
    Source: docs/semantics.md §2; `jax.lax.stop_gradient`.
    """

    name = "dcf.stop_gradient"
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue | Operation):
        super().__init__(operands=[operand], result_types=[SSAValue.get(operand).type])

    def verify_(self) -> None:
        check_type("a result", self.operand.type, self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> StopGradientOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(operand, type)],
            result_types=[type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)


def _is_real(type: Attribute) -> bool:
    return isa(type, TensorType[Attribute]) and isinstance(type.element_type, AnyFloat)


def _checked_wrt(wrt: DenseArrayBase[I64] | None, inputs: Sequence[Attribute]) -> Sequence[int]:
    """The numbers of the arguments to differentiate by."""
    if wrt is None:
        return [number for number, type in enumerate(inputs) if is_differentiable(type)]
    numbers = wrt.get_values()
    for position, number in enumerate(numbers):
        if not 0 <= number < len(inputs):
            raise VerifyException(
                f"expected the numbers of arguments, below {len(inputs)}, in wrt, got {number}"
            )
        if not is_differentiable(inputs[number]):
            raise VerifyException(
                f"expected argument {number} to be floating-point to differentiate by it,"
                f" got {inputs[number]}"
            )
        if number in numbers[:position]:
            raise VerifyException(f"expected each argument once in wrt, got {number} twice")
    return numbers


def _parse_call(parser: Parser) -> tuple[Attributes, list[UnresolvedOperand]]:
    """`@f(%a, …)`: the property `callee`, and the arguments."""
    callee: StringAttr = parser.parse_symbol_name()
    with parser.in_parens():
        arguments = parse_operand_list(parser)
    return {"callee": SymbolRefAttr(callee)}, arguments


def _print_call(printer: Printer, callee: SymbolRefAttr, arguments: Sequence[SSAValue]) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(callee.root_reference)
    printer.print_operands(arguments)


def _parse_wrt(parser: Parser, properties: Attributes) -> None:
    """`wrt [0, 1]`, if it is there."""
    if parser.parse_optional_keyword("wrt") is not None:
        numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        properties["wrt"] = DenseArrayBase.from_list(i64, numbers)


def _print_wrt(printer: Printer, wrt: DenseArrayBase[I64] | None) -> None:
    if wrt is not None:
        printer.print_string(" wrt ")
        with printer.in_square_brackets():
            printer.print_list(wrt.get_values(), printer.print_int)


def _parse_signature(
    parser: Parser, op_type: type[IRDLOperation], operands: Sequence[UnresolvedOperand]
) -> tuple[list[SSAValue], Sequence[Attribute], Attributes, Attributes]:
    """`{attributes} : (types) -> (types)`: operands, result types, properties, attributes."""
    properties, attributes = parse_attributes(parser, op_type, _SPELLED)
    parser.parse_punctuation(":")
    position = parser.pos
    signature = parser.parse_function_type()
    values = list(parser.resolve_operands(operands, signature.inputs.data, position))
    return values, signature.outputs.data, properties, attributes


def _print_signature(printer: Printer, op: Operation, shown: Sequence[str]) -> None:
    print_attributes(printer, op, shown)
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)


_Seeded = TypeVar("_Seeded", "VjpOp", "JvpOp")


def _parse_with_seeds(parser: Parser, op_type: type[_Seeded], keyword: str) -> _Seeded:
    """The common form of `dcf.vjp` and `dcf.jvp`; `keyword` introduces the seeds."""
    properties, arguments = _parse_call(parser)
    parser.parse_keyword(keyword)
    with parser.in_parens():
        seeds = parse_operand_list(parser)
    _parse_wrt(parser, properties)
    operands, results, given, attributes = _parse_signature(parser, op_type, [*arguments, *seeds])
    op = op_type("", operands[: len(arguments)], operands[len(arguments) :], results)
    op.properties.update(given | properties)
    op.attributes.update(attributes)
    return op
