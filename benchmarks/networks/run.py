#!/usr/bin/env python3
"""Compares networks that others made with the frameworks that they are of, ONNX Runtime
and LiteRT: on the host, with contractions on gpu:0 by a rule, placed by cost, and in two
halves on gpu:0 and gpu:1 (emulated). Prints a table; fails where a number is wrong, or
something crashes, hangs, or is refused.

  benchmarks/networks/run.py
  benchmarks/networks/run.py --only rapidocr,resnet50 --placements cpu,pipeline
  benchmarks/networks/run.py --page     writes the rows into docs/Coverage.md

Packages that have networks are kept in --folder.
"""

import argparse
import json
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "Python" / "Importers" / "Inputs")]
sys.path += [str(ROOT / "benchmarks" / name) for name in ("common", "models")]

import packages
import placements
import results
import workers
from cases import LIGHT, NETWORKS

PLACEMENTS = {"cpu": placements.HOST, "contractions": placements.CONTRACTIONS, "cost": placements.COST}
PIPELINE = "pipeline"
PAGE = ROOT / "docs" / "Coverage.md"
FOLDER = ROOT / "build" / "models"
BEGIN, END = "<!-- begin: scripts/benchmark networks --page -->", "<!-- end -->"
# Of a processor, for one network and one placement.
SECONDS = 1800


# --- In a worker ---


def draw(network, inputs, sizes, rng):
    """Arrays for the inputs of a call, by name."""
    left, arrays = list(sizes), {}
    for name, shape, dtype in inputs:
        if name in network.constants:
            arrays[name] = np.asarray(network.constants[name], dtype)
            continue
        whole = [size if not isinstance(size, str) and size and size > 0 else left.pop(0) for size in shape]
        drawn = network.inputs[name](rng, whole) if name in network.inputs else rng.random(whole)
        arrays[name] = np.asarray(drawn * 255 if dtype.kind in "iu" and name not in network.inputs else drawn).astype(dtype)
    return arrays


def calls(network, path):
    """Inputs and the framework's results for each of the sizes."""
    import references

    reference, rng = references.load(path), np.random.default_rng(5)
    for sizes in network.sizes:
        arrays = draw(network, reference.inputs, sizes, rng)
        yield {name: array for name, array in arrays.items() if name not in network.constants}, reference.run(arrays)


def work(number, path, folder, placement):
    """Prints the largest difference, or what went wrong, as JSON."""
    import hetero

    network = NETWORKS[number]
    try:
        kept = pathlib.Path(folder) / f"{number}.imported"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(hetero.importers.import_model(path, dims=network.dims, values=network.constants)))
        imported = pickle.loads(kept.read_bytes())
        rules = pathlib.Path(folder) / f"{number}.pipeline"
        program = hetero.compile(imported, **(json.loads(rules.read_text()) if placement == PIPELINE else PLACEMENTS[placement]))
        if placement == "cpu":
            rules.write_text(json.dumps(placements.pipeline(program)))
        outcomes = []
        for inputs, want in calls(network, path):
            got = program(**inputs)
            outcomes.append(results.compare(got if isinstance(got, list) else [got], want))
        texts = [outcome for outcome in outcomes if isinstance(outcome, str)]
        outcome = texts[0] if texts else max(outcomes)
    except hetero.Error as error:
        outcome = f"{type(error).__name__}: {error}"
    print(json.dumps({"outcome": outcome}))


# --- In the parent ---


def run_worker(number, path, folder, placement, limit):
    """A number, or a text that says what went wrong."""
    command = [sys.executable, os.path.abspath(__file__), "--work", str(number), str(path), folder, placement]
    try:
        done = workers.run(command, limit, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return f"it takes more than {limit} s of a processor"
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"outcome"')]
    if not lines:
        return f"exit status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
    return json.loads(lines[-1])["outcome"]


def processor_seconds():
    """What the workers up to now have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judge(network, outcome):
    """What the table says of it, and whether it is right."""
    if isinstance(outcome, str):
        return "**" + outcome.strip().splitlines()[0][:120].replace("|", "\\|") + "**", False
    return f"{outcome:.0e}" if outcome <= network.tolerance else f"**{outcome:.0e}**", outcome <= network.tolerance


def find(network, options, folder):
    """The network's file."""
    if network.package != LIGHT:
        return packages.find(network, options.folder)
    import networks
    import onnx

    path = pathlib.Path(folder) / network.path
    if not path.exists():
        onnx.save(networks.load_light(path.stem), path)
    return path


def measure_network(number, options, folder):
    """The cells of the network's row, and what is wrong."""
    network, cells, failures = NETWORKS[number], [], []
    try:
        path = find(network, options, folder)
    except packages.Unavailable as error:
        return ["not there"] * len(options.placements), [f"{network.name}: {error}"]
    for placement in options.placements:
        before = processor_seconds()
        outcome = run_worker(number, path, folder, placement, options.seconds)
        cell, is_right = judge(network, outcome)
        cells.append(cell)
        if not is_right:
            failures.append(f"{network.name} {placement}: {outcome}")
        seconds = processor_seconds() - before
        print(f"{network.name} {placement}: {cell}, {seconds:.0f} s of processors", file=sys.stderr, flush=True)
    for kept in pathlib.Path(folder).glob(f"{number}.*"):
        kept.unlink()
    return cells, failures


def measure(options):
    """Rows of the table by name, and what is wrong."""
    wanted = [part for part in options.only.split(",") if part]
    rows, failures = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for number, network in enumerate(NETWORKS):
            if wanted and not any(part in network.name for part in wanted):
                continue
            cells, wrong = measure_network(number, options, folder)
            failures += wrong
            sizes = ", ".join("x".join(map(str, each)) for each in network.sizes if each)
            rows[network.name] = f"| {network.name} | {sizes} | " + " | ".join(cells) + " |"
    return rows, failures


def write_page(head, rows):
    """Writes the table; rows of networks that were not asked for stay."""
    page = PAGE.read_text(encoding="utf-8")
    begin = page.index(BEGIN) + len(BEGIN)
    end = page.index(END, begin)
    kept = [line for line in page[begin:end].splitlines() if line.startswith("| ")]
    rows = {**{line.split(" | ")[0].removeprefix("| "): line for line in kept[1:]}, **rows}
    order = [rows[network.name] for network in NETWORKS if network.name in rows]
    PAGE.write_text("\n".join([page[:begin], *head, *order, page[end:]]), encoding="utf-8")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="parts of names, by commas")
    parser.add_argument("--placements", default=",".join([*PLACEMENTS, PIPELINE]), help="cpu first: the others use what it made")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of a processor, the limit for one network and one placement")
    parser.add_argument("--page", action="store_true", help="write the rows into docs/Coverage.md")
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.placements = options.placements.split(",")
    return options


def main():
    options = parse()
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    if options.work:
        number, *rest = options.work
        return work(int(number), *rest)
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, failures = measure(options)
    head = [f"| network | dynamic sizes | {' | '.join(options.placements)} |", "|---|---|" + "---|" * len(options.placements)]
    print("\n".join([*head, *rows.values()]))
    if options.page:
        write_page(head, rows)
    print(f"{len(rows)} networks, {len(failures)} wrong" + "".join(f"\n{failure}" for failure in failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
