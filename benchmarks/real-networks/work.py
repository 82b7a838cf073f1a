#!/usr/bin/env python3
"""The worker of run.py: does one job with one file and prints its outcome and details as JSON."""

import collections
import fnmatch
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "Python" / "Importers" / "Inputs")]
sys.path += [str(ROOT / "benchmarks" / name) for name in ("common", "models", "networks")]

import inputs
import measure
import numpy as np
import onnx
import placements
import results

import hetero
from hetero.importers import reader

PLACEMENTS = {"cpu": placements.HOST, "contractions": placements.CONTRACTIONS, "gpu": {"default": "gpu:0"}, "cost": placements.COST}
# How far a result may be from ONNX Runtime's, relative to its largest element, unless ONNX Runtime is further from itself
# without its optimizations, or where floats of its inputs differ in their last bit.
TOLERANCE = 1e-4
# The same of files with operators by which the two differ more: rounding to bytes by a range that is measured, where a last
# bit becomes a step of 1/255, and ONNX Runtime's STFT, whose error against a DFT of f64 is ten times and more of ours.
TOLERANCES = {"DynamicQuantizeLinear": 2e-2, "DynamicQuantizeLSTM": 2e-2, "DynamicQuantizeMatMul": 2e-2, "STFT": 5e-3}
# Operations that code generation has code of its own for, besides contractions.
KINDS = ("linalg.conv*", "linalg.*pooling*", "linalg.softmax", "tm_tensor.attention", "scf.*")


def compile_file(path, **options):
    """A function of arrays by name that returns a list, and the program."""
    program = hetero.compile(reader.from_file(path), **options)

    def run(arrays):
        found = program(**arrays)
        return found if isinstance(found, list) else [found]

    return run, program


def nudge(arrays):
    """The arrays with floats that differ in their last bit."""
    return {name: np.nextafter(array, array.dtype.type(np.inf)) if array.dtype.kind == "f" else array for name, array in arrays.items()}


def check(path, model, placement):
    run, _ = compile_file(path, **PLACEMENTS[placement])
    tolerance = max(TOLERANCES.get(node.op_type, TOLERANCE) for node in model.graph.node)
    theirs, plain = measure.open_session(model, 1), measure.open_session(model, 1, is_optimized=False)
    worst = 0.0
    for arrays in inputs.make_calls(model, path):
        want = theirs(arrays)
        found = results.compare(run(arrays), want)
        own = max(results.compare(other, want) for other in (plain(arrays), theirs(nudge(arrays))))
        if isinstance(found, str):
            return "wrong", found
        if found > max(tolerance, 2 * own):
            return "wrong", f"{found:.1e} apart; ONNX Runtime is {own:.1e} from itself"
        worst = max(worst, found)
    return "right", f"{worst:.0e}"


def count(path):
    """Numbers of operations of the program, and of those that the group of contractions has."""
    _, program = compile_file(path, **placements.CONTRACTIONS)
    names = collections.Counter(op["op"] for op in program.placement.operations)
    counts = {"all": sum(names.values()), "contractions": sum(op["origin"].startswith("rule") for op in program.placement.operations)}
    counts.update({kind: sum(names[name] for name in fnmatch.filter(names, kind)) for kind in KINDS})
    return "counted", ", ".join(f"{number} {kind}" for kind, number in counts.items())


def take_times(path, model):
    """Of the first call's inputs."""
    (run, _), theirs = compile_file(path, **placements.HOST), measure.open_session(model, 1)
    arrays = next(iter(inputs.make_calls(model, path)))
    ours, other = measure.alternate([lambda: run(arrays), lambda: theirs(arrays)], time.thread_time, 11)
    return "measured", f"{ours * 1e3:.3f} ms, ONNX Runtime {other * 1e3:.3f} ms, ratio {other / ours:.2f}"


def main(path, job):
    model = onnx.load(path)
    try:
        outcome = count(path) if job == "counts" else take_times(path, model) if job == "times" else check(path, model, job)
    except hetero.Error as error:
        lines = [line for line in str(error).splitlines() if "error:" in line] or [str(error)]
        outcome = "refused", f"{type(error).__name__}: {lines[0]}"[:300]
    print(json.dumps(outcome))


if __name__ == "__main__":
    main(*sys.argv[1:])
