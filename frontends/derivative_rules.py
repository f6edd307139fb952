"""JAX's own derivative rules (`jax.custom_jvp`, `jax.custom_vjp`) as markers in what JAX prints.

JAX's lowering drops these rules. While a program that asks for derivatives is read, the functions that
have one become composites, `anabranch.custom_jvp` and `anabranch.custom_forward`, whose decompositions
compute the function and what its rule does; `convert-markers-to-dcf` takes them apart. A rule may use
the function itself, as that of `jax.nn.relu` does, so rules are marked in rules only as deep as
derivatives are taken of derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .extras import import_jax
from .markers import CUSTOM_FORWARD, CUSTOM_JVP, JVP, VJP, is_float, label_of, mark, marked_stop


def lowering_parameters(order: int) -> Any:
    """How JAX is to print what it would drop: `jax.lax.stop_gradient`, and the rules of functions
    where derivatives are taken `order` deep."""
    ad_util: Any = import_module("jax._src.ad_util")
    custom: Any = import_module("jax._src.custom_derivatives")
    mlir: Any = import_module("jax._src.interpreters.mlir")
    stop = mlir.lower_fun(marked_stop, multiple_results=False)
    rules: list[Any] = [(ad_util.stop_gradient_p, stop)]
    if order:
        for primitive, marked in (
            (custom.custom_jvp_call_p, _marked_jvp),
            (custom.custom_vjp_call_p, _marked_vjp),
        ):
            rules.append((primitive, _lowering(primitive, marked, order)))
    return mlir.LoweringParameters(override_lowering_rules=tuple(rules))


def derivative_order(jaxpr: Any) -> int:
    """How deep a program asks for derivatives of derivatives; 0 if for none."""
    return _order(jaxpr, {})


def _order(jaxpr: Any, known: dict[int, int]) -> int:
    found = known.get(id(jaxpr))
    if found is None:
        found = 0
        for eqn in jaxpr.eqns:
            inner = max((_order(sub, known) for sub in _jaxprs_in(eqn.params)), default=0)
            asks = eqn.primitive.name == "composite" and eqn.params["name"] in (VJP, JVP)
            found = max(found, inner + asks)
        known[id(jaxpr)] = found
    return found


def _jaxprs_in(value: Any) -> Iterator[Any]:
    """The programs among the parameters of an equation."""
    if isinstance(value, dict):
        for member in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from _jaxprs_in(member)
    elif isinstance(value, list | tuple):
        for member in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _jaxprs_in(member)
    elif hasattr(value, "eqns"):
        yield getattr(value, "jaxpr", value)


Marked = Callable[[Any, Sequence[Any], Any], Sequence[Any]]


def _lowering(primitive: Any, marked: Marked, order: int) -> Any:
    """A lowering rule: the function as a marker, and what the marker holds one order lower."""
    mlir: Any = import_module("jax._src.interpreters.mlir")
    jax = import_jax()

    def lower(ctx: Any, *values: Any, **params: Any) -> Any:
        functions = primitive.get_bind_params(params)["subfuns"]
        if params["call_jaxpr"].effects:  # no composite may have them
            return mlir.lower_fun(functions[0].call_wrapped)(ctx, *values)

        def whole(*operands: Any) -> Sequence[Any]:
            return marked(functions, operands, params)

        closed = jax.make_jaxpr(whole)(*ctx.avals_in)
        if any(isinstance(value, jax.core.Tracer) for value in closed.consts):
            raise TypeError(
                f"the derivative rule of {_label(params)} reads a traced value that is not an argument of"
                " it: make that value an argument"
            )
        left = order - 1 + derivative_order(closed.jaxpr)
        context = ctx.module_context.replace(
            lowering_parameters=lowering_parameters(left),
            # What is lowered at another order is something else.
            lowering_cache={},
            cached_primitive_lowerings={},
        )
        constants = mlir.ir_consts(closed.consts, [v.aval for v in closed.jaxpr.constvars])
        results, tokens = mlir.jaxpr_subcomp(
            context,
            closed.jaxpr,
            ctx.name_stack,
            ctx.tokens_in,
            constants,
            *values,
            dim_var_values=ctx.dim_var_values,
            const_lowering=ctx.const_lowering,
            outer_traceback=ctx.traceback,
        )
        ctx.set_tokens_out(tokens)
        return results

    return lower


def _marked_jvp(functions: Any, primals: Sequence[Any], params: Any) -> Sequence[Any]:
    """The results of a `jax.custom_jvp` function, marked.

    Operands: the primals, then a tangent of each floating-point one. Results of the decomposition: those
    of the function, those that the rule computes, and the tangents of the floating-point ones.
    """
    function, rule = functions
    floats = [is_float(value) for value in primals]
    count = len(params["call_jaxpr"].out_avals)

    def decomposition(*operands: Any) -> Sequence[Any]:
        values = operands[: len(primals)]
        tangents = _with_zeros(values, operands[len(primals) :], params["symbolic_zeros"])
        plain = function.call_wrapped(*values)
        found = rule.call_wrapped(*values, *tangents)
        outputs = found[:count]
        return [*plain, *outputs, *_only_floats(outputs, found[count:])]

    jax = import_jax()
    zeros = [jax.numpy.zeros_like(v) for v, float in zip(primals, floats) if float]
    results = mark(
        CUSTOM_JVP,
        decomposition,
        [*primals, *zeros],
        arguments=len(primals),
        seeds=len(zeros),
        results=count,
        label=_label(params),
    )
    return results[:count]


def _marked_vjp(functions: Any, primals: Sequence[Any], params: Any) -> Sequence[Any]:
    """The results of a `jax.custom_vjp` function, marked.

    Operands: the primals, residuals, then a cotangent of each floating-point result. Results of the
    decomposition: those of the function, those that the rule computes forward, its residuals, and the
    cotangents of the floating-point primals, computed from the operands.
    """
    jax = import_jax()
    function, forward, backward = functions
    count = len(params["call_jaxpr"].out_avals)

    def run_forward(*values: Any) -> tuple[list[Any], list[Any]]:
        found = _forward(forward, values)
        made, outputs = found[: len(found) - count], found[len(found) - count :]
        given = iter(made)
        _, _, forwarded = params["out_trees"]()
        return [next(given) if k is None else values[k] for k in forwarded], outputs

    residuals, outputs = jax.eval_shape(run_forward, *primals)
    seeds = sum(map(is_float, outputs))

    def decomposition(*operands: Any) -> Sequence[Any]:
        values = operands[: len(primals)]
        kept = operands[len(primals) : len(operands) - seeds]
        plain = function.call_wrapped(*values)
        made, found = run_forward(*values)
        given = operands[len(operands) - seeds :]
        cotangents = _with_zeros(outputs, given, params["symbolic_zeros"])
        pulled = backward.call_wrapped(*kept, *cotangents)
        return [*plain, *found, *made, *_only_floats(values, pulled)]

    results = mark(
        CUSTOM_FORWARD,
        decomposition,
        [
            *primals,
            *(jax.numpy.zeros(r.shape, r.dtype) for r in residuals),
            *(jax.numpy.zeros(o.shape, o.dtype) for o in outputs if is_float(o)),
        ],
        arguments=len(primals),
        residuals=len(residuals),
        seeds=seeds,
        results=count,
        label=_label(params),
    )
    return results[:count]


def _forward(forward: Any, values: Sequence[Any]) -> list[Any]:
    """The residuals and results of a forward part, all of whose floating-point arguments have derivatives.

    Values that the function captures come first, and must have none.
    """
    ad: Any = import_module("jax._src.interpreters.ad")
    captured = 0
    while True:
        flags = [number >= captured and is_float(value) for number, value in enumerate(values)]
        pairs = [member for pair in zip(values, flags) for member in pair]
        try:
            return list(forward.call_wrapped(*pairs))
        except ad.CustomVJPException:
            if captured == len(values):
                raise
            captured += 1


def _with_zeros(values: Sequence[Any], given: Sequence[Any], symbolic: bool) -> list[Any]:
    """What is given for the floating-point values, with the zeros that JAX has for the others."""
    jax = import_jax()
    core: Any = import_module("jax._src.core")
    found = iter(given)
    result: list[Any] = []
    for value in values:
        if is_float(value):
            result.append(next(found))
        elif symbolic:
            aval = core.ShapedArray(value.shape, value.dtype)
            result.append(jax.custom_derivatives.SymbolicZero(aval.to_tangent_aval()))
        else:
            result.append(np.zeros(value.shape, jax.dtypes.float0))
    return result


def _only_floats(values: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """The derivatives of the floating-point values, zeros as arrays."""
    jax = import_jax()
    ad_util: Any = import_module("jax._src.ad_util")
    zeros = (ad_util.Zero, jax.custom_derivatives.SymbolicZero)
    return [
        jax.numpy.zeros_like(value) if isinstance(one, zeros) else one
        for value, one in zip(values, found, strict=True)
        if is_float(value)
    ]


def _label(params: Any) -> str:
    info = params["call_jaxpr"].jaxpr.debug_info
    name = getattr(info, "func_name", "")

    def named() -> None: ...

    named.__name__ = name.rsplit(".", 1)[-1]
    return label_of(named)
