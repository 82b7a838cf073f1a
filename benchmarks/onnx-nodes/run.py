#!/usr/bin/env python3
"""Runs the cases that the onnx package has for single nodes through hetero.backend: all
on the host, all on a gpu (the emulated one), placed at random, and placed by cost.
Prints counts and every case that is not right with its reason; fails where one is wrong,
crashes or hangs.

  benchmarks/onnx-nodes/run.py
  benchmarks/onnx-nodes/run.py --every 10 --placements cpu,gpu
  benchmarks/onnx-nodes/run.py --only relu,conv --verbose
  benchmarks/onnx-nodes/run.py --page docs/Coverage.md     writes the table there
  benchmarks/onnx-nodes/run.py --by-operator               counts for each operator, too

Needs the onnx package; scripts/benchmark onnx-nodes installs it.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import places
import workers

PLACEMENTS = ("cpu", "gpu", "random", "cost")
# A machine on which placement by cost uses both devices.
TOPOLOGY = pathlib.Path(__file__).resolve().parent / "split.topology"
# A worker takes this many cases: it takes a second to start.
CHUNK = 48
SECONDS = 120
BAD = ("wrong", "crash", "hang")
# Numbers that are drawn are right if they are possible and likely.
RIGHT = ("right", "drawn")
# Operations whose results are drawn: ONNX does not say by which generator, and so the package's own tests, too, compare
# only shapes and types.
RANDOM = ("Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike")
BEGIN, END = "<!-- onnx-nodes -->", "<!-- onnx-nodes end -->"


@dataclasses.dataclass
class Case:
    """A model of one node, pairs of inputs and outputs, and what may differ.

    Inputs and outputs are arrays, lists of these, or None for optionals that are absent.
    """

    model: bytes
    data_sets: list
    rtol: float
    atol: float


def to_array(value):
    import numpy as np
    import onnx
    from onnx import numpy_helper

    if isinstance(value, list):
        return [to_array(item) for item in value]
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    return np.asarray(value) if isinstance(value, (np.ndarray, np.generic)) else value


def load_cases():
    """The cases of the onnx package by name; it makes all of them at once."""
    from onnx.backend.test import loader

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = loader.load_model_tests(kind="node")
    cases = {}
    for case in found:
        data_sets = [tuple([to_array(value) for value in values] for values in pair) for pair in case.data_sets]
        cases[case.name] = Case(case.model.SerializeToString(), data_sets, case.rtol, case.atol)
    return cases


# --- In a worker ---


def options_for(placement, name):
    """The options of hetero.compile; a random placement is the same each time."""
    if placement == "cpu":
        return {"rules": "default: cpu"}
    if placement == "gpu":
        return {"rules": 'default: "gpu:0"'}
    if placement == "cost":
        return {"topology": TOPOLOGY}
    return places.split(name, 12)


def compare(got, want, case):
    """What differs, or nothing."""
    import ml_dtypes
    import numpy as np

    for number, (a, b) in enumerate(zip(got, want)):
        if isinstance(b, list) and isinstance(a, list):
            difference = compare(a, b, case)
            if difference:
                return f"of sequence {number}, {difference}"
            continue
        if a is None or b is None:
            if a is not b:
                return f"result {number} is {a}, expected {b}"
            continue
        a = np.asarray(a)
        if a.shape != b.shape:
            return f"result {number} has shape {a.shape}, expected {b.shape}"
        if a.dtype.itemsize == b.dtype.itemsize and a.dtype != b.dtype:
            a = a.view(b.dtype)
        if b.dtype.kind in "fcV" or b.dtype.name in ("bfloat16",) or b.dtype.name.startswith("float"):
            wide = np.complex128 if b.dtype.kind == "c" else np.float64
            # References round small floats in other places: two units in the last one.
            eps = 0.0 if "int" in b.dtype.name else float(ml_dtypes.finfo(b.dtype).eps)
            last = 2 * eps if b.dtype.itemsize == 2 else 0
            # Sums end within a few units in the last place of the largest one.
            size = np.abs(b[np.isfinite(b)].astype(wide)).max(initial=0)
            rtol, atol = max(case.rtol, last), max(case.atol, last, 4 * eps * float(size))
            if not np.allclose(a.astype(wide), b.astype(wide), rtol=rtol, atol=atol, equal_nan=True):
                return f"result {number} differs by {np.nanmax(np.abs(a.astype(wide) - b.astype(wide))):.3g}"
        elif not np.array_equal(a, b):
            return f"result {number} differs in {np.count_nonzero(a != b)} of {b.size} elements"
    return "" if len(got) == len(want) else f"{len(got)} results, expected {len(want)}"


def draws(case, model):
    """Whether the case's outputs depend on random numbers."""
    found = {node.op_type for node in model.graph.node} & set(RANDOM)
    if found == {"Dropout"}:
        # Only what is left out while it trains.
        inputs, outputs = case.data_sets[0]
        return len(inputs) == 3 and bool(inputs[2]) and outputs[0] is not None and (outputs[0] == 0).any()
    return bool(found)


