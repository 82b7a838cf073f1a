"""The tests of StableHLO's interpreter as programs: data/interpret.tar.xz, of openxla/stablehlo 3c9301c1 (Apache-2.0).

    %x = stablehlo.constant dense<[-2, 0]> : tensor<2xi64>
    %y = stablehlo.abs %x : tensor<2xi64>
    check.expect_eq_const %y, dense<[2, 0]> : tensor<2xi64>
      ->
    func.func @main(%x: tensor<2xi64>) -> tensor<2xi64>        # called with [-2, 0]; [2, 0] is expected

Operands that are shapes stay constants, and so do constants that are results.
"""

import dataclasses
import pathlib
import re
import tarfile

import ml_dtypes
import numpy as np
from jax.interpreters import mlir
from jaxlib.mlir import ir

from hetero.importers.names import dtype_of

DATA = pathlib.Path(__file__).resolve().parent / "data" / "interpret.tar.xz"
# Of the interpreter and its checks, not of operations.
OTHERS = ("check", "printing", "probe", "api_input_arguments")
CHECK = re.compile(r"check\.(expect_\w+)_const (%[\w#]+),\s*(dense<.*?>)\s*:\s*(tensor<[^\n]*>)", re.DOTALL)
# The operands that are sizes or places in their operands' types, from this one on.
SHAPES = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_conv": 2,
    "stablehlo.dynamic_gather": 2,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_pad": 2,
    "stablehlo.dynamic_reshape": 1,
}


@dataclasses.dataclass
class Program:
    """A module with a function main, its arguments, and for each result what it is compared with: array, and whether exactly."""

    text: str
    arguments: list
    expected: list


def load():
    """The texts of tests by name: "abs/0 abs_op_test_si64"."""
    found = {}
    with tarfile.open(DATA) as archive:
        for member in archive.getmembers():
            file = member.name.removesuffix(".mlir")
            if file in OTHERS:
                continue
            parts = re.split(r"^// -----.*$", archive.extractfile(member).read().decode(), flags=re.MULTILINE)
            for number, text in enumerate(parts):
                functions = [part for part in re.split(r"(?=func\.func )", text) if CHECK.search(part)]
                for function in functions:
                    (name,) = re.match(r"func\.func (?:public |private )?@([\w.]+)", function).groups()
                    found[f"{file}/{number} {name}"] = text if len(functions) == 1 else function
    return found


def _write_generic(text):
    """Checks as operations of a dialect that nobody has to know."""
    numbers = iter(range(text.count("check.")))

    def write(found):
        kind, value, expected, type_ = found.groups()
        name = f"%expected{next(numbers)}"
        return f'{name} = stablehlo.constant {expected} : {type_}\n  "check.{kind}"({value}, {name}) : ({type_}, {type_}) -> ()'

    return CHECK.sub(write, text)


def _dtype(element):
    name = dtype_of(element)
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def _read_bits(token, dtype):
    bits = int(token, 16)
    return np.array(bits, f"u{dtype.itemsize}").view(dtype)[()] if dtype.kind in "fV" else bits


def _read_number(token, dtype):
    if token in ("true", "false"):
        return token == "true"
    if token.startswith("0x"):
        return _read_bits(token, dtype)
    return int(token) if dtype.kind in "iu" or dtype.name.startswith(("int", "uint")) else float(token)


def read_constant(op):
    """The array of a constant; its text has it, for the bindings lack attributes of complex numbers."""
    kind = ir.RankedTensorType(op.results[0].type)
    dtype, shape = _dtype(kind.element_type), tuple(kind.shape)
    part = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
    (body,) = re.search(r"dense<(.*)> : tensor", str(op), re.DOTALL).groups()
    if body.startswith('"0x'):
        flat = np.frombuffer(bytes.fromhex(body[3:-1]), part)
    else:
        with np.errstate(invalid="ignore"):
            numbers = [_read_number(token, part) for token in re.findall(r"[-+.\w]+", body)]
            flat = np.array(numbers, part if part.kind == "u" else None).astype(part)
    flat = np.ascontiguousarray(flat).view(dtype)
    return np.broadcast_to(flat[0], shape).copy() if flat.size == 1 else flat.reshape(shape)


def _stays(use):
    """Shapes, and constants that are results themselves."""
    name = use.owner.name
    return name == "func.return" or (name in SHAPES and use.operand_number >= SHAPES[name])


def _take_constants(block):
    """Makes constants arguments; returns their arrays."""
    arrays = []
    for op in [op.operation for op in block.operations]:
        if op.name != "stablehlo.constant" or any(_stays(use) for use in op.results[0].uses):
            continue
        if any(True for _ in op.results[0].uses):
            arrays.append(read_constant(op))
            op.results[0].replace_all_uses_with(block.add_argument(op.results[0].type, op.location))
        op.erase()
    return arrays


def _take_checks(block):
    """Takes away the checks; returns the values that are checked, and what is expected."""
    values, expected = [], []
    for op in [op.operation for op in block.operations]:
        if op.name.startswith("check."):
            values.append(op.operands[0])
            constant = op.operands[1].owner
            expected.append((read_constant(constant), op.name == "check.expect_eq"))
            op.erase()
            constant.erase()
    return values, expected


def read(text):
    """A Program of a test; ir.MLIRError where JAX's bindings do not know what is in it."""
    with mlir.make_ir_context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(_write_generic(text))
        (function,) = [op.operation for op in module.body.operations if '"check.' in str(op)]
        block = function.regions[0].blocks[0]
        values, expected = _take_checks(block)
        terminator = block.operations[len(block.operations) - 1].operation
        ir.Operation.create("func.return", operands=values, ip=ir.InsertionPoint(terminator))
        terminator.erase()
        arguments = _take_constants(block)
        kinds = [value.type for value in block.arguments], [value.type for value in values]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*kinds))
        function.attributes["sym_name"] = ir.StringAttr.get("main")
        return Program(module.operation.get_asm(print_generic_op_form=True), arguments, expected)
