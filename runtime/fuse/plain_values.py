"""Which values of a fused loop are made as Python numbers instead of NumPy scalars."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .tree import Call, Choose, If, Loop, Ref, Statement


def plain_values(
    loop: Loop, scalar_types: Collection[Ref], scalar_ops: Collection[int]
) -> set[Ref]:
    """The values made as Python numbers: results of scalar ops, and the carries, merges and exits
    that pass such values on (a greatest fixed point over the loops)."""
    plain: set[Ref] = set()
    passed_on: list[tuple[Ref, list[Ref]]] = []

    def visit(block: Sequence[Statement]) -> None:
        for statement in block:
            match statement:
                case Call():
                    if statement.node in scalar_ops:
                        plain.update(statement.results)
                case Choose():
                    candidate(statement.results[0], statement.inputs)
                case If():
                    visit(statement.then)
                    visit(statement.orelse)
                case Loop():
                    visit_loop(statement)

    def visit_loop(inner: Loop) -> None:
        for carry in inner.carries:
            candidate(carry.value, [carry.back])
        visit(inner.condition)
        visit(inner.body)
        for exit, value in inner.exits:
            candidate(exit, [value])

    def candidate(ref: Ref, sources: list[Ref]) -> None:
        if ref in scalar_types:
            plain.add(ref)
            passed_on.append((ref, sources))

    visit_loop(loop)
    changed = True
    while changed:
        changed = False
        for ref, sources in passed_on:
            if ref in plain and not any(source in plain for source in sources):
                plain.discard(ref)
                changed = True
    return plain
