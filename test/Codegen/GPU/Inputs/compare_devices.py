#!/usr/bin/env python3
"""Compiles a program for the CPU and for a GPU in each of its element types,
runs both on each of its sets of inputs, and compares the results:

  compare_devices.py PROGRAM
  compare_devices.py PROGRAM --chip=CHIP      for another chip than the default
  compare_devices.py PROGRAM --gpu=--allow-tf32    compiles for the GPU like that
  compare_devices.py PROGRAM --type=f32       in one of its types only
  compare_devices.py PROGRAM --without=bf16   without that one, but with HETERO_FULL_TESTS=1

Comments in the program: '// types: f32 i8' (what TYPE stands for), '// rtol:
f16=1e-2 f32=1e-5' (left out: exact), and a line '// inputs: 5x7xTYPE=randint:1'
per set (or '// inputs f32: ...' for one type). '{{addf|addi}}' in the program is
the first for floats and the second for integers. Prints one line for each
failure and ends with 'N passed'.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

FLOATS = {"f16", "bf16", "f32", "f64"}
DEVICES = {"cpu": '{default: cpu}', "gpu": '{devices: [cpu, "gpu:0"], default: "gpu:0"}'}


def instantiate(text, element):
    """The program for one element type."""
    index = 0 if element in FLOATS else 1
    text = re.sub(r"\{\{(.*?)\|(.*?)\}\}", lambda match: match.group(index + 1), text)
    return text.replace("TYPE", element)


def call(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def check_type(folder, text, element, options):
    """Returns the number of sets that agree, and what failed."""
    base = os.path.join(folder, element)
    text = instantiate(text, element)
    with open(base + ".mlir", "w") as file:
        file.write(text)
    for device, rules in DEVICES.items():
        # The emulated driver takes PTX only.
        words = ["hetero-compile", base + ".mlir", "-o", f"{base}-{device}.exe", "--rules=" + rules, "--cubins=false"]
        # What it is compared with need not be quick.
        status, output = call(words + (options if device == "gpu" else ["--opt-level=0"]))
        if status:
            return 0, [f"{element}: cannot compile for {device}: {output}"]
    rtol = re.search(r"^// rtol:.*\b" + element + r"=(\S+)", text, re.M)
    results = len(re.search(r"@main\(.*?\)\s*->\s*\((.*?)\)\s*\{", text, re.S).group(1).split("tensor<")) - 1
    passed, failures = 0, []
    for line in re.findall(r"^// inputs(?: " + element + r")?: (.*)$", text, re.M):
        inputs = ["--print-max=1"] + ["--input=" + word for word in line.split()]
        files = [f"{base}-{i}.npy" for i in range(results)]
        status, output = call([base + "-cpu.exe"] + inputs + ["--output=" + name for name in files])
        if not status:
            tolerance = ["--rtol=" + (rtol.group(1) if rtol else "0"), "--atol=0"]
            status, output = call([base + "-gpu.exe"] + inputs + tolerance + ["--expected=@" + name for name in files])
        passed += status == 0
        if status:
            failures.append(f"{element}, {line}: {output}")
    return passed, failures


def main():
    words = sys.argv[2:]
    options = [word.removeprefix("--gpu=") for word in words if word.startswith(("--gpu=", "--chip="))]
    with open(sys.argv[1]) as file:
        text = file.read()
    left = [] if os.environ.get("HETERO_FULL_TESTS") else [word.removeprefix("--without=") for word in words if word.startswith("--without=")]
    only = [word.removeprefix("--type=") for word in words if word.startswith("--type=")]
    types = only or re.search(r"^// types: (.*)$", text, re.M).group(1).split()
    types = [element for element in types if element not in left]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda element: check_type(folder, text, element, options), types))
    for _, failures in outcomes:
        for failure in failures:
            print(failure)
    print(f"{sum(passed for passed, _ in outcomes)} passed")
    return 1 if any(failures for _, failures in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
