"""`anabranch-run`: what it writes, and one clear line for everything that can be wrong."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import zipfile
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from anabranch.tools.run import main

Write = Callable[..., str]

DOUBLE = """\
func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "double" (%i = %zero, %y = %x : tensor<i32>, tensor<2xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %y1 = stablehlo.add %y, %y : tensor<2xf32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<2xf32>
  }
  return %r#1, %r#0 : tensor<2xf32>, tensor<i32>
}
"""
GOOD = {"arg0": np.float32([1, 2]), "arg1": np.int32(3)}


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A working directory with a program and its inputs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.mlir").write_text(DOUBLE)
    np.savez(tmp_path / "in.npz", **GOOD)
    return tmp_path


def fails(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The one line that a failing run prints; nothing else is written anywhere."""
    before = sorted(os.listdir())
    assert main([*argv, "--outputs", "out.npz", "--trace", "trace.json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sorted(os.listdir()) == before
    assert captured.err.endswith("\n") and captured.err.count("\n") == 1, captured.err
    assert "Traceback" not in captured.err
    return captured.err.rstrip()


def refuses(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What a run that is asked for wrongly prints."""
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_results_are_written(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert main(["program.mlir", "--inputs", "in.npz", "--outputs", "out.npz"]) == 0
    assert capsys.readouterr() == ("", "")
    with np.load("out.npz", allow_pickle=False) as out:
        assert sorted(out.files) == ["out0", "out1"]
        np.testing.assert_array_equal(out["out0"], np.float32([8, 16]))
        assert out["out0"].dtype == np.float32
        assert (out["out1"].dtype, out["out1"].shape, out["out1"]) == (np.int32, (), 3)
    assert sorted(os.listdir()) == ["in.npz", "out.npz", "program.mlir"]


def test_results_are_printed(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert main(["program.mlir", "--inputs", "in.npz"]) == 0
    out = capsys.readouterr().out
    assert out == "out0 = [ 8., 16.] : tensor<2xf32>\nout1 = 3 : tensor<i32>\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--engine", "reference"],
        ["--no-fuse"],
        ["--parallel-iterations", "1"],
        ["--parallel-iterations", "4000", "--no-fuse"],
        ["--granularity", "op", "--kernels", "numpy", "--devices", "1", "--deadline", "60"],
    ],
)
def test_options_do_not_change_results(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str], options: list[str]
):
    assert main(["program.mlir", "--inputs", "in.npz", *options]) == 0
    assert capsys.readouterr().out.startswith("out0 = [ 8., 16.]")


def test_stats_and_trace(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    argv = ["program.mlir", "--inputs", "in.npz", "--stats", "--trace", "trace.json"]
    assert main(argv) == 0
    captured = capsys.readouterr()
    assert "double" in captured.err
    events = json.loads(pathlib.Path("trace.json").read_text())["traceEvents"]
    assert any(event.get("name") == "stablehlo.add" for event in events)


def test_a_program_without_arguments(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    pathlib.Path("constant.mlir").write_text(
        "func.func @main() -> tensor<2xi64> {\n"
        "  %c = stablehlo.constant dense<[4, -5]> : tensor<2xi64>\n"
        "  return %c : tensor<2xi64>\n}\n"
    )
    assert main(["constant.mlir"]) == 0
    assert capsys.readouterr().out == "out0 = [ 4, -5] : tensor<2xi64>\n"
    error = fails(capsys, "program.mlir")
    assert error.startswith("program.mlir: error: ") and "--inputs" in error


def test_another_function(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    pathlib.Path("program.mlir").write_text(DOUBLE.replace("@main", "@double"))
    assert main(["program.mlir", "--inputs", "in.npz", "--function", "double"]) == 0
    capsys.readouterr()
    error = fails(capsys, "program.mlir", "--inputs", "in.npz")
    assert re.search(r"program.mlir(:\d+:\d+)?: error: .*@main.*@double", error)


def test_probes_are_shown(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    text = DOUBLE.replace("    %y1 =", '    dcf.probe "y" %y : tensor<2xf32>\n    %y1 =')
    pathlib.Path("program.mlir").write_text(text)
    assert main(["program.mlir", "--inputs", "in.npz", "--outputs", "out.npz"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["probe y: [1., 2.]", "probe y: [2., 4.]", "probe y: [4., 8.]"]


def test_types_that_numpy_files_cannot_name(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    pathlib.Path("half.mlir").write_text(
        "func.func @main(%x: tensor<3xbf16>) -> tensor<3xbf16> {\n"
        "  %y = stablehlo.add %x, %x : tensor<3xbf16>\n  return %y : tensor<3xbf16>\n}\n"
    )
    x = np.array([1, 2.5, -3], ml_dtypes.bfloat16)
    np.savez("half.npz", arg0=x)
    assert main(["half.mlir", "--inputs", "half.npz", "--outputs", "out.npz"]) == 0
    with np.load("out.npz", allow_pickle=False) as out:
        y = out["out0"]
    assert y.dtype == np.dtype("V2")
    np.testing.assert_array_equal(y.view(ml_dtypes.bfloat16), x + x)


def test_either_byte_order_and_layout(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    pathlib.Path("sum.mlir").write_text(
        "func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {\n"
        "  %y = stablehlo.add %x, %x : tensor<2x3xf64>\n  return %y : tensor<2x3xf64>\n}\n"
    )
    x = np.asfortranarray(np.arange(6.0).reshape(2, 3).astype(">f8"))
    np.savez("sum.npz", arg0=x)
    assert main(["sum.mlir", "--inputs", "sum.npz", "--outputs", "out.npz"]) == 0
    with np.load("out.npz", allow_pickle=False) as out:
        assert out["out0"].dtype == np.dtype("<f8")
        np.testing.assert_array_equal(out["out0"], 2 * np.arange(6.0).reshape(2, 3))


BAD_DATA: dict[str, tuple[dict[str, Any], str]] = {
    "missing name": ({"arg0": GOOD["arg0"]}, r"expected arg0, arg1, got arg0.*missing arg1"),
    "extra name": ({**GOOD, "arg2": np.int32(0)}, r"expected arg0, arg1, got .*arg2"),
    "wrong names": ({"x": GOOD["arg0"], "n": GOOD["arg1"]}, r"expected arg0, arg1, got n, x"),
    "no arrays": ({}, r"expected arg0, arg1, got no arrays"),
    "wrong dtype": ({**GOOD, "arg1": np.int64(3)}, r"arg1.*i32.*(int64|i64)"),
    "python floats": ({**GOOD, "arg0": np.array([1.0, 2.0])}, r"arg0.*f32.*(float64|f64)"),
    "wrong shape": ({**GOOD, "arg0": np.zeros(3, np.float32)}, r"arg0.*2.*3"),
    "wrong rank": ({**GOOD, "arg1": np.zeros((1,), np.int32)}, r"arg1.*tensor<i32>"),
    "text": ({**GOOD, "arg0": np.array(["a", "b"])}, r"arg0.*tensor<2xf32>"),
    "objects": ({**GOOD, "arg0": np.array([1, None], object)}, r"arg0 .*[Oo]bject"),
    "void": ({**GOOD, "arg1": np.zeros((), "V4")}, r"arg1.*tensor<i32>"),
}


@pytest.mark.parametrize("what", BAD_DATA)
def test_bad_data(folder: pathlib.Path, capsys: pytest.CaptureFixture[str], what: str):
    arrays, pattern = BAD_DATA[what]
    np.savez("bad.npz", **arrays)
    error = fails(capsys, "program.mlir", "--inputs", "bad.npz")
    assert error.startswith("bad.npz: error: ")
    assert re.search(pattern, error), error


def archive_of_texts(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "not an array")
    return stream.getvalue()


def test_usage_errors_are_one_line(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    cases = {
        ("program.mlir", "--output", "x"): "unknown option --output; did you mean '--outputs'?",
        ("program.mlir", "--zzz=3"): "unknown option --zzz (--help shows all)",
        ("program.mlir", "more"): "unrecognized arguments: more",
        (): "the following arguments are required: PROGRAM.mlir",
        ("program.mlir", "--engine", "ray"): "argument --engine: ray is not available yet, only"
        " local and reference",
        (
            "program.mlir",
            "--grad",
            "--policy",
            "bad",
        ): "argument --policy: expected save, recompute,"
        ' sqrt or treeverse:C with C >= 1, got "bad"',
    }
    for argv, message in cases.items():
        assert refuses(capsys, *argv) == f"anabranch-run: error: {message}\n"


def test_no_gradient_without_floating_point_arguments(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    text = "func.func @main(%n: tensor<i32>) -> tensor<i32> { return %n : tensor<i32> }"
    pathlib.Path("integers.mlir").write_text(text)
    np.savez("n.npz", arg0=np.int32(1))
    assert fails(capsys, "integers.mlir", "--inputs", "n.npz", "--grad") == (
        "integers.mlir:1:1: error: expected @main to have a floating-point argument to"
        " differentiate by, got tensor<i32>"
    )


def test_rules_that_are_no_file(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert fails(capsys, "program.mlir", "--inputs", "in.npz", "--assign", "randm:1") == (
        "randm:1: error: cannot read the rules: No such file or directory"
        " (expected auto, random:SEED or a file of rules)"
    )


def test_bad_archives(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    good = pathlib.Path("in.npz").read_bytes()
    damaged = bytearray(good)
    damaged[good.index(b"NUMPY") - 1 : good.index(b"NUMPY") + 30] = b"x" * 31
    contents = {
        "cut.npz": good[: len(good) // 2],
        "empty.npz": b"",
        "text.npz": b"these are not arrays",
        "pickle.npz": b"\x80\x04K\x01.",
        "damaged.npz": bytes(damaged),
        "raw.npz": archive_of_texts("arg0.npy", "arg1.npy"),
    }
    got = {
        "empty.npz": "an empty file",
        "text.npz": "a text file",
        "pickle.npz": "a file of another format",
    }
    for name, content in contents.items():
        pathlib.Path(name).write_bytes(content)
        error = fails(capsys, "program.mlir", "--inputs", name)
        assert error.startswith(f"{name}: error: "), error
        assert "allow_pickle" not in error
        if name in got:
            assert error.endswith(
                f"expected an .npz archive as numpy.savez writes it, got {got[name]}"
            )
    np.save("one.npy", GOOD["arg0"])
    error = fails(capsys, "program.mlir", "--inputs", "one.npy")
    assert error.startswith("one.npy: error: expected an .npz archive, got a single array")
    assert fails(capsys, "program.mlir", "--inputs", "no.npz") == "no.npz: error: no such file"
    os.mkdir("folder.npz")
    assert fails(capsys, "program.mlir", "--inputs", "folder.npz").startswith("folder.npz: error: ")


BAD_PROGRAMS: dict[str, tuple[str, str, str]] = {
    "syntax": ("dcf.condition %p", "dcf.condition %%p", r"program.mlir:6:\d+: error: "),
    "unknown value": ("%y, %y", "%y, %nothing", r"program.mlir:\d+:\d+: error: .*nothing"),
    "unsupported op": (
        "stablehlo.add %y, %y : tensor<2xf32>",
        '"stablehlo.frobnicate"(%y) : (tensor<2xf32>) -> tensor<2xf32>',
        r"program.mlir:9:\d+: error: .*stablehlo\.frobnicate",
    ),
    "mismatched carry": (
        "dcf.yield %i1, %y1 : tensor<i32>, tensor<2xf32>",
        "dcf.yield %y1, %i1 : tensor<2xf32>, tensor<i32>",
        r"program.mlir:\d+:\d+: error: .*expected.*tensor<i32>.*got.*tensor<2xf32>",
    ),
    "window of 0": (
        "  }\n  return",
        "  } {parallel_iterations = 0 : i64}\n  return",
        r"program.mlir:\d+:\d+: error: .*parallel_iterations.*got 0",
    ),
    "use before definition": (
        "%i1 = stablehlo.add %i, %one",
        "%i1 = stablehlo.add %r#0, %one",
        r"program.mlir:\d+:\d+: error: ",
    ),
}


@pytest.mark.parametrize("what", BAD_PROGRAMS)
def test_bad_programs(folder: pathlib.Path, capsys: pytest.CaptureFixture[str], what: str):
    old, new, pattern = BAD_PROGRAMS[what]
    assert old in DOUBLE
    pathlib.Path("program.mlir").write_text(DOUBLE.replace(old, new))
    error = fails(capsys, "program.mlir", "--inputs", "in.npz")
    assert re.match(pattern, error), error


def test_bad_program_files(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert re.match(r"no.mlir: error: .*[Nn]o such file", fails(capsys, "no.mlir"))
    pathlib.Path("binary.mlir").write_bytes(b"ML\xefR\x00\xff\xfe")
    assert re.match(r"binary.mlir(:1:\d+)?: error: ", fails(capsys, "binary.mlir"))
    pathlib.Path("empty.mlir").write_text("")
    assert re.match(r"empty.mlir:1:1: error: expected a module", fails(capsys, "empty.mlir"))
    pathlib.Path("cut.mlir").write_text(DOUBLE[:300])
    assert re.match(r"cut.mlir:\d+:\d+: error: ", fails(capsys, "cut.mlir"))
    os.mkdir("folder.mlir")
    assert re.match(r"folder.mlir: error: ", fails(capsys, "folder.mlir"))


def test_an_error_at_run_time_names_loop_and_place(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    endless = DOUBLE.replace("%i1 = stablehlo.add %i, %one", "%i1 = stablehlo.add %i, %zero")
    pathlib.Path("program.mlir").write_text(endless)
    for options in ([], ["--no-fuse"]):
        argv = ["program.mlir", "--inputs", "in.npz", "--deadline", "0.3", *options]
        error = fails(capsys, *argv)
        assert re.match(r"program.mlir:\d+:\d+: error: .*deadline.*double", error), error


def test_an_old_output_survives_a_failing_run(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    pathlib.Path("out.npz").write_bytes(b"precious")
    argv = ["program.mlir", "--inputs", "no.npz", "--outputs", "out.npz"]
    assert main(argv) == 1
    assert pathlib.Path("out.npz").read_bytes() == b"precious"


def test_outputs_that_cannot_be_written(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert main(["program.mlir", "--inputs", "in.npz", "--outputs", "no/out.npz"]) == 1
    assert capsys.readouterr().err.startswith("no/out.npz: error: expected a folder")
    os.mkdir("out.npz")
    assert main(["program.mlir", "--inputs", "in.npz", "--outputs", "out.npz"]) == 1
    assert capsys.readouterr().err.startswith("out.npz: error: ")
    for option in ("--outputs", "--trace"):
        assert main(["program.mlir", "--inputs", "in.npz", option, ""]) == 1
        out, err = capsys.readouterr()
        assert not out
        assert "expected a file to write, got an empty name" in err


def _forbidden(path: str, mode: int) -> bool:
    return False


def test_outputs_in_a_folder_without_permission(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """The superuser may write anywhere, so the permission is made up."""
    monkeypatch.setattr(os, "access", _forbidden)
    error = fails(capsys, "program.mlir", "--inputs", "in.npz")
    assert error == "out.npz: error: cannot be written: Permission denied"


def test_results_that_files_cannot_hold(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    pathlib.Path("stack.mlir").write_text(
        "func.func @main() -> !dcf.stack<tensor<f32>> {\n"
        "  %s = dcf.stack_new : !dcf.stack<tensor<f32>>\n"
        "  return %s : !dcf.stack<tensor<f32>>\n}\n"
    )
    error = fails(capsys, "stack.mlir")
    assert error.startswith("out.npz: error: out0: expected a tensor to write, got !dcf.stack")
    assert main(["stack.mlir"]) == 0
    assert capsys.readouterr().out == "out0 = <stack of 0> : !dcf.stack<tensor<f32>>\n"


WRONG_USAGE: dict[str, tuple[list[str], str]] = {
    "policy": (["--policy", "some"], "argument --policy: "),
    "policy of nothing": (["--policy", "sqrt"], "--policy is about gradients: only with --grad"),
    "devices": (["--devices", "0"], "at least 1, got 0"),
    "assign": (["--assign", "random:x"], "expected random:SEED with a whole number, got random:x"),
    "reference and devices": (
        ["--devices", "2", "--engine", "reference"],
        "not with --engine reference",
    ),
    "region": (["--granularity", "region"], "not available yet, only op"),
    "xla": (["--kernels", "xla"], "not available yet, only numpy"),
    "ray": (["--engine", "ray"], "not available yet, only local and reference"),
    "window": (["--parallel-iterations", "0"], "at least 1, got 0"),
    "window text": (["--parallel-iterations", "many"], "at least 1, got many"),
    "window sign": (["--parallel-iterations=--5"], "at least 1, got --5"),
    "deadline": (["--deadline", "-1"], "above 0, got -1"),
    "one file for two": (["--outputs", "o", "--trace", "o"], "are the same file"),
    "reference": (["--engine", "reference", "--trace", "t.json"], "not with --engine reference"),
    "unknown": (["--frobnicate"], "unknown option --frobnicate"),
}


@pytest.mark.parametrize("what", WRONG_USAGE)
def test_wrong_usage(folder: pathlib.Path, capsys: pytest.CaptureFixture[str], what: str):
    options, message = WRONG_USAGE[what]
    assert message in refuses(capsys, "program.mlir", *options)


def test_help_has_examples(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    help = capsys.readouterr().out
    assert "anabranch-run examples/newton.mlir" in help
    assert not re.search(r"\b(ray|region|xla|not available)\b", help)


def test_what_is_planned_does_not_keep_what_is_there_from_being_asked_for(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    argv = ["--inputs", "in.npz", "--granularity=op", "--kernels", "numpy", "--engine", "local"]
    assert main(["program.mlir", *argv]) == 0
    error = refuses(capsys, "program.mlir", "--engine", "other")
    assert "invalid choice: 'other'" in error and "ray" not in error
