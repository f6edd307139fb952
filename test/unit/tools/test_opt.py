"""`anabranch-opt` as a function: exit status, output files, internal errors, start-up."""

from __future__ import annotations

import io
import os
import pathlib
import subprocess
import sys

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from anabranch.tools import opt
from anabranch.tools.reporting import error_line, run_reporting

GOOD = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
PRINTED = (
    "module {\n  func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
    "    return %x : tensor<f32>\n  }\n}\n"
)


@pytest.fixture
def good(tmp_path: pathlib.Path) -> str:
    path = tmp_path / "good.mlir"
    path.write_text(GOOD)
    return str(path)


def test_writes_a_whole_file(good: str, tmp_path: pathlib.Path) -> None:
    target = tmp_path / "out.mlir"
    assert opt.main([good, "-o", str(target)]) == 0
    assert target.read_text() == PRINTED
    assert sorted(os.listdir(tmp_path)) == ["good.mlir", "out.mlir"]


def test_special_files_are_not_replaced(good: str) -> None:
    assert opt.main([good, "-o", os.devnull]) == 0
    assert not os.path.isfile(os.devnull)


def test_unwritable_output(good: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    target = str(tmp_path / "none" / "out.mlir")
    assert opt.main([good, "-o", target]) == 1
    assert capsys.readouterr().err == (
        f"{target}: error: cannot be written: No such file or directory\n"
    )


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["-p", "no-such-pass"]])
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        opt.main(arguments)
    assert caught.value.code == 2
    assert "anabranch-opt: error: " in capsys.readouterr().err


class _Failing(ModulePass):
    name = "failing"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise PassFailedException("expected more, got less")


class _Broken(ModulePass):
    name = "broken"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("oops")


class _Spoiling(ModulePass):
    name = "spoiling"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = op.body.block.first_op
        assert function is not None
        del function.properties["function_type"]


@pytest.mark.parametrize(
    ("cls", "expected"),
    [
        (_Failing, ":1:1: error: pass 'failing' failed: expected more, got less\n"),
        (_Spoiling, ":1:1: error: 'func.func' op property 'function_type' expected in operation"),
        (_Broken, ": error: internal error, KeyError: 'oops' (ANABRANCH_TRACEBACK=1 shows where"),
    ],
)
def test_failing_passes(
    cls: type[ModulePass],
    expected: str,
    good: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("ANABRANCH_TRACEBACK", raising=False)
    monkeypatch.setattr(opt, "available_passes", lambda: {cls.name: lambda: cls})
    assert opt.main([good, "-p", cls.name]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(good + expected)
    assert captured.err.count("\n") == 1


def test_every_pass_loads_and_tells_what_it_does() -> None:
    for name, getter in opt.available_passes().items():
        cls = getter()
        assert cls.name == name
        assert name in opt.XDSL_PASSES or (cls.__doc__ or "").strip()


def test_reporting(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def recurse() -> int:
        return recurse()

    def interrupt() -> int:
        raise KeyboardInterrupt

    def interrupt_loop() -> int:
        interrupt = KeyboardInterrupt()
        interrupt.add_note('interrupted: loop "w" is at iteration 7')
        interrupt.add_note("of no interest")
        raise interrupt

    assert run_reporting(lambda: None, "f") == 0
    assert run_reporting(recurse, "f") == 1
    assert run_reporting(interrupt, "f") == 130
    assert run_reporting(interrupt_loop, "f") == 130
    assert capsys.readouterr().err == (
        "f: error: the program is nested too deeply\nf: error: interrupted\n"
        'f: error: interrupted: loop "w" is at iteration 7\n'
    )
    assert error_line(MemoryError(), "f") == "f: error: out of memory"
    monkeypatch.setenv("ANABRANCH_TRACEBACK", "1")
    with pytest.raises(RecursionError):
        run_reporting(recurse, "f")


def test_a_closed_pipe_is_quiet(good: str) -> None:
    command = f"'{sys.executable}' -m anabranch.tools.opt '{good}' | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys, anabranch.tools.opt\n"
        "loaded = [m for m in ('numpy', 'jax', 'ml_dtypes') if m in sys.modules]\n"
        "assert not loaded, loaded\n"
        "assert 'anabranch.dialects.stablehlo' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert opt.main(["-"]) == 0
    assert capsys.readouterr().out == PRINTED
