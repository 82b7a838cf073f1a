#!/usr/bin/env python3
"""Compares the runtime's transfers between ranks with MPI itself, both in turns
in the same two processes of this machine: the time of a message there and back,
by its size. Prints a table, and fails where a ratio is above the limit at sizes
above 64 KiB. Run it by `scripts/benchmark machines`, which installs MPI.

  benchmarks/machines/run.py --lib build/release/lib
  benchmarks/machines/run.py --lib build/release/lib --starpu

With --starpu, the time of a step of a chain whose steps two ranks take in
turns, each on what the other one has sent: the same mapping by the runtime's
transfers and by tasks of StarPU (libstarpu-dev), with the same kernel.
"""

import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
# What the limit holds for.
LARGE = 64 * 1024
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "STARPU_SILENT": "1",
    # One worker per rank, as the runtime has.
    "STARPU_NCPU": "1",
    "STARPU_WORKERS_NOBIND": "1",
}


def build(compiler, source, program, library, more=()):
    command = [compiler, "-O2", "-std=gnu11", f"-I{ROOT}/include", os.path.join(HERE, source), "-o", program]
    if library:
        command += [f"-L{library}", "-lhetero_runtime", f"-Wl,-rpath,{os.path.abspath(library)}"]
    subprocess.run(command + list(more), check=True)
    return program


def run_ranks(program, *arguments):
    command = ["mpirun", "-n", "2", program, *map(str, arguments)]
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed; see its messages above")
    return done.stdout.splitlines()


def size_text(size):
    return f"{size // 1048576} MiB" if size >= 1048576 else f"{size // 1024} KiB"


def compare_transfers(folder, options):
    """Whether all ratios are within the limit."""
    program = build("mpicc", "pingpong.c", os.path.join(folder, "pingpong"), options.lib)
    print("| message | MPI, us | runtime, us | ratio |\n|--:|--:|--:|--:|")
    is_within = True
    for line in run_ranks(program, options.largest):
        size, by_mpi, by_runtime = line.split()
        size, by_mpi, by_runtime = int(size), float(by_mpi), float(by_runtime)
        ratio = by_runtime / by_mpi
        print(f"| {size_text(size)} | {by_mpi * 1e6:.1f} | {by_runtime * 1e6:.1f} | {ratio:.2f} |", flush=True)
        is_within &= size <= LARGE or not options.limit or ratio <= options.limit
    return is_within


def compare_chains(folder, options):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "starpumpi-1.3"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    ours = build("cc", "chain.c", os.path.join(folder, "chain"), options.lib)
    theirs = build("mpicc", "chain_starpu.c", os.path.join(folder, "chain_starpu"), None, flags)
    print("\n| elements | steps | runtime, us a step | StarPU, us a step | ratio |\n|--:|--:|--:|--:|--:|")
    for count, steps in ((1024, 200), (16384, 200), (262144, 100), (4194304, 20)):
        times = [min(float(run_ranks(program, count, steps)[0]) for _ in range(options.runs)) for program in (ours, theirs)]
        print(f"| {count:,} | {steps} | {times[0] * 1e6:.1f} | {times[1] * 1e6:.1f} | {times[1] / times[0]:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", default=os.path.join(ROOT, "build", "release", "lib"))
    parser.add_argument("--largest", type=int, default=64 * 1024 * 1024, help="bytes of the largest message")
    parser.add_argument("--limit", type=float, help="fail where a ratio is larger")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--starpu", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        is_within = compare_transfers(folder, options)
        if options.starpu:
            compare_chains(folder, options)
    if not is_within:
        sys.exit(f"a ratio is above {options.limit}")


if __name__ == "__main__":
    main()
