"""`anabranch-opt`: read a module, run passes, print it. xDSL's driver with our dialects and passes.

Errors are one located line on standard error and exit status 1; wrong usage is 2. Dialects and
passes load when they are used, so the tool starts fast.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import IO, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    PassFailedException,
)
from xdsl.xdsl_opt_main import VersionAction, xDSLOptMain

from ..dialects import DIALECTS
from ..dialects.diagnostics import DataError, ProgramError, one_line, render_error
from ..dialects.spelling import did_you_mean
from ..frontends.mlir_text import parse_module, print_module, verify_module
from ..frontends.mlir_text.reading import deep_recursion
from ..lowering import LOWERINGS, get_lowering
from ..passes import PASSES, get_pass
from .files import write_whole
from .options import check_options, options_of, why_unreadable
from .reporting import run_reporting
from .usage import exit_usage

EPILOG = """\
examples:
  anabranch-opt program.mlir
      check a program and print it again
  anabranch-opt program.mlir -p dcf-to-dfg-pipeline
      lower what JAX printed to a dataflow graph
  anabranch-opt program.mlir -p inline-calls,convert-stablehlo-to-dcf --print-between-passes
      run passes one by one and print the program between them
  anabranch-opt program.mlir -p 'device-pipeline{devices="cpu:0","cpu:1" random=1}'
      give a pass two options: a space between options, commas between the values of one
  anabranch-opt - --print-op-generic --print-debuginfo < program.mlir
      read standard input; print in generic form, with locations
  anabranch-opt tests.mlir --split-input-file --verify-diagnostics
      treat the parts between `// -----` lines as files; print errors and go on
"""

XDSL_PASSES = {
    "canonicalize": ("canonicalize", "CanonicalizePass"),
    "cse": ("common_subexpression_elimination", "CommonSubexpressionElimination"),
    "dce": ("dead_code_elimination", "DeadCodeElimination"),
}
"""xDSL's own passes that are offered too: name -> module and class."""

XDSL_TEXTS = {
    "cse": "Replaces ops that compute what an op before them has computed by its results.",
    "dce": "Removes ops without effects whose results are unused.",
}
"""What those do that do not say it themselves."""

_SPLIT = re.compile(rb"^// -----[^\n]*\n?", re.MULTILINE)


