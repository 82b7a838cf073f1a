#!/usr/bin/env python3
"""Runs the examples and networks on 1, 2 and 4 ranks that mpirun starts, and compares
their results. Prints a table; fails where a number differs or a rank does not end well.

  scripts/benchmark ranks
  benchmarks/ranks/run.py --bin build/dev/bin --only lenet,squeezenet
  benchmarks/ranks/run.py --pipelines     times of pipelines on the virtual clock instead

Every other device that an example names is on another node. Networks are cut into as
many parts, in the order of their operations, as there are nodes; the parts of small
ones are on the emulated GPU of their node, which is slow, those of others on its host.
"""

import argparse
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import pipelines

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "benchmarks" / "models")]

# Of the largest element of a result: parts are fused otherwise.
TOLERANCE = 1e-4
RANKS = (2, 4)
EXAMPLES = ("shared-operand", "two-devices-tuple", "conv-on-gpu", "partitioned-mlp")
NETWORKS = ("squeezenet", "shufflenet", "transformer")
SECONDS = 900
ENVIRONMENT = {
    **os.environ,
    "HETERO_CUDA_DRIVER": "emulator",
    "HETERO_EMULATOR": "devices=8",
    "HETERO_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


@dataclasses.dataclass
class Program:
    """name; path of its MLIR; options of hetero-run; cut(nodes): path and options for so many nodes."""

    name: str
    path: pathlib.Path
    options: list
    cut: callable


def topology(nodes):
    """Nodes with a host and two GPUs each."""
    devices, links = [], []
    for node in range(nodes):
        place = f", node = {node}" if node else ""
        names = [f"<{kind}{place}>" for kind in ("cpu:0", "gpu:0", "gpu:1")]
        devices += [f"<device = {name}, compute = 1000000000000, bandwidth = 100000000000>" for name in names]
        links += [f"<from = {a}, to = {b}, bandwidth = 10000000000, latency = 1000000>" for a, b in itertools.permutations(names, 2)]
    network = "#hetero.network<bandwidth = 10000000000, latency = 5000000>"
    return f"#hetero.topology<devices = [{', '.join(devices)}], links = [{', '.join(links)}], network = {network}>"


# --- Examples ---


def spread(text, pattern, write, nodes):
    """The text with its devices on the nodes in turns."""
    turns = itertools.cycle(range(1, nodes))
    return re.sub(pattern, lambda match: write(match[1], next(turns)), text)


def read_example(name, folder):
    path = ROOT / "examples" / f"{name}.mlir"
    rules = path.with_suffix(".yaml")
    text = path.read_text()
    sizes = re.search(r"func\.func @\w+\((.*?)\)\s*->", text, re.S)[1]
    inputs = [f"--input={size}=randint:{number}" for number, size in enumerate(re.findall(r"tensor<([^>]*)>", sizes))]

    def cut(nodes):
        there = folder / f"{name}-{nodes}.mlir"
        there.write_text(spread(text, r"#hetero\.device<(gpu:\d+)>", lambda device, node: f"#hetero.device<{device}, node = {node}>", nodes))
        options = []
        if rules.exists():
            # What it says of devices there are is of one node.
            kept = re.sub(r"(?m)^devices:.*\n", "", rules.read_text())
            options = ["--rules=" + spread(kept, r'device: "(gpu:\d+)"', lambda device, node: f'device: "{device}@{node}"', nodes)]
        return there, options

    options = inputs + ([f"--rules={rules}"] if rules.exists() else [])
    return Program(name, path, options, cut)


# --- Networks ---


def name_operations(imported):
    """Names of the network's operations, in their order."""
    import hetero

    work = [op for op in hetero.compile(imported, default="cpu").placement.operations if op["name"] and op["op"] != "arith.constant"]
    return list(dict.fromkeys(op["name"] for op in work))


def quote(name):
    return re.sub(r"([][().*+?{}|^$\\])", r"\\\1", name).replace("'", "''")


def read_network(name, source, folder, on_gpu):
    import hetero

    imported = hetero.importers.from_file(str(source), {})
    path = folder / f"{name}.mlirbc"
    path.write_bytes(imported.bytecode)
    names = name_operations(imported)
    kind = "gpu:0" if on_gpu else "cpu:0"

    def cut(nodes):
        parts = np.array_split(np.array(names, dtype=object), nodes)
        rules = [f"{{name: '{'|'.join(map(quote, part))}', device: '{kind}{f'@{node}' if node else ''}'}}" for node, part in enumerate(parts) if len(part)]
        there = folder / f"{name}-{nodes}.yaml"
        there.write_text(f"rules: [{', '.join(rules)}]\ndefault: cpu\n")
        return path, [f"--rules={there}"]

    inputs = []
    for type_ in hetero.compile(imported, default="cpu").main.argument_types:
        sizes = re.fullmatch(r"tensor<(.*)>", type_)[1].replace("?", "1")
        drawn = "random" if re.search(r"x[bf]+\d+$", sizes) else "randint"
        inputs.append(f"--input={sizes}={drawn}:{len(inputs)}")
    return Program(name, path, inputs, cut)


def read_programs(options, folder):
    wanted = [part for part in options.only.split(",") if part]

    def is_wanted(name):
        return not wanted or name in wanted

    for name in filter(is_wanted, EXAMPLES):
        yield read_example(name, folder)
    if is_wanted("lenet"):
        yield read_network("lenet", ROOT / "examples" / "lenet.onnx", folder, on_gpu=True)
    if not any(map(is_wanted, NETWORKS)):
        return
    import networks
    import onnx

    for network in networks.list_networks(ROOT / "build" / "models"):
        if network.name in NETWORKS and is_wanted(network.name):
            source = folder / f"{network.name}.onnx"
            onnx.save(network.load(), source)
            yield read_network(network.name, source, folder, on_gpu=False)


# --- Running ---


def run(command, folder):
    """The results, and what was printed."""
    for stale in folder.glob("result-*.npy"):
        stale.unlink()
    command = [*command, *(f"--output={folder}/result-{number}.npy" for number in range(run.results))]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit status {done.returncode}")
    return [np.load(folder / f"result-{number}.npy") for number in range(run.results)], done.stdout


def count_results(program, tool):
    command = [tool, str(program.path), *program.options, "--print-max=1"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout.count("result[")


def difference(got, want):
    worst = 0.0
    for a, b in zip(got, want):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        worst = max(worst, np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), 1e-6))
    return worst


