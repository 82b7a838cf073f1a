"""The programs that the bundle measures, on values that stay on the device, each
also as calls of a library where there is one."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "benchmarks", "gpu-kernels"))
import programs  # noqa: E402

ON_GPU = " {hetero.device = #hetero.device<gpu:0>}"
CHIPS = ["sm_80", "sm_90a"]
COPIED = "tensor<4096x4096xf32>"


def keep_on_device(text):
    """Arguments and the result on gpu:0."""
    head, brace, body = text.partition(" {\n")
    head = re.sub(r"(%x\d+: tensor<[^>]*>)", lambda found: found.group() + ON_GPU, head)
    arguments, arrow, result = head.partition(" -> ")
    return f"{arguments} -> ({result}{ON_GPU}){brace}{body}"


def inputs_of(text):
    """Random numbers for each argument, as hetero-run takes them."""
    types = re.findall(r"%x\d+: tensor<([^>]*)>", text.partition("{\n")[0])
    return [f"{type}=rand{'int' if 'xi' in type else 'om'}:{i + 1}" for i, type in enumerate(types)]


def rules(codegen):
    choice = f", rules: [{{op: 'linalg.*', device: 'gpu:0', codegen: '{codegen}'}}]" if codegen else ""
    return f"--rules={{default: 'gpu:0'{choice}}}"


def library_of(make, type):
    name = {"matmul": "cublas", "batch_matmul": "cublas", "convolution": "cudnn", "planar_convolution": "cudnn"}.get(make.__name__)
    return name and name + (":tf32" if type == "tf32" else "")


def kernel_cases():
    """Yields (description, text, library, operations, bytes, type)."""
    for make, type, *sizes in programs.CASES:
        library = library_of(make, type)
        if library or make is programs.add:
            program = make(type, *sizes)
            yield programs.describe(make, type, *sizes), program, library, type


def copy_cases():
    """Yields (name of the direction, text) for a copy from and to the device."""
    yield "to the device", f"func.func @main(%x0: {COPIED}) -> ({COPIED}{ON_GPU}) {{\n  return %x0 : {COPIED}\n}}\n"
    yield "from the device", f"func.func @main(%x0: {COPIED}{ON_GPU}) -> {COPIED} {{\n  return %x0 : {COPIED}\n}}\n"


def compile_cases(compiler, folder, work):
    """The manifest's entries of what is measured, and what could not be compiled."""
    entries, left_out = [], []

    def make(name, text, *options):
        path = os.path.join(work, "case.mlir")
        with open(path, "w") as file:
            file.write(text)
        program, reason = compiler.compile(path, list(options), folder)
        if reason:
            left_out.append(f"{name} {' '.join(options)}: {reason}")
        return program

    for name, program, library, type in kernel_cases():
        text = keep_on_device(program.text)
        entry = {"kind": "kernel", "name": name, "type": type, "library": library, "flops": program.flops, "bytes": program.traffic}
        entry["inputs"] = inputs_of(text)
        entry["programs"] = {chip: make(name, text, rules(None), f"--chip={chip}") for chip in CHIPS}
        entry["reference"] = make(name, text, rules(library)) if library else None
        entries.append(entry)
    for name, text in copy_cases():
        entry = {"kind": "copy", "name": name, "bytes": 4 * 4096 * 4096, "inputs": inputs_of(text)}
        entry["programs"] = {"sm_80": make(name, text)}
        entries.append(entry)
    return entries, left_out
