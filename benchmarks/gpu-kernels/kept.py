#!/usr/bin/env python3
"""Assembles the kernels that a cache of compiled code holds, each for its chip and
for the newer ones that the report is about. Fails where one cannot be assembled or
spills registers. Needs ptxas, but no GPU.

  HETERO_KEPT_KERNELS=FOLDER lit build/dev/test    keeps the kernels of all tests
  benchmarks/gpu-kernels/kept.py FOLDER
"""

import concurrent.futures
import glob
import os
import re
import sys
import tempfile

import ptx
from run import CHIPS, find_tool

# In the text of a gpu.binary the PTX is a string, with escapes in hexadecimal.
OBJECT = re.compile(rb'assembly = "((?:[^"\\]|\\.)*)"')

UNKNOWN_CHIP = "is not defined for option 'gpu-name'"


def unescape(text):
    return re.sub(rb"\\([0-9A-F]{2}|.)", lambda match: bytes.fromhex(match[1].decode()) if len(match[1]) == 2 else match[1], text)


def read_kernels(folder):
    """The modules of the folder's files, without repetitions."""
    texts = set()
    for path in glob.glob(os.path.join(folder, "*")):
        with open(path, "rb") as file:
            texts.update(unescape(text).rstrip(b"\0") for text in OBJECT.findall(file.read()))
    return sorted(text for text in texts if b".entry" in text)


def number_of(chip):
    return int(re.search(r"\d+", chip)[0])


def assemble(ptxas, folder, index, text):
    """How many kernels were assembled, and what is wrong with them."""
    path = os.path.join(folder, f"{index}.ptx")
    with open(path, "wb") as file:
        file.write(text)
    own = re.search(rb"^\.target (\w+)", text, re.M)[1].decode()
    # What is for an architecture with its own features runs on no other.
    newer = [] if own.endswith("a") else [chip for chip in CHIPS if number_of(chip) > number_of(own)]
    # What has no features of its own is the same code with those of an architecture.
    if not os.environ.get("HETERO_FULL_TESTS"):
        newer = [chip for chip in newer if not chip.endswith("a")]
    count, wrong = 0, []
    for chip in [own, *newer]:
        try:
            kernels = ptx.assemble(ptxas, chip, path, os.path.join(folder, f"{index}-{chip}.cubin"))
        except RuntimeError as error:
            # Only a driver's compiler knows a chip so old.
            if UNKNOWN_CHIP not in str(error):
                wrong.append(str(error))
            continue
        count += len(kernels)
        wrong += [f"{kernel.name} for {chip} spills {kernel.spills} bytes" for kernel in kernels if kernel.spills]
    return count, wrong


def main():
    folder = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    ptxas = find_tool("ptxas")
    if not ptxas:
        print("skipped: no ptxas; install the CUDA toolkit or set CUDA_HOME")
        return 0
    texts = read_kernels(folder)
    if not texts:
        print(f"skipped: no kernels in {folder}; run the stage lit before")
        return 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda item: assemble(ptxas, scratch, *item), enumerate(texts)))
    for line in sorted({line for _, wrong in results for line in wrong}):
        print(line)
    print(f"{len(texts)} modules, assembled {sum(count for count, _ in results)} kernels")
    return 1 if any(wrong for _, wrong in results) else 0


if __name__ == "__main__":
    sys.exit(main())
