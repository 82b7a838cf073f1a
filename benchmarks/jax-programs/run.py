#!/usr/bin/env python3
"""Runs functions of jax.numpy, jax.lax, jax.nn, jax.scipy and jax.random, their gradients and their vmaps, of each dtype
that they take, and compares with jax.jit on the host.

  benchmarks/jax-programs/run.py --only jnp.sort,lax.top_k     functions of these names
  benchmarks/jax-programs/run.py --grep cumsum                 functions with this in their names
  benchmarks/jax-programs/run.py --slice 3/50                  each 50th, from the third
  benchmarks/jax-programs/run.py --dtypes uint8,float32        of these dtypes only
  benchmarks/jax-programs/run.py --grep 'random program' --places cpu,gpu:0,split

right: JAX's numbers. refused: an error of hetero. wrong: other numbers. crashed: the process ended, or another exception.
Prints a line for each case that is not right and the counts; fails where something is wrong or crashes.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import sweep

OUTCOMES = ("right", "refused", "wrong", "crashed")


def summarize(done):
    """How much of what runs."""
    functions = {group.split(" on ")[0].rsplit(" ", 1)[0] for group in done.seconds}
    share = 1 - done.count()["refused"] / max(len(done.outcomes), 1)
    return f"{len(functions)} functions, {share:.1%} of the cases run, "


def choose(options):
    """The names of the groups that are asked for."""
    import cases

    groups = cases.groups()
    if options.only:
        wanted = options.only.split(",")
        groups = [group for group in groups if group[1].name in wanted]
    if options.grep:
        groups = [group for group in groups if options.grep in group[0]]
    if options.slice:
        number, total = map(int, options.slice.split("/"))
        groups = groups[number % total :: total]
    return [f"{name} on {place}" for name, _, _ in groups for place in options.places.split(",")]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of functions, by commas")
    parser.add_argument("--grep", default="", help="a part of the name and the kind")
    parser.add_argument("--dtypes", type=lambda text: text.split(","), default=None, help="of these only")
    parser.add_argument("--slice", help="I/N: each N-th group of cases, from the I-th")
    parser.add_argument("--places", default="cpu", help="devices of everything, or 'split': by chance on cpu and gpu:0; by commas")
    sweep.add_options(parser)
    return parser.parse_args()


def main():
    options = parse()
    sys.path.insert(0, str(ROOT / "python"))
    sweep.set_environment(options)
    if options.work:
        import work

        return work.main(json.loads(options.work))
    done = sweep.Sweep(options, __file__, {"dtypes": options.dtypes}, OUTCOMES)
    done.run(choose(options))
    return done.print_all(summarize(done))


if __name__ == "__main__":
    sys.exit(main())
