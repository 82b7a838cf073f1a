#!/usr/bin/env python3
"""What an import of a network takes: the size of the bytecode and the memory of the process at its peak, over what it
has before, each over the size of the file, and seconds. The networks are the onnx package's light models, with random
weights.

  benchmarks/imports/run.py [--only resnet50,vgg19]

Needs the onnx package; scripts/benchmark imports installs it.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import onnx

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "models"))

import networks

NETWORKS = ("squeezenet", "densenet121", "resnet50")
# Prints bytes of bytecode, of the peak before and after, and seconds.
IMPORT = """
import json, re, sys, time
from hetero.importers import reader
def peak(): return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
reader.library.get()
before, start = peak(), time.monotonic()
imported = reader.from_file(sys.argv[1])
print(json.dumps([len(imported.bytecode), before, peak(), time.monotonic() - start]))
"""


def run_import(path):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run([sys.executable, "-c", IMPORT, str(path)], env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(NETWORKS), help="names of light graphs, by commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "network.onnx"
        print("| network | file, MB | bytecode / file | memory / file | seconds |\n|---|---|---|---|---|")
        for name in options.only.split(","):
            onnx.save(networks.load_light(name), path)
            bytecode, before, after, seconds = run_import(path)
            size = path.stat().st_size
            print(f"| {name} | {size / 1e6:.0f} | {bytecode / size:.2f} | {(after - before) / size:.2f} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
