"""Values at run time: NumPy dtypes of MLIR types, dense constants, stacks, arrays, tokens.

A tensor is an `np.ndarray` of exactly the type's dtype, or, when its rank is 0, possibly a NumPy
scalar (`np.generic`, what a ufunc returns), never a Python number. Values are immutable: whoever
holds one may not write into it, so it can be shared between iterations, frames and threads.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue

from ..dialects.dcf.types import ArrayType, StackType
from ..dialects.diagnostics import DataError

AnyArray = npt.NDArray[Any]
DType = np.dtype[Any]

_FLOATS: Final[dict[str, DType]] = {
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f8E4M3": np.dtype(ml_dtypes.float8_e4m3),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "f8E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8E4M3B11FNUZ": np.dtype(ml_dtypes.float8_e4m3b11fnuz),
    "f8E3M4": np.dtype(ml_dtypes.float8_e3m4),
    "f8E8M0FNU": np.dtype(ml_dtypes.float8_e8m0fnu),
    "f6E2M3FN": np.dtype(ml_dtypes.float6_e2m3fn),
    "f6E3M2FN": np.dtype(ml_dtypes.float6_e3m2fn),
    "f4E2M1FN": np.dtype(ml_dtypes.float4_e2m1fn),
}
_SIGNED: Final[dict[int, DType]] = {
    2: np.dtype(ml_dtypes.int2),
    4: np.dtype(ml_dtypes.int4),
    8: np.dtype(np.int8),
    16: np.dtype(np.int16),
    32: np.dtype(np.int32),
    64: np.dtype(np.int64),
}
_UNSIGNED: Final[dict[int, DType]] = {
    2: np.dtype(ml_dtypes.uint2),
    4: np.dtype(ml_dtypes.uint4),
    8: np.dtype(np.uint8),
    16: np.dtype(np.uint16),
    32: np.dtype(np.uint32),
    64: np.dtype(np.uint64),
}
BOOL: Final = np.dtype(np.bool_)
_MLIR_NAMES: Final[dict[DType, str]] = {
    BOOL: "i1",
    **{dtype: f"i{width}" for width, dtype in _SIGNED.items()},
    **{dtype: f"ui{width}" for width, dtype in _UNSIGNED.items()},
    **{dtype: name for name, dtype in _FLOATS.items()},
    np.dtype(np.complex64): "complex<f32>",
    np.dtype(np.complex128): "complex<f64>",
}
DTYPES_BY_NAME: Final[dict[str, DType]] = {name: dtype for dtype, name in _MLIR_NAMES.items()}
"""The NumPy dtype of an element type's MLIR spelling."""


def dtype_of(type: Attribute) -> DType:
    """The NumPy dtype of an element type, or of a tensor's elements."""
    if isinstance(type, TensorType):
        type = cast("TensorType[Attribute]", type).element_type
    if isinstance(type, IntegerType):
        integer = cast("IntegerType[int, Signedness]", type)
        width = integer.width.data
        if width == 1:
            return BOOL
        table = _UNSIGNED if integer.signedness.data == Signedness.UNSIGNED else _SIGNED
        if width in table:
            return table[width]
    elif isinstance(type, IndexType):
        return np.dtype(np.int64)
    elif isinstance(type, ComplexType):
        part = dtype_of(cast(Attribute, type.element_type))
        if part == np.float32:
            return np.dtype(np.complex64)
        if part == np.float64:
            return np.dtype(np.complex128)
    elif type.name in _FLOATS:
        return _FLOATS[type.name]
    raise DataError(f"element type {type} has no NumPy dtype")


def mlir_name_of(dtype: DType) -> str:
    """The MLIR spelling of a dtype, for messages; a dtype without one keeps NumPy's."""
    return _MLIR_NAMES.get(dtype, dtype.name)


def is_tensor(value: Any) -> bool:
    """Whether a run-time value is a tensor."""
    return isinstance(value, np.ndarray | np.generic)


def type_text(value: Any) -> str:
    """The MLIR type of a run-time value, as text."""
    if isinstance(value, Stack):
        return "!dcf.stack"
    if isinstance(value, TensorArray):
        return "!dcf.array"
    if not is_tensor(value):
        return type(value).__name__
    dims = "".join(f"{dim}x" for dim in value.shape)
    if value.dtype.isnative:
        return f"tensor<{dims}{mlir_name_of(value.dtype)}>"
    return f"tensor<{dims}{mlir_name_of(value.dtype.newbyteorder('='))}> in foreign byte order"


