"""The ops with which StableHLO's own test files check values: dialects `check` and `interpreter`.

They exist for the scripts of this folder only. `checking.py` takes them out of a program before it
runs, so they need no kernels: a check becomes a result of the function, a probe a `dcf.probe`.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f64,
)
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from anabranch.frontends.mlir_text import make_context

U32 = IntegerType(32, Signedness.UNSIGNED)
U64 = IntegerType(64, Signedness.UNSIGNED)


class CheckOp(IRDLOperation, ABC):
    """Base: operands, clauses `, keyword = value`, attributes, then the types of the operands.

    A constant to compare with stands where the second operand does, and says the type of both.
    """

    CLAUSES: ClassVar[dict[str, str]] = {}
    """Keyword -> property, in any order."""
    CONSTANT: ClassVar[bool] = False

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands = [parser.parse_unresolved_operand()]
        properties: dict[str, Attribute] = {}
        while parser.parse_optional_punctuation(",") is not None:
            if (operand := parser.parse_optional_unresolved_operand()) is not None:
                operands.append(operand)
            elif (found := _parse_clause(cls, parser)) is not None:
                properties.update(found)
            else:
                properties["value"] = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        for name in set(attributes) & set(cls.get_irdl_definition().properties):
            properties[name] = attributes.pop(name)
        position = parser.pos
        if cls.CONSTANT:
            types: list[Any] = [_type_of(properties.get("value"), parser)]
        else:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            types += types[-1:] * (len(operands) - len(types))
        return cls.create(
            operands=parser.resolve_operands(operands, types, position),
            result_types=types[:1] * len(cls.get_irdl_definition().results),
            properties=properties,
            attributes=attributes,
        )

    def verify_(self) -> None:
        types = {value.type for value in (*self.operands, *self.results)}
        if isinstance(constant := self.properties.get("value"), DenseIntOrFPElementsAttr):
            types.add(constant.type)
        if len(types) > 1:
            raise VerifyException(f"expected equal types, got {', '.join(map(str, types))}")


def _parse_clause(cls: type[CheckOp], parser: Parser) -> dict[str, Attribute] | None:
    for keyword, name in cls.CLAUSES.items():
        if parser.parse_optional_keyword(keyword) is not None:
            parser.parse_punctuation("=")
            match name:
                case "probe_id":
                    return {name: StringAttr(parser.parse_str_literal())}
                case "tolerance":
                    return {name: FloatAttr(float(parser.parse_number()), f64)}
                case _:
                    width = U32 if name == "iteration" else U64
                    return {name: IntegerAttr(parser.parse_integer(), width)}
    return None


def _type_of(value: Attribute | None, parser: Parser) -> Attribute:
    if not isinstance(value, DenseIntOrFPElementsAttr):
        parser.raise_error("expected a constant to compare with")
    return value.type


@irdl_op_definition
class ExpectEqOp(CheckOp):
    """`check.expect_eq %a, %b : type`: equal elements."""

    name = "check.expect_eq"
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)


@irdl_op_definition
class ExpectEqConstOp(CheckOp):
    """`check.expect_eq_const %a, dense<…> : type`: elements equal to the constant's."""

    name = "check.expect_eq_const"
    lhs = operand_def(TensorType)
    value = prop_def(DenseIntOrFPElementsAttr)
    CONSTANT: ClassVar = True


@irdl_op_definition
class ExpectAlmostEqOp(CheckOp):
    """`check.expect_almost_eq %a, %b, tolerance = 0.1 : type`: within an absolute tolerance."""

    name = "check.expect_almost_eq"
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    tolerance = opt_prop_def(FloatAttr)
    CLAUSES: ClassVar = {"tolerance": "tolerance"}


@irdl_op_definition
class ExpectAlmostEqConstOp(CheckOp):
    """`check.expect_almost_eq_const %a, dense<…> : type`: the same, beside a constant."""

    name = "check.expect_almost_eq_const"
    lhs = operand_def(TensorType)
    value = prop_def(DenseIntOrFPElementsAttr)
    tolerance = opt_prop_def(FloatAttr)
    CLAUSES: ClassVar = {"tolerance": "tolerance"}
    CONSTANT: ClassVar = True


@irdl_op_definition
class ExpectCloseOp(CheckOp):
    """`check.expect_close %a, %b, max_ulp_difference = 3 : type, type`: within so many floats."""

    name = "check.expect_close"
    actual = operand_def(TensorType)
    expected = operand_def(TensorType)
    max_ulp_difference = opt_prop_def(IntegerAttr)
    min_ulp_difference = opt_prop_def(IntegerAttr)
    CLAUSES: ClassVar = {
        "max_ulp_difference": "max_ulp_difference",
        "min_ulp_difference": "min_ulp_difference",
    }


@irdl_op_definition
class ExpectSerializedEqOp(CheckOp):
    """`check.expect_serialized_eq %a, probe_id = "p", iter = 1 : type`: what a probe has seen."""

    name = "check.expect_serialized_eq"
    expected = operand_def(TensorType)
    probe_id = prop_def(StringAttr)
    iteration = opt_prop_def(IntegerAttr)
    CLAUSES: ClassVar = {"probe_id": "probe_id", "iter": "iteration"}


@irdl_op_definition
class ProbeOp(CheckOp):
    """`%b = interpreter.probe %a, probe_id = "p" : type`: gives its operand and records it."""

    name = "interpreter.probe"
    operand = operand_def(TensorType)
    probe_id = prop_def(StringAttr)
    result = result_def(TensorType)
    CLAUSES: ClassVar = {"probe_id": "probe_id"}


@irdl_op_definition
class PrintOp(CheckOp):
    """`interpreter.print %a : type`: prints its operand."""

    name = "interpreter.print"
    values = var_operand_def(TensorType)


CHECK = Dialect(
    "check",
    [
        ExpectEqOp,
        ExpectEqConstOp,
        ExpectAlmostEqOp,
        ExpectAlmostEqConstOp,
        ExpectCloseOp,
        ExpectSerializedEqOp,
    ],
)
INTERPRETER = Dialect("interpreter", [ProbeOp, PrintOp])


def suite_context() -> Context:
    """The context of all tools, with these dialects too."""
    context = make_context()
    context.register_dialect("check", lambda: CHECK)
    context.register_dialect("interpreter", lambda: INTERPRETER)
    return context
