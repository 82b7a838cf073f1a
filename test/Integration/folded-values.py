#!/usr/bin/env python3
"""Compares operations of arith, math and complex on constants, which compilers fold,
with the same operations on arguments, which a device computes.

  folded-values.py [--all] [--only OPERATION] [OPTION OF hetero-run...]

Without --all, the widths of most types are left out, and most pairs of values.
Each operation is asked for special values of each type: bits must be equal, where a
function of math may differ in its last digits. NaN may have any bits.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "i1": np.bool_}
# How far a function may be from itself, in units of the last place.
ULPS = {"f32": 16, "f64": 16, "f16": 2}

# Larger programs take longer than all of their parts.
GROUP = 12

COMPARISONS = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno false true".split()
INTEGER_COMPARISONS = "eq ne slt sle sgt sge ult ule ugt uge".split()
FLOAT_UNARY = ["arith.negf", "math.absf", "math.ceil", "math.floor", "math.round", "math.roundeven", "math.trunc"]
CLASSES = ["math.isfinite", "math.isinf", "math.isnan", "math.isnormal"]
FUNCTIONS = """acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10 log1p log2 rsqrt sin
sinh sqrt tan tanh""".split()
FLOAT_BINARY = """arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf arith.maxnumf
arith.minnumf math.copysign""".split()
INTEGER_UNARY = ["math.absi", "math.ctlz", "math.cttz", "math.ctpop"]
INTEGER_BINARY = "addi subi muli andi ori xori maxsi maxui minsi minui".split()
DIVISIONS = "divsi divui ceildivsi ceildivui floordivsi remsi remui".split()
SHIFTS = "shli shrsi shrui".split()
COMPLEX_UNARY = "neg conj exp expm1 log log1p sin cos tan tanh sqrt rsqrt sign".split()
COMPLEX_BINARY = "add sub mul div pow atan2".split()


def float_values(kind):
    info = np.finfo(FLOATS[kind])
    return [0.0, -0.0, np.inf, -np.inf, np.nan, info.smallest_subnormal, -info.smallest_subnormal, info.max, info.min,
            info.tiny, 1.0, -1.0, 0.5, -1.5, 2.0, 3.0]  # fmt: skip


def integer_values(kind):
    width = 8 * np.dtype(INTEGERS[kind]).itemsize
    return [0, 1] if kind == "i1" else [-(2 ** (width - 1)), 2 ** (width - 1) - 1, -1, 0, 1, 2, 7, -3]


def literal(number, kind):
    """A constant attribute."""
    if kind in INTEGERS:
        return str(int(number)) if kind != "i1" else ("true" if number else "false")
    with np.errstate(over="ignore"):
        bits = FLOATS[kind](number)
    return f"0x{int(bits.view(f'uint{8 * bits.itemsize}')):0{2 * bits.itemsize}X}"


class Case:
    """An operation on values of the types `kinds`, one column of `values` each."""

    def __init__(self, text, kinds, result, values, is_function=False):
        self.text, self.kinds, self.result, self.values = text, kinds, result, values
        self.is_function = is_function

    def write(self, operands, result, prefix):
        """Lines that compute `result` of the operands' names."""
        return [line.replace("%r", result).replace("%t", prefix) for line in self.text.format(*operands).split("\n")]


def pairs(values, count=2):
    return list(zip(*itertools.product(values, repeat=count)))


