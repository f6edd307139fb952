"""`anabranch-run`: run a module at any level, from `.npz` inputs to `.npz` outputs.

Exit status 0: done. 1: one line on standard error, `FILE:LINE:COL: error: …` for the program or
`FILE: error: …` for data, and no output file is written. 2: wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ..runtime.executable import Array, Executable
    from ..runtime.stats import Stats
    from ..runtime.trace import Trace

EPILOG = """\
examples:
  anabranch-run examples/newton.mlir --inputs examples/newton.npz
      print the results of a program that JAX printed
  anabranch-run program.mlir --inputs in.npz --outputs out.npz
      read arg0, arg1, … from in.npz; write out0, out1, … to out.npz
  anabranch-run program.mlir --inputs in.npz --engine reference
      interpret the structured program instead of running its dataflow graph
  anabranch-run program.mlir --inputs in.npz --no-fuse --trace trace.json --stats
      fire node by node; write a trace for https://ui.perfetto.dev and count what ran

Types that NumPy's file format cannot name (bf16, f8, i4) are kept as V2 or V1 bytes in both files:
array.view(ml_dtypes.bfloat16) shows them.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; the result is the exit status."""
    options = _parse(argv)
    from .reporting import run_reporting

    name = "<stdin>" if options.program == "-" else options.program
    return run_reporting(lambda: _run(options, name), name)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    from .usage import Parser

    parser = Parser(
        prog="anabranch-run",
        description="Run an MLIR program at any level: source, structured (dcf) or dataflow (dfg).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("program", metavar="PROGRAM.mlir", help="the program; '-' reads standard input")
    add(
        "--inputs", metavar="IN.npz", help="arrays arg0, arg1, …; may be left out without arguments"
    )
    add("--outputs", metavar="OUT.npz", help="where out0, out1, … go; default: printed")
    add("--function", default="main", metavar="NAME", help="the function to run (default: main)")
    add(
        "--engine",
        default="local",
        type=_available("ray", "local and reference"),
        choices=["local", "reference"],
        help="dataflow graph or structured program (default: local)",
    )
    add(
        "--granularity",
        default="op",
        type=_available("region", "op"),
        choices=["op"],
        help="what a node of the graph is: an op, the only choice",
    )
    add(
        "--kernels",
        default="numpy",
        type=_available("xla", "numpy"),
        choices=["numpy"],
        help="what computes: NumPy, the only choice",
    )
    add(
        "--devices",
        type=_positive,
        metavar="N",
        help="run on N devices, cpu:0 to cpu:N-1 (default: those that the program names)",
    )
    add(
        "--report-devices",
        action="store_true",
        help="print what runs on which device, and why, on standard error",
    )
    add(
        "--parallel-iterations",
        type=_positive,
        metavar="K",
        help="how many iterations of a loop may be live at once, for every loop (default: as the"
        " program says, else 32)",
    )
    add(
        "--memory",
        action="append",
        type=_memory,
        metavar="[DEVICE=]AMOUNT",
        help="how many bytes values may take, such as 64MiB, on every device or (cpu:0=64MiB, again"
        " for others) on one; stacks that need more are swapped to a temporary file",
    )
    add("--deadline", type=_seconds, metavar="SECONDS", help="end the run with an error after this")
    add(
        "--seed",
        type=_seed,
        default=0,
        metavar="N",
        help="what stablehlo.rng draws depends on it (default: 0)",
    )
    add("--no-fuse", action="store_true", help="run loops node by node, not as one function each")
    add("--stats", action="store_true", help="count what ran, on standard error")
    add("--trace", metavar="OUT.json", help="write a Chrome trace, one row per frame")
    add(
        "--grad",
        action="store_true",
        help="also grad_argK for every floating-point argument K: the gradient of the sum of the"
        " first floating-point result",
    )
    add(
        "--assign",
        type=_assignment,
        metavar="auto|random:SEED|FILE",
        help="what runs on which device: fill what the program leaves open (auto), all at random, or"
        " by a file of rules `pattern -> device`",
    )
    add(
        "--policy",
        metavar="save|recompute|sqrt|treeverse:C",
        help="with --grad: what loops without the attribute residual_policy keep for their gradient"
        " (default: save; C is a number of states)",
    )
    options = parser.parse_args(argv)
    _check_usage(parser, options)
    return options


def _check_usage(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.policy is not None:
        from xdsl.utils.exceptions import VerifyException

        from ..passes.autodiff.policies import Policy

        try:
            Policy.parse(options.policy)
        except VerifyException as error:
            # The error is about the attribute, which nobody has written here.
            reason = str(error).replace("residual_policy to be ", "")
            parser.error(f"argument --policy: {reason}")
        if not options.grad:
            parser.error("--policy is about gradients: only with --grad")
    if options.outputs is not None and options.outputs == options.trace:
        parser.error("--outputs and --trace are the same file")
    if options.engine == "reference":
        for name in ("stats", "trace", "devices", "assign", "report_devices", "memory"):
            if getattr(options, name):
                name = name.replace("_", "-")
                parser.error(f"--{name} is about the dataflow graph: not with --engine reference")


def _available(planned: str, there: str) -> Callable[[str], str]:
    """Reads an option of which one choice is planned and not there yet."""

    def choice(text: str) -> str:
        if text == planned:
            raise argparse.ArgumentTypeError(f"{text} is not available yet, only {there}")
        return text

    return choice


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 2**64 - 1, got {text}")
    return int(text)


def _assignment(text: str) -> str:
    from ..lowering.placing import seed_of

    try:
        seed_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _memory(text: str) -> tuple[str, int]:
    from ..runtime.memory import EVERY, MemoryBudget

    device, _, amount = text.rpartition("=")
    try:
        return device or EVERY, MemoryBudget(amount).nbytes
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, got {text}")
    return seconds


def _run(options: argparse.Namespace, name: str) -> None:
    from ..dialects.diagnostics import DataError
    from ..frontends.mlir_text import load_module, parse_module, verify_module
    from ..runtime.executable import compile
    from .files import check_writable, write_whole
    from .npz import read_arguments, write_results

    for path in (options.outputs, options.trace):
        if path is not None:
            check_writable(path)
    if options.program == "-":
        module = parse_module(sys.stdin.buffer.read(), name)
    else:
        module = load_module(options.program)
    verify_module(module)
    function = options.function
    names: list[str] | None = None
    if options.grad:
        from ..lowering.budgets import has_budgets
        from .gradients import add_gradients

        module, function, names = add_gradients(
            module,
            function,
            options.policy,
            origins=options.devices is not None or options.assign is not None,
            optimized=not options.memory and not has_budgets(module),
        )
    try:
        executable = compile(
            module,
            function=function,
            engine=options.engine,
            parallel_iterations=options.parallel_iterations,
            fuse=not options.no_fuse,
            devices=options.devices,
            assign=options.assign,
            report_devices=options.report_devices,
            memory=dict(options.memory or ()),
        )
    except ValueError as error:
        # Options that do not fit the program, which only the program can tell.
        raise DataError(str(error)) from error
    types = executable.signature.inputs.data
    arguments = [] if options.inputs is None else read_arguments(options.inputs, types)
    if options.inputs is None and types:
        raise DataError(f"@{options.function} has {len(types)} arguments: give them with --inputs")
    results, stats, trace = _execute(options, executable, arguments)
    if options.outputs is not None:
        write_results(options.outputs, results, names)
    else:
        _show(results, executable.signature.outputs.data, names)
    if trace is not None:
        write_whole(options.trace, trace.json().encode())
    if stats is not None:
        print(stats.table(), file=sys.stderr)


def _execute(
    options: argparse.Namespace, executable: Executable, arguments: Sequence[Array]
) -> tuple[list[Array], Stats | None, Trace | None]:
    from .progress import ProgressLine

    stats = trace = None
    if options.stats:
        from ..runtime.stats import Stats

        stats = Stats()
    if options.trace is not None:
        from ..runtime.trace import Trace

        trace = Trace()
    with ProgressLine("anabranch-run") as line:
        results = executable.run(
            arguments,
            deadline=options.deadline,
            stats=stats,
            trace=trace,
            probe=_show_probe,
            progress=line.report,
            seed=options.seed,
        )
    return results, stats, trace


def _show_probe(label: str, values: tuple[Any, ...]) -> None:
    print(" ".join((f"probe {label}:", *map(_text, values))), file=sys.stderr)


def _show(
    results: Sequence[Array], types: Sequence[Attribute], names: Sequence[str] | None
) -> None:
    for number, (result, type) in enumerate(zip(results, types, strict=True)):
        name = f"{names[number] if names is not None else f'out{number}'} = "
        print(f"{name}{_text(result, name)} : {type}", flush=True)


def _text(value: Any, before: str = "") -> str:
    import numpy as np

    if not hasattr(value, "dtype"):
        return str(value)  # a stack or an array of tensors
    array: Array = np.asarray(value)
    return np.array2string(array, prefix=before, separator=", ") if array.ndim else str(array[()])


if __name__ == "__main__":
    sys.exit(main())
