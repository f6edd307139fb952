"""The structured reference: evaluates `func`, `stablehlo` and `dcf` IR directly and plainly.

It is the oracle for everything else: a module can be run after every structured pass and must give
the same values. It shares the kernels with the graph runtime, and nothing else. Control flow is
evaluated as it is written (`reference_rules.py`): a region is run when its op says so, in program
order. A program in parts for several devices is evaluated in `reference_devices.py`.

Each function is compiled once: every value gets a slot in a flat list, every block a list of
steps (`reference_steps.py`). A step is a kernel, or a small function for an op with regions. A
value is dropped after its last use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.dfg import ProgramOp
from ..dialects.diagnostics import DataError, ProgramError
from .kernels import Kernel, kernel_for, needs_tag
from .kernels.numpy.attributes import text_of
from .reference_rules import STRUCTURED
from .reference_steps import Action, BlockCode, Env, Probe, Run, Step, run_block
from .values import AnyArray, check_value, is_tensor


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
    order: int | None = None,
) -> list[Any]:
    """Runs a function of a module on values of its argument types; its results.

    `deadline` is in seconds from now. `probe` is called with the label and the values of each
    `dcf.probe` as it runs. `seed` is what `stablehlo.rng` depends on. Results do not share memory
    with the arguments. `function` may be a `dfg.program` of partitions; `order` then picks which
    device goes on at each message.
    """
    from ..passes.number_draws import with_numbered_draws

    program = next((op for op in module.ops if _is_program(op, function)), None)
    if isinstance(program, ProgramOp):
        from .reference_devices import evaluate_program

        values = check_arguments(args, program.function_type.inputs.data, function)
        scope = ModuleScope(module)
        results = evaluate_program(program, values, scope, (deadline, probe, seed), order)
        return [_own_result(value, values) for value in results]
    scope = ModuleScope(module)
    scope.check_function(function)
    scope = ModuleScope(with_numbered_draws(module, function))
    region = scope.check_function(function)
    values = check_arguments(args, [arg.type for arg in region.block.args], function)
    code = scope.compiled(function)
    try:
        with np.errstate(all="ignore"):
            results = code(Run(deadline, probe, seed), values)
    except RecursionError:
        raise ProgramError(f"'{function}' calls itself without end") from None
    return [_own_result(value, values) for value in results]


def _is_program(op: Operation, name: str) -> bool:
    return isinstance(op, ProgramOp) and op.sym_name.data == name


def check_arguments(args: Sequence[Any], types: Sequence[Attribute], function: str) -> list[Any]:
    """The arguments as values of the types."""
    if len(types) != len(args):
        raise DataError(f"'{function}' takes {len(types)} arguments, got {len(args)}")
    return [
        check_value(value, cast(Any, type), f"argument {k}")
        for k, (value, type) in enumerate(zip(args, types))
    ]


def _own_result(value: Any, args: Sequence[Any]) -> Any:
    """A result as an array of its own: not an argument, not a view, not a shared constant."""
    if not is_tensor(value):
        return value
    array: AnyArray = np.asarray(value)
    shared = not array.flags.owndata or not array.flags.writeable or any(array is x for x in args)
    return array.copy() if shared else array
