"""Compiles tensor programs for several devices, and runs them.

    import hetero
    m = hetero.compile("model.mlir", rules="conv-on-gpu.yaml")
    y = m(x)                  # numpy in, numpy out; a list where there are several results
    print(m.placement)        # operation, name, device, why, predicted and measured time
    m.save("model.so")

Networks (.onnx and .tflite files, PyTorch programs, JAX functions) are imported by
projects that do nothing else: see hetero.importers. docs/Python.md has the details.
"""

from hetero.errors import CompileError, CompileWarning, Error, ImportFailure, RunError
from hetero.placement import Placement
from hetero.program import Program, compile, load, reset

__version__ = "0.1.0"

__all__ = [
    "CompileError",
    "CompileWarning",
    "Error",
    "ImportFailure",
    "Placement",
    "Program",
    "RunError",
    "compile",
    "load",
    "reset",
]