class OptMain(xDSLOptMain):
    """xDSL's driver on our parser, printer, verifier, dialects and passes."""

    _parser: argparse.ArgumentParser
    _running: str | None = None
    """The pass that runs now, for messages about it."""

    # What the driver knows

    def register_all_dialects(self) -> None:
        for name, dialect in DIALECTS.items():
            self.ctx.register_dialect(name, dialect)

    def register_all_frontends(self) -> None:
        self.available_frontends["mlir"] = self._no_other_way

    def register_all_targets(self) -> None:
        self.available_targets["mlir"] = self._no_other_way

    @staticmethod
    def _no_other_way() -> NoReturn:
        raise AssertionError("MLIR text is read and printed by `parse_chunk` and `_print`")

    def register_all_passes(self) -> None:
        self.available_passes.update(available_passes())

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        # Not those of the base class: half of them choose among things that we have one of.
        self._parser = arg_parser
        arg_parser.prog = "anabranch-opt"
        arg_parser.error = self.usage_error
        arg_parser.epilog = EPILOG
        arg_parser.formatter_class = argparse.RawDescriptionHelpFormatter
        arg_parser.set_defaults(target="mlir", frontend=None, syntax_highlight=False)
        add = arg_parser.add_argument
        add("input_file", nargs="?", metavar="FILE", help="program to read; default or '-': stdin")
        add("-o", "--output-file", metavar="FILE", help="where to write; default: stdout")
        add(
            "-p",
            "--passes",
            default="",
            metavar="PASSES",
            help="passes to run, with commas between them; options in braces, with spaces between"
            ' them: p1,p2{option=1 other="text"}',
        )
        self._add_flag("--list-passes", "list all passes with their options, and exit")
        self._add_flag("--print-between-passes", "print the program after each pass but the last")
        self._add_flag("--time-passes", "print the time of each pass to standard error")
        self._add_flag("--print-op-generic", "print operations in the generic form")
        self._add_flag("--print-debuginfo", "print locations")
        self._add_flag("--split-input-file", "treat parts between `// -----` lines as files")
        self._add_flag("--verify-diagnostics", "print errors to stdout, go on, and exit with 0")
        self._add_flag("--parsing-diagnostics", "the same, for errors of the parser only")
        self._add_flag("--disable-verify", "do not check the program between the passes")
        self._add_flag("--allow-unregistered-dialect", "keep operations that are not known")
        self._add_flag("--no-implicit-module", "expect a module at the top of the input")
        arg_parser.add_argument(
            "-v",
            "--version",
            action=VersionAction,
            help="print the versions of this tool and of xDSL, and exit",
            version_format=f"anabranch-opt {version('anabranch')} (xdsl {{xdsl_version}})",
        )

    def _add_flag(self, name: str, help: str) -> None:
        self._parser.add_argument(name, action="store_true", help=help)

    def usage_error(self, message: str) -> NoReturn:
        """Wrong usage: one line, exit status 2."""
        exit_usage(self._parser, message)

    # Passes

    def setup_pipeline(self) -> None:
        if self.args.list_passes:
            print(list_passes(self.available_passes), end="")
            self._parser.exit(0)
        try:
            specs = tuple(parse_pipeline(self.args.passes))
        except ArgSpecParseError as error:
            reason = why_unreadable(self.args.passes) or _last_line(error)
            self.usage_error(f"cannot read the passes {self.args.passes!r}: {reason}")
        passes: list[ModulePass] = []
        for spec in specs:
            getter = self.available_passes.get(spec.name)
            if getter is None:
                self.usage_error(_unknown_pass(spec.name, self.available_passes))
            try:
                check_options(spec, getter())
            except ValueError as error:
                self.usage_error(str(error))
            try:
                passes.append(getter().from_spec(spec))
            except (ValueError, TypeError, DiagnosticException) as error:
                self.usage_error(f"wrong options for pass '{spec.name}': {one_line(str(error))}")
        self.pipeline = PassPipeline(tuple(passes), self._between_passes)

    def _between_passes(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        if previous is not None and self.args.time_passes:
            seconds = time.perf_counter() - self._started
            print(f"Pass {previous.name} took {seconds:.6f} seconds", file=sys.stderr)
        if not self.args.disable_verify:
            self._verify(module, previous)
        if previous is not None and following is not None and self.args.print_between_passes:
            print(f"// IR after {previous.name}:")
            print(self._print(module))
        self._running = following.name if following is not None else None
        self._started = time.perf_counter()

    @staticmethod
    def _verify(module: ModuleOp, previous: ModulePass | None) -> None:
        try:
            verify_module(module)
        except ProgramError as error:
            if previous is None:
                raise
            message = f"{error.message} (after pass '{previous.name}')"
            raise ProgramError(message, error.location) from None

    _started = 0.0

    def apply_passes(self, prog: ModuleOp) -> None:
        self._running = None
        try:
            super().apply_passes(prog)
        except PassFailedException as error:
            raise ProgramError(f"pass '{self._running}' failed: {error}", prog) from error

    # Text in and out

    def get_input_name(self) -> str:
        path = self.args.input_file
        return "<stdin>" if path in (None, "-") else path

    def _read(self) -> bytes:
        path = self.args.input_file
        if path in (None, "-"):
            return sys.stdin.buffer.read()
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror or error}", path) from None

    def _chunks(self) -> list[bytes]:
        """The parts of the input, each with as many empty lines before it as stand there."""
        content = self._read()
        if not self.args.split_input_file:
            return [content]
        chunks: list[bytes] = []
        start = 0
        for found in _SPLIT.finditer(content):
            chunks.append(b"\n" * content.count(b"\n", 0, start) + content[start : found.start()])
            start = found.end()
        chunks.append(b"\n" * content.count(b"\n", 0, start) + content[start:])
        return chunks

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        return self._parse(chunk.read())

    def _parse(self, content: bytes) -> ModuleOp:
        return parse_module(
            content,
            self.get_input_name(),
            self.ctx,
            implicit_module=not self.args.no_implicit_module,
        )

    def output_resulting_program(self, prog: ModuleOp) -> str:
        return self._print(prog)

    def _print(self, module: ModuleOp) -> str:
        return print_module(
            module, generic=self.args.print_op_generic, debuginfo=self.args.print_debuginfo
        )

    def run(self) -> None:
        """Read, run the passes, print; all of the output file, or nothing of it."""
        path = self.args.output_file
        to_file = path not in (None, "-")
        texts: list[str] = []
        with deep_recursion():
            for index, chunk in enumerate(self._chunks()):
                text = "// -----\n" if index else ""
                text += self._process(chunk)
                if to_file:
                    texts.append(text)
                else:
                    sys.stdout.write(text)
                    sys.stdout.flush()
        if to_file:
            write_whole(path, "".join(texts).encode())

    def _process(self, chunk: bytes) -> str:
        """The output for one part of the input; errors too, if they are asked for."""
        show = self.args.verify_diagnostics
        try:
            try:
                module = self._parse(chunk)
            except ProgramError:
                show = show or self.args.parsing_diagnostics
                raise
            self.apply_passes(module)
            return self._print(module)
        except DiagnosticException as error:
            if not show:
                raise
            return render_error(error, self.get_input_name()) + "\n"


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Every pass by name, as a lazy getter."""
    passes: dict[str, Callable[[], type[ModulePass]]] = {}
    for name in PASSES:
        passes[name] = lambda name=name: get_pass(name)
    for name in LOWERINGS:
        passes[name] = lambda name=name: get_lowering(name)
    for name in XDSL_PASSES:
        passes[name] = lambda name=name: _xdsl_pass(name)
    return dict(sorted(passes.items()))


def _xdsl_pass(name: str) -> type[ModulePass]:
    module, cls = XDSL_PASSES[name]
    return getattr(import_module(f"xdsl.transforms.{module}"), cls)


def text_of(name: str, pass_class: type[ModulePass]) -> str:
    """What a pass does, at length."""
    return XDSL_TEXTS.get(name) or inspect.cleandoc(pass_class.__doc__ or "")


def list_passes(passes: dict[str, Callable[[], type[ModulePass]]]) -> str:
    """All passes: the name and the first sentence of what it does; below, its options."""
    width = max(map(len, passes)) + 2
    lines: list[str] = []
    for name, getter in passes.items():
        pass_class = getter()
        paragraph = " ".join(text_of(name, pass_class).split("\n\n")[0].split())
        summary = re.split(r"(?<=\.) ", paragraph)[0]
        if name in XDSL_PASSES:
            summary = f"(xDSL) {summary}"
        lines.append(f"{name:{width}}{summary}".rstrip() + "\n")
        lines += [f"{'':{width}}  {option}\n" for option in options_of(pass_class)]
    return "".join(lines)


def _unknown_pass(name: str, known: Iterable[str]) -> str:
    return f"unknown pass '{name}'{did_you_mean(name, known, 0.4)} (--list-passes shows all)"


def _last_line(error: ArgSpecParseError) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; the result is the exit status."""
    description = "Read an MLIR program, check it, run passes over it, and print it."
    tool = OptMain(description, argv)
    return run_reporting(tool.run, tool.get_input_name())


if __name__ == "__main__":
    sys.exit(main())
