"""ONNX by libhetero's own reader, which needs NumPy only (hetero-c/Import.h)."""

from __future__ import annotations

import ctypes
import json
import os

import numpy as np

from hetero import library
from hetero.errors import ImportFailure
from hetero.importers import Imported

# ONNX's names of element types that are not NumPy's, or ml_dtypes'.
_DTYPES = {
    "float": "float32",
    "double": "float64",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "float4e2m1": "float4_e2m1fn",
}


def _make_options(dims: dict, values: dict) -> library.CompileOptions:
    words = [("dim", f"{name}={int(size)}") for name, size in dims.items()]
    words += [("value", f"{name}={json.dumps(np.asarray(array).tolist())}") for name, array in values.items()]
    options = library.CompileOptions()
    for option, word in words:
        error = options.set(option, word)
        if error:
            raise ImportFailure(error)
    return options


def _take(api, handle, name: str, constants: list) -> Imported:
    size = ctypes.c_int64()
    data = api.heteroGetImportBytecode(handle, ctypes.byref(size))
    signature = json.loads(api.take(api.heteroDescribeImport(handle)))

    def read(field):
        values = signature[field]
        return [value["name"] for value in values], [_DTYPES.get(value["type"], value["type"]) for value in values]

    (arguments, argument_dtypes), (results, result_dtypes) = read("inputs"), read("results")
    return Imported(name, ctypes.string_at(data, size.value), arguments, results, argument_dtypes, result_dtypes, constants)


def _import(name: str, call, dims: dict | None, values: dict | None) -> Imported:
    api, options = library.get(), _make_options(dims or {}, values or {})
    message, constants = library.Text(), library.Text()
    handle = api.wait_for(
        lambda: call(api, options.handle, message.pointer(), constants.pointer()),
        lambda made: made and api.heteroDestroyImport(made),
    )
    texts = message.take(), constants.take()
    if not handle:
        raise ImportFailure(texts[0], json.loads(texts[1]))
    try:
        return _take(api, handle, name, json.loads(texts[1]))
    finally:
        api.heteroDestroyImport(handle)


def from_file(path: str | os.PathLike, dims: dict | None = None, values: dict | None = None) -> Imported:
    """Imports a file; `dims` and `values` as in hetero.importers.from_file()."""
    source = os.fsencode(path)
    return _import(os.fspath(path), lambda api, *rest: api.heteroImportFile(source, *rest), dims, values)


def from_bytes(data: bytes, name: str, dims: dict | None = None, values: dict | None = None) -> Imported:
    """Imports a serialized model, of which `name` stands for the file."""
    return _import(
        name, lambda api, *rest: api.heteroImportBuffer(data, len(data), name.encode(), *rest), dims, values
    )


def import_for_call(read, given: dict, constants=()) -> tuple[Imported, list[str]]:
    """What `read(values)` imports for a call with these arrays, by name, and the inputs that are constants in it: first
    `constants`, then each that an import asks for."""
    values = {name: np.asarray(given[name]) for name in constants if name in given}
    while True:
        try:
            imported, failure = read(values), None
            wanted = imported.constants
        except ImportFailure as error:
            failure, wanted = error, error.constants
        needed = [name for name in wanted if name in given and name not in values]
        if failure and not needed:
            raise failure
        if not needed:
            return imported, list(values)
        values.update((name, np.asarray(given[name])) for name in needed)
