"""Damaged files are exceptions with a text: mutations.py [COUNT]

Each of COUNT files is compiled in a process of its own, so that a crash of the importing
process is one failure.
"""

import collections
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

import litert_models
import numpy as np
import onnx
import onnx_networks

import hetero

SECONDS = 300
# An import that does not end is to be an exception before the process is stopped.
hetero.importers.MAX_SECONDS = SECONDS // 2


def truncate(data, rng):
    del data[rng.randrange(len(data)) :]


def overwrite(data, rng):
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)


def flip(data, rng):
    """Bits of what comes first: headers and structure."""
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(min(len(data), 1500))] ^= 1 << rng.randrange(8)


def remove(data, rng):
    start = rng.randrange(len(data))
    del data[start : start + rng.randrange(1, 200)]


def insert(data, rng):
    start = rng.randrange(len(data))
    data[start:start] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))


def repeat(data, rng):
    """A part of the file over another one: names, sizes and types that are valid elsewhere."""
    source, target, size = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 300)
    data[target : target + size] = data[source : source + size]


MUTATIONS = (truncate, overwrite, flip, remove, insert, repeat)


def make_seeds(folder):
    network = onnx_networks.convolutions(np.random.default_rng(1))
    seeds = [folder / name for name in ("seed.onnx", "seed.mlirbc", "seed.tflite")]
    onnx.save(network, seeds[0])
    seeds[1].write_bytes(hetero.importers.import_model(network).bytecode)
    litert_models.convolutions(seeds[2], np.random.default_rng(1))
    return seeds


def compile_in_child(path) -> str:
    """What became of it: "compiled", "error", or what must not be."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        status = 3
        try:
            hetero.compile(path, default="cpu")
            status = 0
        except hetero.Error as error:
            status = 1 if len(str(error)) > 20 else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return ("compiled", "error", "error without a text", "another exception")[os.WEXITSTATUS(status)]


def main(count: int) -> int:
    outcomes, slowest = collections.Counter(), 0.0
    with tempfile.TemporaryDirectory() as folder:
        seeds = make_seeds(pathlib.Path(folder))
        for number in range(count):
            seed = seeds[number % len(seeds)]
            rng = random.Random(number)
            data = bytearray(seed.read_bytes())
            rng.choice(MUTATIONS)(data, rng)
            path = pathlib.Path(folder) / f"damaged{number}{seed.suffix}"
            path.write_bytes(data)
            start = time.monotonic()
            outcome = compile_in_child(path)
            slowest = max(slowest, time.monotonic() - start)
            outcomes[outcome] += 1
            if outcome not in ("compiled", "error"):
                print(f"mutation {number} of {seed.name}: {outcome}", flush=True)
            path.unlink()
    print(", ".join(f"{outcome}: {n}" for outcome, n in outcomes.items()), f"slowest: {slowest:.1f} s")
    return 0 if set(outcomes) <= {"compiled", "error"} else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500 if os.environ.get("HETERO_FULL_TESTS") else 30))
