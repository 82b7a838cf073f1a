"""A worker: each sample in a process of its own, a copy of this one."""

import json
import os
import re
import signal
import time
import warnings

import numpy as np
import torch

import hetero
import places
import programs
import samples

# Of an import, a compilation and a run.
SECONDS = 120
# The result that has places: where numbers are equal, which of them is found is not specified.
PLACES = {"argsort": 0, "topk": 1, "kthvalue": 1, "median": 1, "nanmedian": 1, "mode": 1, "sort": 1}
# Of bytes: PyTorch has weights of 16 bits, which may be another step in each of its two passes.
IMAGES = ("nn.functional.interpolate.bicubic", "_upsample_bilinear2d_aa")
# Vectors of these may have either sign.
VECTORS = ("svd", "linalg.svd", "linalg.eigh")
TOLERANCES = {torch.float16: 1e-2, torch.bfloat16: 5e-2, torch.float64: 1e-7}


def to_tensor(array):
    """NumPy has bf16 by ml_dtypes, which PyTorch does not know."""
    array = np.array(array, order="C")
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _find_differences(got, want, step):
    """Beyond the tolerance, of the element or, for what cancels, of the largest one."""
    if not want.is_floating_point() and not want.is_complex():
        got, want = got.to(torch.int64), want.to(torch.int64)
        return (got - want).abs() > step if step else got != want
    tolerance = TOLERANCES.get(want.dtype, 1e-4)
    wide = torch.complex128 if want.is_complex() else torch.float64
    sizes = want[want.isfinite()].to(wide).abs()
    least = max(tolerance, 1e-2 * tolerance * float(sizes.max())) if sizes.numel() else tolerance
    return ~torch.isclose(got.to(wide), want.to(wide), rtol=tolerance, atol=least, equal_nan=True)


def compare(got, want, is_free, step=0):
    """What differs, or nothing. Of results that are free numbers may, and integers may by a step."""
    if len(got) != len(want):
        return f"{len(got)} results for {len(want)}"
    for number, (a, b) in enumerate(zip(got, want)):
        a = to_tensor(a)
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {number} is {list(a.shape)} of {a.dtype}, not {list(b.shape)} of {b.dtype}"
        bad = _find_differences(a, b, step)
        if not is_free(number) and bad.any():
            return f"result {number}: {int(bad.sum())} of {bad.numel()} differ, {a[bad][0].item()} for {b[bad][0].item()}"
    return ""


def compare_at(place, network, sample, want, is_drawn):
    """What differs where operations are at a place: a device, or "split"."""
    name = sample.name.split("/")[0]
    got = hetero.compile(network, **places.options(place, sample.name))(*sample.arguments)
    got = got if isinstance(got, list) else [got]
    if name in VECTORS:
        got, want = [abs(result) for result in got], [abs(result) for result in want]
    is_free = lambda number: is_drawn or "empty" in name or PLACES.get(name) == number
    return compare(got, want, is_free, 2 * (name in IMAGES))


def judge(sample, devices):
    """The outcome of a sample, why, and the seconds of its import."""
    try:
        want = samples.compute(sample)
    except Exception as error:  # What runs on gpus only.
        return "no reference", str(error), 0
    samples.seed()
    try:
        program = torch.export.export(sample.module, sample.arguments)
    except Exception as error:  # Whatever PyTorch raises.
        return "not exported", f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", 0
    is_drawn = any(torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()) for node in program.graph.nodes)
    start = time.monotonic()
    try:
        network = hetero.importers.import_model(program)
        seconds = time.monotonic() - start
        for place in devices:
            difference = compare_at(place, network, sample, want, is_drawn)
            if difference:
                return "wrong", f"on {place}, {difference}", seconds
    except hetero.Error as error:
        return "refused", " ".join(str(error).split()), 0
    return "right", "drawn" if is_drawn else "", seconds


def run_copy(sample, devices):
    """Judges in a copy of this process, which may crash or hang."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        try:
            found = judge(sample, devices)
        except Exception as error:  # That is no error of the package: a fault.
            found = ("crashed", f"{type(error).__name__}: {error}", 0)
        os.write(write, json.dumps(found).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else ("crashed", f"{signal.Signals(status & 127).name}", 0)


def draw(op, dtype, count):
    try:
        yield from samples.draw(op, dtype, count)
    except Exception as error:  # OpInfo's own.
        print(json.dumps({"sample": f"{samples.name_of(op)}/0", "outcome": "not exported", "reason": f"no sample: {error}", "seconds": 0}))


def list_samples(options):
    """Those of one worker, of operations or of programs."""
    first, step = map(int, options.slice.split("/"))
    number, count = map(int, options.work.split("/"))
    if options.programs:
        for seed in range(options.programs)[first::step][number::count]:
            if re.match(options.only, f"random program {seed}"):
                yield programs.draw(seed)
        return
    dtype = getattr(torch, options.dtype)
    operations = samples.list_operations(dtype)
    names = [name for name in operations if re.match(options.only, name)]
    for name in names[first::step][number::count]:
        yield from draw(operations[name], dtype, options.samples)


def main(options):
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    # The first import makes the importer's tables, which the copies of this process then have.
    hetero.importers.import_model(torch.export.export(torch.nn.Identity(), (torch.ones(1),)))
    for sample in list_samples(options):
        outcome, reason, seconds = run_copy(sample, options.place.split(","))
        if outcome in ("wrong", "crashed") and options.programs:
            reason += f"; {sample.module.describe()}"
        print(json.dumps({"sample": sample.name, "outcome": outcome, "reason": reason, "seconds": seconds}), flush=True)
