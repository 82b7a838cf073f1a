#!/usr/bin/env python3
"""Measures imports of models: seconds, and private and mapped pages of the process at its peak and after it, over
what it had before. Models are the onnx package's light ones with random weights, "external" with 3 GiB of external data
in a sparse file, and "nodes" of 2,000 nodes. They are read from a file, and from an onnx.ModelProto: protobuf has twice
its bytes while it writes them.

  benchmarks/imports/run.py [--only resnet50,nodes]

Needs the onnx package; scripts/benchmark imports installs it.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import onnx
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "models"))

import networks

LIGHT = ("squeezenet", "densenet121", "resnet50")
# Prints bytes at the peak of an import and after it, and seconds.
IMPORT = """
import json, re, sys, time
import onnx
from hetero import importers, library
def get(name): return 1024 * int(re.search(name + r":\\s*(\\d+)", open("/proc/self/status").read())[1])
model = onnx.load(sys.argv[1]) if sys.argv[2] == "from_onnx" else sys.argv[1]
library.get()
# The peak is what there is now.
open("/proc/self/clear_refs", "w").write("5")
before, start = get("VmRSS"), time.monotonic()
imported = getattr(importers, sys.argv[2])(model)
seconds = time.monotonic() - start
print(json.dumps([get("VmHWM") - before, get("VmRSS") - before, seconds]))
"""


def save_external(path):
    """Adds 3 GiB of external data, a file of holes."""
    count = 3 << 28
    with open(path.parent / "weights.bin", "wb") as file:
        file.truncate(count * 4)
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[count], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="weights.bin")
    save_graph(path, [helper.make_node("Add", ["x", "w"], ["y"])], count, [weight])


def save_nodes(path):
    """2,000 nodes without weights."""
    names = ["x", *(f"v{i}" for i in range(1999)), "y"]
    nodes = [helper.make_node(*((("Relu", [a]), ("Add", [a, "x"]))[i % 2]), [b]) for i, (a, b) in enumerate(zip(names, names[1:]))]
    save_graph(path, nodes, 1000)


def save_graph(path, nodes, count, weights=()):
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [count]) for name in "xy")
    graph = helper.make_graph(nodes, "main", [x], [y], weights)
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())


def import_model(path, way):
    """Bytes at the peak, bytes after it, and seconds."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run([sys.executable, "-c", IMPORT, str(path), way], env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join([*LIGHT, "external", "nodes"]), help="names of models, by commas")
    options = parser.parse_args()
    print("| model | way | file, MB | peak, MB | peak / file | after, MB | seconds |\n|---|---|---|---|---|---|---|")
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "network.onnx"
            if name in LIGHT:
                onnx.save(networks.load_light(name), path)
            else:
                {"external": save_external, "nodes": save_nodes}[name](path)
            size = sum(file.stat().st_size for file in path.parent.iterdir())
            for way in ["from_file", *(["from_onnx"] if name != "external" else [])]:
                peak, after, seconds = import_model(path, way)
                print(
                    f"| {name} | {way} | {size / 1e6:.1f} | {peak / 1e6:.1f} | {peak / size:.2f} | {after / 1e6:.1f} | {seconds:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
