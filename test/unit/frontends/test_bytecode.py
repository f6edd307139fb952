"""Bytecode and portable artifacts are read as the text that they stand for."""

from __future__ import annotations

import io
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.diagnostics import DataError
from anabranch.frontends.bytecode import jaxlib_context
from anabranch.frontends.mlir_text import load_module, parse_module, print_module

TEXT = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.sine %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@pytest.fixture(scope="module")
def bytecode() -> bytes:
    pytest.importorskip("jaxlib", reason="bytecode is read through jaxlib")
    from jaxlib.mlir import ir

    with jaxlib_context():
        stream = io.BytesIO()
        ir.Module.parse(TEXT).operation.write_bytecode(stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def artifact() -> bytes:
    jax: Any = pytest.importorskip("jax", reason="portable artifacts come from jax.export")
    from jax import export

    with jax.enable_x64(False):
        function = jax.jit(lambda x: (jax.numpy.sin(x), x[::-1]))  # pyright: ignore[reportUnknownLambdaType]
        exported = export.export(function)(jax.ShapeDtypeStruct((3,), np.float32))
    return exported.mlir_module_serialized


def test_bytecode(bytecode: bytes):
    assert print_module(parse_module(bytecode)) == TEXT


def test_a_file_and_the_tools(bytecode: bytes, tmp_path: pathlib.Path):
    path = tmp_path / "program.mlirbc"
    path.write_bytes(bytecode)
    assert print_module(load_module(path)) == TEXT
    assert print_module(ab.parse(str(path))) == TEXT
    tool = pathlib.Path(sys.executable).with_name("anabranch-opt")
    found = subprocess.run([tool, path], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == TEXT.strip()


def test_portable_artifact_runs(artifact: bytes):
    module = ab.parse(artifact)
    x = np.arange(3, dtype=np.float32)
    sine, reverse = ab.compile(module)(x)
    np.testing.assert_allclose(sine, np.sin(x), rtol=1e-6)
    np.testing.assert_array_equal(reverse, x[::-1])


def test_locations_survive(artifact: bytes):
    assert "test_bytecode.py" in print_module(parse_module(artifact), debuginfo=True)


def test_damaged_bytecode_is_one_sentence(bytecode: bytes, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(DataError, match="this MLIR bytecode cannot be read: ") as error:
        parse_module(bytecode[:40], "program.mlirbc")
    assert error.value.path == "program.mlirbc"
    assert "\n" not in error.value.message
    assert capfd.readouterr() == ("", "")


def test_without_jaxlib(monkeypatch: pytest.MonkeyPatch):
    for name in ("jaxlib.mlir", "jaxlib.mlir.ir"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(DataError, match=r"jaxlib, which is not installed; .*anabranch\[jax\]"):
        parse_module(b"ML\xefR\r")
