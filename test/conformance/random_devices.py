"""Programs split over devices at random give the bits that they give on one device.

`python test/conformance/random_devices.py [--seeds 100] [--grad] [FILE or FOLDER …]`

A program is a `.mlir` file with its arguments in `.npz` files: `inputs*.npz` beside a file called
`program.mlir`, the file's own name for any other. Without files: the examples. For every program,
number of devices (2, 3, 5) and seed, each op, argument and result is placed at random, the program
is split, its channels are verified, and it is run fused, and in one more way by the seed: node by node,
with another window, number of threads or order of messages, or by the reference. `--grad` does the
same with the gradients of all arguments.
The exit status is 1 when bits differ.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.dialects.dcf.types import is_differentiable
from anabranch.frontends.mlir_text import load_module, verify_module
from anabranch.lowering import LOWERINGS, get_lowering
from anabranch.lowering.dcf_to_dfg_pipeline import STRUCTURED_PASSES
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.passes import get_pass
from anabranch.passes._symbols import functions_of
from anabranch.passes.assign_devices import AssignDevicesPass
from anabranch.passes.partition_devices import PartitionDevicesPass
from anabranch.passes.verify_channels import VerifyChannelsPass

EXAMPLES = Path(__file__).parents[2] / "examples"
DEVICE_COUNTS = (2, 3, 5)
DEADLINE = 60.0

Arguments = list[np.ndarray[Any, Any]]


def structured(module: ModuleOp, *, gradient: bool = False) -> tuple[ModuleOp, str]:
    """A copy of a program, with its gradient if asked, as `assign-devices` takes it; and the name
    of the function to run."""
    if gradient:
        module, function = with_gradient(module)
    else:
        module, function = module.clone(), "main"
    for name in STRUCTURED_PASSES:
        (get_lowering(name) if name in LOWERINGS else get_pass(name))().apply(Context(), module)
    return module, function


def split(module: ModuleOp, function: str, devices: int, seed: int) -> ModuleOp:
    """A structured program split over devices at random."""
    module = module.clone()
    names = tuple(f"cpu:{number}" for number in range(devices))
    AssignDevicesPass(function=function, devices=names, random=seed).apply(Context(), module)
    PartitionDevicesPass(function=function).apply(Context(), module)
    verify_module(module)
    VerifyChannelsPass().apply(Context(), module)
    return module


def ways(seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Ways to run a program: options of `compile` and of `run`; always fused, and one more."""
    yield {}, {}
    if seed % 5 == 4:
        yield {"fuse": False, "parallel_iterations": (1, 2, 32)[seed % 3]}, {}
    elif seed % 4 == 0:
        yield {"executors": 2, "parallel_iterations": 1}, {}
    elif seed % 4 == 1:
        shuffle = random.Random(seed)
        yield {"fuse": False}, {"order": lambda ready: shuffle.randrange(len(ready))}
    elif seed % 4 == 2:
        yield {"executors": 3, "fuse": False}, {}
    else:
        yield {"engine": "reference"}, {}


def same_bits(got: Sequence[Any], want: Sequence[Any]) -> bool:
    """Whether results are the same to the bit, types and shapes included."""
    return len(got) == len(want) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(got, want)
    )


def mismatches(
    module: ModuleOp, inputs: Sequence[Arguments], seeds: Sequence[int], *, gradient: bool
) -> Iterator[str]:
    """What went wrong, as text; nothing is right."""
    whole, function = structured(module, gradient=gradient)
    alone = ab.compile(whole, function=function)
    wanted = [alone.run(arguments, deadline=DEADLINE) for arguments in inputs]
    for devices in DEVICE_COUNTS:
        for seed in seeds:
            parts = split(whole, function, devices, seed)
            for made, asked in ways(seed):
                executable = ab.compile(parts, function=function, **made)
                for arguments, want in zip(inputs, wanted):
                    got = executable.run(arguments, deadline=DEADLINE, **asked)
                    if not same_bits(got, want):
                        yield f"{devices} devices, seed {seed}, {made} {list(asked)}"


def programs(paths: Sequence[Path]) -> Iterator[tuple[str, Path, list[Path]]]:
    """The programs that paths name: a title, the text, the files of arguments."""
    for path in paths:
        files = sorted(path.rglob("*.mlir")) if path.is_dir() else [path]
        for file in files:
            if file.name == "program.mlir":
                inputs = sorted(file.parent.glob("inputs*.npz"))
            else:
                inputs = sorted(file.parent.glob(f"{file.stem}.npz"))
            if inputs:
                title = file.parent.name if file.name == "program.mlir" else file.stem
                yield title, file, inputs


def has_gradient(module: ModuleOp) -> bool:
    """Whether a program has a floating-point result and argument."""
    type = functions_of(module)["main"].function_type
    return any(map(is_differentiable, type.outputs)) and any(map(is_differentiable, type.inputs))


def arguments_of(path: Path) -> Arguments:
    """The arrays of a file, in order."""
    with np.load(path, allow_pickle=False) as archive:
        return [archive[f"arg{number}"] for number in range(len(archive.files))]


def main() -> int:
    """Checks what the command line names."""
    parser = argparse.ArgumentParser(description="Compare programs split at random with the whole.")
    parser.add_argument("paths", nargs="*", type=Path, default=[EXAMPLES])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--grad", action="store_true")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    failed = 0
    for title, file, inputs in programs(options.paths):
        begin = time.perf_counter()
        module = load_module(file)
        if options.grad and not has_gradient(module):
            print(f"{title}: no floating-point result to differentiate")
            continue
        arguments = [arguments_of(path) for path in inputs]
        count = 0
        for text in mismatches(module, arguments, seeds, gradient=options.grad):
            count += 1
            print(f"{title}: {text}", flush=True)
        failed += count
        runs = len(seeds) * len(DEVICE_COUNTS)
        seconds = time.perf_counter() - begin
        print(f"{title}: {runs} placements, {count} differ ({seconds:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
