"""Inputs of a network from its signature: sizes of dynamic dimensions by their names, numbers by what they are for."""

import fnmatch

import numpy as np
from cases import strokes
from onnx import helper

# Sizes for two calls by parts of names of dimensions; equal names have equal sizes.
SIZES = (("batch", (1, 2)), ("seq", (12, 7)), ("len", (9, 5)), ("height", (96, 64)), ("width", (64, 96)))
# Sizes for files whose dimensions do not have such names, for each call in the order of the signature.
FILES = {
    "*/onnx_asr/*": ((1, 8000), (2, 5300)),
    "*/whisper*": ((1, 8000),),
    "*/pnet.onnx": ((1, 64, 48), (2, 37, 42)),
    "*/ch_PP-OCRv4_det*": ((1, 64, 96), (2, 96, 64)),
    "*/ch_PP-OCRv4_rec*": ((1, 48, 96), (2, 48, 64)),
    "*/ch_ppocr*": ((1, 48, 192), (2, 48, 96)),
    "*/silero_vad_16k_seq*": ((3,), (5,)),
    # At the second one's length its rate is 8 kHz.
    "*/silero_vad.onnx": ((1, 576), (2, 288)),
    "*/silero_vad_op18_ifless*": ((1, 576), (2, 288)),
    "*/silero_vad_*": ((1, 576), (2, 576)),
    "*/nakdimon*": ((1, 12), (2, 7)),
}
# Operators that pass indices on.
MOVES = "Add Cast Concat Flatten Identity Mul Reshape Slice Split Squeeze Transpose Unsqueeze".split()


def list_inputs(model):
    """Inputs that are no weights."""
    weights = {weight.name for weight in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in weights]


def name_dimensions(model):
    """Name or size of each dimension by input; unnamed ones have names of their own."""
    names = {}
    for value in list_inputs(model):
        sizes = value.type.tensor_type.shape.dim
        names[value.name] = [
            dim.dim_value if dim.dim_value > 0 else dim.dim_param if dim.dim_param not in ("", "?", "-1") else f"{value.name}.{place}"
            for place, dim in enumerate(sizes)
        ]
    return names


def list_sizes(path, names):
    """Sizes of the dynamic dimensions for each call."""
    dynamic = list(dict.fromkeys(name for dims in names.values() for name in dims if isinstance(name, str)))
    for pattern, calls in FILES.items():
        if fnmatch.fnmatch(path, pattern):
            # The first unnamed dimension is often the batch in other inputs, too.
            return [dict(zip(dynamic, [*call, *(call[0] for _ in dynamic)])) for call in calls]
    found = [next((sizes for part, sizes in SIZES if part in name.lower()), (1, 2)) for name in dynamic]
    return [dict(zip(dynamic, call)) for call in zip(*found)] or [{}]


def find_tables(model):
    """Numbers of rows that an input's elements choose from, by input: those of tables that it gathers from."""
    arrays = {weight.name: weight.dims for weight in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            arrays[node.output[0]] = node.attribute[0].t.dims
    sources, rows = {value.name: value.name for value in list_inputs(model)}, {}
    for node in model.graph.node:
        moved = [sources[name] for name in node.input if name in sources]
        if node.op_type in MOVES and moved:
            sources.update({name: moved[0] for name in node.output})
        table = arrays.get(node.input[0]) if node.op_type == "Gather" else None
        if table and node.input[1] in sources:
            axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 0)
            source = sources[node.input[1]]
            rows[source] = min(rows.get(source, table[axis]), table[axis])
    return rows


def make_array(name, shape, dtype, length, high, rng):
    """length: of the sequences in a batch; high: of indices, None for other numbers."""
    if name == "sr":
        return np.full(shape, 16000 if length > 400 else 8000, dtype)
    if "len" in name:
        # Sequences after the first are shorter than the longest.
        return np.array([length - length // 5 * row for row in range(shape[0])], dtype)
    if dtype == bool:
        # The first elements of a mask hold.
        return rng.random(shape) < 1.5 / np.arange(1, shape[-1] + 1)
    if high or np.issubdtype(dtype, np.integer):
        return rng.integers(0, high or 30, shape).astype(dtype)
    if "wave" in name:
        return (np.sin(np.arange(shape[-1]) * 0.1) * 0.3 + rng.standard_normal(shape) * 0.1).astype(dtype)
    return (strokes(rng, shape) if name == "x" and shape[2] > 48 else rng.random(shape)).astype(dtype)


def make_calls(model, path):
    """Arrays by name for each call."""
    rng, rows, names = np.random.default_rng(5), find_tables(model), name_dimensions(model)
    for sizes in list_sizes(path, names):
        arrays = {}
        for value in list_inputs(model):
            shape = [sizes.get(name, name) for name in names[value.name]]
            dtype = np.dtype(helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))
            length = max((array.shape[-1] for array in arrays.values() if array.ndim), default=1)
            arrays[value.name] = make_array(value.name, shape, dtype, length, rows.get(value.name), rng)
        yield arrays
