"""NumPy arrays as values of the runtime, without copies on the host.

The runtime's element types stand in HeteroRuntime.h. bf16, f8 and complex<f16>
are dtypes of ml_dtypes where that is installed, else void dtypes of their size.
"""

import ctypes
import functools

import numpy as np

from hetero import library
from hetero.errors import RunError

# HETERO_TYPE_*: name of the element type, dtype.
_DTYPES = {
    0: ("i1", "bool"),
    1: ("i8", "int8"),
    2: ("i16", "int16"),
    3: ("i32", "int32"),
    4: ("i64", "int64"),
    5: ("f16", "float16"),
    6: ("bf16", "V2"),
    7: ("f32", "float32"),
    8: ("f64", "float64"),
    9: ("index", "int64"),
    10: ("si8", "int8"),
    11: ("si16", "int16"),
    12: ("si32", "int32"),
    13: ("si64", "int64"),
    14: ("ui8", "uint8"),
    15: ("ui16", "uint16"),
    16: ("ui32", "uint32"),
    17: ("ui64", "uint64"),
    18: ("f8E4M3FN", "V1"),
    19: ("f8E5M2", "V1"),
    20: ("complex<f16>", "V4"),
    21: ("complex<f32>", "complex64"),
    22: ("complex<f64>", "complex128"),
}
_ML_DTYPES = {6: "bfloat16", 18: "float8_e4m3fn", 19: "float8_e5m2"}


def dtype_of(element_type: int, name: str | None = None) -> np.dtype:
    """The dtype of a HETERO_TYPE_*, or the one of this name if its elements are as large."""
    own = _own_dtype(element_type)
    try:
        named = np.dtype(name) if name else own
    except TypeError:
        return own
    return named if named.itemsize == own.itemsize else own


@functools.lru_cache(maxsize=None)
def _own_dtype(element_type: int) -> np.dtype:
    if element_type in _ML_DTYPES:
        try:
            import ml_dtypes

            return np.dtype(getattr(ml_dtypes, _ML_DTYPES[element_type]))
        except ImportError:
            pass
    return np.dtype(_DTYPES[element_type][1])


def element_type_of(dtype: np.dtype) -> int:
    """The HETERO_TYPE_* of a dtype; of several of one size and kind the first."""
    for number, name in _ML_DTYPES.items():
        if dtype.name == name:
            return number
    for number, (_, name) in _DTYPES.items():
        if dtype == np.dtype(name):
            return number
    raise RunError(f"expected an array of numbers, got dtype {dtype}")


def describe(signature: library.SignatureValue) -> str:
    """The type as MLIR spells it: "tensor<?x3xf32>" or "f32"."""
    name = _DTYPES[signature.type][0]
    if signature.rank == library.SCALAR:
        return name
    sizes = [signature.sizes[i] for i in range(signature.rank)]
    return "tensor<" + "".join(("?" if size == library.DYNAMIC else str(size)) + "x" for size in sizes) + name + ">"


def _fits(array: np.ndarray, signature: library.SignatureValue) -> bool:
    rank = 0 if signature.rank == library.SCALAR else signature.rank
    return array.ndim == rank and all(
        signature.sizes[i] in (library.DYNAMIC, array.shape[i]) for i in range(rank)
    )


def from_dlpack(argument, name: str):
    """What DLPack shares, as an array; anything else as it is."""
    if not hasattr(argument, "__dlpack__") or isinstance(argument, (np.ndarray, np.generic)):
        return argument
    try:
        return np.from_dlpack(argument)
    except Exception as error:  # Who shares it raises whatever they like.
        # Arrays of JAX with elements that DLPack or NumPy lacks are arrays of ml_dtypes.
        if hasattr(argument, "__array__") and isinstance(getattr(argument, "dtype", None), np.dtype):
            return np.asarray(argument)
        raise RunError(
            f"{name} of dtype {getattr(argument, 'dtype', '?')} cannot be taken as an array: {error}; "
            "give a NumPy array in the host's memory, whose bytes are what counts for types that NumPy lacks "
            "(of PyTorch's bfloat16: x.view(torch.uint16).numpy().view('V2'))"
        ) from error


def to_array(argument, signature: library.SignatureValue, dtype: np.dtype, name: str) -> np.ndarray:
    """An argument as a contiguous array of the entry point's type and of `dtype`.

    Anything NumPy or DLPack understands is taken as it is if its dtype is the
    right one; Python numbers and lists are converted.
    """
    argument = from_dlpack(argument, f"argument '{name}'")
    has_dtype = hasattr(argument, "dtype")
    try:
        array = np.asarray(argument) if has_dtype else np.asarray(argument, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise RunError(f"argument '{name}' is expected to be {describe(signature)} (dtype {dtype}): {error}") from None
    is_bits = array.dtype.itemsize == dtype.itemsize and "V" in (array.dtype.kind, dtype.kind)
    if array.dtype != dtype and not is_bits or not _fits(array, signature):
        raise RunError(
            f"argument '{name}' is expected to be {describe(signature)} (dtype {dtype}), "
            f"got dtype {array.dtype} of shape {array.shape}"
        )
    return np.ascontiguousarray(array) if array.ndim else array


def _fill_shape(value: library.Value, shape) -> None:
    stride = 1
    for axis in reversed(range(len(shape))):
        value.sizes[axis] = shape[axis]
        value.strides[axis] = stride
        stride *= shape[axis]


def to_plain_value(array: np.ndarray) -> library.Value:
    """A value that points into a contiguous array, which must outlive it; the entry point's type is not known yet."""
    value = library.Value(type=element_type_of(array.dtype), rank=array.ndim, device=library.HOST)
    value.data = array.ctypes.data
    _fill_shape(value, array.shape)
    return value


def to_value(array: np.ndarray, signature: library.SignatureValue) -> library.Value:
    """A value that points into `array`, which must outlive it."""
    value = library.Value(type=signature.type, rank=signature.rank, device=library.HOST)
    if signature.rank == library.SCALAR:
        data = array.tobytes()
        value.scalar = int.from_bytes(data[:8], "little")
        # The imaginary part of a complex<f64>.
        value.sizes[0] = int.from_bytes(data[8:], "little", signed=True) if len(data) > 8 else 0
        return value
    value.data = array.ctypes.data
    _fill_shape(value, array.shape)
    return value


class _Result(library.Owner):
    """Memory of a result; the arrays that show it keep it."""

    def __init__(self, value: library.Value, dtype: np.dtype):
        super().__init__()
        self._value = value
        self._library = library.get()
        shape = tuple(value.sizes[i] for i in range(value.rank))
        self.__array_interface__ = {
            "shape": shape,
            "typestr": f"|V{dtype.itemsize}",
            "data": (value.data or 0, False),
            "version": 3,
        }

    def destroy(self) -> None:
        self._library.heteroReleaseValue(ctypes.byref(self._value))


def to_result(value: library.Value, dtype: np.dtype):
    """The array, or the NumPy scalar, of a result, which it owns from here on."""
    if value.rank == library.SCALAR:
        bits = value.scalar.to_bytes(8, "little") + value.sizes[0].to_bytes(8, "little", signed=True)
        return np.frombuffer(bits[: dtype.itemsize], dtype=dtype)[0]
    result = _Result(value, dtype)
    if 0 in result.__array_interface__["shape"]:
        return np.empty(result.__array_interface__["shape"], dtype)
    return np.asarray(result).view(dtype)
