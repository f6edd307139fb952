"""The structured reference: evaluates `func`, `stablehlo` and `dcf` IR directly and plainly.

It is the oracle for everything else: a module can be run after every structured pass and must give
the same values. It shares the kernels with the graph runtime, and nothing else. Control flow is
evaluated as it is written: a region is run when its op says so, in program order.

Each function is compiled once: every value gets a slot in a flat list, every block a list of
steps. A step is a kernel, or a small function for an op with regions. A value is dropped after its
last use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.diagnostics import DataError, ProgramError
from .kernels import Kernel, Tag, kernel_for, needs_tag
from .kernels.numpy.attributes import attribute, int_of, text_of
from .scan_rows import collect_rows, row_of, scan_length
from .values import AnyArray, check_value, is_tensor

Env = list[Any]
Probe = Callable[[str, tuple[Any, ...]], None]


class Run:
    """What one evaluation carries along: the deadline, the probe sink, the seed, and the loops
    being run."""

    def __init__(
        self,
        deadline: float | None = None,
        probe: Probe | None = None,
        seed: int | None = None,
    ):
        self.seconds = deadline
        self.end = None if deadline is None else time.monotonic() + deadline
        self.probe = probe
        self.seed = seed
        self.loops: list[tuple[str, int]] = []
        self.probe_error: Exception | None = None
        """What the probe sink raised: it leaves the run as it is."""

    def check_deadline(self, op: Operation, trip: int) -> None:
        if self.end is not None and time.monotonic() > self.end:
            raise ProgramError(
                f"deadline of {self.seconds:g} s passed in {loop_text(op)} after {trip} iterations",
                op,
            )

    def tag(self) -> Tag:
        """What draws of random numbers depend on."""
        if self.seed is None:
            raise DataError("random numbers cannot be drawn inside another op's computation")
        return (self.seed, *[trip for _, trip in self.loops])

    def where(self) -> str:
        """The iterations being run, outermost first, as text."""
        if not self.loops:
            return ""
        return " in " + ", ".join(f"iteration {trip} of {name}" for name, trip in self.loops)


Action = Callable[[Env, Run], None]


class Step(NamedTuple):
    """One op of a block: what it does to the environment, and the slots to clear after it."""

    op: Operation
    action: Action
    dead: tuple[int, ...]


class BlockCode(NamedTuple):
    """A block: the slots of its arguments, its steps, and the slots its terminator returns."""

    args: tuple[int, ...]
    steps: list[Step]
    returns: tuple[int, ...]
    dead: tuple[int, ...]


def run_block(code: BlockCode, values: Sequence[Any], env: Env, run: Run) -> tuple[Any, ...]:
    """Runs a block on the values of its arguments; what its terminator returns."""
    for slot, value in zip(code.args, values):
        env[slot] = value
    step: Step | None = None
    try:
        for step in code.steps:
            step.action(env, run)
            for slot in step.dead:
                env[slot] = None
    except (ProgramError, RecursionError):
        raise
    except Exception as error:
        if error is run.probe_error:
            raise
        assert step is not None
        op = step.op
        message = error.message if isinstance(error, DataError) else str(error)
        raise ProgramError(f"{op.name}: {message}{run.where()}", op) from error
    results = tuple([env[slot] for slot in code.returns])
    for slot in code.dead:
        env[slot] = None
    return results


class FunctionCode:
    """A function compiled to steps, or a lone region of an op (which sees only its arguments)."""

    def __init__(self, region: Region, scope: ModuleScope):
        self.scope = scope
        self.slots: dict[SSAValue, int] = {}
        self.code = self.block(region.block)

    def __call__(self, run: Run, values: Sequence[Any]) -> tuple[Any, ...]:
        return run_block(self.code, values, [None] * len(self.slots), run)

    def slot(self, value: SSAValue) -> int:
        return self.slots.setdefault(value, len(self.slots))

    def block(self, block: Block) -> BlockCode:
        """Compiles a block; nested ones use the same environment, so they see outer values."""
        args = tuple(self.slot(arg) for arg in block.args)
        terminator = block.last_op
        ops = [op for op in block.ops if op is not terminator]
        last_use = _last_uses(block)
        steps: list[Step] = []
        for op in ops:
            results = tuple(self.slot(result) for result in op.results)
            action = self.action(op, results)
            dead = tuple(self.slots[v] for v in last_use.get(op, ()) if v in self.slots)
            steps.append(Step(op, action, dead))
        assert terminator is not None
        returns = tuple(self.slot(value) for value in terminator.operands)
        return BlockCode(
            args, steps, returns, tuple(self.slots[v] for v in last_use.get(terminator, ()))
        )

    def action(self, op: Operation, results: tuple[int, ...]) -> Action:
        """What an op does: a structured one by its own rule, any other by its kernel."""
        rule = STRUCTURED.get(op.name)
        inputs = tuple(self.slot(value) for value in op.operands)
        if rule is not None:
            evaluate_op = rule(self, op)

            def structured(env: Env, run: Run) -> None:
                values = evaluate_op([env[slot] for slot in inputs], env, run)
                for slot, value in zip(results, values):
                    env[slot] = value

            return structured
        return _kernel_action(kernel_for(op, self.scope), inputs, results)


def _kernel_action(function: Kernel, inputs: tuple[int, ...], results: tuple[int, ...]) -> Action:
    if needs_tag(function):

        def tagged(env: Env, run: Run) -> None:
            env[results[0]] = function(run.tag(), *[env[slot] for slot in inputs])

        return tagged

    if len(results) == 1:
        (result,) = results

        def one(env: Env, run: Run) -> None:
            env[result] = function(*[env[slot] for slot in inputs])

        return one

    def many(env: Env, run: Run) -> None:
        for slot, value in zip(results, function(*[env[slot] for slot in inputs])):
            env[slot] = value

    return many


def _last_uses(block: Block) -> dict[Operation, list[SSAValue]]:
    """For each op of a block, the values defined in the block that nothing later uses."""
    last: dict[SSAValue, Operation] = {arg: op for arg in block.args if (op := block.first_op)}
    own = set(last)
    for op in block.ops:
        own.update(op.results)
        for result in op.results:
            last[result] = op
        for inner in op.walk():
            for operand in inner.operands:
                if operand in own:
                    last[operand] = op
    by_op: dict[Operation, list[SSAValue]] = {}
    for value, op in last.items():
        by_op.setdefault(op, []).append(value)
    return by_op


StructuredRule = Callable[[FunctionCode, Operation], Callable[[list[Any], Env, Run], Sequence[Any]]]


def loop_text(op: Operation) -> str:
    """A loop's name for messages."""
    name = attribute(op, "loop_name")
    return f'loop "{name.data}"' if isinstance(name, StringAttr) else f"the {op.name}"