def float_cases(kind):
    values, f = float_values(kind), kind
    few = [v for v in values if v in (0.0, np.inf, 1.0, -1.5) or np.isnan(v)] + [-np.inf]
    for op in FLOAT_UNARY:
        yield Case(f"%r = {op} {{0}} : {f}", [f], f, [values])
    for op in CLASSES:
        yield Case(f"%r = {op} {{0}} : {f}", [f], "i1", [values])
    for op in FUNCTIONS:
        yield Case(f"%r = math.{op} {{0}} : {f}", [f], f, [values], True)
    yield Case(f"%tx, %r = math.sincos {{0}} : {f}", [f], f, [values], True)
    for op in FLOAT_BINARY:
        yield Case(f"%r = {op} {{0}}, {{1}} : {f}", [f, f], f, pairs(values))
    for op in ("atan2", "powf"):
        yield Case(f"%r = math.{op} {{0}}, {{1}} : {f}", [f, f], f, pairs(values), True)
    for predicate in COMPARISONS:
        yield Case(f"%r = arith.cmpf {predicate}, {{0}}, {{1}} : {f}", [f, f], "i1", pairs(few))
    yield Case(f"%r = math.fma {{0}}, {{1}}, {{2}} : {f}", [f] * 3, f, pairs(few, 3))
    bounds = [(v, low, high) for v in values for low, high in ((-1.0, 1.0), (0.0, np.inf), (-0.0, 0.0), (0.0, 6.0))]
    yield Case(f"%r = math.clampf {{0}} to [{{1}}, {{2}}] : {f}", [f] * 3, f, list(zip(*bounds)))
    powers = [(v, n) for v in values for n in (0, 1, -1, 2, -3, 2**31 - 1, -(2**31))]
    yield Case(f"%r = math.fpowi {{0}}, {{1}} : {f}, i32", [f, "i32"], f, list(zip(*powers)), True)
    for to in INTEGERS:
        for op in ("fptosi", "fptoui"):
            yield Case(f"%r = arith.{op} {{0}} : {f} to {to}", [f], to, [values + [300.0, -300.0, 7e4, 3e9, -3e9]])
    for to in FLOATS:
        op = "extf" if np.dtype(FLOATS[to]).itemsize > np.dtype(FLOATS[f]).itemsize else "truncf"
        if to != f:
            yield Case(f"%r = arith.{op} {{0}} : {f} to {to}", [f], to, [values])
    integer = f"i{8 * np.dtype(FLOATS[f]).itemsize}"
    yield Case(f"%r = arith.bitcast {{0}} : {f} to {integer}", [f], integer, [[v for v in values if v == v]])
    yield Case(f"%r = arith.select {{0}}, {{1}}, {{2}} : {f}", ["i1", f, f], f, [(0, 1), (1.0, -0.0), (2.0, 3.0)])


def integer_cases(kind):
    values, i = integer_values(kind), kind
    width = 1 if i == "i1" else 8 * np.dtype(INTEGERS[i]).itemsize
    for op in INTEGER_UNARY if width > 1 else []:
        yield Case(f"%r = {op} {{0}} : {i}", [i], i, [values])
    for op in INTEGER_BINARY:
        yield Case(f"%r = arith.{op} {{0}}, {{1}} : {i}", [i, i], i, pairs(values))
    for op in INTEGER_COMPARISONS:
        yield Case(f"%r = arith.cmpi {op}, {{0}}, {{1}} : {i}", [i, i], "i1", pairs(values))
    for op in ("sitofp", "uitofp"):
        for to in FLOATS:
            yield Case(f"%r = arith.{op} {{0}} : {i} to {to}", [i], to, [values])
    for to in INTEGERS:
        other = 1 if to == "i1" else 8 * np.dtype(INTEGERS[to]).itemsize
        for op in ("extsi", "extui") if other > width else ("trunci",) if other < width else ():
            yield Case(f"%r = arith.{op} {{0}} : {i} to {to}", [i], to, [values])
    if width > 1:
        yield from wide_cases(i, width, values)


