"""Functions without a body: their arguments have attributes but no names.

xDSL reads the attributes of such arguments and forgets them, and does not print those of results.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.printer import Printer


def keep_argument_attributes(op: FuncOp, read: Sequence[dict[str, Attribute]]) -> None:
    """Gives a declaration what was `read` behind its arguments, and then behind its results."""
    given = read[: len(op.function_type.inputs.data)]
    if not op.body.blocks and any(given):
        op.arg_attrs = ArrayAttr([DictionaryAttr(attributes) for attributes in given])


def print_declaration(printer: Printer, op: FuncOp) -> None:
    """Prints ` private @name(types) -> (types) attributes {...}`."""
    if op.sym_visibility is not None:
        printer.print_string(f" {op.sym_visibility.data}")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name)
    _print_types(printer, op.function_type.inputs.data, op.arg_attrs)
    results = op.function_type.outputs.data
    if results:
        printer.print_string(" -> ")
        if len(results) == 1 and not _of(op.res_attrs, 0):
            printer.print_attribute(results[0])
        else:
            _print_types(printer, results, op.res_attrs)
    printer.print_op_attributes(op.attributes, print_keyword=True)


def _of(attributes: ArrayAttr[DictionaryAttr] | None, index: int) -> dict[str, Attribute]:
    return {} if attributes is None else dict(attributes.data[index].data)


def _print_types(
    printer: Printer, types: Sequence[Attribute], attributes: ArrayAttr[DictionaryAttr] | None
) -> None:
    def print_one(item: tuple[int, Attribute]) -> None:
        index, type = item
        printer.print_attribute(type)
        printer.print_op_attributes(_of(attributes, index))

    with printer.in_parens():
        printer.print_list(enumerate(types), print_one)
