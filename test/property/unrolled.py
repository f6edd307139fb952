"""Random programs as JAX functions: each op is run as it comes, so loops and branches are unrolled.

JAX differentiates these where it cannot differentiate the loops themselves. Predicates and trip counts
are read while the function is traced eagerly, which is where they are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from anabranch.dialects import dcf
from anabranch.dialects.stablehlo.inference import tensor_of
from anabranch.runtime.values import array_from_dense, dtype_of

Values = dict[SSAValue, Any]


class TooLong(Exception):
    """More ops are to be run than are worth the time."""


class Unrolled:
    """`@main` of a program as a function of arrays."""

    def __init__(self, module: ModuleOp, limit: int):
        import jax
        import jax.numpy as jnp

        self.lax, self.jnp, self.x64 = jax.lax, jnp, jax.enable_x64
        self.module = module
        self.limit = limit
        self.left = limit
        self.finite = True
        self.note_values = False

    def __call__(self, *arguments: Any) -> list[Any]:
        self.left = self.limit
        function = next(op for op in self.module.walk() if isinstance(op, FuncOp))
        return self.block(function.body.block, arguments, {})

    def is_tame(self, arguments: Sequence[Any]) -> bool:
        """Whether all values stay finite and moderate."""
        self.finite, self.note_values = True, True
        with self.x64(True):
            self(*arguments)
        return self.finite

    def block(self, block: Block, arguments: Sequence[Any], values: Values) -> list[Any]:
        """Run a block; what its last op gives."""
        values.update(zip(block.args, arguments))
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            if isinstance(op, dcf.YieldOp | dcf.ConditionOp | ReturnOp):
                return operands
            results = self.op(op, operands, values)
            values.update(zip(op.results, results, strict=True))
        raise AssertionError("expected a terminator")

    def op(self, op: Operation, operands: list[Any], values: Values) -> Sequence[Any]:
        if isinstance(op, dcf.WhileOp):
            while bool(self.block(op.condition.block, operands, values)[0]):
                operands = self.block(op.body.block, operands, values)
            return operands
        if isinstance(op, dcf.CondOp):
            return self.block(op.regions[0 if operands[0] else 1].block, [], values)
        if isinstance(op, dcf.CaseOp):
            index, last = int(operands[0]), len(op.regions) - 1
            return self.block(op.regions[index if 0 <= index <= last else last].block, [], values)
        if isinstance(op, dcf.ScanOp):
            return self.scan(op, values)
        self.left -= 1
        if self.left < 0:
            raise TooLong
        result = PLAIN[op.name](self, op, operands)
        if self.note_values:
            array = np.asarray(result)
            if array.dtype.kind not in "ib":
                self.finite &= bool(np.all(np.abs(array.astype(np.float64)) < 1e6))
        return [result]

    def scan(self, op: dcf.ScanOp, values: Values) -> list[Any]:
        carries = [values[value] for value in op.inits]
        arrays = [values[value] for value in op.inputs]
        if op.length is not None:
            trips = int(values[op.length])
        elif op.static_length is not None:
            trips = op.static_length.value.data
        else:
            trips = op.rows or 0
        types = op.result_types[len(carries) :]
        rows: list[list[Any]] = [[None] * trips for _ in types]
        for i in reversed(range(trips)) if op.reverse is not None else range(trips):
            given = [*carries, *(array[i] for array in arrays)]
            yielded = self.block(op.body.block, given, values)
            carries, made = yielded[: len(carries)], yielded[len(carries) :]
            for column, row in zip(rows, made):
                column[i] = row
        buffers = [values[value] for value in op.outs] or [None] * len(types)
        outputs: list[Any] = []
        for column, buffer, type in zip(rows, buffers, types):
            parts = [self.jnp.stack(column)] if column else []
            if buffer is not None:
                parts.append(buffer[trips:])
            elif not parts:
                parts.append(self.jnp.zeros(type.get_shape()))  # pyright: ignore
            outputs.append(self.jnp.concatenate(parts))
        return [*carries, *outputs]


def _constant(run: Unrolled, op: Any, operands: list[Any]) -> Any:
    return run.jnp.asarray(array_from_dense(op.value))


def _lax(name: str) -> Callable[[Unrolled, Any, list[Any]], Any]:
    return lambda run, op, operands: getattr(run.lax, name)(*operands)


def _compare(run: Unrolled, op: Any, operands: list[Any]) -> Any:
    return getattr(run.lax, op.comparison_direction.data.value.lower())(*operands)


def _convert(run: Unrolled, op: Operation, operands: list[Any]) -> Any:
    return run.lax.convert_element_type(
        operands[0], dtype_of(tensor_of(op.results[0]).element_type)
    )


def _reshape(run: Unrolled, op: Operation, operands: list[Any]) -> Any:
    return run.lax.reshape(operands[0], tensor_of(op.results[0]).get_shape())


def _clamped(
    run: Unrolled, starts: list[Any], shape: Sequence[int], sizes: Sequence[int]
) -> list[Any]:
    """Where a slice starts; JAX's functions would count negative numbers from the end."""
    return [run.jnp.clip(s, 0, n - size) for s, n, size in zip(starts, shape, sizes, strict=True)]


def _dynamic_slice(run: Unrolled, op: Any, operands: list[Any]) -> Any:
    sizes = op.slice_sizes.get_values()
    starts = _clamped(run, operands[1:], operands[0].shape, sizes)
    return run.lax.dynamic_slice(operands[0], starts, sizes)


def _update(run: Unrolled, op: Operation, operands: list[Any]) -> Any:
    starts = _clamped(run, operands[2:], operands[0].shape, operands[1].shape)
    return run.lax.dynamic_update_slice(operands[0], operands[1], starts)


def _not(run: Unrolled, op: Operation, operands: list[Any]) -> Any:
    return run.lax.bitwise_not(operands[0])


PLAIN: dict[str, Callable[[Unrolled, Any, list[Any]], Any]] = {
    "stablehlo.add": _lax("add"),
    "stablehlo.subtract": _lax("sub"),
    "stablehlo.multiply": _lax("mul"),
    "stablehlo.divide": _lax("div"),
    "stablehlo.minimum": _lax("min"),
    "stablehlo.maximum": _lax("max"),
    "stablehlo.and": _lax("bitwise_and"),
    "stablehlo.or": _lax("bitwise_or"),
    "stablehlo.xor": _lax("bitwise_xor"),
    "stablehlo.negate": _lax("neg"),
    "stablehlo.not": _not,
    "stablehlo.sine": _lax("sin"),
    "stablehlo.abs": _lax("abs"),
    "stablehlo.tanh": _lax("tanh"),
    "stablehlo.logistic": _lax("logistic"),
    "stablehlo.select": _lax("select"),
    "stablehlo.compare": _compare,
    "stablehlo.convert": _convert,
    "stablehlo.reshape": _reshape,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _update,
    "stablehlo.constant": _constant,
}
"""Op -> what it is in JAX."""
