"""The frameworks that the networks are of: ONNX Runtime and LiteRT."""

from __future__ import annotations

import numpy as np


class Onnx:
    """A model in ONNX Runtime."""

    def __init__(self, path: str, threads: int = 1):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = [(value.name, value.shape, _dtype(value.type)) for value in self._session.get_inputs()]

    def run(self, inputs: dict) -> list:
        return self._session.run(None, inputs)


def _dtype(type_name: str) -> np.dtype:
    """Of "tensor(float)"."""
    name = type_name.removeprefix("tensor(").rstrip(")")
    return np.dtype({"float": "float32", "double": "float64"}.get(name, name))


class LiteRt:
    """A model in LiteRT's interpreter, without its delegates: they round differently."""

    def __init__(self, path: str, threads: int = 1):
        from ai_edge_litert import interpreter

        kind = interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        self._interpreter = interpreter.Interpreter(path, num_threads=threads, experimental_op_resolver_type=kind)
        self._interpreter.allocate_tensors()
        details = self._interpreter.get_input_details()
        self.inputs = [(detail["name"], detail["shape"].tolist(), np.dtype(detail["dtype"])) for detail in details]

    def run(self, inputs: dict) -> list:
        for detail in self._interpreter.get_input_details():
            self._interpreter.set_tensor(detail["index"], inputs[detail["name"]])
        self._interpreter.invoke()
        return [self._interpreter.get_tensor(detail["index"]) for detail in self._interpreter.get_output_details()]


def load(path: str):
    return (LiteRt if path.endswith(".tflite") else Onnx)(path)
