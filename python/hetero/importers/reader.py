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


def _write_numbers(array) -> str:
    """Nested lists of JSON, which has no numbers for nan and the infinities."""
    text = json.dumps(np.asarray(array).tolist())
    return text.replace("NaN", '"nan"').replace("-Infinity", '"-inf"').replace("Infinity", '"inf"')


def _make_options(dims: dict, values: dict, shapes: dict) -> library.CompileOptions:
    words = [("dim", f"{name}={int(size)}") for name, size in dims.items()]
    words += [("value", f"{name}={_write_numbers(array)}") for name, array in values.items()]
    words += [("shape", f"{name}={json.dumps(shape)}") for name, shape in shapes.items()]
    options = library.CompileOptions()
    for option, word in words:
        error = options.set(option, word)
        if error:
            raise ImportFailure(error)
    return options


def _describe(module: library.ImportedModule, name: str, constants: list) -> Imported:
    api = library.get()
    signature = json.loads(api.take(api.heteroDescribeImport(module.handle)))

    def read(field):
        values = signature[field]
        return [value["name"] for value in values], [_DTYPES.get(value["type"], value["type"]) for value in values]

    (arguments, argument_dtypes), (results, result_dtypes) = read("inputs"), read("results")
    structure = signature["structure"]
    return Imported(name, module, arguments, results, argument_dtypes, result_dtypes, constants, structure)


def _import(
    name: str, call, dims: dict | None, values: dict | None, shapes: dict | None, data: bytes | None = None
) -> Imported:
    api, options = library.get(), _make_options(dims or {}, values or {}, shapes or {})
    message, constants = library.Text(), library.Text()
    handle = api.wait_for(
        lambda: call(api, options.handle, message.pointer(), constants.pointer()),
        lambda made: made and api.heteroDestroyImport(made),
    )
    texts = message.take(), constants.take()
    if not handle:
        raise ImportFailure(texts[0], json.loads(texts[1]))
    return _describe(library.ImportedModule(handle, data), name, json.loads(texts[1]))


def from_file(path: str | os.PathLike, dims: dict | None = None, values: dict | None = None, shapes: dict | None = None) -> Imported:
    """Imports a file; `dims`, `values` and `shapes` as in hetero.importers.from_file()."""
    source = os.fsencode(path)
    return _import(os.fspath(path), lambda api, *rest: api.heteroImportFile(source, *rest), dims, values, shapes)


def from_bytes(
    data: bytes, name: str, dims: dict | None = None, values: dict | None = None, shapes: dict | None = None
) -> Imported:
    """Imports a serialized model, of which `name` stands for the file."""
    call = lambda api, *rest: api.heteroImportBuffer(data, len(data), name.encode(), *rest)
    return _import(name, call, dims, values, shapes, data)


def list_shapes(given: dict) -> dict:
    """The shapes of inputs, by name: a list is a sequence, None an absent optional. Sizes of arrays are left open."""

    def describe(value):
        if isinstance(value, (list, tuple)):
            return [list(np.shape(item)) for item in value]
        return None if value is None else [None] * np.ndim(value)

    return {name: describe(value) for name, value in given.items()}


def list_arguments(given: dict) -> dict:
    """The arrays of inputs by the names of the program's arguments, to which items of sequences are given each."""
    arguments = {}
    for name, value in given.items():
        items = value if isinstance(value, (list, tuple)) else None
        arguments.update({name: value} if items is None else {f"{name}.{i}": item for i, item in enumerate(items)})
    return {name: value for name, value in arguments.items() if value is not None}


def join_results(imported: Imported, outputs) -> list:
    """The model's results of what the program returns: lists for sequences, None for absent optionals."""
    left = iter(outputs if isinstance(outputs, (list, tuple)) else [outputs])

    def take(part):
        if isinstance(part, list):
            return [take(item) for item in part]
        return None if part is None else next(left)

    return [take(part) for part in imported.structure]


def import_for_call(read, given: dict, constants=()) -> tuple[Imported, list[str]]:
    """Imports by `read(values=, shapes=)` for a call with these inputs (list_shapes()). Returns that and the arguments
    that are constants in it: first `constants`, then each that an import asks for."""
    shapes, given = list_shapes(given), list_arguments(given)
    values = {name: np.asarray(given[name]) for name in constants if name in given}
    while True:
        try:
            imported, failure = read(values=values, shapes=shapes), None
            wanted = imported.constants
        except ImportFailure as error:
            failure, wanted = error, error.constants
        needed = [name for name in wanted if name in given and name not in values]
        if failure and not needed:
            raise failure
        if not needed:
            return imported, list(values)
        values.update((name, np.asarray(given[name])) for name in needed)