def describe_draws(inputs, count):
    """For each of `count` results its two values at each place, and the chance of the second: Bernoulli has the chances
    as its only input, Dropout the numbers and the share that it leaves out."""
    import numpy as np

    x = inputs[0].astype(np.float64)
    if len(inputs) == 1:
        return [(0, 1, x)]
    kept = 1 - float(inputs[1])
    return [(0, x / kept, kept), (0, 1, kept)][:count]


def compare_drawn(inputs, got, want):
    """What is wrong with drawn numbers, or nothing: shapes and types are the case's, each is one that may be drawn, and
    there are as many as their chances say, within five standard deviations."""
    import numpy as np

    chosen = []
    for number, (a, b, (low, high, chance)) in enumerate(zip(got, want, describe_draws(inputs, len(want)))):
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"result {number} is {a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}"
        a = a.astype(np.float64)
        low, high, chance = (np.broadcast_to(value, a.shape) for value in (low, high, chance))
        is_low, is_high = np.isclose(a, low), np.isclose(a, high)
        impossible = ~(is_low | is_high) | (is_high & ~is_low & (chance <= 0)) | (is_low & ~is_high & (chance >= 1))
        if impossible.any():
            return f"result {number} has {a[impossible][0]}, which cannot be drawn"
        told = is_low ^ is_high
        surplus = abs(is_high[told].sum() - chance[told].sum())
        if surplus > 5 * np.sqrt((chance * (1 - chance))[told].sum()) + 1e-6:
            return f"result {number} has {surplus} more or fewer than its chances say"
        chosen.append((told, is_high))
    if len(chosen) == 2 and (chosen[0][1] != chosen[1][1])[chosen[0][0] & chosen[1][0]].any():
        return "its mask is not that of its numbers"
    return "" if len(got) == len(want) else f"{len(got)} results, expected {len(want)}"


def run_case(case, name, placement):
    """The outcome and its reason."""
    import onnx

    import hetero
    import hetero.backend

    model = onnx.load_from_string(case.model)
    is_drawn = draws(case, model)
    try:
        prepared = hetero.backend.prepare(model, **options_for(placement, name))
        for inputs, outputs in case.data_sets:
            values = [item for value in inputs + outputs for item in (value if isinstance(value, list) else [value])]
            if any(value is not None and value.dtype.kind in "OSU" for value in values):
                return "not imported", "strings are no numbers"
            got = prepared.run(inputs)
            difference = compare_drawn(inputs, got, outputs) if is_drawn else compare(got, outputs, case)
            if difference:
                return "wrong", difference
    except hetero.ImportFailure as error:
        return "not imported", str(error)
    except hetero.CompileError as error:
        return "refused", str(error)
    except hetero.RunError as error:
        return "refused", str(error)
    return ("drawn", "shapes, types, values and how many there are of each") if is_drawn else ("right", "")


def work(folder, placement, names):
    """Prints a line of JSON before and after each case."""
    for name in names:
        print(json.dumps([name]), flush=True)
        try:
            with open(os.path.join(folder, name), "rb") as file:
                case = pickle.load(file)
            outcome, reason = run_case(case, name, placement)
        except Exception as error:
            outcome, reason = "refused", f"{type(error).__name__}: {error}"
        print(json.dumps([name, outcome, reason]), flush=True)
        if "CUDA_ERROR" in reason:
            # The device cannot be used any more; the other cases get another worker.
            return


# --- In the parent ---


