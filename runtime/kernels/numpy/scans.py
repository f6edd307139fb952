"""`chlo.scan`: the region in turn for each slice of the inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import flag, int_of
from .common import contiguous, own, result_dtype


@kernel("chlo.scan")
def _scan(op: Operation, scope: Scope) -> Kernel:
    scan: Any = op
    body = scope.eval_region(op.regions[0])
    inputs, outputs = len(scan.inputs), len(scan.outputs)
    axis, given = int_of(op, "dimension"), int_of(op, "scan_dim_size", -1)
    reverse = flag(op, "is_reverse")
    dtypes = [result_dtype(op, k) for k in range(outputs)]
    shapes = [shape_of(result) for result in op.results[:outputs]]

    def run(*operands: Any) -> Any:
        xs, carries = operands[:inputs], list(operands[inputs:])
        length = xs[0].shape[axis] if xs else given if given >= 0 else shapes[0][axis]
        columns: list[list[Any]] = [[] for _ in range(outputs)]
        for row in reversed(range(length)) if reverse else range(length):
            slices = [own(np.take(x, row, axis)) for x in xs]
            found = body(*slices, *carries)
            carries = list(found[outputs:])
            for column, value in zip(columns, found):
                column.append(value)
        stacked: list[Any] = [
            _stacked(column[::-1] if reverse else column, axis, shape, dtype)
            for column, shape, dtype in zip(columns, shapes, dtypes)
        ]
        results = stacked + carries
        return results[0] if len(results) == 1 else tuple(results)

    return run


def _stacked(rows: list[Any], axis: int, shape: tuple[int, ...], dtype: Any) -> AnyArray:
    if not rows:
        return np.zeros([max(size, 0) for size in shape], dtype)
    return contiguous(np.stack(rows, axis))
