"""Marks what JAX's text has no op for: composites named `anabranch.*`, which the pass
`convert-markers-to-dcf` turns into requests for derivatives and `dcf.stop_gradient`.

A composite has a decomposition, a function with the same arguments and results. It is where the
function to differentiate is: its first results are those of the function, and what follows only
has the types of the derivatives (and is NaN). Integer attributes say which is which:

* `anabranch.vjp`: operands: what the function captures, `arguments` primals, then a cotangent for
  each floating-point result. Results: `results` of the function, then cotangents of the primals `wrt`.
* `anabranch.jvp`: the same with a tangent for each primal of `wrt`; then tangents of the
  floating-point results.
* `anabranch.custom_vjp`: as `anabranch.vjp`, but the decomposition does compute cotangents, by the
  rule to use for the function; here all primals have one.
* `anabranch.custom_jvp`: a function with a rule for tangents: `arguments` primals, then a tangent of each
  floating-point one. Results: `results` of the function, as many as the rule computes, their tangents.
* `anabranch.custom_forward`: a function with a rule in two parts: `arguments` primals, `residuals`, a
  cotangent of each floating-point result. Results: `results` of the function, as many as the forward part
  computes, the residuals it makes, and what the backward part makes of the operands: cotangents.
* `anabranch.stop_gradient`: operands are results.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any

from .extras import import_jax

Leaves = Sequence[Any]

STOP_GRADIENT = "anabranch.stop_gradient"
VJP = "anabranch.vjp"
JVP = "anabranch.jvp"
CUSTOM_VJP = "anabranch.custom_vjp"
CUSTOM_JVP = "anabranch.custom_jvp"
CUSTOM_FORWARD = "anabranch.custom_forward"

_reading: ContextVar[bool] = ContextVar("reading", default=False)


@contextmanager
def reading() -> Generator[None]:
    """While `from_jax` traces: what is marked now will be understood."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


def is_reading() -> bool:
    """Whether `from_jax` is tracing."""
    return _reading.get()


def check_reading(what: str) -> None:
    """A marked derivative means nothing to JAX itself."""
    if not _reading.get():
        raise TypeError(
            f"{what} of traced values works in functions that Anabranch runs (ab.from_jax, ab.grad,"
            " …), not in those that JAX itself compiles (jax.jit, jax.grad, …)"
        )


def mark(
    name: str, decomposition: Callable[..., Leaves], operands: Leaves, **attributes: Any
) -> list[Any]:
    """A composite, traced; its results. What `decomposition` captures are its first operands."""
    jax = import_jax()
    core: Any = import_module("jax.extend.core")

    def flat(*leaves: Any) -> tuple[Any, ...]:
        return tuple(decomposition(*leaves))

    closed = jax.make_jaxpr(flat)(*operands)
    captured = list(closed.consts)

    def whole(*leaves: Any, **_: Any) -> Leaves:
        constants, values = leaves[: len(captured)], leaves[len(captured) :]
        return core.jaxpr_as_fun(core.ClosedJaxpr(closed.jaxpr, constants))(*values)

    return list(jax.lax.composite(whole, name)(*captured, *operands, **attributes))


def unknown(like: Any) -> Any:
    """A stand-in for a derivative in a decomposition."""
    jax = import_jax()
    return jax.numpy.full_like(like, jax.numpy.nan)


def stop_gradient(x: Any) -> Any:
    """`x`, of any pytree, without its derivative: whatever is computed from it counts as constant.

    For functions that Anabranch differentiates; in JAX's own transformations it does the same.
    `jax.lax.stop_gradient` is understood too.
    """
    jax = import_jax()
    return jax.tree.map(jax.lax.stop_gradient, x)


def marked_stop(x: Any) -> Any:
    """What `jax.lax.stop_gradient` is read as."""
    jax = import_jax()

    def same(value: Any) -> Any:
        return value

    return jax.lax.composite(same, STOP_GRADIENT)(x)


def is_float(value: Any) -> bool:
    """Whether a value, or a description of one, carries a gradient."""
    jax = import_jax()
    return bool(jax.dtypes.issubdtype(value.dtype, jax.numpy.inexact))


def numbers_text(numbers: Sequence[int]) -> str:
    """Numbers as an attribute of a composite."""
    return ",".join(map(str, numbers))


def label_of(fn: Any) -> str:
    """What to call the function in the program."""
    name = getattr(fn, "__name__", "")
    return name if name.isidentifier() else "function"
