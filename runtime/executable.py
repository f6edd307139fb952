"""`compile` and `Executable`: from a module at any level to something that can be called.

The module is cloned and lowered to a dataflow graph; the graph is loaded once and run many times,
also at the same time from several threads: a run keeps all its state to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.dfg import GraphOp, ProgramOp
from ..dialects.diagnostics import DataError, ProgramError

if TYPE_CHECKING:
    from .graph import Graph
    from .memory import Amount
    from .providers import Provider
    from .stats import Stats
    from .trace import Trace

Array = npt.NDArray[Any]
Engine = Literal["local", "reference"]
ProbeSink = Callable[[str, tuple[Any, ...]], None]


class Executable:
    """A compiled program: `exe(*arrays)` gives the list of its results.

    `signature` holds the types of arguments and results. Arguments must have exactly the dtypes
    and shapes of the signature (dynamic dimensions take any size); anything else is a `DataError`.
    Python numbers, and lists of them, do where they are exact in the signature's dtype; arrays of
    JAX's do as well, and so do its typed PRNG keys, for their data.
    """

    def __init__(
        self,
        function: str,
        signature: FunctionType,
        run: Callable[..., list[Any]],
    ):
        self.function = function
        self.signature = signature
        self._run = run

    def __call__(self, *arguments: npt.ArrayLike) -> list[Array]:
        return self.run(arguments)

    def run(
        self,
        arguments: Sequence[npt.ArrayLike],
        *,
        deadline: float | None = None,
        stats: Stats | None = None,
        trace: Trace | None = None,
        probe: ProbeSink | None = None,
        order: Callable[..., int] | None = None,
        progress: Callable[..., None] | None = None,
        seed: int = 0,
    ) -> list[Array]:
        """Run once.

        `deadline`: seconds, above 0, after which the run ends with an error that names the busy loop.
        `stats`, `trace`: filled during the run, node by node. `probe(label, values)` receives what
        `dcf.probe` ops report. `order` picks which ready node fires next (for tests). `progress`
        is called now and then. What `stablehlo.rng` draws depends on `seed` (0 to 2**64 - 1).
        """
        from .checks import checked_deadline
        from .jax_values import without_jax
        from .python_values import as_tensor
        from .values import check_value

        deadline = checked_deadline(deadline)
        types = self.signature.inputs.data
        if len(arguments) != len(types):
            raise DataError(
                f"@{self.function}: expected {_count(len(types), 'argument')}, got {len(arguments)}"
            )
        names = [f"argument {number}" for number in range(len(types))]
        values = [
            check_value(as_tensor(without_jax(argument), type, name), type, name)
            for name, argument, type in zip(names, arguments, types)
        ]
        results = self._run(
            values,
            deadline=deadline,
            stats=stats,
            trace=trace,
            probe=probe,
            order=order,
            progress=progress,
            seed=seed,
        )
        return _owned(results, values)


def compile(
    module: ModuleOp,
    *,
    function: str = "main",
    engine: Engine = "local",
    parallel_iterations: int | None = None,
    fuse: bool = True,
    pipeline: Sequence[ModulePass] | None = None,
    devices: int | Sequence[str] | None = None,
    assign: str | None = None,
    report_devices: bool = False,
    executors: int = 1,
    own: Sequence[str] = (),
    providers: Mapping[str, Provider] | None = None,
    clock: Literal["real", "virtual"] = "real",
    memory: Mapping[str, Amount] | Amount | None = None,
    verify: bool = True,
) -> Executable:
    """Make `function` of a module (at any level; it is left as it is) callable.

    `engine`: `local` runs the dataflow graph, `reference` interprets the structured program.
    `parallel_iterations` (>= 1) overrides the window of every loop. `fuse` lets whole local loops
    run as one node (`False`: node by node). `pipeline` replaces `dcf-to-dfg-pipeline`.

    `devices`: how many there are (`cpu:0`, …), or their names; by default those that the program
    names. `assign` says what runs where: `auto` (the default) fills what the program leaves open,
    `random:SEED` places all at random, anything else is a file of rules; `report_devices`
    prints what is where, and why, to standard error (docs/devices.md).

    For programs on several devices: `executors` threads serve them; those in `own` have one each.
    `providers` says by device what runs its ops (`Simulated`: a device that takes declared times);
    with the `virtual` clock, time jumps to where the next simulated op ends.

    `memory`: how many bytes the values of a run may take ("64MiB"), on every device or by device;
    this goes before what the program's `plan.topology` says. Such devices run node by node.

    `verify`: prove that the channels of a program that comes split by hand are right, as
    `verify-channels` does; without, what is wrong with them is found while running.

    Raises `ProgramError` for a program that cannot be run, `ValueError` for wrong options, and
    `TypeError` for what is of another type than these.
    """
    from .checks import check_devices, check_module, check_providers

    check_module(module)
    check_devices(devices)
    check_providers(providers)
    if engine not in ("local", "reference"):
        raise ValueError(f"engine must be 'local' or 'reference', got {engine!r}")
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError(f"parallel_iterations must be at least 1, got {parallel_iterations}")
    from ..lowering.budgets import has_budgets, with_stacks

    budgeted = pipeline is None and (bool(memory) or has_budgets(module))
    if pipeline is None:
        if engine == "reference" and (devices is not None or assign is not None or report_devices):
            raise ValueError("the reference engine runs a program whole: without devices or assign")
        module, pipeline = _placed(
            module, function, devices, assign, report_devices, optimized=not budgeted
        )
    elif devices is not None or assign is not None:
        raise ValueError("expected a pipeline or devices, got both")
    if engine == "reference":
        return _reference_executable(module, function, optimized=not budgeted)
    from ..lowering.placing import device_names
    from .device_program import DeviceOptions, device_runner
    from .memory import budgets_of

    options = DeviceOptions(
        executors, tuple(own), dict(providers or {}), clock, memory=budgets_of(memory)
    )
    options.check()
    budgets = options.with_topology(module).memory.values()
    if budgets and budgeted and isinstance(_symbol(module, function), FuncOp):
        module = with_stacks(module, function, min(budget.threshold for budget in budgets))
    program = _lowered(module, function, pipeline, verify)
    graphs = program.graphs
    if not graphs:
        raise ProgramError(f"expected @{function} to have a graph, got none", program)
    names = [graph.device.data for graph in graphs]
    options.check_devices([*names, *device_names(devices)], program.parent_op())
    if len(graphs) == 1 and options.with_topology(program.parent_op()).of(names).plain:
        return _graph_executable(program, graphs[0], parallel_iterations, fuse)
    run = device_runner(program, parallel_iterations, fuse, options)
    return Executable(program.sym_name.data, program.function_type, run)


def _placed(
    module: ModuleOp,
    function: str,
    devices: int | Sequence[str] | None,
    assign: str | None,
    report: bool,
    *,
    optimized: bool,
) -> tuple[ModuleOp, Sequence[ModulePass] | None]:
    """The module and what places and splits it, if anything asks for devices."""
    from ..lowering.gradient_pipeline import without_requests
    from ..lowering.placing import device_pipeline

    op = _symbol(module, function)
    if isinstance(op, ProgramOp) and (devices is not None or assign is not None or report):
        raise ProgramError(
            f"expected a function to place on devices, got @{function} as a '{op.name}', which is"
            " split already",
            op,
        )
    pipeline = device_pipeline(module, function, devices, assign, report)
    if pipeline is None:
        return module, None
    return without_requests(module, function, origins=True, optimized=optimized), [pipeline]


def _reference_executable(module: ModuleOp, function: str, *, optimized: bool) -> Executable:
    from ..lowering.gradient_pipeline import without_requests
    from .reference import evaluate

    module = without_requests(module, function, optimized=optimized)
    op = _symbol(module, function)
    assert isinstance(op, FuncOp | ProgramOp)
    if isinstance(op, ProgramOp) and op.graphs:
        raise ProgramError(
            f"the reference engine runs functions and partitions; @{function} is a '{op.name}' of"
            " graphs: use the local engine",
            op,
        )

    def run(values: list[Array], **options: Any) -> list[Any]:
        return evaluate(
            module,
            values,
            function,
            deadline=options["deadline"],
            probe=options["probe"],
            seed=options["seed"],
        )

    return Executable(function, op.function_type, run)


def _lowered(
    module: ModuleOp, function: str, pipeline: Sequence[ModulePass] | None, verify: bool
) -> ProgramOp:
    from xdsl.context import Context

    from ..lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline

    op = _symbol(module, function)
    if isinstance(op, FuncOp):
        if op.is_declaration:
            raise ProgramError(f"expected @{function} to have a body, got a declaration", op)
        module = module.clone()
        # The entry must survive inlining, whatever its visibility was.
        _symbol(module, function).properties["sym_visibility"] = StringAttr("public")
        if pipeline is None:
            pipeline = [DcfToDfgPipeline()]
        context = Context()
        for step in pipeline:
            step.apply(context, module)
        op = _symbol(module, function)
    elif isinstance(op, ProgramOp):
        op = _as_graphs(op, module, verify)
    if not isinstance(op, ProgramOp):
        raise ProgramError(
            f"expected the pipeline to make a dfg.program of @{function}, got '{op.name}'", op
        )
    return op


def _as_graphs(program: ProgramOp, module: ModuleOp, verify: bool) -> ProgramOp:
    """A program that was given as such."""
    from xdsl.context import Context

    from ..lowering.convert_dcf_to_dfg import ConvertDcfToDfgPass
    from ..passes.channels.ends import checked_channels
    from ..passes.verify_channels import verify_channels

    if verify:
        verify_channels(program)
    else:  # a message to nobody would be lost without a word
        checked_channels(program)
    if not program.partitions:
        return program
    module = module.clone()
    ConvertDcfToDfgPass().apply(Context(), module)
    lowered = _symbol(module, program.sym_name.data)
    assert isinstance(lowered, ProgramOp)
    return lowered


def _symbol(module: ModuleOp, name: str) -> Operation:
    found: list[str] = []
    for op in module.body.block.ops:
        if isinstance(op, FuncOp | ProgramOp):
            if op.sym_name.data == name:
                return op
            found.append("@" + op.sym_name.data)
    there = ", ".join(found) if found else "no function"
    raise ProgramError(f"expected a function @{name}, the module has {there}", module)


def _graph_executable(
    program: ProgramOp, graph_op: GraphOp, window: int | None, fuse: bool
) -> Executable:
    from .engine.local import run_graph
    from .fuse import fuse_frames
    from .graph import load_graph
    from .kept_memory import keep_freed_memory

    keep_freed_memory()
    module = program.parent_op()
    graph = load_graph(graph_op, module)
    fused: Graph = fuse_frames(graph) if fuse else graph

    def run(values: list[Array], **options: Any) -> list[Any]:
        # What is watched node by node must run node by node.
        watched = any(options[name] is not None for name in ("stats", "trace", "order"))
        chosen = graph if watched else fused
        feeds = [values[number] for number in graph.feed_numbers]
        fetched = run_graph(chosen, feeds, parallel_iterations=window, **options)
        by_number = dict(zip(graph.fetch_numbers, fetched, strict=True))
        return [by_number[number] for number in range(len(fetched))]

    return Executable(program.sym_name.data, program.function_type, run)


def _owned(results: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    """The results as arrays of their own: none an argument, a constant, a view or another result.

    A stack or an array of tensors stays what it is; no other result shares memory with one.
    """
    from .values import is_tensor

    inside = not all(is_tensor(value) for value in (*results, *arguments))
    taken = {id(argument) for argument in arguments}
    owned: list[Any] = []
    for result in results:
        if is_tensor(result):
            array: Array = np.asarray(result)
            free = array.flags.owndata and array.flags.writeable and id(array) not in taken
            if inside or not free:
                array = array.copy()
            taken.add(id(array))
            owned.append(array)
        else:
            owned.append(result)
    return owned


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
