"""Derivatives of JAX-traceable functions that run on Anabranch: `ab.grad` and its like.

They take and give pytrees as JAX's do. Called with arrays, a function is traced once for each
structure, shapes and types of its arguments, compiled, and run; called with traced values (inside a
function that Anabranch traces), it becomes part of that program, so they nest.

All take the options of `ab.compile` that make sense here, and `deadline`, the seconds that each run
may take, by keyword (`Running`). What becomes part of another program is compiled and run as that is:
options, `policy` too, then do nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from operator import index
from typing import Any, Literal, Unpack, overload

import numpy as np

from .calling import Function, is_traced, runnable
from .cotangents import cotangents_of, tangents_of
from .extras import import_jax
from .markers import JVP, VJP, check_reading, is_float, label_of, mark, numbers_text, unknown
from .options import Options, Running
from .pulling import halves, result_of


def grad(
    fn: Function,
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    policy: str | None = None,
    **options: Unpack[Running],
) -> Function:
    """The gradient of `fn`, whose result is a real scalar, by its arguments `argnums`.

    The result has the structure of the argument (a tuple of them if `argnums` is a sequence). With
    `has_aux`, `fn` returns a pair, and so does the gradient: it and the second of the pair. `policy`
    is the residual policy of loops: `save`, `recompute`, `sqrt` or `treeverse:C`.

    An endless loop under `save` takes more and more memory: a `deadline`, in seconds, ends it.
    """
    both = value_and_grad(fn, argnums, has_aux=has_aux, policy=policy, **options)

    @wraps(fn)
    def gradient(*args: Any) -> Any:
        value, gradients = both(*args)
        return (gradients, value[1]) if has_aux else gradients

    return gradient


def value_and_grad(
    fn: Function,
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    policy: str | None = None,
    **options: Unpack[Running],
) -> Function:
    """The result of `fn` and its gradient, as `grad` has it; `((value, aux), gradient)` with
    `has_aux`."""
    numbers = _checked_argnums(argnums)

    def traced(*args: Any) -> Any:
        jax = import_jax()
        chosen = _chosen(numbers, len(args))
        out = jax.eval_shape(fn, *args)
        value = result_of(out, has_aux)
        _check_scalar(value)
        leaves, tree = jax.tree.flatten(args)
        wrt = _leaf_numbers(args, chosen)
        _check_inputs([leaves[k] for k in wrt])
        outputs, out_tree = jax.tree.flatten(out)
        seeds = [jax.numpy.ones(value.shape, value.dtype)]
        seeds += [jax.numpy.zeros(o.shape, o.dtype) for o in outputs[1:] if is_float(o)]
        results = _marked_vjp(fn, leaves, tree, wrt, seeds, len(outputs), "the gradient", 0)
        found = iter(results[len(outputs) :])
        trees = [jax.tree.structure(args[k]) for k in chosen]
        gradients = tuple(
            tree.unflatten([next(found) for _ in range(tree.num_leaves)]) for tree in trees
        )
        single = isinstance(numbers, int)
        return (
            jax.tree.unflatten(out_tree, results[: len(outputs)]),
            gradients[0] if single else gradients,
        )

    checked = Options.checked(policy, options)
    return runnable(fn, traced, "the gradient", (numbers, has_aux), checked)


@overload
def vjp(
    fn: Function,
    *primals: Any,
    has_aux: Literal[False] = False,
    policy: str | None = None,
    **options: Unpack[Running],
) -> tuple[Any, Function]: ...
@overload
def vjp(
    fn: Function,
    *primals: Any,
    has_aux: Literal[True],
    policy: str | None = None,
    **options: Unpack[Running],
) -> tuple[Any, Function, Any]: ...
def vjp(
    fn: Function,
    *primals: Any,
    has_aux: bool = False,
    policy: str | None = None,
    **options: Unpack[Running],
) -> Any:
    """The result of `fn`, and a function from its cotangent to a tuple of those of `primals`.

    Integer leaves have None for a cotangent, here and below. `fn` runs once; what its derivative needs
    is kept as long as the function is. With `has_aux`, `fn` returns a pair: the first of it is the result,
    and the second comes third here.
    """
    jax = import_jax()
    checked = Options.checked(policy, options)

    def traced(primals: Any, cotangent: Any) -> Any:
        leaves, tree = jax.tree.flatten(primals)
        wrt = [k for k, leaf in enumerate(leaves) if is_float(leaf)]
        out = jax.eval_shape(fn, *primals)
        outputs, out_tree = jax.tree.flatten(out)
        differentiated, result_tree = jax.tree.flatten(result_of(out, has_aux))
        seeds = cotangents_of(cotangent, differentiated, result_tree)
        auxiliary = outputs[len(differentiated) :]
        seeds += [jax.numpy.zeros(o.shape, o.dtype) for o in auxiliary if is_float(o)]
        results = _marked_vjp(fn, leaves, tree, wrt, seeds, len(outputs), "the vjp")
        found = dict(zip(wrt, results[len(outputs) :]))
        return (
            jax.tree.unflatten(out_tree, results[: len(outputs)]),
            jax.tree.unflatten(tree, [found.get(k) for k in range(len(leaves))]),
        )

    def pull_traced(cotangent: Any) -> Any:
        """The cotangents of the primals for a cotangent of the result."""
        check_reading("the vjp")
        return traced(jax.tree.map(jax.numpy.asarray, primals), cotangent)[1]

    if is_traced(primals):
        out = runnable(fn, fn, "the function", (), checked)(*primals)
        result = result_of(out, has_aux)
        return (result, pull_traced, out[1]) if has_aux else (result, pull_traced)
    primals = jax.tree.map(_kept, primals)
    half, arrays = halves(fn, traced, primals, has_aux, checked)
    count = len(half.results.impls)
    found = checked.run(half.forward, arrays)
    out, residuals = half.results.unflatten(found[:count]), found[count:]

    def pull(cotangent: Any) -> Any:
        """The cotangents of the primals for a cotangent of the result."""
        if is_traced(cotangent):
            return pull_traced(cotangent)
        given = [*residuals, *half.cotangents(cotangent)]
        return half.primals.unflatten(checked.run(half.backward, given))

    return (out[0], pull, out[1]) if has_aux else (out, pull)


def _kept(leaf: Any) -> Any:
    """An argument as it is now, whatever becomes of the caller's array."""
    return np.array(leaf) if isinstance(leaf, np.ndarray) else leaf  # pyright: ignore[reportUnknownArgumentType]


