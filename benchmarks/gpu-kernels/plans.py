#!/usr/bin/env python3
"""Assembles a product of each tile plan with each sort of work on its result, and
fails where a kernel spills registers: the tests have some of them only. Needs ptxas,
but no GPU.

  benchmarks/gpu-kernels/plans.py --bin build/dev/bin
"""

import argparse
import concurrent.futures
import glob
import itertools
import os
import subprocess
import sys
import tempfile

import ptx
from programs import ROWS, filled, generic, permit, tensor
from run import RULES, find_tool

ON_GPU = "{hetero.device = #hetero.device<gpu:0>}"

# Element types of factors and of the result.
TYPES = (("f32", "f32"), ("tf32", "f32"), ("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("i8", "i32"))

# Rows, columns and depth that make each tile: small, wide, tall and large ones, and
# parts of a long sum. What is taken from each size leaves chunks that no load takes whole.
SIZES = {
    "small": (64, 64, 128),
    "wide": (64, 16384, 256),
    "tall": (16384, 64, 256),
    "large": (2048, 2048, 256),
    "parts": (64, 128, 8192),
}
RAGGED = {"even": 0, "odd": 1}

# How the factors lie: along the sum, or along the rows and columns of the result.
LAYOUTS = {
    "nn": ("(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)"),
    "nt": ("(i, j, k) -> (i, k)", "(i, j, k) -> (j, k)"),
    "tn": ("(i, j, k) -> (k, i)", "(i, j, k) -> (k, j)"),
}

# Work on the result %p of type T, with operands %a of its shape and %b of its columns.
EPILOGUES = {
    "none": None,
    "relu": "%l = arith.constant 0.0 : T;%s = arith.addf %p, %b : T;%y = arith.maximumf %s, %l : T",
    "tanh": "%y = math.tanh %p : T",
    "exp": "%s = arith.addf %p, %a : T;%y = math.exp %s : T",
    "gelu": "%h = arith.constant 0.5 : T;%one = arith.constant 1.0 : T;%r = arith.constant 0.70710678 : T;%s = arith.addf %p, %b : T;"
    "%x = arith.mulf %s, %r : T;%e = math.erf %x : T;%u = arith.addf %e, %one : T;%v = arith.mulf %s, %h : T;%y = arith.mulf %v, %u : T",
}
INTEGERS = {
    "none": None,
    "relu": "%l = arith.constant 0 : T;%s = arith.addi %p, %b : T;%y = arith.maxsi %s, %l : T",
    "scaled": "%f = arith.sitofp %p : T to f32;%c = arith.constant 0.0078125 : f32;%g = arith.mulf %f, %c : f32;%n = math.roundeven %g : f32;%y = arith.fptosi %n : f32 to T",
}


def lay(text, sizes):
    """The shape of a factor of this map."""
    return [sizes["ijk".index(letter)] for letter in text.split("-> (")[1].rstrip(")").split(", ")]


def write_function(name, types, sizes, layout, epilogue):
    factor, result = types
    maps = LAYOUTS[layout]
    a, b = (tensor(factor, *lay(text, sizes)) for text in maps)
    out, row = tensor(result, *sizes[:2]), tensor(result, sizes[1])
    narrow = factor.removeprefix("t")
    if result == "i32":
        steps = [f"%x = arith.extsi %a : {narrow} to i32", f"%z = arith.extsi %b : {narrow} to i32", "%m = arith.muli %x, %z : i32", "%y = arith.addi %o, %m : i32"]
    elif narrow != result:
        steps = [f"%x = arith.extf %a : {narrow} to {result}", f"%z = arith.extf %b : {narrow} to {result}", f"%m = arith.mulf %x, %z : {result}", f"%y = arith.addf %o, %m : {result}"]
    else:
        steps = [f"%m = arith.mulf %a, %b{permit(factor)} : {result}", f"%y = arith.addf %o, %m : {result}"]
    body = filled("zero", "0" if result == "i32" else "0.0", result, out) + "\n"
    last = "product" if epilogue else "result"
    body += generic(last, out, [("x0", a), ("x1", b)], "zero", steps, ["parallel", "parallel", "reduction"], [*maps, "(i, j, k) -> (i, j)"])
    if epilogue:
        # In place, as what comes out of bufferization mostly is.
        steps = [step.replace("T", result).replace("%p", "%o") for step in epilogue.split(";")]
        body += "\n" + generic("result", out, [("x2", out), ("x3", row)], "product", steps, ["parallel"] * 2, [ROWS, "(i, j) -> (j)", ROWS])
    # No copy stands between a product and the work on its result.
    arguments = ", ".join(f"%x{i}: {type} {ON_GPU}" for i, type in enumerate((a, b, out, row)))
    return f"func.func @{name}({arguments}) -> ({out} {ON_GPU}) {{\n{body}\n  return %result : {out}\n}}\n"


def list_products():
    """Each product: the program that it is part of, and its text."""
    for types, (tile, sizes), (edge, less), layout in itertools.product(TYPES, SIZES.items(), RAGGED.items(), LAYOUTS):
        for work, steps in (INTEGERS if types[1] == "i32" else EPILOGUES).items():
            name = f"{types[0]}_{types[1]}_{tile}_{edge}_{layout}_{work}"
            yield f"{types[0]}-{types[1]}-{tile}", write_function(name, types, [size - less for size in sizes], layout, steps)


def list_programs(every):
    """One product of so many, together by types and tile: name and text."""
    programs = {}
    for name, text in itertools.islice(list_products(), 0, None, every):
        programs[name] = programs.get(name, "") + text
    return list(programs.items())


def list_chips(name):
    """What a program is compiled for, and what each of that is assembled for. Halves have
    other kernels on the chip with warpgroups."""
    yield "sm_80", ("sm_80", "sm_90")
    if name.startswith(("f16", "bf16")):
        yield "sm_90a", ("sm_90a",)


def assemble(options, folder, name, text):
    """The number of kernels of a program, and what spills."""
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w") as file:
        file.write(text)
    count, wrong = 0, []
    for chip, others in list_chips(name):
        command = [os.path.join(options.bin, "hetero-compile"), path + ".mlir", RULES, f"--chip={chip}", "-o", f"{path}-{chip}.ptx"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr}")
        # Many kernels are several files.
        for part, other in itertools.product(sorted(glob.glob(f"{path}-{chip}.*ptx")), others):
            kernels = ptx.assemble(options.ptxas, other, part, f"{path}-{other}.cubin")
            count += len(kernels)
            wrong += [f"{kernel.name} for {other} spills {kernel.spills} bytes" for kernel in kernels if kernel.spills]
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="directory with hetero-compile")
    usual = 1 if os.environ.get("HETERO_FULL_TESTS") else 29
    parser.add_argument("--every", type=int, default=usual, help="assemble one product of so many; all of them with HETERO_FULL_TESTS=1")
    options = parser.parse_args()
    options.ptxas = find_tool("ptxas")
    if not options.ptxas:
        print("skipped: no ptxas; install the CUDA toolkit or set CUDA_HOME")
        return 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: assemble(options, folder, *program), list_programs(options.every)))
    wrong = [line for _, lines in results for line in lines]
    print("\n".join([*wrong, f"assembled {sum(count for count, _ in results)} kernels of products, {len(wrong)} spill"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
