"""Arrays in and out of `.npz` files for `anabranch-run`: `arg0 …` in, `out0 …` out.

NumPy's format has no name for the types that ml_dtypes adds (bf16, f8, i4): it keeps their bytes as
`V2` or `V1`. So such results are written that way, and such inputs are read that way; view them
with `array.view(ml_dtypes.bfloat16)`.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Attribute

from ..dialects.diagnostics import DataError
from ..runtime.values import check_value, dtype_of, type_text
from .files import write_whole

# What NumPy and zipfile raise for files that are damaged, not archives, or hold pickled objects.
_UNREADABLE = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)


def read_arguments(path: str, types: Sequence[Attribute]) -> list[np.ndarray[Any, Any]]:
    """The arrays `arg0 …` of the archive at `path`, checked against the argument types."""
    names = [f"arg{i}" for i in range(len(types))]
    try:
        archive: Any = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise DataError("no such file", path) from None
    except _UNREADABLE as error:
        raise DataError(_not_an_archive(path, error), path) from None
    if isinstance(archive, np.ndarray):
        raise DataError("expected an .npz archive, got a single array (.npy)", path)
    with archive:
        _check_names(path, names, archive.files)
        return [_read(path, archive, name, type) for name, type in zip(names, types, strict=True)]


def _not_an_archive(path: str, error: BaseException) -> str:
    """What is wrong with a file that NumPy cannot open, which takes anything odd for a pickle."""
    expected = "expected an .npz archive as numpy.savez writes it, got"
    try:
        with open(path, "rb") as file:
            start = file.read(512)
    except OSError as failed:
        return f"cannot be read: {failed.strerror or failed}"
    if not start:
        return f"{expected} an empty file"
    if start.startswith((b"PK", b"\x93NUMPY")):
        return f"{expected} a damaged one ({_line(error)})"
    text = all(byte >= 32 or byte in b"\t\n\r\f" for byte in start)
    return f"{expected} {'a text file' if text else 'a file of another format'}"


def _check_names(path: str, expected: Sequence[str], found: Sequence[str]) -> None:
    if set(expected) == set(found):
        return
    missing = [name for name in expected if name not in found]
    extra = sorted(set(found) - set(expected))
    raise DataError(
        f"expected {_names(expected)}, got {_names(sorted(found))}"
        + (f"; missing {_names(missing)}" if missing else "")
        + (f"; not an argument: {_names(extra)}" if extra else ""),
        path,
    )


def _names(names: Sequence[str]) -> str:
    if not names:
        return "no arrays"
    if len(names) > 8:
        return f"{', '.join(names[:4])}, … {names[-1]} ({len(names)} arrays)"
    return ", ".join(names)


def _read(
    path: str, archive: Mapping[str, Any], name: str, type: Attribute
) -> np.ndarray[Any, Any]:
    try:
        content = archive[name]
    except _UNREADABLE as error:
        raise DataError(f"{name} cannot be read: {_line(error)}", path) from None
    if isinstance(content, bytes):  # what NumPy makes of a member without its header
        raise DataError(f"{name} cannot be read: not in NumPy's format", path)
    return _argument(content, name, type, path)


def _argument(
    array: np.ndarray[Any, Any], name: str, type: Attribute, path: str
) -> np.ndarray[Any, Any]:
    try:
        dtype = dtype_of(type)
        if array.dtype.kind == "V" and array.dtype == _as_void(dtype):
            array = array.view(dtype)
        # Files may hold either byte order and either memory layout; a run has native and C order.
        array = np.asarray(array, dtype=array.dtype.newbyteorder("="), order="C")
        return check_value(array, type, name)
    except DataError as error:
        raise DataError(error.message, path) from None


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if text else error.__class__.__name__


def storable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """`array`, or its bytes as void when NumPy's file format has no name for its dtype."""
    array = np.asarray(array)
    void = _as_void(array.dtype)
    return array if void is None else array.view(void)


def _as_void(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """The void type that stands in a file for `dtype`; None if the format can name it."""
    named = issubclass(dtype.type, np.number | np.bool_)
    return None if named else np.dtype((np.void, dtype.itemsize))


def write_results(path: str, results: Sequence[Any], names: Sequence[str] | None = None) -> None:
    """Write the results to the archive at `path`, under `names` (default: `out0 …`)."""
    if names is None:
        names = [f"out{i}" for i in range(len(results))]
    for name, result in zip(names, results, strict=True):
        if not isinstance(result, np.ndarray):
            raise DataError(f"{name}: expected a tensor to write, got {type_text(result)}", path)
    arrays = {name: storable(array) for name, array in zip(names, results, strict=True)}
    stream = io.BytesIO()
    savez: Any = np.savez  # whose stub takes any name for its option allow_pickle
    savez(stream, **arrays)
    write_whole(path, stream.getbuffer())
