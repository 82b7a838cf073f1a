"""Processor seconds and memory to compile whole networks, and to load what was saved:
a row each, beside ONNX Runtime's for its session of the same file in the same run.

The networks are those of benchmarks/models with random weights, and a transformer of
1,360 nodes. Weights are in the network's file, and so in the bytecode. Code is for this
processor, as hetero-run's is. Loading is dlopen with all symbols bound.
"""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
for folder in (ROOT / "benchmarks" / "models", ROOT / "python"):
    sys.path.append(str(folder))

# Of one thread each: the time is that of all threads anyway, and the machine is not full.
SESSION = """
import resource, sys, time
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.log_severity_level = 3
before = time.process_time()
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
print(time.process_time() - before)
"""
LOAD = """
import ctypes, os, sys, time
before = time.process_time()
ctypes.CDLL(sys.argv[1], os.RTLD_NOW)
print(time.process_time() - before)
"""
# Runs a command and prints what it took. A process counts the memory of the one that
# starts it as its own, and this script has had models in memory.
WATCH = """
import os, resource, sys
_, status, usage = os.wait4(os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ), 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclasses.dataclass
class Spent:
    """By a process and those that it started: processor seconds, the largest memory in
    bytes, and what it printed."""

    seconds: float
    memory: int
    text: str


def spend(command, environment=None):
    """Runs a command; fails where it does."""
    done = subprocess.run([sys.executable, "-c", WATCH, *command], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    seconds, memory = done.stderr.splitlines()[-1].split()
    return Spent(float(seconds), int(memory), done.stdout)


def list_models():
    """Names, and what makes their models."""
    import networks

    for network in networks.list_networks(pathlib.Path()):
        if network.origin.startswith("random weights"):
            yield network.name, network.load
    yield "transformer of 40 layers", lambda: networks.make_transformer(layers=40, rows=64, width=256, heads=4)


def compile_network(binaries, source, target):
    environment = {**os.environ, "HETERO_CUDA_DISABLE": "1"}
    environment.pop("HETERO_CACHE", None)
    return spend([os.path.join(binaries, "hetero-compile"), source, "-o", target, "--processors=native", "--rules={default: 'cpu:0'}"], environment)


def measure(model, binaries, runs, folder):
    """The cells of a row after the name."""
    import onnx
    from hetero import importers

    path, source, target = (os.path.join(folder, name) for name in ("m.onnx", "m.mlirbc", "m.so"))
    onnx.save(model, path)
    pathlib.Path(source).write_bytes(importers.from_file(path).bytecode)
    ours = [compile_network(binaries, source, os.path.join(folder, "m.o")) for _ in range(runs)]
    sessions = [spend([sys.executable, "-c", SESSION, path]) for _ in range(runs)]
    compile_network(binaries, source, target)
    loads = [float(spend([sys.executable, "-c", LOAD, target]).text) for _ in range(runs)]
    seconds, session = min(one.seconds for one in ours), min(float(one.text) for one in sessions)
    memory, theirs = min(one.memory for one in ours), min(one.memory for one in sessions)
    return [
        str(len(model.graph.node)),
        f"{os.path.getsize(path) / 1e6:.0f}",
        f"{seconds:.2f}",
        f"{session:.2f}",
        f"{seconds / session:.1f}",
        f"{memory / 1e6:.0f}",
        f"{theirs / 1e6:.0f}",
        f"{memory / theirs:.1f}",
        f"{min(loads) * 1e3:.1f}",
    ]


def print_table(only, binaries, runs):
    head = ["network", "nodes", "file, MB", "compile, s", "session, s", "ratio", "memory, MB", "session's, MB", "ratio", "load, ms"]
    print("| " + " | ".join(head) + " |\n|---|" + "--:|" * (len(head) - 1), flush=True)
    for name, load in list_models():
        if only in name:
            with tempfile.TemporaryDirectory() as folder:
                print("| " + " | ".join([name, *measure(load(), binaries, runs, folder)]) + " |", flush=True)
