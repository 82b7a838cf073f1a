#!/usr/bin/env python3
"""Whole networks on the host against ONNX Runtime, one thread, both in one run: a table
of times and of ONNX Runtime's time over this project's. Fails where results differ.

  benchmarks/models/run.py
  benchmarks/models/run.py --only resnet,mlp --dtype f32,int8
  benchmarks/models/run.py --write              puts the tables into docs/Performance.md
  benchmarks/models/run.py --than simplify=false   against this project with another option

Needs the packages of hetero.importers and onnxruntime, which scripts/benchmark models
installs. Networks with weights of their own are in packages of PyPI; without these they
are skipped with the reason.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "Performance.md"
BEGIN, END = "<!-- models -->", "<!-- models end -->"
# A network is imported, compiled and measured in less.
SECONDS = 1800
# How far results may be apart, as a part of the largest: both round in places of their own,
# and what a quantized network rounds to another step changes all that follows. Where that
# makes ONNX Runtime differ more from itself, with its optimizations and without them,
# twice as far.
LARGEST = {"f32": 1e-3, "f16": 3e-2, "int8": 0.25}


def find_model(network, dtype, folder):
    """The network's file in a dtype; made once."""
    import onnx
    import variants

    path = folder / f"{network.name.replace(' ', '-')}.{dtype}.onnx"
    if not path.exists():
        model = variants.convert(network.load(), dtype)
        part = path.with_suffix(".part")
        onnx.save(model, part)
        part.rename(path)
    return path


def run_worker(path, options):
    """What measure.py found of a file, in a process of its own."""
    environment = dict(os.environ, HETERO_NUM_THREADS=str(options.threads))
    command = [sys.executable, os.path.abspath(__file__), "--measure", str(path), "--threads", str(options.threads), "--rounds", str(options.rounds)]
    command += ["--than", options.than] if options.than else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"it takes more than {SECONDS} s") from None
    if done.returncode:
        # What Python says of destructors comes after the error.
        text = done.stderr.split("Exception ignored")[0].strip()
        raise RuntimeError(text.splitlines()[-1] if text else f"exit status {done.returncode}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def describe_time(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"


def measure_network(network, dtype, options, folder):
    """A row of the table and the ratio; None for the latter where there is none, and whether something is wrong."""
    import packages

    cells = [network.name, dtype]
    try:
        found = run_worker(find_model(network, dtype, folder), options)
    except packages.Unavailable as error:
        return [*cells, f"skipped: {error}", "", "", "", ""], None, False
    except Exception as error:
        return [*cells, f"failed: {error}", "", "", "", ""], None, True
    ratio = found["theirs"] / found["ours"]
    largest = max(LARGEST[dtype], network.largest, 2 * found["their_own"])
    is_wrong = not found["difference"] <= largest
    difference = f"{found['difference']:.1e}" + (f", expected {largest:.1e} at most" if is_wrong else "")
    times = [describe_time(found["ours"]), describe_time(found["theirs"])]
    return [*cells, *times, f"{ratio:.2f}", difference, f"{found['compiled']:.1f}"], ratio, is_wrong


def summarise(ratios):
    lines = []
    for dtype, found in ratios.items():
        if found:
            mean = math.exp(sum(math.log(ratio) for ratio in found) / len(found))
            lines.append(f"{dtype}: geometric mean {mean:.2f} of {len(found)} networks, smallest {min(found):.2f}")
    return lines


def write_page(text):
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page:
        sys.exit(f"{PAGE} has no line {BEGIN}; write it where the tables are to be")
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    PAGE.write_text(page[:begin] + "\n" + text + "\n" + page[end:], encoding="utf-8")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="parts of names, by commas")
    parser.add_argument("--dtype", default="f32,f16,int8", help="of f32, f16, int8")
    parser.add_argument("--threads", type=int, default=1, help="with more than one, times are of the clock on the wall")
    parser.add_argument("--rounds", type=int, default=11, help="samples of each of the two")
    parser.add_argument("--list", action="store_true", help="the networks and where they are from")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/Performance.md")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "models", help="where networks are kept")
    parser.add_argument("--than", default="", help="NAME=VALUE, an option of hetero.compile: the other program is this project's with it")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    return parser.parse_args()


def parse_than(text):
    """The option that the other program has, by its name."""
    name, _, value = text.partition("=")
    return {name.replace("-", "_"): value} if text else {}


def select(networks, options):
    words = [word for word in options.only.split(",") if word]
    return [network for network in networks if not words or any(re.search(word, network.name) for word in words)]


def measure_all(options):
    import networks

    header = ["network", "", "this project", options.than or "ONNX Runtime", "ratio", "difference", "compiled, s"]
    lines = ["| " + " | ".join(header) + " |", "|---|---|" + "--:|" * 5]
    print("\n".join(lines), flush=True)
    dtypes, failed = options.dtype.split(","), False
    ratios = {dtype: [] for dtype in dtypes}
    for network in select(networks.list_networks(options.folder), options):
        for dtype in [dtype for dtype in dtypes if dtype in ("f32", *network.narrow)]:
            cells, ratio, is_wrong = measure_network(network, dtype, options, options.folder)
            failed |= is_wrong
            if ratio is not None:
                ratios[dtype].append(ratio)
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    lines += ["", *summarise(ratios)]
    print("\n".join(lines[lines.index("") :]))
    if options.write:
        write_page("\n".join(lines))
    return 1 if failed else 0


def main():
    options = parse()
    sys.path.insert(0, str(ROOT / "python"))
    if options.measure:
        import measure

        return measure.print_measured(options.measure, options.threads, options.rounds, parse_than(options.than))
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.list:
        import networks

        for network in networks.list_networks(options.folder):
            print(f"{network.name}: {network.origin}")
        return 0
    return measure_all(options)


if __name__ == "__main__":
    sys.exit(main())
