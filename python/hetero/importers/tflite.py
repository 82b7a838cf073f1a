"""LiteRT to TOSA, by Arm's converter: python -m hetero.importers.tflite IN.tflite OUT.mlirbc '{"dims": {}}'

Operations of the result have "conv2d/NAME" as location, where NAME is that of the
tensor that they make.
"""

from __future__ import annotations

import collections
import os
import tempfile

from hetero.importers import child


def _convert(source: str):
    """The module that the converter writes."""
    converter = child.require("tosa_converter_for_tflite", "tosa-converter-for-tflite==2026.2.0")
    ir = child.require("iree.compiler.ir", "iree-base-compiler==3.10.0")
    with tempfile.TemporaryDirectory(prefix="hetero") as folder:
        path = os.path.join(folder, "network.mlirbc")
        try:
            converter.tflite_flatbuffer_to_tosa_mlir(
                source, path, converter.TosaConverterOutputFormat.Bytecode, converter.TosaConverterDebugInfo.Enable
            )
        except Exception as error:
            raise child.Failure(f"it is no LiteRT model, or one that the converter refuses: {error}") from None
        with open(path, "rb") as file:
            bytecode = file.read()
    context = child.make_context()
    # Operations of LiteRT that have no form in TOSA.
    context.allow_unregistered_dialects = True
    return ir.Module.parse(bytecode, context=context).operation


def _find_name(location) -> str | None:
    """The first of the names that the converter joins where it fuses operations."""
    if location.is_a_fused():
        return next(filter(None, map(_find_name, location.locations)), None)
    return location.name_str.split(";")[0] if location.is_a_name() else None


def _operations(function):
    return [op.operation for block in function.regions[0] for op in block]


def _check(function) -> None:
    unknown = collections.Counter()
    for op in _operations(function):
        if op.name == "tosa.custom":
            unknown[op.attributes["operator_name"].value] += 1
        elif op.name.startswith("tfl."):
            unknown[op.name] += 1
    if unknown:
        listed = ", ".join(f"{name} ({count})" for name, count in unknown.items())
        raise child.Failure(f"these operations have no form in TOSA: {listed}")


def _name_operations(function) -> None:
    from iree.compiler import ir

    for number, op in enumerate(_operations(function)):
        name = _find_name(op.location) or str(number)
        op.location = ir.Location.name(f"{op.name.removeprefix('tosa.')}/{name}", context=function.context)


def _describe(function) -> dict:
    """Names of the arguments and the results, where the file has them."""
    from iree.compiler import ir

    if "tf.entry_function" not in function.attributes:
        return {}
    entry = ir.DictAttr(function.attributes["tf.entry_function"])
    names = {"argument_names": entry["inputs"].value.split(","), "result_names": entry["outputs"].value.split(",")}
    type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    fits = len(names["argument_names"]) == len(type.inputs) and len(names["result_names"]) == len(type.results)
    return names if fits else {}


def convert(source: str, settings: dict):
    if settings.get("dims"):
        raise child.Failure("its dimensions are static: it takes no `dims`")
    module = _convert(source)
    functions = [op.operation for op in module.regions[0].blocks[0] if op.operation.name == "func.func"]
    if not functions:
        raise child.Failure("it has no function")
    for function in functions:
        _check(function)
        _name_operations(function)
    return module, _describe(functions[0])


if __name__ == "__main__":
    child.main(convert)
