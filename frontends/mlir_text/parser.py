"""The parser of all tools: operations, regions and the names of values.

Over xDSL's parser: every op and block argument gets its location, names are scoped without copying
the table of names for each region (so the cost of an operation does not depend on the module's
size), and a value that is never defined is reported where it is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ...dialects.diagnostics import SourceLoc, as_location, position_of
from .attributes import AttributeParser
from .declarations import keep_argument_attributes


class ModuleParser(AttributeParser):
    """Parses a whole module. One parser parses one text."""

    _defined_here: list[str]
    """The names that the innermost open region has defined."""
    _isolated: dict[type[Operation], bool]
    _op_type: type[Operation] | None = None
    """The op that is being parsed: its regions may be isolated from the names outside."""
    _first_uses: dict[int, tuple[Span, str]]
    """By identity of a forward reference: where the value is used first, and by which op."""

    _dictionaries: list[dict[str, Attribute]]
    """Attribute dictionaries that were read since an op in its own form began."""

    _argument_locations: dict[int, Attribute | None]
    """The locations of arguments by the offsets of their names."""

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, text, name)
        self._argument_locations = {}
        self._dictionaries = []
        self._defined_here = []
        self._isolated = {}
        self._first_uses = {}

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self._at_end():
            self.raise_error("expected a module, got an empty file")
        operations: list[Operation] = []
        while not self._at_end():
            match self._token.kind:
                case MLIRTokenKind.HASH_IDENT | MLIRTokenKind.EXCLAMATION_IDENT:
                    self._parse_alias_def()
                case MLIRTokenKind.FILE_METADATA_BEGIN:
                    self._parse_file_metadata_dictionary()
                case _:
                    operations.append(self.parse_operation())
        self._check_all_defined()
        if len(operations) == 1 and isinstance(operations[0], ModuleOp):
            return operations[0]
        if not allow_implicit_module or not operations:
            self.raise_error("expected a module", 0)
        module = ModuleOp(operations)
        module.location = self.location_at(0)
        return module

    def _at_end(self) -> bool:
        return self._token.kind is MLIRTokenKind.EOF

    # Operations

    def parse_optional_operation(self) -> Operation | None:
        if self._token.kind in _OPERATION_STARTS:
            return self.parse_operation()
        return None

    def parse_operation(self) -> Operation:
        start = self._token.start
        bound = self._parse_op_result_list()
        token = self._token
        outer_type = self._op_type
        stack = self._parser_state.dialect_stack
        if token.kind is MLIRTokenKind.BARE_IDENT:
            self._op_type = op_type = self._get_op_by_name(token.text)
            self._consume_token()
            stack.append(op_type.dialect_name())
            self._dictionaries = []
            op = op_type.parse(self)
            if isinstance(op, FuncOp):
                keep_argument_attributes(op, self._dictionaries)
            given = self._parse_given()
        elif token.kind is MLIRTokenKind.STRING_LIT:
            self._op_type = op_type = self._get_op_by_name(token.text[1:-1])
            self._consume_token()
            stack.append(op_type.dialect_name())
            op = self._parse_generic_operation(op_type)
            given = op.location
        else:
            self.raise_error(f"expected an operation, got {self._got()}")
        stack.pop()
        self._op_type = outer_type
        place = given.given if isinstance(given, SourceLoc) else None
        op.location = location = as_location(SourceLoc(self.source, start, place))
        for region in op.regions:
            _place_implied_ops(region, location)
        if bound:
            self._bind_results(op, bound, start)
        return op

    def _bind_results(self, op: Operation, bound: list[tuple[Span, int]], start: int) -> None:
        results = op.results
        count = sum(size for _, size in bound)
        if count != len(results):
            self.raise_error(
                f"'{op.name}' has {len(results)} results, but {count} names are given for them",
                start,
            )
        first = 0
        for span, size in bound:
            self._register_ssa_definition(span.text[1:], results[first : first + size], span)
            first += size

    def _parse_given(self) -> Attribute | None:
        return self.parse_optional_location() if self._token.text == "loc" else None

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            op_type = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        except ValueError:
            op_type = None
        if op_type is None:
            self.raise_error(f"operation '{name}' is not supported")
        return op_type

    def _parse_generic_operation(self, op_type: type[Operation]) -> Operation:
        operands = self.parse_op_args_list()
        successors = self.parse_optional_successors() or []
        properties = self.parse_optional_properties_dict()
        regions = self.parse_region_list()
        attributes = self.parse_optional_attr_dict()
        self.parse_punctuation(":", " before the operation's type")
        type_start = self._token.start
        function_type = self.parse_function_type()
        location = self.parse_optional_location()
        if attributes and issubclass(op_type, IRDLOperation):
            # Text from before properties keeps them among the attributes.
            for name in op_type.get_irdl_definition().properties:
                if name in attributes and name not in properties:
                    properties[name] = attributes.pop(name)
        return op_type.create(
            operands=self.resolve_operands(operands, function_type.inputs.data, type_start),
            result_types=function_type.outputs.data,
            properties=properties,
            attributes=attributes,
            location=location,
            successors=successors,
            regions=regions,
        )

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        attributes = super().parse_optional_dictionary_attr_dict()
        self._dictionaries.append(attributes)
        return attributes

    # Names of values

    def resolve_operands(
        self,
        args: Sequence[UnresolvedOperand],
        input_types: Sequence[Attribute],
        error_pos: int,
    ) -> Sequence[SSAValue]:
        types = tuple(input_types)
        if len(args) != len(types):
            self.raise_error(f"expected {len(args)} operand types, got {len(types)}", error_pos)
        return [self.resolve_operand(operand, type) for operand, type in zip(args, types)]

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> Any:
        name = operand.operand_name
        values = self.ssa_values.get(name)
        if values is not None:
            if operand.index >= len(values):
                self.raise_error(
                    f"value %{name} has {len(values)} results, but #{operand.index} is used",
                    operand.span,
                )
            value = values[operand.index]
        else:
            references = self.forward_ssa_references.setdefault(name, {})
            value = references.get(operand.index)
            if value is None:
                value = references[operand.index] = ForwardDeclaredValue(type)
                user = self._op_type.name if self._op_type is not None else "an operation"
                self._first_uses[id(value)] = operand.span, user
                return value
        if value.type is not type and value.type != type:
            self.raise_error(
                f"value {_spelled(operand)} has type {value.type}, but is used with type {type}",
                operand.span,
            )
        return value

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        defined = self.ssa_values
        if name in defined:
            self._fail_redefined(name, span)
        defined[name] = values = tuple(values)
        self._defined_here.append(name)
        if name in self.forward_ssa_references:
            self._resolve_forward(name, values, span)
        if not name[0].isdigit():
            for value in values:
                value.name_hint = name

    def _fail_redefined(self, name: str, span: Span) -> None:
        earlier = self.ssa_values[name]
        where = ""
        if earlier:
            owner = earlier[0].owner
            location = owner.location if isinstance(owner, Operation) else _argument(earlier[0])
            position = position_of(location)
            if position is not None:
                where = " at {}:{}:{}".format(*position)
        self.raise_error(f"value %{name} is already defined{where}", span)

    def _resolve_forward(self, name: str, values: tuple[SSAValue, ...], span: Span) -> None:
        for index, reference in self.forward_ssa_references.pop(name).items():
            use, user = self._first_uses.pop(id(reference))
            if index >= len(values):
                self.raise_error(
                    f"value %{name} has {len(values)} results, but '{user}' uses #{index}", use
                )
            value = values[index]
            if reference.type != value.type:
                self.raise_error(
                    f"value %{name} has type {value.type}, "
                    f"but '{user}' uses it with type {reference.type}",
                    use,
                )
            reference.replace_all_uses_with(value)

    def _check_all_defined(self) -> None:
        for name, references in self.forward_ssa_references.items():
            for reference in references.values():
                span, user = self._first_uses[id(reference)]
                self.raise_error(f"value %{name} is used by '{user}' but never defined", span)

    # Regions and their scopes

    def _is_isolated(self, op_type: type[Operation] | None) -> bool:
        if op_type is None:
            return False
        known = self._isolated.get(op_type)
        if known is None:
            known = self._isolated[op_type] = op_type.has_trait(IsolatedFromAbove)
        return known

    def parse_optional_region(self, arguments: Sequence[Parser.Argument] | None = None) -> Any:
        if not self._parse_optional_text("{"):
            return None
        op_type = self._op_type
        isolated = self._is_isolated(op_type)
        outer = (
            self.ssa_values,
            self._defined_here,
            self.forward_ssa_references,
            self.blocks,
            self.forward_block_references,
        )
        if isolated:
            self.ssa_values = {}
        self._defined_here = []
        self.forward_ssa_references = {}
        self.blocks = {}
        self.forward_block_references = defaultdict(list)

        region = Region()
        if arguments is not None:
            if self._token.kind is MLIRTokenKind.CARET_IDENT:
                self.raise_error("expected an operation: the arguments are given above")
            entry = Block(arg_types=[argument.type for argument in arguments])
            for value, argument in zip(entry.args, arguments):
                given = argument.location or self._argument_locations.get(argument.name.start)
                self._place_argument(value, argument.name, given)
                self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
            self._parse_block_body(entry)
            region.add_block(entry)
        elif self._token.kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            entry = Block()
            self._parse_block_body(entry)
            region.add_block(entry)
        while not self._parse_optional_text("}"):
            if self._token.kind is not MLIRTokenKind.CARET_IDENT:
                self.raise_error(f"expected an operation or '}}', got {self._got()}")
            region.add_block(self._parse_block())
        for name, spans in self.forward_block_references.items():
            self.raise_error(f"block ^{name} is used but never defined", spans[0])

        self._op_type = op_type
        self._close_scope(isolated, *outer[:3])
        self.blocks, self.forward_block_references = outer[3:]
        return region

    def _close_scope(
        self,
        isolated: bool,
        outer_values: dict[str, tuple[SSAValue, ...]],
        outer_defined: list[str],
        outer_references: dict[str, dict[int, ForwardDeclaredValue]],
    ) -> None:
        """Forget the region's names; what it only uses, an outer region may define."""
        if isolated:
            self._check_all_defined()
        else:
            for name in self._defined_here:
                del outer_values[name]
            for name, references in self.forward_ssa_references.items():
                outer = outer_references.setdefault(name, {})
                for index, reference in references.items():
                    known = outer.setdefault(index, reference)
                    if known is not reference:
                        span, _ = self._first_uses.pop(id(reference))
                        if known.type != reference.type:
                            self.raise_error(
                                f"value %{name} is used with type {reference.type}, "
                                f"but with type {known.type} before",
                                span,
                            )
                        reference.replace_all_uses_with(known)
        self.ssa_values = outer_values
        self._defined_here = outer_defined
        self.forward_ssa_references = outer_references

    def _parse_block_body(self, block: Block) -> None:
        while self._token.kind in _OPERATION_STARTS:
            block.add_op(self.parse_operation())

    # Block arguments

    def _place_argument(self, value: BlockArgument, name: Span, given: Attribute | None) -> None:
        place = given.given if isinstance(given, SourceLoc) else None
        value.location = as_location(SourceLoc(self.source, name.start, place))

    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        if self._token.text != "(":
            return None

        def parse_argument() -> None:
            name = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "expected a block argument").span
            self.parse_punctuation(":", " after block argument")
            type = self.parse_type()
            given = self.parse_optional_location()
            value = block.insert_arg(type, len(block.args))
            self._place_argument(value, name, given)
            self._register_ssa_definition(name.text[1:], (value,), name)

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        return block

    def parse_optional_argument(self, expect_type: bool = True) -> Any:
        """As in xDSL, and with the argument's location where one follows its type."""
        argument = super().parse_optional_argument(expect_type)
        if isinstance(argument, Parser.Argument) and self._token.text == "loc":
            # Kept here too: callers that look for the location themselves overwrite the field.
            argument.location = location = self.parse_optional_location()
            self._argument_locations[argument.name.start] = location
        return argument


_OPERATION_STARTS = frozenset(
    (MLIRTokenKind.PERCENT_IDENT, MLIRTokenKind.BARE_IDENT, MLIRTokenKind.STRING_LIT)
)


def _place_implied_ops(region: Region, location: LocationAttr) -> None:
    """Ops that the text only implies (`applies stablehlo.add`) stand where the op around them is."""
    block = region.blocks.first
    if block is None or block.first_op is None or isinstance(block.first_op.location, SourceLoc):
        return
    for op in block.ops:
        op.location = location
    for argument in block.args:
        argument.location = location


def _argument(value: SSAValue) -> Attribute | None:
    return value.location if isinstance(value, BlockArgument) else None


def _spelled(operand: UnresolvedOperand) -> str:
    return f"%{operand.operand_name}" + (f"#{operand.index}" if operand.index else "")