def run_chunk(folder, names, placement):
    """Outcomes of the cases up to the first that ends the worker, and that one's."""
    command = [sys.executable, os.path.abspath(__file__), "--work", folder, placement, *names]
    try:
        done = workers.run(command, SECONDS + 5 * len(names), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        text, ended = done.stdout, "crash"
    except subprocess.TimeoutExpired as error:
        text, ended = error.stdout or b"", "hang"
    outcomes, running = {}, None
    for line in text.decode("utf-8", "replace").splitlines():
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        if len(fields) == 3:
            outcomes[fields[0]], running = (fields[1], fields[2]), None
        else:
            running = fields[0]
    if running:
        outcomes[running] = (ended, "")
    return outcomes


def run_all(folder, names, placement, jobs):
    from concurrent.futures import ThreadPoolExecutor

    def finish(chunk):
        outcomes, left = {}, list(chunk)
        while left:
            found = run_chunk(folder, left, placement)
            if not found:
                found = {left[0]: ("crash", "the worker does not start")}
            outcomes.update(found)
            left = [name for name in left if name not in outcomes]
        return outcomes

    outcomes = {}
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(finish, [names[i : i + CHUNK] for i in range(0, len(names), CHUNK)]):
            outcomes.update(found)
    return outcomes


def shorten(reason):
    """The kind of a reason: its first telling line without names and numbers."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    lines = [line for line in lines if not line.endswith("cannot be imported:") and ": warning: " not in line] or lines
    text = lines[0] if lines else ""
    text = re.sub(r"^\w+ \(\d+\): [^:]*: ", "", text)
    text = re.sub(r"loc\([^)]*\)+:? ?|\"[^\"]*\":\d+:\d+:? ?", "", text)
    return re.sub(r"%\w+|\d+x[\dx?a-z]+", "", text)[:140]


def tabulate(results):
    kinds = (*RIGHT, "not imported", "refused", *BAD)
    lines = ["| | " + " | ".join(kinds) + " |", "|---|" + "---|" * len(kinds)]
    for placement, outcomes in results.items():
        counts = collections.Counter(outcome for outcome, _ in outcomes.values())
        lines.append(f"| {placement} | " + " | ".join(str(counts[kind]) for kind in kinds) + " |")
    return "\n".join(lines)


def list_reasons(results):
    """One line for each kind of reason, with the cases that have it."""
    found = collections.defaultdict(set)
    for outcomes in results.values():
        for name, (outcome, reason) in outcomes.items():
            if outcome != "right":
                found[outcome, shorten(reason)].add(name.removeprefix("test_"))
    lines = ["| outcome | reason | cases |", "|---|---|---|"]
    for (outcome, reason), names in sorted(found.items(), key=lambda item: (item[0][0], -len(item[1]))):
        escaped = reason.replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {outcome} | {escaped} | {len(names)}: {', '.join(sorted(names))} |")
    return "\n".join(lines)


def tabulate_operators(folder, results):
    """Counts of outcomes for each operator, of all placements."""
    import onnx

    counts = collections.defaultdict(collections.Counter)
    for outcomes in results.values():
        for name, (outcome, _) in outcomes.items():
            with open(os.path.join(folder, name), "rb") as file:
                model = onnx.load_from_string(pickle.load(file).model)
            # Cases that expand the function of an operator count for that.
            kinds = sorted({node.op_type for node in model.graph.node})
            counts[kinds[0] if len(kinds) == 1 else "of several operators"][outcome] += 1
    lines = []
    for operator, found in sorted(counts.items()):
        lines.append(f"{operator}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items())))
    return "\n".join(lines)


def write_page(path, text):
    page = pathlib.Path(path).read_text(encoding="utf-8")
    if BEGIN not in page:
        page += f"\n{BEGIN}\n{END}\n"
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    pathlib.Path(path).write_text(page[:begin] + "\n" + text + "\n" + page[end:], encoding="utf-8")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placements", default=",".join(PLACEMENTS), help="of " + ", ".join(PLACEMENTS))
    parser.add_argument("--only", default="", help="parts of names, by commas")
    parser.add_argument("--every", type=int, default=1, help="each N-th case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--least", type=int, default=0, help="fail with fewer right ones on a placement")
    parser.add_argument("--verbose", action="store_true", help="the whole reasons")
    parser.add_argument("--page", help="a document whose table is to be written")
    parser.add_argument("--by-operator", action="store_true", help="counts for each operator")
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    sys.path.insert(0, str(ROOT / "python"))
    options = parse()
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    if options.work:
        return work(options.work[0], options.work[1], options.work[2:])
    with tempfile.TemporaryDirectory() as folder:
        return measure(options, folder)


def save_cases(options, folder):
    """Writes the wanted cases for the workers, and returns their names."""
    cases = load_cases()
    names = sorted(cases)[:: options.every]
    if options.only:
        names = [name for name in names if any(part in name for part in options.only.split(","))]
    for name in names:
        with open(os.path.join(folder, name), "wb") as file:
            pickle.dump(cases[name], file)
    return names


def measure(options, folder):
    names = save_cases(options, folder)
    results, least = {}, None
    for placement in options.placements.split(","):
        start = time.time()
        results[placement] = run_all(folder, names, placement, options.jobs)
        right = sum(outcome in RIGHT for outcome, _ in results[placement].values())
        least = right if least is None else min(least, right)
        print(f"{placement}: {right} of {len(names)} right in {time.time() - start:.0f} s", flush=True)
    if options.verbose:
        for placement, outcomes in results.items():
            for name, (outcome, reason) in sorted(outcomes.items()):
                if outcome != "right":
                    print(f"{placement} {name}: {outcome}: {reason}")
    if options.by_operator:
        print(tabulate_operators(folder, results))
    print(tabulate(results))
    print(list_reasons(results))
    if options.page:
        write_page(options.page, tabulate(results) + "\n\n" + list_reasons(results))
    bad = sum(outcome in BAD for outcomes in results.values() for outcome, _ in outcomes.values())
    print(f"{least} right at least, {bad} wrong, crashed or hanging")
    return 1 if bad or least < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