def jvp(
    fn: Function,
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    policy: str | None = None,
    **options: Unpack[Running],
) -> tuple[Any, Any]:
    """The result of `fn` at `primals` and its tangent for `tangents` (of the same structure)."""
    jax = import_jax()
    _check_entries(primals, tangents, "tangents")

    def traced(primals: Any, tangents: Any) -> Any:
        leaves, tree = jax.tree.flatten(primals)
        wrt = [k for k, leaf in enumerate(leaves) if is_float(leaf)]
        given = tree.flatten_up_to(tangents)
        outputs, out_tree = jax.tree.flatten(jax.eval_shape(fn, *primals))
        floats = [k for k, o in enumerate(outputs) if is_float(o)]

        def decomposition(*operands: Any) -> Sequence[Any]:
            outs = jax.tree.leaves(fn(*jax.tree.unflatten(tree, operands[: len(leaves)])))
            return [*outs, *(unknown(outs[k]) for k in floats)]

        check_reading("the jvp")
        results = mark(
            JVP,
            decomposition,
            [*leaves, *(given[k] for k in wrt)],
            arguments=len(leaves),
            results=len(outputs),
            wrt=numbers_text(wrt),
            label=label_of(fn),
        )
        found = dict(zip(floats, results[len(outputs) :]))
        return (
            jax.tree.unflatten(out_tree, results[: len(outputs)]),
            jax.tree.unflatten(out_tree, [found.get(k) for k in range(len(outputs))]),
        )

    run = runnable(fn, traced, "the jvp", (), Options.checked(policy, options))
    return run(tuple(primals), tangents_of(tuple(tangents), tuple(primals)))