def wide_cases(i, width, values):
    low = -(2 ** (width - 1))
    defined = [(a, b) for a, b in itertools.product(values, values) if b != 0 and (a, b) != (low, -1)]
    for op in DIVISIONS:
        yield Case(f"%r = arith.{op} {{0}}, {{1}} : {i}", [i, i], i, list(zip(*defined)))
    defined = [(a, b) for a in values for b in (0, 1, width // 2, width - 1)]
    for op in SHIFTS:
        yield Case(f"%r = arith.{op} {{0}}, {{1}} : {i}", [i, i], i, list(zip(*defined)))
    for op in ("addui", "mulsi", "mului"):
        type = "i1" if op == "addui" else i
        suffix = ", i1" if op == "addui" else ""
        for first, second, kind in (("%r", "%tx", i), ("%tx", "%r", type)):
            text = f"{first}, {second} = arith.{op}_extended {{0}}, {{1}} : {i}{suffix}"
            yield Case(text, [i, i], kind, pairs(values))
    powers = [(a, n) for a in (-3, -1, 1, 2) for n in (0, 1, 2, 5, -1, -2)]
    yield Case(f"%r = math.ipowi {{0}}, {{1}} : {i}", [i, i], i, list(zip(*powers)))
    for op in ("index_cast", "index_castui"):
        text = f"%tx = arith.{op} {{0}} : {i} to index\n%ty = arith.addi %tx, %tx : index"
        yield Case(f"{text}\n%r = arith.{op} %ty : index to i64", [i], "i64", [values])


def complex_cases(kind):
    f, c = kind, f"complex<{kind}>"
    values = [0.0, -0.0, np.inf, np.nan, 1.0, -1.5]
    make = f"%ta = complex.create {{0}}, {{1}} : {c}\n"
    other = f"%tb = complex.create {{2}}, {{3}} : {c}\n"
    for part in ("re", "im"):
        take = f"\n%r = complex.{part} %tc : {c}"
        for op in COMPLEX_UNARY:
            yield Case(f"{make}%tc = complex.{op} %ta : {c}{take}", [f, f], f, pairs(values), True)
        for op in COMPLEX_BINARY:
            numbers = pairs([0.0, -0.0, 1.0, -1.5], 4)
            yield Case(f"{make}{other}%tc = complex.{op} %ta, %tb : {c}{take}", [f] * 4, f, numbers, True)
    for op in ("abs", "angle"):
        yield Case(f"{make}%r = complex.{op} %ta : {c}", [f, f], f, pairs(values), True)
    for op in ("eq", "neq"):
        yield Case(f"{make}{other}%r = complex.{op} %ta, %tb : {c}", [f] * 4, "i1", pairs([0.0, -0.0, np.nan, 1.0], 4))


def tensor(count, kind):
    return f"tensor<{count}x{kind}>"


def write_folded(cases):
    """A function without arguments: scalars, of which a tensor is made for each case."""
    lines, names, types = [], [], []
    for number, case in enumerate(cases):
        results = []
        for index, row in enumerate(zip(*case.values)):
            operands = []
            for place, (value, kind) in enumerate(zip(row, case.kinds)):
                name = f"%c{number}_{index}_{place}"
                suffix = "" if kind == "i1" else f" : {kind}"
                lines.append(f"{name} = arith.constant {literal(value, kind)}{suffix}")
                operands.append(name)
            results.append(f"%r{number}_{index}")
            lines += case.write(operands, results[-1], f"%t{number}_{index}")
        type = tensor(len(results), case.result)
        lines.append(f"%r{number} = tensor.from_elements {', '.join(results)} : {type}")
        names.append(f"%r{number}")
        types.append(type)
    return function("", lines, names, types)


def write_computed(cases, arguments):
    """The same on tensors, which are arguments; adds their elements to `arguments`."""
    lines, names, types, known = [], [], [], {}
    for number, case in enumerate(cases):
        operands = []
        for values, kind in zip(case.values, case.kinds):
            with np.errstate(over="ignore"):
                key = (kind, np.array(values, {**FLOATS, **INTEGERS}[kind]).tobytes())
            if key not in known:
                known[key] = f"%a{len(arguments)}"
                arguments.append((np.frombuffer(key[1], {**FLOATS, **INTEGERS}[kind]), kind))
            operands.append(known[key])
        count = len(case.values[0])
        result = tensor(count, case.result)
        inputs = [tensor(count, kind) for kind in case.kinds]
        lines.append(f"%e{number} = tensor.empty() : {result}")
        elements = [f"%x{number}_{place}" for place in range(len(operands))]
        given = ", ".join(f"{name}: {kind}" for name, kind in zip(elements, case.kinds))
        lines.append(f"%r{number} = linalg.map ins({', '.join(operands)} : {', '.join(inputs)}) outs(%e{number} : {result})")
        lines.append(f"({given}, %o{number}: {case.result}) {{")
        lines += case.write(elements, f"%y{number}", f"%t{number}")
        lines += [f"linalg.yield %y{number} : {case.result}", "}"]
        names.append(f"%r{number}")
        types.append(result)
    given = ", ".join(f"%a{index}: {tensor(len(array), kind)}" for index, (array, kind) in enumerate(arguments))
    return function(given, lines, names, types)


def function(arguments, lines, names, types):
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n{body}\n  return {', '.join(names)} : {', '.join(types)}\n}}\n"


