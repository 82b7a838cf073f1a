"""Our side: the one place that knows how a model is imported and run."""

import functools

import numpy as np
import onnx

import hetero
from hetero.importers import reader

# How the reason of a refusal begins.
PHASES = ("import: ", "compile: ", "call: ", "run: ")


class Refused(Exception):
    """An error with a message: the phase and what was said."""


class Crashed(Exception):
    """A crash, or an exception that is not the package's."""


def _tell(text):
    """What a diagnostic says, from its first error on."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if "error:" in line), 0)
    return " ".join(lines[first : first + 3])[:400] or "no message"


def import_bytes(data, feeds):
    """What the bytes of a file are imported to, and the feeds for it: inputs that have to be constants have theirs."""
    try:
        imported, constants = reader.import_for_call(functools.partial(reader.from_bytes, data, "FILE"), feeds)
    except hetero.ImportFailure as failure:
        raise Refused("import: " + _tell(str(failure))) from None
    return imported, {name: value for name, value in reader.list_arguments(feeds).items() if name not in constants}


def run_case(case, place, phase, data=None):
    """Our results on the case's model, or the bytes that it is of; `phase` is told what is done next."""
    phase("imports")
    imported, feeds = import_bytes(data or case.model.SerializeToString(), case.feeds)
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
    return reader.join_results(imported, outputs)


def read_model(data):
    """The ModelProto of a file's bytes; None where there is none in them."""
    try:
        return onnx.load_from_string(data)
    except Exception:  # protobuf's own classes of exceptions differ by version.
        return None
