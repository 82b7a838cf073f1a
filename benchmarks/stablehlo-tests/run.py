#!/usr/bin/env python3
"""Runs the tests of StableHLO's interpreter, whose constants become arguments, and compares with what they expect.

  benchmarks/stablehlo-tests/run.py --only scatter,gather    of these files
  benchmarks/stablehlo-tests/run.py --slice 3/20             each 20th, from the third
  benchmarks/stablehlo-tests/run.py --show scatter/0         the program of a test

right: what is expected. not imported: an error of the importer. refused: another error of hetero. wrong: other numbers.
crashed: the process ended, or another exception.
Prints a line for each test that is not right and the counts; fails where something is wrong or crashes.
"""

import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python")]
sys.path.append(str(ROOT / "benchmarks" / "common"))

import sweep

OUTCOMES = ("right", "not imported", "refused", "wrong", "crashed")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of files, by commas")
    parser.add_argument("--slice", help="I/N: each N-th test, from the I-th")
    parser.add_argument("--place", default="cpu", help="the device of everything, or 'split': by chance on cpu and gpu:0")
    parser.add_argument("--show", help="of a test with this in its name: the program that is imported")
    sweep.add_options(parser)
    return parser.parse_args()


def choose(options):
    import tests

    names = list(tests.load())
    if options.only:
        names = [name for name in names if name.split("/")[0] in options.only.split(",")]
    if options.slice:
        number, total = map(int, options.slice.split("/"))
        names = names[number % total :: total]
    return names


def show(part):
    import tests

    for name, text in tests.load().items():
        if part in name:
            print(f"// {name}\n{tests.read(text).text}")
    return 0


def main():
    options = parse()
    sweep.set_environment(options)
    if options.work:
        import work

        return work.main(json.loads(options.work))
    if options.show:
        return show(options.show)
    done = sweep.Sweep(options, __file__, {"place": options.place}, OUTCOMES)
    done.run(choose(options))
    return done.print_all()


if __name__ == "__main__":
    sys.exit(main())
