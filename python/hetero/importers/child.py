"""What the importers have in common: one process, one file in, one file out."""

from __future__ import annotations

import importlib.metadata
import json
import os
import resource
import sys


# Of JAX's importer: the version that it was tested with.
PACKAGE = "iree-base-compiler==3.10.0"
NEWEST_BYTECODE = (3, 10)


class Failure(Exception):
    """The text of an error for the user."""


def require(module: str, package: str):
    """Imports a module of another project, or says how to get it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Failure(f"{error}; pip install {package}") from None


def make_context():
    """A context without threads: a network is one function, and copies of a process have none."""
    ir = require("iree.compiler.ir", PACKAGE)
    context = ir.Context()
    context.enable_multithreading(False)
    return context


def find_operations(module, is_wanted) -> list:
    """The operations of a module for which `is_wanted` holds; what is in their regions comes before them."""
    ir = require("iree.compiler.ir", PACKAGE)
    found = []

    def visit(op):
        if is_wanted(op.operation):
            found.append(op.operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def run_passes(module, pipeline: str) -> None:
    """Runs passes of the importer; a Failure has the diagnostics."""
    passmanager = require("iree.compiler.passmanager", PACKAGE)
    with module.context:
        try:
            passmanager.PassManager.parse(pipeline).run(module)
        except Exception as error:  # MLIRError, but for old versions of the bindings.
            diagnostics = [f"{d.location}: {d.message}" for d in getattr(error, "error_diagnostics", [])]
            raise Failure("\n".join(diagnostics) or str(error)) from None


def _describe(error: Exception) -> str:
    if isinstance(error, Failure):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    # The importers raise whatever they like at broken files.
    return f"{type(error).__name__}: {error}"


def _limit_memory() -> None:
    """What asks for more than there is fails, and takes no other process with it."""
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def write(module, output: str) -> None:
    """Bytecode, which this LLVM can read of the versions of the importer up to one; else text."""
    try:
        version = importlib.metadata.version("iree-base-compiler").split(".")
    except importlib.metadata.PackageNotFoundError:
        version = NEWEST_BYTECODE
    if tuple(int(part) for part in version[:2]) <= NEWEST_BYTECODE:
        with open(output, "wb") as file:
            module.write_bytecode(file)
    else:
        with open(output, "w", encoding="utf-8") as file:
            module.print(file=file, enable_debug_info=True, print_generic_op_form=True)


def main(convert) -> None:
    """Runs `convert(source, settings)`, which returns a module and what else Imported has of it, by name.

    The text of an error is in a file of its own: the importers write to stderr too.
    """
    source, output, settings = sys.argv[1:]
    _limit_memory()
    try:
        module, signature = convert(source, json.loads(settings))
        write(module, output)
    except Exception as error:
        with open(output + ".error", "w", encoding="utf-8") as file:
            file.write(_describe(error))
        sys.exit(1)
    print(json.dumps(signature))
