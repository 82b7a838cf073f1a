"""Networks as linalg on tensors.

ONNX is read by libhetero (hetero.importers.reader), and PyTorch's programs are written
as ONNX by PyTorch's own exporter. StableHLO goes through PyPI's iree-base-compiler, and
LiteRT through Arm's converter to TOSA. These run in a child process: what a broken file
does to them is an exception here.

    pip install jax iree-base-compiler
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from hetero import library
from hetero.errors import ImportFailure


@dataclasses.dataclass
class Imported:
    """A network as an MLIR module; weights are resources in it.

    name: stands for the file in diagnostics.
    source: the module as bytecode, or where libhetero has it.
    argument_names, result_names: of the entry point, as the network calls them.
    argument_dtypes, result_dtypes: names of NumPy's dtypes; the module's
        integers have no sign.
    constants: inputs that decide which branch was imported where it cannot be both; a call with others fails.
        As `values`, they choose it.
    structure: the network's results in order: the name of one of the program's, a list of those of a sequence, or
        None for an optional that is absent.
    """

    name: str
    source: bytes | library.ImportedModule
    argument_names: list[str] | None = None
    result_names: list[str] | None = None
    argument_dtypes: list[str] | None = None
    result_dtypes: list[str] | None = None
    constants: list[str] = dataclasses.field(default_factory=list)
    structure: list | None = None

    @property
    def bytecode(self) -> bytes:
        """The module as MLIR bytecode, written if it has to be."""
        return self.source if isinstance(self.source, bytes) else self.source.write()


# The largest networks take minutes; broken files may take forever.
MAX_SECONDS = 3600


class _Crash(ImportFailure):
    """The importer's process was ended by a signal."""


def _describe_end(child: subprocess.CompletedProcess, error: pathlib.Path) -> str:
    """Why a child process has failed."""
    if error.exists():
        return error.read_text(encoding="utf-8").strip()
    if child.returncode < 0:
        return f"the importer crashed ({signal.Signals(-child.returncode).name}); the file may be broken"
    return child.stderr.decode("utf-8", "replace").strip()