def _while(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    condition, body = (code.block(region.block) for region in op.regions)
    bound = int_of(op, "trip_bound", -1)
    name = loop_text(op)

    def run_while(values: Sequence[Any], env: Env, run: Run) -> Sequence[Any]:
        trip = 0
        run.loops.append((name, trip))
        while run_block(condition, values, env, run)[0]:
            if trip == bound:
                raise ProgramError(f"{name} made more trips than its trip_bound of {bound}", op)
            values = run_block(body, values, env, run)
            trip += 1
            run.loops[-1] = (name, trip)
            run.check_deadline(op, trip)
        run.loops.pop()
        return values

    return run_while


def _branch(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    first, second = (code.block(region.block) for region in op.regions)

    def run_branch(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        return run_block(first if operands[0] else second, (), env, run)

    return run_branch


def _case(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    branches = [code.block(region.block) for region in op.regions]

    def run_case(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        index = int(operands[0])
        # Out of range, above or below, is the last branch.
        chosen = branches[index if 0 <= index < len(branches) else -1]
        return run_block(chosen, (), env, run)

    return run_case


def _scan(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    body = code.block(op.regions[0].block)
    scan: Any = op
    carries, inputs, buffers = len(scan.inits), len(scan.inputs), len(scan.outs)
    static = int_of(op, "static_length", -1)
    reverse = attribute(op, "reverse") is not None
    name = loop_text(op)
    rows_out = len(op.results) - carries

    def run_scan(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        values = list(operands[:carries])
        xs = operands[carries : carries + inputs]
        outs = operands[carries + inputs : carries + inputs + buffers]
        length = scan_length(operands[carries + inputs + buffers :], xs, static)
        columns: list[list[Any]] = [[] for _ in range(rows_out)]
        run.loops.append((name, 0))
        for trip in range(length):
            run.loops[-1] = (name, trip)
            row = length - 1 - trip if reverse else trip
            found = run_block(body, [*values, *[row_of(x, row) for x in xs]], env, run)
            values = list(found[:carries])
            for column, value in zip(columns, found[carries:]):
                column.append(value)
            run.check_deadline(op, trip)
        run.loops.pop()
        for k, column in enumerate(columns):
            rows = column[::-1] if reverse else column
            values.append(collect_rows(rows, outs[k] if outs else None, op.results[carries + k]))
        return values

    return run_scan


def _probe(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    label = text_of(op, "label")

    def run_probe(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        if run.probe is not None:
            try:
                run.probe(label, tuple(operands))
            except Exception as error:
                run.probe_error = error
                raise
        return ()

    return run_probe


def _call(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    callee = text_of(op, "callee")
    scope = code.scope
    scope.check_function(callee, op)
    # Compiled when first called, so that recursion ends in an error of its own and not here.
    return lambda operands, env, run: scope.compiled(callee)(run, operands)


STRUCTURED: dict[str, StructuredRule] = {
    "stablehlo.while": _while,
    "dcf.while": _while,
    "stablehlo.if": _branch,
    "dcf.cond": _branch,
    "stablehlo.case": _case,
    "dcf.case": _case,
    "dcf.scan": _scan,
    "dcf.probe": _probe,
    "func.call": _call,
}
"""Ops with control flow or effects, which need the environment; all others are kernels."""


class ModuleScope:
    """The `Scope` of kernels in a module: its functions, and regions as plain callables."""

    batched = False

    def __init__(self, module: ModuleOp | None = None):
        self._functions: dict[str, Region] = {}
        self._compiled: dict[str, FunctionCode] = {}
        if module is not None:
            for op in module.ops:
                if op.name == "func.func":
                    self._functions[text_of(op, "sym_name")] = op.regions[0]

    def check_function(self, symbol: str, where: Operation | None = None) -> Region:
        region = self._functions.get(symbol)
        if region is None or not region.blocks:
            raise ProgramError(f"no function '{symbol}' with a body in the module", where)
        if len(region.blocks) > 1:
            raise ProgramError(
                f"expected a function of one block, got {len(region.blocks)} blocks in @{symbol}",
                region.parent_op() if where is None else where,
            )
        return region

    def compiled(self, symbol: str) -> FunctionCode:
        code = self._compiled.get(symbol)
        if code is None:
            code = self._compiled[symbol] = FunctionCode(self.check_function(symbol), self)
        return code

    def function(self, symbol: str) -> Kernel:
        self.check_function(symbol)
        return lambda *values: self.compiled(symbol)(Run(), values)

    def eval_region(self, region: Region) -> Kernel:
        code = FunctionCode(region, self)
        return lambda *values: code(Run(), values)


def evaluate(
    module: ModuleOp,
    args: Sequence[Any],
    function: str = "main",
    *,
    deadline: float | None = None,
    probe: Probe | None = None,
    seed: int = 0,
) -> list[Any]:
    """Runs a function of a module on values of its argument types; its results.

    `deadline` is in seconds from now. `probe` is called with the label and the values of each
    `dcf.probe` as it runs. `seed` is what `stablehlo.rng` depends on. Results do not share memory
    with the arguments.
    """
    from ..passes.number_draws import with_numbered_draws

    scope = ModuleScope(module)
    scope.check_function(function)
    scope = ModuleScope(with_numbered_draws(module, function))
    region = scope.check_function(function)
    types = [cast(Any, arg.type) for arg in region.block.args]
    if len(types) != len(args):
        raise DataError(f"'{function}' takes {len(types)} arguments, got {len(args)}")
    values = [
        check_value(value, type, f"argument {k}")
        for k, (value, type) in enumerate(zip(args, types))
    ]
    code = scope.compiled(function)
    try:
        with np.errstate(all="ignore"):
            results = code(Run(deadline, probe, seed), values)
    except RecursionError:
        raise ProgramError(f"'{function}' calls itself without end") from None
    return [_own_result(value, values) for value in results]


def _own_result(value: Any, args: Sequence[Any]) -> Any:
    """A result as an array of its own: not an argument, not a view, not a shared constant."""
    if not is_tensor(value):
        return value
    array: AnyArray = np.asarray(value)
    shared = not array.flags.owndata or not array.flags.writeable or any(array is x for x in args)
    return array.copy() if shared else array