def run(text, arguments, count, options, folder):
    """The results of the program."""
    source = os.path.join(folder, "main.mlir")
    with open(source, "w") as file:
        file.write(text)
    command = ["hetero-run", source, *options]
    for index, (array, _) in enumerate(arguments):
        np.save(os.path.join(folder, f"in{index}.npy"), array)
        command.append(f"--input=@{folder}/in{index}.npy")
    command += [f"--output={folder}/out{index}.npy" for index in range(count)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(options)}: {done.stderr[:2000]}")
    return [np.load(os.path.join(folder, f"out{index}.npy")) for index in range(count)]


def denormal_operands(case):
    """The places where an operand is a denormal number."""
    result = np.zeros(len(case.values[0]), bool)
    for column, kind in zip(case.values, case.kinds):
        if kind in FLOATS:
            numbers = np.array(column, np.float64)
            result |= (numbers != 0) & (np.abs(numbers) < np.finfo(FLOATS[kind]).tiny)
    return result


def differs(case, folded, computed):
    """The places where the two are not the same number."""
    if folded.dtype.kind != "f":
        return folded != computed
    integer = f"uint{8 * folded.dtype.itemsize}"
    same = folded.view(integer) == computed.view(integer)
    same |= np.isnan(folded) & np.isnan(computed)
    if case.is_function:
        info = np.finfo(folded.dtype)
        with np.errstate(all="ignore"):
            error = np.abs(folded.astype(np.float64) - computed.astype(np.float64))
            size = np.abs(folded.astype(np.float64))
            # A part of a complex number is as exact as the whole.
            size = np.maximum(size, 1) if "complex." in case.text else size
            allowed = ULPS[case.result] * info.eps * size
            # Functions may take denormal numbers for other ones.
            near = (error <= np.maximum(allowed, info.tiny)) | denormal_operands(case)
        both_zero = (folded == 0) & (computed == 0)
        same |= near & ~both_zero & np.isfinite(folded) & np.isfinite(computed)
    return ~same


def results_of(cases, options):
    """Yields (case, folded results, computed results), of some cases at a time."""
    for begin in range(0, len(cases), GROUP):
        group, arguments = cases[begin : begin + GROUP], []
        with tempfile.TemporaryDirectory() as folder:
            folded = run(write_folded(group), [], len(group), options, folder)
            text = write_computed(group, arguments)
            computed = run(text, arguments, len(group), options, folder)
        yield from zip(group, folded, computed)


def main():
    options, only = sys.argv[1:], None
    if "--only" in options:
        place = options.index("--only")
        only = options[place + 1]
        del options[place : place + 2]
    everything = "--all" in options
    options = [option for option in options if option != "--all"]
    cases = [case for kind in FLOATS if everything or kind == "f32" for case in float_cases(kind)]
    cases += [case for kind in INTEGERS if everything or kind == "i32" for case in integer_cases(kind)]
    cases += [case for kind in ("f32", "f64") if everything or kind == "f64" for case in complex_cases(kind)]
    cases = [case for case in cases if not only or re.search(only, case.text)]
    if not everything:
        for case in cases:
            case.values = [column[:: 1 + len(column) // 48] for column in case.values]
    wrong, values = 0, 0
    for case, left, right in results_of(cases, options):
        places = differs(case, left, right)
        values += len(places)
        wrong += int(places.any())
        for index in np.flatnonzero(places)[:4]:
            given = ", ".join(str(column[index]) for column in case.values)
            text = case.text.replace("\n", "; ")
            print(f"{text}: of {given}: folded {left[index]}, computed {right[index]}", flush=True)
    print(f"{values} values of {len(cases)} operations, {wrong} operations wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