def _run_child(kind: str, source: pathlib.Path, name: str, settings: dict) -> Imported:
    """Imports a file in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        output = pathlib.Path(folder) / "network.mlirbc"
        package = pathlib.Path(__file__).resolve().parent.parent.parent
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))

        command = [sys.executable, "-m", f"hetero.importers.{kind}", str(source), str(output), json.dumps(settings)]
        try:
            child = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            raise ImportFailure(f"cannot import '{name}': it takes more than {MAX_SECONDS} s") from None
        if child.returncode != 0:
            failure = _Crash if child.returncode < 0 else ImportFailure
            raise failure(f"cannot import '{name}': {_describe_end(child, output.with_suffix('.mlirbc.error'))}")
        return Imported(name, output.read_bytes(), **json.loads(child.stdout))


def _import_stablehlo(source: pathlib.Path, name: str, settings: dict) -> Imported:
    """Asks a second process, where the first one crashes, what it was."""
    try:
        return _run_child("stablehlo", source, name, settings)
    except _Crash:
        return _run_child("stablehlo", source, name, settings | {"crashed": True})


def from_file(path: str | os.PathLike, dims: dict | None = None, values: dict | None = None, shapes: dict | None = None) -> Imported:
    """Imports an .onnx or .tflite file.

    dims: sizes of dynamic dimensions, by their names.
    values: arrays for inputs that are to be constants, by their names; `constants` of an ImportFailure
        names those without which the file cannot be imported.
    shapes: what inputs of an .onnx file are, by their names: a list of sizes (None or a name where one is dynamic),
        a list of these for a sequence, whose items are arguments NAME.0, NAME.1 and so on, or None for an
        optional that is absent.
    """
    path = pathlib.Path(path)
    if not os.path.isfile(path):
        raise ImportFailure(f"cannot read '{path}': it is {'a folder' if os.path.isdir(path) else 'not there'}")
    if path.suffix not in (".onnx", ".tflite"):
        raise ImportFailure(
            f"cannot tell what '{path}' is from '{path.suffix}'; expected .mlir, .mlirbc, .onnx or .tflite"
        )
    if path.suffix != ".onnx":
        return _run_child(path.suffix[1:], path, str(path), {"dims": dims or {}})
    from hetero.importers import reader

    return reader.from_file(path, dims, values, shapes)


def from_onnx(model, dims: dict | None = None, values: dict | None = None, shapes: dict | None = None) -> Imported:
    """Imports an onnx.ModelProto; `dims`, `values` and `shapes` as in from_file()."""
    from hetero.importers import reader

    return reader.from_bytes(model.SerializeToString(), model.graph.name or "network", dims, values, shapes)


def from_jax(function, arguments) -> Imported:
    """Imports a JAX function; `arguments` are arrays or jax.ShapeDtypeStruct, as jax.jit().lower() takes them.

    The entry point has one argument and one result per leaf, in JAX's order.
    """
    from hetero.importers import child, jax_function

    name = getattr(function, "__name__", "function")
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        path = pathlib.Path(folder) / "network.mlirbc"
        try:
            signature = jax_function.lower(function, arguments, path)
        except child.Failure as failure:
            raise ImportFailure(f"cannot import '{name}': {failure}") from failure
        imported = _import_stablehlo(path, name, {"rewritten": True})
    return dataclasses.replace(imported, **signature)


def from_stablehlo(source: str | bytes, name: str = "program") -> Imported:
    """Imports a module of StableHLO, as text or bytecode, whose entry point is `main`; `name` is that of diagnostics."""
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        path = pathlib.Path(folder) / "network.mlir"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return _import_stablehlo(path, name, {})


def _is_pytorch(model) -> bool:
    """Whether it is an exported program, or a module that can be exported."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, (torch.nn.Module, torch.export.ExportedProgram))


def from_pytorch(model, arguments=None) -> Imported:
    """Imports a torch.export.ExportedProgram, or exports a torch.nn.Module with example arguments first.

    Dynamic dimensions stay dynamic. One argument and one result per leaf, in PyTorch's order.
    """
    import torch

    from hetero.importers import pytorch, reader

    name = type(model).__name__
    if isinstance(model, torch.nn.Module):
        if arguments is None:
            raise ImportFailure("expected `arguments`, example arguments of the module")
        model = torch.export.export(model, tuple(arguments))
    # The weights stay mapped when the folder is gone.
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        path = os.path.join(folder, f"{name}.onnx")
        try:
            pytorch.write_model(model, path)
            imported = reader.from_file(path)
        except ImportFailure as failure:
            text = str(failure).replace(f"'{path}'", f"'{name}'")
            raise ImportFailure(text if text.startswith("cannot import") else f"cannot import '{name}': {text}") from failure
    return dataclasses.replace(imported, name=name)


def name_of(model) -> str:
    """What a person calls it: the path of a file, the name of a function, else its type."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    return getattr(model, "__name__", type(model).__name__)


def import_model(
    model, dims: dict | None = None, values: dict | None = None, arguments=None, shapes: dict | None = None
) -> Imported:
    """Imports a file, an onnx.ModelProto, a PyTorch program, or a JAX function or PyTorch module with its arguments."""
    if isinstance(model, (str, os.PathLike)):
        return from_file(model, dims, values, shapes)
    if hasattr(model, "SerializeToString"):
        return from_onnx(model, dims, values, shapes)
    if _is_pytorch(model):
        return from_pytorch(model, arguments)
    if callable(model):
        if arguments is None:
            raise ImportFailure("expected `arguments`, example arguments of the function or their shapes")
        return from_jax(model, arguments)
    raise ImportFailure(f"cannot import a {type(model).__name__}; expected a file, an ONNX model, a PyTorch program or a JAX function")
