#!/usr/bin/env python3
"""Prints lib/Import/ONNX/Signatures.def: what types each operator of the standard takes,
over all its versions that are read.

  ~/.cache/hetero/importers/bin/python test/Import/Inputs/signatures.py > lib/Import/ONNX/Signatures.def
"""

import string
import textwrap

import onnx
from onnx import defs

FIRST = 7
HEAD = """//===- Signatures.def - Types that operators take -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/Import/Inputs/signatures.py writes this file from the onnx package. A word an
// input: a letter, the same for inputs of one type and '-' for one that is free, and
// in hexadecimal digits a bit for each number of an element type, bit 0 for what is no
// tensor; the last word stands for all inputs after it where '+' ends the row. Then the
// operators that take these.

// clang-format off
"""
COLUMNS = 100


def bit_of(name):
    """The bit of a type such as tensor(float)."""
    if not name.startswith("tensor("):
        return 1
    return 1 << onnx.TensorProto.DataType.Value(name[7:-1].upper())


def versions_of(schemas):
    """Those that an opset from FIRST on has."""
    schemas = sorted(schemas, key=lambda schema: schema.since_version)
    old = [schema for schema in schemas if schema.since_version <= FIRST]
    return old[-1:] + [schema for schema in schemas if schema.since_version > FIRST]


def is_variadic(schema):
    """Whether its last input stands for all after it."""
    return any(value.option == defs.OpSchema.FormalParameterOption.Variadic for value in schema.inputs)


def row_of(schemas):
    """The words of an operator: types of all versions, letters of the newest."""
    masks, letters, names = [], [], []
    most = max(len(schema.inputs) for schema in schemas)
    for schema in schemas:
        inputs = list(schema.inputs)
        if is_variadic(schema):
            inputs += inputs[-1:] * (most - len(inputs))
        for place, value in enumerate(inputs):
            masks += [0] * (place + 1 - len(masks))
            for name in value.types:
                masks[place] |= bit_of(name)
    newest = schemas[-1]
    for value in newest.inputs:
        if value.type_str not in names:
            names.append(value.type_str)
        letters.append(string.ascii_uppercase[names.index(value.type_str)] if value.is_homogeneous else "-")
    letters += ["-"] * (len(masks) - len(letters))
    return " ".join(f"{letter}{mask:x}" for letter, mask in zip(letters, masks)) + (" +" if is_variadic(newest) else "")


def main():
    operators = {}
    for schema in defs.get_all_schemas_with_history():
        operators.setdefault(f"{schema.domain}:{schema.name}", []).append(schema)
    print(HEAD)
    names = {}
    for name, schemas in sorted(operators.items()):
        is_standard = name.startswith(":")
        names.setdefault(row_of(versions_of(schemas) if is_standard else schemas), []).append(name)
    for row, those in names.items():
        start = f'HETERO_ONNX_SIGNATURE("{row}", "'
        lines = textwrap.wrap(" ".join(those), COLUMNS, initial_indent=start, subsequent_indent='    "', break_long_words=False)
        print(' "\n'.join(lines) + '")')
    print("\n#undef HETERO_ONNX_SIGNATURE")


if __name__ == "__main__":
    main()
