"""Two references that share nothing: onnx.reference, which is NumPy, and ONNX Runtime, which is C++."""

import ctypes
import dataclasses
import warnings

import numpy as np
import onnx

import types_of_onnx as types

# Types that ONNX Runtime's arrays lack: their bytes are read from its memory.
WITHOUT_ARRAYS = ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "int4", "uint4", "int2", "uint2")

# Attributes that say in which type an operator computes.
PRECISIONS = ("stash_type", "softmax_precision")


class Failed(Exception):
    """A reference does not run the model."""


def run_onnx(case):
    from onnx.reference import ReferenceEvaluator

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            feeds = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in case.feeds.items()}
            outputs = ReferenceEvaluator(case.model).run(None, feeds)
    except Exception as error:  # Whatever an operator in Python raises.
        raise Failed(f"{type(error).__name__}: {error}") from None
    with np.errstate(all="ignore"):
        return [_to_kind(output, kind) for output, kind in zip(outputs, case.result_types)]


def run_as_doubles(case):
    """Results of the same model on doubles, rounded to its types."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    double = onnx.TensorProto.DOUBLE
    for value in (*model.graph.input, *model.graph.output):
        kind = types.type_of_proto(value.type)
        if types.is_tensor(kind) and types.is_float(types.dtype_of(kind)):
            value.type.tensor_type.elem_type = double
    for tensor in model.graph.initializer:
        tensor.CopyFrom(onnx.numpy_helper.from_array(_widen(onnx.numpy_helper.to_array(tensor)), tensor.name))
    node = model.graph.node[0]
    given = {attribute.name for attribute in node.attribute}
    schema = onnx.defs.get_schema(node.op_type, model.opset_import[0].version, node.domain)
    node.attribute.extend(
        onnx.helper.make_attribute(name, double) for name in PRECISIONS if name in schema.attributes and name not in given
    )
    for attribute in node.attribute:
        if attribute.name in PRECISIONS:
            attribute.i = double
    feeds = {name: _widen(value) for name, value in case.feeds.items()}
    return run_onnx(dataclasses.replace(case, model=model, feeds=feeds))


def _widen(value):
    is_float = isinstance(value, np.ndarray) and types.is_float(value.dtype)
    return value.astype(np.float64) if is_float else value


def _to_kind(output, kind):
    """An output in its declared type: the evaluator widens some, and puts what an optional holds into a list."""
    if kind.startswith("optional(") and isinstance(output, list) and len(output) == 1:
        is_wrapped = not kind.startswith("optional(seq(") or isinstance(output[0], (list, type(None)))
        return output[0] if is_wrapped else output
    if not types.is_tensor(kind) or types.element_of(kind) == "string":
        return output
    if output is None or isinstance(output, (list, tuple, dict)):
        raise Failed(f"it gives a {type(output).__name__} for a {kind}")
    array, dtype = np.asarray(output), types.dtype_of(kind)
    if array.dtype == dtype:
        return array
    if types.is_float(array.dtype) and types.is_float(dtype):
        return array.astype(dtype)
    raise Failed(f"it gives {array.dtype} for {kind}")


def _without_exotic_inputs(case):
    """The model with inputs of types that have no arrays as constants, and the feeds that are left."""
    exotic = {name for name, value in case.feeds.items() if getattr(getattr(value, "dtype", None), "name", "") in WITHOUT_ARRAYS}
    if not exotic:
        return case.model, case.feeds
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for value in [value for value in model.graph.input if value.name in exotic]:
        model.graph.initializer.append(types.to_tensor(case.feeds[value.name], value.name, types.type_of_proto(value.type)))
        model.graph.input.remove(value)
    return model, {name: value for name, value in case.feeds.items() if name not in exotic}


def _unpack(data, dtype, count):
    """Numbers of some bits each, the first in the lowest ones."""
    bits = types.PACKED[dtype.name]
    octets = np.frombuffer(data, np.uint8)
    numbers = np.stack([octets >> shift & (2**bits - 1) for shift in range(0, 8, bits)], -1).ravel()[:count].astype(np.int16)
    if dtype.name[0] != "u":
        numbers = np.where(numbers >= 2 ** (bits - 1), numbers - 2**bits, numbers)
    return numbers.astype(dtype)


def _read_value(value, kind):
    """An OrtValue as an array."""
    if not types.is_tensor(kind) or types.dtype_of(kind).name not in WITHOUT_ARRAYS:
        return value.numpy()
    dtype, shape = types.dtype_of(kind), tuple(value.shape())
    count = int(np.prod(shape))
    bits = types.PACKED.get(dtype.name, dtype.itemsize * 8)
    data = ctypes.string_at(value.data_ptr(), (count * bits + 7) // 8) if count else b""
    if dtype.name in types.PACKED:
        return _unpack(data, dtype, count).reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape)


def _session(model):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # A plain run of the node.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run_runtime(case):
    import onnxruntime

    try:
        model, feeds = _without_exotic_inputs(case)
        session = _session(model)
        kinds = case.result_types
        if not all(map(types.is_tensor, kinds)) or not all(isinstance(value, np.ndarray) for value in feeds.values()):
            return session.run(None, feeds)
        values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(np.array(value, order="C")) for name, value in feeds.items()}
        outputs = session.run_with_ort_values(None, values)
        return [_to_kind(np.array(_read_value(output, kind)), kind) for output, kind in zip(outputs, kinds)]
    except Failed:
        raise
    except Exception as error:  # pybind11's own classes.
        raise Failed(f"{type(error).__name__}: {error}") from None


NUMPY, RUNTIME = "onnx.reference", "ONNX Runtime"
REFERENCES = {NUMPY: run_onnx, RUNTIME: run_runtime}