def shape_of(value: SSAValue | Attribute) -> tuple[int, ...]:
    """The shape of a tensor type or of a value of one; dynamic dimensions are negative."""
    type = value.type if isinstance(value, SSAValue) else value
    assert isinstance(type, TensorType)
    return tuple(int(dim) for dim in cast("TensorType[Attribute]", type).get_shape())


def is_static(shape: tuple[int, ...]) -> bool:
    """Whether no dimension is dynamic."""
    return all(dim >= 0 for dim in shape)


# Dense constants, by attribute identity: attributes compare by value, and comparing large ones
# would cost more than reading them. The attribute is kept so that its id is not reused.
_dense_cache: dict[int, tuple[DenseIntOrFPElementsAttr, AnyArray]] = {}
_DENSE_CACHE_SIZE: Final = 4096


def array_from_dense(attr: DenseIntOrFPElementsAttr) -> AnyArray:
    """The read-only array of a dense attribute, read from its bytes in one go.

    Data of one element stands for a splat. Integers of less than a byte take one byte each; a bool
    is true when its byte is not zero.
    """
    cached = _dense_cache.get(id(attr))
    if cached is not None:
        return cached[1]
    array = _read_dense(attr)
    array.setflags(write=False)
    if len(_dense_cache) >= _DENSE_CACHE_SIZE:
        _dense_cache.clear()
    _dense_cache[id(attr)] = (attr, array)
    return array


def _read_dense(attr: DenseIntOrFPElementsAttr) -> AnyArray:
    dtype = dtype_of(cast(Attribute, attr.get_element_type()))
    shape = tuple(int(dim) for dim in attr.get_shape())
    raw = attr.data.data
    array: AnyArray
    if dtype == BOOL:
        array = np.frombuffer(raw, np.uint8) != 0
    elif dtype in (_SIGNED[2], _SIGNED[4]):
        array = np.frombuffer(raw, np.int8).astype(dtype)
    else:
        # Explicitly little-endian for the standard types; the extension types are one or two bytes
        # whose order ml_dtypes fixes to the machine's.
        array = np.frombuffer(raw, dtype.newbyteorder("<") if dtype.kind != "V" else dtype)
        array = array.astype(dtype, copy=False)
    count = int(np.prod(shape, dtype=np.int64))
    if array.size == 1 and count != 1:
        return np.full(shape, array[0], dtype)
    if array.size != count:
        raise DataError(f"dense constant: expected {count} elements, got {array.size}")
    return array.reshape(shape)


class Stack:
    """A persistent stack of shared cells: push and pop are O(1) and return a new stack."""

    __slots__ = ("_below", "_top", "depth", "nbytes")

    _below: Stack | None
    _top: Any
    depth: int
    nbytes: int

    def __init__(self, below: Stack | None = None, top: Any = None):
        self._below = below
        self._top = top
        if below is None:
            self.depth = self.nbytes = 0
        else:
            self.depth = below.depth + 1
            self.nbytes = below.nbytes + top.nbytes

    def push(self, value: Any) -> Stack:
        return Stack(self, value)

    def pop(self) -> tuple[Stack, Any]:
        """The stack below the top, and the top; an `IndexError` when there is none."""
        if self._below is None:
            raise IndexError("pop from an empty stack")
        return self._below, self._top

    @property
    def top(self) -> Any:
        """The top; None of the empty stack."""
        return self._top

    @property
    def below(self) -> Stack | None:
        """The stack below the top; None of the empty stack."""
        return self._below

    def __len__(self) -> int:
        return self.depth

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        """The elements, from the top."""
        cell = self
        while cell._below is not None:
            yield cell._top
            cell = cell._below

    def __repr__(self) -> str:
        return f"<stack of {self.depth}>"


EMPTY_STACK: Final = Stack()
"""The empty stack; there is no need for more than one."""


