"""`custom_call`: the targets known, by name.

Each target has a builder, registered with `@custom_call` here or in `lapack` and `lapack_scipy`.
Targets that say nothing about values (shardings, placements, layouts) are identities. Layouts of
operands and results are about memory, not about values: they need no attention here. Any other
target is an error at the op that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import numpy as np
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    i8,
)
from xdsl.ir import Attribute, Operation

from ....dialects.diagnostics import DataError, ProgramError
from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import as_int, attribute, text_of
from .common import identities, identity, result_dtype

Config = Mapping[str, Any]
"""What a call is configured with: integers, booleans (ints too), and strings by name."""
CallBuilder = Callable[[Operation, Config], Kernel]
_UI8: Final = IntegerType(8, Signedness.UNSIGNED)

CUSTOM_CALLS: dict[str, CallBuilder] = {}
"""Builders by target, filled by `@custom_call`."""

IDENTITY_TARGETS: Final = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
    "MoveToHost",
    "MoveToDevice",
    "LayoutConstraint",
}


def custom_call(*targets: str) -> Callable[[CallBuilder], CallBuilder]:
    """Registers the builder of the targets named."""

    def register(builder: CallBuilder) -> CallBuilder:
        for target in targets:
            assert target not in CUSTOM_CALLS, target
            CUSTOM_CALLS[target] = builder
        return builder

    return register


def lapack_targets(prefixes: str, *routines: str) -> list[str]:
    """The names under which JAX calls LAPACK routines, for element types by their letters."""
    return [f"lapack_{letter}{routine}_ffi" for routine in routines for letter in prefixes]


@kernel("stablehlo.custom_call")
def _custom_call(op: Operation, scope: Scope) -> Kernel:
    target = text_of(op, "call_target_name")
    builder = CUSTOM_CALLS.get(target)
    if builder is not None:
        return builder(op, config_of(op))
    same_types = [o.type for o in op.operands] == [r.type for r in op.results]
    if target not in IDENTITY_TARGETS or not same_types:
        raise ProgramError(f"custom call to '{target}' is not supported{_advice(target)}", op)
    return identity if len(op.results) == 1 else identities


def _advice(target: str) -> str:
    """What to do instead of calling back."""
    if "python" not in target or "callback" not in target:
        return ""
    return (
        ": Python callbacks (jax.debug.print, jax.pure_callback, …) do not run here; a dcf.probe op in"
        " the program's text reports values"
    )


@custom_call("shape_assertion")
def _shape_assertion(op: Operation, config: Config) -> Kernel:
    """With what `jax.export` checks the sizes of its arguments: a false first operand is an error,
    whose message names the others `{0}`, `{1}`, …"""
    message = text_of(op, "error_message", "a shape assertion does not hold")

    def check(holds: Any, *sizes: Any) -> tuple[()]:
        if not holds:
            text = message
            for number, size in enumerate(sizes):
                text = text.replace(f"{{{number}}}", str(size))
            raise DataError(text)
        return ()

    return check


def config_of(op: Operation) -> Config:
    """The dictionary a custom call is configured with; JAX prints it under a name of its own."""
    for name in ("backend_config", "mhlo.backend_config"):
        value = attribute(op, name)
        if isinstance(value, DictionaryAttr):
            return {key: _plain(entry) for key, entry in value.data.items()}
    return {}


def _plain(value: Attribute) -> Any:
    if isinstance(value, IntegerAttr):
        number = as_int(value)
        type = cast("IntegerAttr[Any]", value).type
        # LAPACK's options are letters, which come as 8-bit numbers.
        return chr(number) if type in (i8, _UI8) else number
    return value.data if isinstance(value, StringAttr) else value


MatrixFunction = Callable[..., tuple[Any, ...]]
"""Matrices (or vectors) -> the results for them."""


def over_batches(op: Operation, core_rank: int, function: MatrixFunction) -> Kernel:
    """`function` for each element of the batch; its first operand has `core_rank` dimensions.

    Results take the op's types. Those of an empty first operand are zeros.
    """
    dtypes = [result_dtype(op, k) for k in range(len(op.results))]
    shapes = [shape_of(result) for result in op.results]
    single = len(dtypes) == 1

    def run(*operands: Any) -> Any:
        first = operands[0]
        batch = first.shape[: first.ndim - core_rank]
        if first.size == 0:
            found = [np.zeros([max(d, 0) for d in s], t) for s, t in zip(shapes, dtypes)]
        elif not batch:
            found = [np.array(x, t, order="C") for x, t in zip(function(*operands), dtypes)]
        else:
            rows = [function(*[x[at] for x in operands]) for at in np.ndindex(batch)]
            found = [_stacked(column, batch, t) for column, t in zip(zip(*rows), dtypes)]
        return found[0] if single else tuple(found)

    return run


def _stacked(rows: tuple[Any, ...], batch: tuple[int, ...], dtype: Any) -> AnyArray:
    whole = np.stack([np.asarray(row, dtype) for row in rows])
    return whole.reshape(batch + whole.shape[1:])
