"""ONNX models through `hetero-translate --import-onnx`, as hetero.importers.Imported."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def find_tool():
    folder = os.environ.get("HETERO_TOOLS", ROOT / "build" / "dev" / "bin")
    return str(pathlib.Path(folder) / "hetero-translate")


def describe(model):
    """Names and types of the inputs and the results, as Imported has them."""
    from onnx import helper

    weights = {weight.name for weight in model.graph.initializer}
    arguments = [value for value in model.graph.input if value.name not in weights]

    def dtypes(values):
        kinds = [value.type.tensor_type.elem_type for value in values]
        return [helper.tensor_dtype_to_np_dtype(kind).name if kind else None for kind in kinds]

    return {
        "argument_names": [value.name for value in arguments],
        "result_names": [value.name for value in model.graph.output],
        "argument_dtypes": dtypes(arguments),
        "result_dtypes": dtypes(model.graph.output),
    }


def import_model(model, *options):
    """Imports an onnx.ModelProto; an ImportFailure has the error's text."""
    from hetero import importers
    from hetero.errors import ImportFailure

    with tempfile.TemporaryDirectory() as folder:
        path, output = pathlib.Path(folder) / "model.onnx", pathlib.Path(folder) / "model.mlirbc"
        path.write_bytes(model.SerializeToString())
        command = [find_tool(), "--import-onnx", str(path), "-o", str(output), *options]
        done = subprocess.run(command, capture_output=True, check=False, timeout=300)
        text = done.stderr.decode("utf-8", "replace").replace(str(path), "model").strip()
        if done.returncode < 0:
            raise RuntimeError(f"the reader crashes with signal {-done.returncode}: {text[:200]}")
        if done.returncode:
            raise ImportFailure(text)
        return importers.Imported("model", output.read_bytes(), **describe(model))
