#!/usr/bin/env python3
"""Runs functions of jax.numpy, jax.lax, jax.nn, jax.scipy and jax.random, their gradients and their vmaps, of each dtype
that they take, and compares with jax.jit on the host.

  benchmarks/jax-programs/run.py --only jnp.sort,lax.top_k     functions of these names
  benchmarks/jax-programs/run.py --grep cumsum                 functions with this in their names
  benchmarks/jax-programs/run.py --slice 3/50                  each 50th, from the third
  benchmarks/jax-programs/run.py --dtypes uint8,float32        of these dtypes only

right: JAX's numbers. refused: an error of hetero. wrong: other numbers. crashed: the process ended, or another exception.
Prints a line for each case that is not right and the counts; fails where something is wrong or crashes.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import workers

OUTCOMES = ("right", "refused", "wrong", "crashed")
# A worker keeps the memory of programs.
GROUPS_OF_WORKER = 60
# Without an answer for so long, a worker has hung.
SECONDS = 60


class Sweep:
    """What is to be done, and what came."""

    def __init__(self, options, groups):
        self.options, self.started = options, time.time()
        self.todo, self.total = queue.SimpleQueue(), len(groups)
        self.outcomes, self.seconds = {}, {}
        for group in groups:
            self.todo.put(group)

    def note(self, case, outcome, reason):
        self.outcomes[case] = (outcome, reason)
        if outcome != "right":
            print(f"{outcome}: {case}: {' '.join(reason.split())[:self.options.width]}", flush=True)

    def finish(self, group, seconds):
        self.seconds[group] = seconds
        if self.options.progress and len(self.seconds) % 20 == 0:
            counts = count(self)
            print(f"[{time.time() - self.started:.0f} s] {len(self.seconds)} of {self.total}: {counts}", file=sys.stderr, flush=True)

    def serve(self):
        """Keeps one worker busy, and another one after it."""
        while not self.todo.empty():
            worker = Worker(self)
            for _ in range(GROUPS_OF_WORKER):
                try:
                    group = self.todo.get_nowait()
                except queue.Empty:
                    break
                worker.run_group(group)
            worker.end()


class Worker:
    """A process; one that ends has crashed, in what it has said last."""

    def __init__(self, sweep):
        self.sweep = sweep
        self.start()

    def start(self):
        options = {"place": self.sweep.options.place, "dtypes": self.sweep.options.dtypes}
        command = [sys.executable, os.path.abspath(__file__), "--work", json.dumps(options)]
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def end(self):
        self.child.stdin.close()
        self.child.wait()

    def run_group(self, group):
        done = []
        while True:
            last = self.ask(group, done)
            if last is None:
                return
            self.start()
            if last == "":
                self.sweep.note(group, "crashed", "the worker does not start")
                return
            if last != "joined":
                self.sweep.note(last, "crashed", f"the worker ended ({self.child_code})")
            done.append(last)

    def ask(self, group, done):
        """None when the group is done, else the case at which the worker has ended."""
        last = ""
        watch = threading.Timer(SECONDS, self.child.kill)
        watch.start()
        try:
            self.child.stdin.write(json.dumps({"group": group, "done": done}) + "\n")
            self.child.stdin.flush()
            for line in self.child.stdout:
                said = json.loads(line)
                if "finished" in said:
                    self.sweep.finish(group, said["seconds"])
                    return None
                last = said["case"]
                if "outcome" in said:
                    done.append(said["case"])
                    self.sweep.note(said["case"], said["outcome"], said["reason"])
        except BrokenPipeError:
            pass
        finally:
            watch.cancel()
        self.child.wait()
        self.child_code = self.child.returncode
        return last


def count(sweep):
    counts = collections.Counter(outcome for outcome, _ in sweep.outcomes.values())
    return ", ".join(f"{counts[name]} {name}" for name in OUTCOMES) + f" of {len(sweep.outcomes)}"


def print_all(sweep):
    """The counts; where it took long, if that is asked for."""
    if sweep.options.times:
        for group, seconds in sorted(sweep.seconds.items(), key=lambda item: -item[1])[:20]:
            print(f"{seconds:.1f} s: {group}")
    functions = {group.rsplit(" ", 1)[0] for group in sweep.seconds}
    bad = sum(outcome in ("wrong", "crashed") for outcome, _ in sweep.outcomes.values())
    ran = sum(outcome != "refused" for outcome, _ in sweep.outcomes.values())
    share = ran / max(len(sweep.outcomes), 1)
    print(f"{len(functions)} functions, {share:.1%} of the cases run, {time.time() - sweep.started:.0f} s")
    print(count(sweep))
    return 1 if bad else 0


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
    return [name for name, _, _ in groups]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of functions, by commas")
    parser.add_argument("--grep", default="", help="a part of the name and the kind")
    parser.add_argument("--dtypes", type=lambda text: text.split(","), default=None, help="of these only")
    parser.add_argument("--slice", help="I/N: each N-th group of cases, from the I-th")
    parser.add_argument("--library", help="the path of libhetero.so")
    parser.add_argument("--place", default="cpu", help="the device of everything")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--width", type=int, default=300, help="of a reason")
    parser.add_argument("--times", action="store_true", help="what takes longest")
    parser.add_argument("--progress", action="store_true", help="counts meanwhile, as errors")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse()
    sys.path.insert(0, str(ROOT / "python"))
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    if options.library:
        os.environ["HETERO_LIBRARY"] = os.path.abspath(options.library)
    if options.work:
        import work

        return work.main(json.loads(options.work))
    sweep = Sweep(options, choose(options))
    workers.run_threads(options.jobs, sweep.serve)
    return print_all(sweep)


if __name__ == "__main__":
    sys.exit(main())
