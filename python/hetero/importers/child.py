"""What the importers have in common: one process, one file in, one file out."""

from __future__ import annotations

import importlib.metadata
import json
import os
import resource
import sys


# What reads and converts StableHLO; python/pyproject.toml has the range of versions.
PACKAGE = "iree-base-compiler"
# The last versions whose bytecode the next reader knows: IREE's importer that of JAX, this LLVM that of IREE's importer.
NEWEST_BYTECODE = {"jax": (0, 7), PACKAGE: (3, 10)}


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


def write(operation, output, package: str) -> None:
    """Bytecode, where weights are bytes, of versions of the package whose bytecode is read; else text."""
    try:
        version = tuple(int(part) for part in importlib.metadata.version(package).split(".")[:2])
    except importlib.metadata.PackageNotFoundError:
        version = NEWEST_BYTECODE[package]
    if version <= NEWEST_BYTECODE[package]:
        with open(output, "wb") as file:
            operation.write_bytecode(file)
    else:
        with open(output, "w", encoding="utf-8") as file:
            operation.print(file=file, enable_debug_info=True, print_generic_op_form=True)


def main(convert) -> None:
    """Runs `convert(source, settings)`, which returns a module and what else Imported has of it, by name.

    The text of an error is in a file of its own: the importers write to stderr too.
    """
    source, output, settings = sys.argv[1:]
    _limit_memory()
    try:
        module, signature = convert(source, json.loads(settings))
        write(module, output, PACKAGE)
    except Exception as error:
        with open(output + ".error", "w", encoding="utf-8") as file:
            file.write(_describe(error))
        sys.exit(1)
    print(json.dumps(signature))
