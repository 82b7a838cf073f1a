#!/usr/bin/env python3
"""Shows what NVIDIA's assembler makes of the kernels: registers, spills, shared
memory, occupancy and the mix of instructions, against the roofline. Needs ptxas,
but no GPU.

  benchmarks/gpu-kernels/run.py                    prints the report
  benchmarks/gpu-kernels/run.py --write            writes docs/generated/Kernels.md
  benchmarks/gpu-kernels/run.py --check            compares with that file, and fails
                                                   where a kernel spills registers
  benchmarks/gpu-kernels/run.py --only matmul --sass
"""

import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import ptx
from programs import CASES, describe

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORT = os.path.join(ROOT, "docs", "generated", "Kernels.md")
INPUTS = os.path.join(ROOT, "test", "Codegen", "GPU", "Inputs")
CHIPS = ("sm_80", "sm_90", "sm_90a")
RULES = '--rules={devices: [cpu, "gpu:0"], default: "gpu:0"}'

sys.path.append(INPUTS)
from compare_devices import instantiate  # noqa: E402


def find_tool(name):
    """In the toolkit, in the path, or in a package of Python that has it."""
    if os.environ.get("HETERO_CUDA_DISABLE") == "1":
        return None
    for home in (os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"):
        path = os.path.join(home, "bin", name)
        if home and os.access(path, os.X_OK):
            return path
    return shutil.which(name)


def list_tests():
    """Name and text of each program of the tests and examples."""
    for path in sorted(glob.glob(os.path.join(INPUTS, "*.mlir.in"))):
        with open(path) as file:
            text = file.read()
        for element in re.search(r"^// types: (.*)$", text, re.M).group(1).split():
            yield os.path.basename(path).split(".")[0], f"{os.path.basename(path)}-{element}", instantiate(text, element)
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        with open(path) as file:
            yield "examples", os.path.basename(path), file.read()


def compile(options, folder, name, text):
    """The kernels of a program for each chip."""
    base = os.path.join(folder, re.sub(r"\W", "-", name))
    with open(base + ".mlir", "w") as file:
        file.write(text)
    kernels = {}
    for chip in CHIPS:
        path = f"{base}-{chip}.ptx"
        command = [os.path.join(options.bin, "hetero-compile"), base + ".mlir", RULES, f"--chip={chip}", "-o", path]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr}")
        kernels[chip] = ptx.assemble(options.ptxas, chip, path, f"{base}-{chip}.cubin")
    sass = {}
    if options.sass:
        sass = ptx.disassemble(options.sass, f"{base}-{CHIPS[0]}.cubin")
    return kernels, sass


def format_widths(counter):
    return ", ".join(f"{count} x {width} B" for width, count in sorted(counter.items(), reverse=True))


def format_bound(program, type, machine):
    """The least time on a machine, and what limits it."""
    arithmetic = program.flops / machine.flops[type]
    memory = program.traffic / machine.bandwidth
    return f"{max(arithmetic, memory) * 1e6:.1f} {'math' if arithmetic > memory else 'memory'}"


COLUMNS = ["threads", "registers", "shared", "occupancy", "global loads", "stores", "cp.async", "ldmatrix", "mma", "fma", "float", "shared ld/st", "shuffles", "barriers", "other"]
MIX = ["cp.async", "ldmatrix", "mma", "fma", "float", "shared", "shuffle", "barrier", "other"]


def group_chips(kernels):
    """Lists of chips that have the same kernels."""
    groups = {}
    for chip in CHIPS:
        groups.setdefault(tuple((kernel.name, kernel.threads) for kernel in kernels[chip]), []).append(chip)
    return list(groups.values())


def format_kernel(kernels, index, chips):
    first = kernels[chips[0]][index]
    registers = "/".join(str(kernels[chip][index].registers) for chip in chips)
    machines = [(chip, machine) for chip, machine in ptx.MACHINES.items() if chip in chips]
    occupancy = "/".join(f"{kernels[chip][index].occupancy(machine):.0%}" for chip, machine in machines)
    name = f"`{first.name}`" + (f" on {', '.join(chips)}" if len(chips) < len(CHIPS) else "")
    cells = [name, str(first.threads), registers, str(first.shared), occupancy]
    cells += [format_widths(first.widths["global load"]), format_widths(first.widths["global store"])]
    cells += [str(first.mix[name] or "") for name in MIX]
    return f"| {' | '.join(cells)} |"


