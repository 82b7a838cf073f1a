#!/usr/bin/env python3
"""What an import of a network takes: the size of the bytecode and the memory of the child
process at its peak, each over the size of the file, and processor seconds. The importer
itself, which is the memory that a network of one node takes, is in the first row and left
out of the others. The networks are the onnx package's light models, with random weights.

  benchmarks/imports/run.py [--only resnet50,vgg19]

Needs the packages of hetero.importers; scripts/benchmark imports installs them.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import onnx
from onnx import helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "models"))

import networks

NETWORKS = ("squeezenet", "densenet121", "resnet50")


def make_smallest():
    values = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "smallest", values[:1], values[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def run_import(path, output):
    """Peak memory in bytes and processor seconds of the import's process."""
    settings = json.dumps({"dims": {}})
    command = [sys.executable, "-m", "hetero.importers.onnx", str(path), str(output), settings]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]))
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"the import of {path} failed")
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(NETWORKS), help="names of light graphs, by commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, output = (pathlib.Path(folder) / f"network.{suffix}" for suffix in ("onnx", "mlirbc"))
        onnx.save(make_smallest(), path)
        least, seconds = run_import(path, output)
        print("| network | file, MB | bytecode / file | peak memory / file | processor seconds |\n|---|---|---|---|---|")
        print(f"| one node: {least / 1e6:.0f} MB | 0 | | | {seconds:.1f} |")
        for name in options.only.split(","):
            onnx.save(networks.load_light(name), path)
            memory, seconds = run_import(path, output)
            size = path.stat().st_size
            ratios = f"{output.stat().st_size / size:.2f} | {(memory - least) / size:.2f}"
            print(f"| {name} | {size / 1e6:.0f} | {ratios} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
