"""Weights of ONNX models, which stay in their files until they are written to bytecode.

A model is parsed without its large weights: these become external data, which ONNX
has for weights in files of their own, and whose file is here the model's. Otherwise
each weight would be in memory as the file's bytes, as a message, and once more for
each tool of the onnx package that takes and returns a model.
"""

from __future__ import annotations

import math
import mmap
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, external_data_helper, numpy_helper

from hetero.importers import child
from hetero.importers.rewrites import engine

# Bytes of a weight that is left in its file: rules look at the values of smaller ones, of at most 8 bytes an element.
LIMIT = 8 * engine.LIMIT
# Of the messages of onnx.proto: what kind of message a field is, by kind and number of the field.
_MESSAGES = {
    ("model", 7): "graph",
    ("model", 25): "function",
    ("function", 7): "node",
    ("graph", 1): "node",
    ("graph", 5): "tensor",
    ("node", 5): "attribute",
    ("attribute", 5): "tensor",
    ("attribute", 6): "graph",
}
# float_data, raw_data and double_data of a tensor: its elements as they are in memory.
_DATA = (4, 9, 10)
# Element types whose elements are in memory as they are in files; the others are packed, or get another form.
_PLAIN = frozenset(
    getattr(TensorProto, name)
    for name in "FLOAT FLOAT16 BFLOAT16 DOUBLE BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64".split()
)
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class _Malformed(Exception):
    """It is no message, or one that only protobuf's own parser understands."""


def _read_varint(data, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while shift < 64:
        if at >= len(data):
            raise _Malformed
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise _Malformed


def _write_varint(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


def _find_end(data, at: int, wire: int) -> tuple[int, int]:
    """Where the content of a field starts, and where it ends."""
    if wire == _BYTES:
        length, at = _read_varint(data, at)
        return at, at + length
    if wire == _VARINT:
        return at, _read_varint(data, at)[1]
    if wire not in (_FIXED64, _FIXED32):
        raise _Malformed
    return at, at + (8 if wire == _FIXED64 else 4)


def _strip(data, kind: str, start: int, end: int, location: str) -> bytes:
    """A message whose large weights are external data in the file that `data` is."""
    written = []
    while start < end:
        tag, at = _read_varint(data, start)
        number, wire = tag >> 3, tag & 7
        content, stop = _find_end(data, at, wire)
        if stop > end:
            raise _Malformed
        inner = _MESSAGES.get((kind, number))
        if wire != _BYTES or stop - content < LIMIT or inner is None and (kind != "tensor" or number not in _DATA):
            written.append(data[start:stop])
        elif inner:
            message = _strip(data, inner, content, stop, location)
            written += [_write_varint(tag), _write_varint(len(message)), message]
        else:
            place = TensorProto(data_location=TensorProto.EXTERNAL)
            for key, value in (("location", location), ("offset", content), ("length", stop - content)):
                place.external_data.add(key=key, value=str(value))
            written.append(place.SerializeToString())
        start = stop
    return b"".join(written)


def _all_tensors(graph):
    """The weights of a graph and the values of its nodes, and of those in it."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield from [*([attribute.t] if attribute.HasField("t") else []), *attribute.tensors]
            for inner in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from _all_tensors(inner)


def _find_file(tensor, folder: pathlib.Path) -> str:
    """The file of external data, which may only be beside the model."""
    location = next((entry.value for entry in tensor.external_data if entry.key == "location"), "")
    path = (folder / location).resolve()
    if not location or not path.is_relative_to(folder) or not path.is_file():
        raise child.Failure(f"weight '{tensor.name}' is expected in the file '{location}' beside the model, which is not there")
    return str(path)


def is_in_file(tensor) -> bool:
    return external_data_helper.uses_external_data(tensor)


def load(source: str):
    """The model in a file, with large weights as external data whose locations are absolute paths."""
    path = pathlib.Path(source).resolve()
    with open(path, "rb") as file:
        try:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                model = onnx.load_from_string(_strip(data, "model", 0, len(data), path.name))
        except (_Malformed, ValueError):  # An empty file cannot be mapped.
            model = onnx.load(path, load_external_data=False)
    for tensor in filter(is_in_file, _all_tensors(model.graph)):
        file_name = _find_file(tensor, path.parent)
        if math.prod(tensor.dims) * 8 <= LIMIT or tensor.data_type not in _PLAIN:
            try:
                external_data_helper.load_external_data_for_tensor(tensor, str(path.parent))
            except (OSError, ValueError) as error:
                raise child.Failure(f"weight '{tensor.name}' cannot be read: {error}") from None
            tensor.ClearField("external_data")
            tensor.data_location = TensorProto.DEFAULT
        for entry in tensor.external_data:
            entry.value = file_name if entry.key == "location" else entry.value
    return model


def make_raw(tensor):
    """The weight with its elements as bytes: the importer knows the other forms of some types only."""
    if tensor.HasField("raw_data") or tensor.data_type not in _PLAIN:
        return tensor
    return numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name)


def map_bytes(tensor) -> np.ndarray:
    """The bytes of a weight that is in a file."""
    place = {entry.key: entry.value for entry in tensor.external_data}
    size = pathlib.Path(place["location"]).stat().st_size
    offset = int(place.get("offset", 0))
    length = int(place.get("length", size - offset))
    count = math.prod(tensor.dims)
    wanted = count * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    if length != wanted or offset + length > size:
        raise child.Failure(f"weight '{tensor.name}' has {length} bytes instead of the {wanted} of its {count} elements")
    return np.memmap(place["location"], np.uint8, "r", offset, length)