def format_case(options, case, compiled):
    make, type, *sizes = case
    program, (kernels, sass) = make(type, *sizes), compiled
    bounds = ", ".join(f"{format_bound(program, type, machine)} on {machine.name}" for machine in ptx.MACHINES.values())
    lines = [f"### {describe(*case)}", ""]
    lines += [f"{program.flops:,} operations on {program.traffic:,} bytes, {program.flops / program.traffic:.1f} per byte; least time, us: {bounds}", ""]
    lines += [f"| {' | '.join(['kernel'] + COLUMNS)} |", f"|---|{'--:|' * len(COLUMNS)}"]
    for chips in group_chips(kernels):
        lines += [format_kernel(kernels, index, chips) for index in range(len(kernels[chips[0]]))]
    if sass:
        lines += ["", "Machine instructions: " + ", ".join(f"{count} {word}" for word, count in sass.most_common(16))]
    return lines + [""]


def format_tests(groups):
    lines = ["## Tests and examples", "", "| programs | kernels | most registers | most shared memory | spilled bytes |", "|---|--:|--:|--:|--:|"]
    for group, kernels in groups.items():
        most = [max((getattr(kernel, name) for kernel in kernels), default=0) for name in ("registers", "shared")]
        lines.append(f"| {group} | {len(kernels)} | {most[0]} | {most[1]} | {sum(kernel.spills for kernel in kernels)} |")
    return lines + [""]


def make_report(options):
    """The report, and the kernels that spill."""
    cases = [case for case in CASES if re.search(options.only, describe(*case))]
    tests = [] if options.only else list(list_tests())
    programs = [(describe(*case), case[0](*case[1:]).text) for case in cases] + [test[1:] for test in tests]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        compiled = list(pool.map(lambda program: compile(options, folder, *program), programs))
    lines = ["<!-- Autogenerated by benchmarks/gpu-kernels/run.py; do not edit -->", "# Kernels as assembled", ""]
    lines += [f"By ptxas {ptx.version(options.ptxas)}. Registers are those on {', '.join(CHIPS)};"]
    lines += [f"occupancy is that on {' and '.join(f'{chip} ({machine.name})' for chip, machine in ptx.MACHINES.items())};"]
    lines += ["instructions are those of the PTX, each counted once however often it runs.", "", "## Benchmark", ""]
    for case, result in zip(cases, compiled):
        lines += format_case(options, case, result)
    groups = {}
    for (group, _, _), (kernels, _) in zip(tests, compiled[len(cases) :]):
        groups.setdefault(group, []).extend(kernel for chip in CHIPS for kernel in kernels[chip])
    lines += format_tests(groups) if groups else []
    spilled = [f"{name}: {kernel.name} for {chip} spills {kernel.spills} bytes" for (name, _), (kernels, _) in zip(programs, compiled) for chip in CHIPS for kernel in kernels[chip] if kernel.spills]
    return "\n".join(lines).rstrip() + "\n", spilled


def compare(report):
    """Prints how the committed report differs; the number of differences."""
    with open(REPORT) as file:
        committed = file.read()
    stated = re.search(r"By ptxas (\S+)\.", committed).group(1)
    present = re.search(r"By ptxas (\S+)\.", report).group(1)
    if stated != present:
        print(f"the report was made with ptxas {stated}, here is {present}: not compared")
        return 0
    difference = list(difflib.unified_diff(committed.splitlines(), report.splitlines(), "docs/generated/Kernels.md", "new", lineterm="", n=0))
    if difference:
        print("\n".join(difference) + "\nrun benchmarks/gpu-kernels/run.py --write")
    return len(difference)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="directory with hetero-compile")
    parser.add_argument("--only", default="", help="regular expression on the names of cases; no tests and examples then")
    parser.add_argument("--sass", action="store_true", help="also count machine instructions, with cuobjdump")
    parser.add_argument("--write", action="store_true", help="write the report to docs/generated")
    parser.add_argument("--check", action="store_true", help="compare with the report in docs/generated")
    options = parser.parse_args()
    options.ptxas = find_tool("ptxas")
    if not options.ptxas:
        print("skipped: no ptxas; install the CUDA toolkit or set CUDA_HOME")
        return 0
    options.sass = options.sass and (find_tool("cuobjdump") or sys.exit("--sass needs cuobjdump in the path"))
    report, spilled = make_report(options)
    if options.write:
        with open(REPORT, "w") as file:
            file.write(report)
    elif not options.check:
        print(report)
    for line in spilled:
        print(line)
    differences = compare(report) if options.check else 0
    return 1 if spilled or differences else 0


if __name__ == "__main__":
    sys.exit(main())