def hessian_vector_product(
    fn: Function,
    primals: Sequence[Any],
    vectors: Sequence[Any],
    *,
    policy: str | None = None,
    **options: Unpack[Running],
) -> tuple[Any, ...]:
    """The Hessian of `fn`, whose result is a real scalar, at `primals`, times `vectors`.

    One result for each argument, of its structure: the tangent of the gradient by all
    arguments. Forward over reverse, so it costs a few times what the gradient does.
    """

    _check_entries(primals, vectors, "vectors")

    def traced(primals: Any, vectors: Any) -> Any:
        return jvp(grad(fn, range(len(primals))), primals, vectors)[1]

    run = runnable(fn, traced, "the product", (), Options.checked(policy, options))
    return run(tuple(primals), tangents_of(tuple(vectors), tuple(primals)))


def _marked_vjp(
    fn: Function,
    leaves: Sequence[Any],
    tree: Any,
    wrt: Sequence[int],
    seeds: Sequence[Any],
    results: int,
    what: str,
    of: int = -1,
) -> list[Any]:
    """The results of `fn`, then the cotangents of the leaves `wrt`."""
    jax = import_jax()

    def decomposition(*operands: Any) -> Sequence[Any]:
        outs = jax.tree.leaves(fn(*jax.tree.unflatten(tree, operands[: len(leaves)])))
        return [*outs, *(unknown(operands[k]) for k in wrt)]

    check_reading(what)
    return mark(
        VJP,
        decomposition,
        [*leaves, *seeds],
        arguments=len(leaves),
        results=results,
        wrt=numbers_text(wrt),
        of=of,
        label=label_of(fn),
    )


def _check_entries(primals: Any, others: Any, what: str) -> None:
    """Primals, and what goes with them, have an entry for each argument; an array is no tuple."""
    for name, given in (("primals", primals), (what, others)):
        if not isinstance(given, tuple | list):
            got = type(given).__name__
            raise TypeError(f"expected {name} as a tuple, one for each argument, got {got}")
    if len(others) != len(primals):
        raise ValueError(f"expected {len(primals)} {what}, one for each primal, got {len(others)}")


def _checked_argnums(argnums: Any) -> int | tuple[int, ...]:
    """Numbers of arguments, as asked for."""
    try:
        return index(argnums)
    except TypeError:  # several
        pass
    try:
        return tuple(index(number) for number in argnums)
    except TypeError:
        raise TypeError(
            f"expected argnums as an int or a sequence of ints, got {argnums!r}"
        ) from None


def _chosen(argnums: int | tuple[int, ...], count: int) -> list[int]:
    """The numbers of the arguments to differentiate by, counted from the front."""
    numbers = [argnums] if isinstance(argnums, int) else list(argnums)
    for number in numbers:
        if not -count <= number < count:
            raise ValueError(f"expected argnums below {count}, the arguments given, got {number}")
    return [number % count for number in numbers]


def _leaf_numbers(args: Sequence[Any], chosen: Sequence[int]) -> list[int]:
    """The numbers, among the leaves of all arguments, of those of the arguments `chosen`."""
    jax = import_jax()
    counts = [len(jax.tree.leaves(arg)) for arg in args]
    starts = [sum(counts[:k]) for k in range(len(args))]
    return [starts[k] + leaf for k in chosen for leaf in range(counts[k])]


def _check_inputs(leaves: Sequence[Any]) -> None:
    for leaf in leaves:
        if not is_float(leaf):
            raise TypeError(
                f"expected floating-point arguments to differentiate by, got {leaf.dtype}"
            )


def _check_scalar(value: Any) -> None:
    shape = getattr(value, "shape", None)
    if shape != () or not is_float(value) or value.dtype.kind == "c":
        got = f"{value.dtype}{list(shape)}" if shape is not None else type(value).__name__
        raise TypeError(f"expected a function with a real floating-point scalar result, got {got}")
