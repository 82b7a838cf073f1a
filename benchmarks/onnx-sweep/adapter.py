"""Our side: the one place that knows how a model is imported and run.

A route imports a model; what it gives is compiled and called in this process.

  reader   hetero-translate --import-onnx, a program of its own for each model
  python   hetero.importers' conversion, in this process
  package  hetero.importers.import_model, whatever the package does
  none     nothing: which models the references run
"""

import os
import pathlib
import signal
import subprocess
import tempfile

import numpy as np
import onnx

import hetero
import types_of_onnx as types
from hetero import importers
from hetero.importers import constants

SECONDS = 60
# How the reason of a refusal begins.
PHASES = ("import: ", "compile: ", "call: ", "run: ")


class Refused(Exception):
    """An error with a message: the phase and what was said."""


class Crashed(Exception):
    """A program of its own crashed or did not end."""


def signature_of(model):
    """Names and types of the arguments and the results."""
    weights = {weight.name for weight in model.graph.initializer}
    arguments = [value for value in model.graph.input if value.name not in weights]

    def dtypes(values):
        return [np.dtype(types.dtype_of(types.type_of_proto(value.type))).name for value in values]

    return {
        "argument_names": [value.name for value in arguments],
        "result_names": [value.name for value in model.graph.output],
        "argument_dtypes": dtypes(arguments),
        "result_dtypes": dtypes(model.graph.output),
    }


def find_translate(named):
    """The path of hetero-translate: the given one, or that of the library's build, or of a build of this checkout."""
    if named:
        return named
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    library = os.environ.get("HETERO_LIBRARY")
    builds = [pathlib.Path(library).resolve().parent.parent] if library else []
    builds += [root / "build" / preset for preset in ("release", "dev")]
    return str(next((path for build in builds if (path := build / "bin" / "hetero-translate").exists()), "hetero-translate"))


class ReaderRoute:
    """The reader, by hetero-translate."""

    def __init__(self, translate):
        self.translate = find_translate(translate)

    def import_bytes(self, data, folder):
        """The bytecode of a file's bytes."""
        source, output = os.path.join(folder, "node.onnx"), os.path.join(folder, "node.mlirbc")
        with open(source, "wb") as file:
            file.write(data)
        command = [self.translate, "--import-onnx", source, "-o", output]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Crashed(f"the reader takes more than {SECONDS} s") from None
        if done.returncode < 0 or done.returncode >= 128:
            number = -done.returncode if done.returncode < 0 else done.returncode - 128
            raise Crashed(f"the reader crashed ({signal.Signals(number).name})")
        if done.returncode:
            raise Refused("import: " + _tell(done.stderr.decode("utf-8", "replace").replace(source, "FILE")))
        with open(output, "rb") as file:
            return file.read()

    def convert(self, model):
        with tempfile.TemporaryDirectory() as folder:
            bytecode = self.import_bytes(model.SerializeToString(), folder)
        return importers.Imported("node", bytecode, **signature_of(model))


class PythonRoute:
    """The importers of the package in this process: a crash is the worker's."""

    def convert(self, model):
        from hetero.importers import child, onnx as importer

        with tempfile.TemporaryDirectory() as folder:
            source, output = os.path.join(folder, "node.onnx"), os.path.join(folder, "node.mlirbc")
            with open(source, "wb") as file:
                file.write(model.SerializeToString())
            try:
                module, signature = importer.convert(source, {})
                with open(output, "wb") as file:
                    module.write_bytecode(file)
            except child.Failure as failure:
                raise Refused(f"import: {failure}") from None
            except Exception as error:  # Of any part of a foreign compiler.
                raise Refused(f"import: {type(error).__name__}: {error}") from None
            with open(output, "rb") as file:
                return importers.Imported("node", file.read(), **signature)


class PackageRoute:
    """What the package does."""

    def convert(self, model):
        try:
            return importers.import_model(model)
        except hetero.ImportFailure as failure:
            raise Refused(f"import: {failure}") from None


class NoRoute:
    """Refuses."""

    def convert(self, model):
        raise Refused("import: not asked for")


def make_route(name, translate):
    routes = {"reader": lambda: ReaderRoute(translate), "python": PythonRoute, "package": PackageRoute, "none": NoRoute}
    return routes[name]()


def _tell(text):
    """What a diagnostic says, from its first error on."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if "error:" in line), 0)
    return " ".join(lines[first : first + 3])[:400] or "no message"


def _fixed(model, feeds):
    """The model with inputs that shapes depend on as constants, and the feeds that are left."""
    names = [name for name in constants.shape_inputs(model) if isinstance(feeds.get(name), np.ndarray)]
    if not names:
        return None, feeds
    return constants.fix_inputs(model, {name: feeds[name] for name in names}), {k: v for k, v in feeds.items() if k not in names}


def import_case(route, model, feeds):
    """What was imported, and the feeds for it. Where a route asks for values, it gets those of inputs like axes."""
    try:
        if not isinstance(route, PythonRoute):
            return route.convert(model), feeds
        fixed, left = _fixed(model, feeds)
        return (route.convert(fixed), left) if fixed else (route.convert(model), feeds)
    except Refused:
        fixed, left = _fixed(model, feeds) if not isinstance(route, PythonRoute) else (None, feeds)
        if fixed is None:
            raise
        return route.convert(fixed), left


def run_case(route, case, place, phase):
    """Our results; `phase` is told what is done next."""
    phase("imports")
    imported, feeds = import_case(route, case.model, case.feeds)
    if not all(isinstance(value, np.ndarray) for value in feeds.values()):
        raise Refused("call: sequences, optional values and maps are no arrays")
    phase("compiles")
    try:
        program = hetero.compile(imported, rules=f'default: "{place}"')
        phase("runs")
        outputs = program(**feeds)
    except hetero.CompileError as error:
        raise Refused(f"compile: {_tell(str(error))}") from None
    except hetero.RunError as error:
        raise Refused(f"run: {_tell(str(error))}") from None
    except Exception as error:  # None but the package's own is to come.
        raise Crashed(f"{type(error).__name__}: {error}") from None
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [np.asarray(output) for output in outputs]


def read_model(data):
    """The ModelProto of a file's bytes; None where there is none in them."""
    try:
        return onnx.load_from_string(data)
    except Exception:  # protobuf's own classes of exceptions differ by version.
        return None
