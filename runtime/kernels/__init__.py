"""Kernels: what each op computes, as a callable prebound to the op's attributes.

`kernel_for(op, scope)` looks the op's name up in `KERNELS` and calls its builder. The callable
takes the values of the op's operands positionally and returns its result, or a tuple when it has
not exactly one. Everything that depends on attributes and types is decided when the kernel is
built, so that a call costs little more than the NumPy function it ends in; for plain elementwise
ops the kernel *is* the ufunc.

What a kernel may rely on, and what it gives (see `runtime/values.py` for the values themselves):

* Operands have exactly the op's dtypes; a rank-0 operand may be a 0-d array or a NumPy scalar.
* Kernels never write into their operands. Results own their memory and are C-contiguous, except
  that an op which changes nothing returns its operand, and a large broadcast is a read-only view.
* Floating-point warnings are the driver's to silence (`np.errstate` once around a run).
* Integers never meet Python's operators, which on NumPy scalars warn of overflow, and nothing meets
  `**`, which has other bits than `np.power`.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, Protocol

import numpy as np
from xdsl.ir import Operation, Region

from ...dialects.diagnostics import DataError, ProgramError

Kernel = Callable[..., Any]
"""Operand values -> the result, or a tuple of results when there is not exactly one."""


Tag = tuple[int, ...]
"""The seed of a run, then the iterations of the loops around an op, outermost first."""


class Scope(Protocol):
    """What a builder may need beyond its op: regions and functions, as callables."""

    batched: bool
    """Whether scalar operands may turn out to be arrays: the body of a `reduce` is built once with
    this set, and then evaluated on many pairs of elements at a time."""

    def eval_region(self, region: Region) -> Kernel:
        """The region as a callable from its block arguments to a tuple of what it returns."""
        ...

    def function(self, symbol: str) -> Kernel:
        """The function of that name as a callable from its arguments to a tuple of its results."""
        ...


Builder = Callable[[Operation, Scope], Kernel]

KERNELS: dict[str, Builder] = {}
"""Builders by op name, filled by `@kernel` when the families in `numpy/` are loaded."""


def _references_of_a_list() -> int:
    held = [object()]
    return getrefcount(held[0])


ALONE = _references_of_a_list()
"""What `getrefcount` says of a value that only a list holds."""

ELEMENTWISE: set[str] = set()
"""Names of ops whose kernels work on operands of any common shape, also when built for scalars with
`scope.batched`: a region of only these can be evaluated on arrays at once."""


def kernel(*names: str, elementwise: bool = False) -> Callable[[Builder], Builder]:
    """Registers a builder for the ops named."""

    def register(builder: Builder) -> Builder:
        for name in names:
            assert name not in KERNELS, name
            KERNELS[name] = builder
        if elementwise:
            ELEMENTWISE.update(names)
        return builder

    return register


def load_kernels() -> dict[str, Builder]:
    """The table with every family loaded."""
    from . import numpy

    numpy.load()
    return KERNELS


def with_in_place(kernel: Kernel, in_place: Kernel) -> Kernel:
    """`kernel`, with a form that may write its result into its first operand.

    Who calls that form must hold the only reference to an operand that owns its memory.
    """
    kernel.__dict__["in_place"] = in_place
    return kernel


def in_place_form(kernel: Kernel | None) -> Kernel | None:
    """The form of a kernel that reuses its first operand, if it has one."""
    return getattr(kernel, "in_place", None)


def reusing(kernel: Kernel, inputs: list[Any], first: int = 0) -> Kernel:
    """The form of a kernel that reuses its first operand, if it has one and nothing but the list
    `inputs` holds that operand, an array that owns its memory; else the kernel."""
    form = in_place_form(kernel)
    if form is None or getrefcount(inputs[first]) > ALONE:
        return kernel
    operand = inputs[first]
    return form if operand.base is None and operand.flags.writeable else kernel


def with_view(kernel: Kernel, view: Kernel) -> Kernel:
    """`kernel`, with a form whose result is a C-contiguous view of its first operand.

    Who calls that form must see to it that nothing keeps the view for long, or returns it: it would
    keep a large operand alive.
    """
    kernel.__dict__["view"] = view
    return kernel


def view_form(kernel: Kernel | None) -> Kernel | None:
    """The form of a kernel that gives a view of its first operand, if it has one."""
    return getattr(kernel, "view", None)


def with_row(kernel: Kernel, row: Kernel) -> Kernel:
    """`kernel`, which writes one row into its first operand, with a function that gives the place
    of the row (a view) from the operand and the index."""
    kernel.__dict__["row"] = row
    return kernel


def row_form(kernel: Kernel | None) -> Kernel | None:
    """The function that gives the place of the row a kernel writes, if it writes one."""
    return getattr(kernel, "row", None)


def taking_out(kernel: Kernel) -> Kernel:
    """Marks a kernel that makes new values, and takes `out`, as ufuncs do: where to put its result,
    or None."""
    kernel.__dict__["takes_out"] = True
    return making_new(kernel)


def takes_out(kernel: Kernel | None) -> bool:
    """Whether a kernel takes `out`."""
    if isinstance(kernel, np.ufunc):
        return kernel.nout == 1
    return getattr(kernel, "takes_out", False)


def making_new(kernel: Kernel) -> Kernel:
    """Marks a kernel whose results share no memory with its operands, and that keeps none."""
    kernel.__dict__["makes_new"] = True
    return kernel


def makes_new(kernel: Kernel | None) -> bool:
    """Whether a kernel only reads its operands: so does every ufunc."""
    return isinstance(kernel, np.ufunc) or getattr(kernel, "makes_new", False)


def with_tag(kernel: Kernel) -> Kernel:
    """Marks a kernel that takes a `Tag` before its operands: its value depends on where it runs."""
    kernel.__dict__["needs_tag"] = True
    return kernel


def needs_tag(kernel: Kernel | None) -> bool:
    """Whether a kernel takes a `Tag` before its operands."""
    return getattr(kernel, "needs_tag", False)


def kernel_for(op: Operation, scope: Scope) -> Kernel:
    """The kernel of `op`; a `ProgramError` at its location when there is none."""
    builder = KERNELS.get(op.name) or load_kernels().get(op.name)
    if builder is None:
        raise ProgramError(f"operation '{_name_of(op)}' has no kernel", op)
    try:
        return builder(op, scope)
    except DataError as error:
        raise ProgramError(f"{op.name}: {error.message}", op) from error
    except (MemoryError, ValueError) as error:
        # NumPy's limits, of rank and of size, which types do not know.
        raise ProgramError(f"{op.name}: {error}", op) from error


def _name_of(op: Operation) -> str:
    """The op's name; of an op that no dialect defines, the name the text gave."""
    from xdsl.dialects.builtin import UnregisteredOp

    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name