class Token:
    """A value that says only "go"."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<token>"


TOKEN: Final = Token()


# Guards the hand-over of a data list from one version of an array to the next.
_array_lock = threading.Lock()


class TensorArray:
    """An immutable array of tensors whose newest version is written in O(1).

    All versions share one list: the newest owns it, an older one says how it differs from the next
    ("at index i there was v"). An older version that is used again gets a list of its own, so
    using only the newest, as loops do, never copies. `grad` arrays add repeated writes and read as
    zeros where nothing was written.
    """

    __slots__ = ("_data", "_newer", "element", "grad", "nbytes", "size")

    element: Attribute
    grad: bool
    nbytes: int
    size: int
    _data: list[Any] | None
    _newer: tuple[TensorArray, int, Any] | None

    def __init__(self, element: Attribute, data: list[Any], *, grad: bool = False, nbytes: int = 0):
        self.element = element
        self.grad = grad
        self.nbytes = nbytes
        self.size = len(data)
        self._data = data
        self._newer = None

    @staticmethod
    def new(type: ArrayType, size: int) -> TensorArray:
        if size < 0:
            raise IndexError(f"array size: expected at least 0, got {size}")
        return TensorArray(type.element_type, [None] * size, grad=type.is_grad)

    def write(self, index: int, value: Any) -> TensorArray:
        """The array with element `index` set (a grad array: added to)."""
        self._check_range(index)
        with _array_lock:
            data = self._own_data()
            old = data[index]
            if old is not None:
                if not self.grad:
                    raise IndexError(f"element {index} of the array was already written")
                value = np.add(old, value)
            added = value.nbytes if old is None else 0
            newer = TensorArray(self.element, data, grad=self.grad, nbytes=self.nbytes + added)
            data[index] = value
            self._data = None
            self._newer = (newer, index, old)
        return newer

    def read(self, index: int) -> Any:
        """Element `index`."""
        self._check_range(index)
        with _array_lock:
            value = self._own_data()[index]
        return self._or_zero(index, value)

    def elements(self) -> list[Any]:
        """All elements; each must be written, or the array a grad array."""
        with _array_lock:
            data = list(self._own_data())
        return [self._or_zero(index, value) for index, value in enumerate(data)]

    def written(self) -> list[Any]:
        """The elements that were written."""
        with _array_lock:
            return [value for value in self._own_data() if value is not None]

    def stack(self) -> AnyArray:
        """All elements along a new leading dimension."""
        elements = self.elements()
        if not elements:
            shape = tuple(max(dim, 0) for dim in shape_of(self.element))
            return np.empty((0, *shape), dtype_of(self.element))
        shapes = {np.shape(element) for element in elements}
        if len(shapes) > 1:
            raise ValueError(f"elements to stack differ in shape: {sorted(shapes)}")
        return np.stack(elements)

    def _check_range(self, index: int) -> None:
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is out of range for an array of {self.size}")

    def _or_zero(self, index: int, value: Any) -> Any:
        if value is not None:
            return value
        shape = shape_of(self.element)
        if not self.grad or not is_static(shape):
            raise IndexError(f"element {index} of the array was never written")
        return np.zeros(shape, dtype_of(self.element))

    def _own_data(self) -> list[Any]:
        if self._data is None:
            changes: list[tuple[int, Any]] = []
            version = self
            while version._newer is not None:
                newer, index, old = version._newer
                changes.append((index, old))
                version = newer
            assert version._data is not None
            self._data = list(version._data)
            for index, old in reversed(changes):
                self._data[index] = old
            self._newer = None
        return self._data

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<array of {self.size}>"


def check_value(value: Any, type: Attribute, name: str = "value") -> Any:
    """`value` as an input of the given type, C-contiguous; a `DataError` when dtype or shape
    differ."""
    if isinstance(type, StackType | ArrayType):
        expected = Stack if isinstance(type, StackType) else TensorArray
        if not isinstance(value, expected):
            raise DataError(f"{name}: expected {type}, got {type_text(value)}")
        return value
    if not isinstance(type, TensorType):
        return value
    if not is_tensor(value):
        raise DataError(f"{name}: expected {type}, got {type_text(value)}")
    shape = shape_of(cast(Attribute, type))
    got = value.shape
    if (
        value.dtype != dtype_of(cast(Attribute, type))
        or len(shape) != len(got)
        or any(want >= 0 and want != dim for want, dim in zip(shape, got))
    ):
        raise DataError(f"{name}: expected {type}, got {type_text(value)}")
    # Not for scalars: it would turn a rank of 0 into 1.
    return value if value.ndim == 0 else np.ascontiguousarray(value)


def nbytes_of(value: Any) -> int:
    """The bytes of a value's data; for a stack or an array, of all its elements."""
    return getattr(value, "nbytes", 0)
