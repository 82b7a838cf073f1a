"""Networks in f16 and in int8."""

import logging
import pathlib
import tempfile

import numpy as np
import onnx
from onnx import version_converter

DTYPES = ("f32", "f16", "int8")
SAMPLES = 4


def draw_inputs(model, rng):
    """Arrays for the inputs, by name."""
    weights = {w.name for w in model.graph.initializer}
    inputs = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        shape = [dim.dim_value for dim in kind.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        if dtype.kind == "f":
            inputs[value.name] = rng.standard_normal(shape).astype(dtype)
        else:
            inputs[value.name] = rng.integers(0, 256, shape).astype(dtype)
    return inputs


def to_f16(model):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    return convert_float_to_float16(model)


def _make_reader(model):
    from onnxruntime.quantization import CalibrationDataReader

    class Reader(CalibrationDataReader):
        """Random inputs, the same each time."""

        def __init__(self):
            rng = np.random.default_rng(1)
            self.left = [draw_inputs(model, rng) for _ in range(SAMPLES)]

        def get_next(self):
            return self.left.pop() if self.left else None

    return Reader()


def to_int8(model):
    """QDQ as ONNX Runtime's documents advise for x86: activations without sign, weights with one and a scale for each channel."""
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    # It warns of vectors, which have no channels.
    logging.getLogger().setLevel(logging.ERROR)
    if model.opset_import[0].version < 13:
        model = version_converter.convert_version(model, 17)
    with tempfile.TemporaryDirectory() as folder:
        source, prepared, quantized = (str(pathlib.Path(folder) / f"{name}.onnx") for name in ("source", "prepared", "quantized"))
        onnx.save(model, source)
        quant_pre_process(source, prepared, skip_symbolic_shape=True)
        quantize_static(
            prepared,
            quantized,
            _make_reader(model),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        return onnx.load(quantized)


def convert(model, dtype):
    return {"f32": lambda m: m, "f16": to_f16, "int8": to_int8}[dtype](model)