def compare(program, options, folder):
    """The cells of the row, and what is wrong."""
    tool = str(pathlib.Path(options.bin) / "hetero-run")
    run.results = count_results(program, tool)
    want, _ = run([tool, str(program.path), *program.options], folder)
    cells, failures = [], []
    for nodes in RANKS:
        path, rules = program.cut(nodes)
        inputs = [option for option in program.options if option.startswith("--input")]
        command = [tool, str(path), *inputs, *rules, f"--topology={topology(nodes)}", "--print-max=1"]
        try:
            got, _ = run(["mpirun", "-n", str(nodes), *command], folder)
            threads, printed = run([*command, "--nodes=in-process", "--report"], folder)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            cells += ["**failed**", ""]
            failures.append(f"{program.name} on {nodes} ranks: {error}")
            continue
        worst = max(difference(got, want), difference(threads, want))
        between = re.search(r"between them (\d+) bytes in (\d+) transfers", printed)
        cells += [f"{worst:.0e}", f"{int(between[1]):,} in {between[2]}" if between else "none"]
        if worst > TOLERANCE:
            failures.append(f"{program.name} on {nodes} ranks: differs by {worst:.1e}")
    return cells, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=str(ROOT / "build" / "release" / "bin"))
    parser.add_argument("--only", default="", help="names by commas")
    parser.add_argument("--pipelines", action="store_true")
    options = parser.parse_args()
    if options.pipelines:
        sys.exit("\n".join(pipelines.measure(str(pathlib.Path(options.bin) / "hetero-run"))) or 0)
    os.environ.setdefault("HETERO_LIBRARY", str(pathlib.Path(options.bin).resolve().parent / "lib" / "libhetero.so"))
    failures = []
    print("| program | 2 ranks | bytes between nodes | 4 ranks | bytes between nodes |\n|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in read_programs(options, folder):
            cells, wrong = compare(program, options, folder)
            failures += wrong
            print(f"| {program.name} | " + " | ".join(cells) + " |", flush=True)
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
