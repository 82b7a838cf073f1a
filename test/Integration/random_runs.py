"""Runs the programs of a generator, one per seed, and counts what passes."""

import argparse
import concurrent.futures
import os
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(check, count, full):
    """Calls check(seed, options, folder), which returns what failed or None, for
    `count` seeds (`full` with HETERO_FULL_TESTS). Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    parser.add_argument("--count", type=int, default=full if os.environ.get("HETERO_FULL_TESTS") else count)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="only this program")
    parser.add_argument("--keep", help="folder to leave the programs in")
    parser.add_argument("--width", type=int, default=600, help="characters of a failure's text")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.count) if options.seed is None else [options.seed]
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            folder = options.keep
            os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            outcomes = list(pool.map(lambda seed: check(seed, options, folder), seeds))
    failures = [outcome for outcome in outcomes if outcome]
    print("\n".join(failures + [f"{len(outcomes) - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0
