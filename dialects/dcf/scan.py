"""The counted loop of the structured level: `dcf.scan`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, IntegerAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..diagnostics import RuleError
from .assembly import (
    optional_i64,
    parse_attributes,
    parse_i64,
    parse_operand_list,
    parse_optional_label,
    parse_result_types,
    parse_type_list,
    parse_typed_bindings,
    print_attributes,
    print_optional_label,
    print_result_types,
    print_typed_bindings,
)
from .checks import (
    check_at_least,
    check_carried,
    check_residual_policy,
    check_scalar_integer,
    check_values,
    check_yield,
    terminator_of,
)
from .loops import DEFAULT_PARALLEL_ITERATIONS, print_body
from .terminators import YieldOp
from .types import row_type

_SEGMENTS = "operandSegmentSizes"


@irdl_op_definition
class ScanOp(IRDLOperation):
    """`dcf.scan`: a loop over the leading dimension of its inputs.

    ```
    %sum, %ys = dcf.scan "s" (%acc = %zero : tensor<f32>) ins(%x = %xs : tensor<9xf32>)
        -> (tensor<f32>, tensor<9xf32>) do {
      …
      dcf.yield %acc1, %y : tensor<f32>, tensor<f32>
    } {reverse}
    %ys = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys0 : tensor<9xf32>)
        length %n : tensor<i32> -> tensor<9xf32> do { … }
    %last = dcf.scan (%acc = %zero : tensor<f32>) length 5 -> tensor<f32> do { … }
    ```

    Body arguments: the carries, then one slice (leading dimension dropped) per input. Body yields:
    the carries, then one row per output. Results: the carries, then the outputs (rows stacked along
    a new leading dimension). `reverse` goes from the last row to the first. The number of trips is
    the operand `length` (a scalar integer tensor, 0 <= length <= N) if given, else
    `static_length`, else N of the inputs. With buffers `outs`, outputs start from them and rows
    that no trip writes keep them; a run-time length needs them. No carries: a map; no outputs: a
    fold.

    Errors: leading dimensions of inputs and buffers that differ; an output type that is not its
    row under the number of trips; buffers that do not match the outputs; no length, or two; and
    the mismatches of `dcf.while`. At run time: a length out of range.
    Source: docs/semantics.md §1; `jax.lax.scan`.
    """

    name = "dcf.scan"
    inits = var_operand_def()
    inputs = var_operand_def()
    outs = var_operand_def()
    length = opt_operand_def()
    outputs = var_result_def()
    body: Region = region_def("single_block")
    loop_name = opt_prop_def(StringAttr)
    static_length = opt_prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    parallel_iterations = opt_prop_def(IntegerAttr[I64])
    residual_policy = opt_prop_def(StringAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inits: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        body: Region,
        *,
        outs: Sequence[SSAValue] = (),
        length: SSAValue | None = None,
        static_length: int | None = None,
        reverse: bool = False,
        loop_name: str | None = None,
        parallel_iterations: int | None = None,
        residual_policy: str | None = None,
    ):
        super().__init__(
            operands=[inits, inputs, outs, [length] if length is not None else []],
            result_types=[result_types],
            regions=[body],
            properties={
                "loop_name": StringAttr(loop_name) if loop_name is not None else None,
                "static_length": optional_i64(static_length),
                "reverse": UnitAttr() if reverse else None,
                "parallel_iterations": optional_i64(parallel_iterations),
                "residual_policy": StringAttr(residual_policy) if residual_policy else None,
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS

    @property
    def rows(self) -> int | None:
        """The common leading dimension of inputs and buffers (`DYNAMIC_INDEX` when not known).

        None when there are neither.
        """
        sizes = [_leading_dimension(value.type) for value in (*self.inputs, *self.outs)]
        known = [size for size in sizes if size != DYNAMIC_INDEX]
        return None if not sizes else known[0] if known else DYNAMIC_INDEX

    def verify_(self) -> None:
        check_at_least(self.parallel_iterations, "parallel_iterations", 1)
        check_at_least(self.static_length, "static_length", 0)
        check_residual_policy(self.residual_policy)
        carried = self.inits.types
        check_carried(carried, self)
        self._verify_rows()
        self._verify_length()
        body = self.body.block
        slices = [row_type(type) for type in self.inputs.types]
        expected = [*carried, *(row for row in slices if row is not None)]
        reason = ", that of the initial value or of a row of the input"
        check_values("body argument", expected, body.arg_types, self, reason)
        end = terminator_of(self.body, YieldOp, "the body region")
        count = len(carried)
        if len(self.outputs) < count:
            raise VerifyException(
                f"expected at least {count} results, one per carried value, got {len(self.outputs)}"
            )
        check_values(
            "result", carried, self.outputs.types[:count], self, ", that of the initial value"
        )
        if len(end.operands) != len(self.outputs):
            raise RuleError(
                f"expected {len(self.outputs)} yielded values, one per result,"
                f" got {len(end.operands)}",
                end,
            )
        check_yield("carried value", carried, end.operand_types[:count], end)
        self._verify_outputs(end.operand_types[count:], end)

    def _verify_rows(self) -> None:
        """Inputs and buffers have a leading dimension, the same for all."""
        rows = self.rows
        for kind, values in (("input", self.inputs), ("buffer", self.outs)):
            for position, value in enumerate(values):
                if row_type(value.type) is None:
                    raise VerifyException(
                        f"expected {kind} {position} to be a tensor with a leading dimension,"
                        f" got {value.type}"
                    )
                size = _leading_dimension(value.type)
                if size not in (rows, DYNAMIC_INDEX):
                    raise VerifyException(
                        f"expected a leading dimension of {rows} for {kind} {position}, as the"
                        f" first that is known, got {value.type}"
                    )

    def _verify_length(self) -> None:
        """The number of trips comes from one place, and there are rows enough."""
        rows = self.rows
        static = self.static_length
        if self.length is not None:
            check_scalar_integer("the length", self.length.type)
            if static is not None:
                raise VerifyException("expected one length, got an operand and static_length")
            if not self.outs and len(self.outputs) > len(self.inits):
                raise VerifyException(
                    "expected buffers (outs) for the outputs of a scan with a run-time length,"
                    " got none"
                )
        elif static is None and rows is None:
            raise VerifyException("expected inputs or a length, got neither")
        elif static is not None and rows not in (None, DYNAMIC_INDEX) and static.value.data > rows:
            raise VerifyException(
                f"expected a length of at most {rows}, the rows there are, got {static.value.data}"
            )

    def _verify_outputs(self, rows: Sequence[Attribute], end: Operation) -> None:
        """Each output is of its buffer's type, or of the trips' number of yielded rows."""
        outputs = self.outputs.types[len(self.inits) :]
        if self.outs:
            check_values("output", self.outs.types, outputs, self, ", that of its buffer")
        static = self.static_length
        trips = self.rows if static is None else static.value.data
        for position, (output, row) in enumerate(zip(outputs, rows)):
            if row_type(output) != row:
                raise RuleError(
                    f"expected rows of type {row_type(output) or 'a tensor'} for output {position}"
                    f" of type {output}, got a yielded {row}",
                    end,
                )
            if not self.outs and _leading_dimension(output) != trips:
                raise VerifyException(
                    f"expected a leading dimension of {_dimension(trips)}, the number of trips,"
                    f" for output {position}, got {output}"
                )

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        properties: dict[str, Attribute] = {}
        if (loop_name := parse_optional_label(parser)) is not None:
            properties["loop_name"] = loop_name
        arguments, inits = parse_typed_bindings(parser)
        slices: list[Parser.Argument] = []
        inputs: list[SSAValue] = []
        if parser.parse_optional_keyword("ins") is not None:
            slices, inputs = parse_typed_bindings(parser)
            for argument in slices:
                argument.type = parse_row_type(parser, argument.type)
        outs = parse_outs(parser) if parser.parse_optional_keyword("outs") is not None else []
        length: list[SSAValue] = []
        if parser.parse_optional_keyword("length") is not None:
            operand = parser.parse_optional_unresolved_operand()
            if operand is None:
                properties["static_length"] = parse_i64(parser)
            else:
                parser.parse_punctuation(":")
                length = [parser.resolve_operand(operand, parser.parse_type())]
        result_types = parse_result_types(parser)
        parser.parse_keyword("do")
        body = parser.parse_region([*arguments, *slices])
        given, attributes = parse_attributes(parser, cls, ("loop_name", _SEGMENTS, *properties))
        op = cls(inits, inputs, result_types, body, outs=outs, length=length[0] if length else None)
        op.properties.update(given | properties)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        print_optional_label(printer, self.loop_name)
        printer.print_string(" ")
        arguments = self.body.block.args
        print_typed_bindings(printer, arguments[: len(self.inits)], self.inits)
        if self.inputs:
            printer.print_string(" ins")
            print_typed_bindings(printer, arguments[len(self.inits) :], self.inputs)
        if self.outs:
            printer.print_string(" outs")
            with printer.in_parens():
                printer.print_list(self.outs, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.outs.types, printer.print_attribute)
        shown = ["loop_name", _SEGMENTS]
        if self.length is not None:
            printer.print_string(" length ")
            printer.print_ssa_value(self.length)
            printer.print_string(" : ")
            printer.print_attribute(self.length.type)
        elif self.static_length is not None:
            printer.print_string(f" length {self.static_length.value.data}")
            shown.append("static_length")
        print_result_types(printer, self.outputs.types)
        printer.print_string(" do ")
        print_body(printer, self.body)
        print_attributes(printer, self, shown)


def parse_row_type(parser: Parser, type: Attribute) -> Attribute:
    """The type of one row of an input of type `type`."""
    row = row_type(type)
    if row is None:
        parser.raise_error(f"expected a tensor with a leading dimension to scan, got {type}")
    return row


def _leading_dimension(type: Attribute) -> int:
    if not isa(type, TensorType[Attribute]) or type.get_num_dims() == 0:
        return DYNAMIC_INDEX
    return type.get_shape()[0]


def _dimension(size: int | None) -> str:
    return "?" if size is None or size == DYNAMIC_INDEX else str(size)


def parse_outs(parser: Parser) -> list[SSAValue]:
    """`(%ys0, … : type, …)`."""
    with parser.in_parens():
        operands = parse_operand_list(parser)
        position = parser.pos
        return list(parser.resolve_operands(operands, parse_type_list(parser), position))
