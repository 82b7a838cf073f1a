"""Pipelines over nodes on the emulator's virtual clock: how long a call takes all ranks, as
a multiple of the bound, which is what the busiest engine has to do and the way to it and
from it. A program has a stage on the GPU of each node, which every batch goes through."""

import os
import pathlib
import re
import subprocess
import tempfile

LIMIT = 1.05
# Nodes, batches, and the elements of one.
PIPELINES = ((2, 8, 1048576), (3, 12, 524288), (4, 16, 1048576))


def write_program(nodes, batches, elements):
    batch = f"tensor<{elements}xf32>"
    lines = []
    for number in range(batches):
        value = f"%x{number}"
        for node in range(nodes):
            place = f", node = {node}" if node else ""
            for step in range(4):
                operation = "arith.addf" if step % 2 else "arith.mulf"
                result = f"%v{number}_{node}_{step}"
                lines.append(f"  {result} = {operation} {value}, {value} {{hetero.device = #hetero.device<gpu:0{place}>}} : {batch}")
                value = result
        lines.append(f"  %y{number} = arith.addf {value}, {value} {{hetero.device = #hetero.device<gpu:0{place}>}} : {batch}")
    arguments = ", ".join(f"%x{number}: {batch}" for number in range(batches))
    results = ", ".join(f"%y{number}" for number in range(batches))
    types = ", ".join([batch] * batches)
    return f"func.func @main({arguments}) -> ({types}) {{\n" + "\n".join(lines) + f"\n  return {results} : {types}\n}}\n"


def measure(tool):
    """Prints a table. Returns what is above the limit."""
    environment = {**os.environ, "HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": "clock=virtual"}
    failures = []
    print("| nodes | batches | a batch, MiB | virtual time, us | bound, us | of the bound |\n|--:|--:|--:|--:|--:|--:|")
    for nodes, batches, elements in PIPELINES:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pipeline.mlir"
            path.write_text(write_program(nodes, batches, elements))
            command = [tool, str(path), "--nodes=in-process", "--report", "--print-max=1", *[f"--input={elements}xf32=0"] * batches]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
        call = re.search(r"call: ([0-9.]+) us on the virtual clock, predicted [0-9.]+ us, bound ([0-9.]+) us", done.stdout)
        if not call:
            failures.append(f"{nodes} nodes: {done.stderr.strip()}")
            continue
        taken, bound = float(call[1]), float(call[2])
        print(f"| {nodes} | {batches} | {elements * 4 / 1048576:.0f} | {taken:.0f} | {bound:.0f} | {taken / bound:.3f} |", flush=True)
        if taken > LIMIT * bound:
            failures.append(f"{nodes} nodes: {taken / bound:.3f} of the bound, above {LIMIT}")
    return failures
