#!/usr/bin/env python3
"""Runs models of one node for each operator of ONNX, each version that opset 7 or a later one has of it and each type
that it allows, through the importer, and compares with two references that share nothing: onnx.reference and ONNX
Runtime. Models are made from onnx.defs alone, without exceptions, and are the same in each run.

  benchmarks/onnx-sweep/run.py --only Conv,Slice --verbose
  benchmarks/onnx-sweep/run.py --slice 3/50                 each 50th group of models, from the third
  benchmarks/onnx-sweep/run.py --case 'Slice-13/T=float/2.0'   one model, with all that came
  benchmarks/onnx-sweep/run.py --keep DIR                   models that are wrong or crash, with inputs and results

right: as all references that run the model. wrong: as none. disputed: the references differ, so that the specification
decides. refused: an error, where a reference runs the model. unchecked: no reference runs it, and we do not crash.
Fails where something is wrong or crashes. Needs the packages that scripts/benchmark onnx-sweep installs.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import workers

OUTCOMES = ("right", "refused", "wrong", "crashed", "disputed", "unchecked")
# Phases of a case that are not those of references.
OURS = ("imports", "compiles", "runs")
# A worker takes so many groups of models; it keeps memory of programs.
GROUPS_OF_WORKER = 150


class Sweep:
    """Groups that are to be done, and what came."""

    def __init__(self, options, groups):
        self.options, self.started = options, time.time()
        self.todo, self.total = queue.SimpleQueue(), len(groups)
        self.outcomes = {}  # Of each case: outcome, reason.
        self.reached, self.done = set(), 0
        self.groups = {group.name: group for group in groups}
        for group in groups:
            self.todo.put(group.name)
        self._lock = threading.Lock()

    def note(self, group, case, outcome, reason, reached):
        with self._lock:
            self.outcomes[case] = (outcome, reason)
            if reached:
                self.reached.add(self.groups[group].triple)

    def finish_group(self):
        with self._lock:
            self.done += 1
            if self.options.progress and self.done % 50 == 0:
                counts = collections.Counter(outcome for outcome, _ in self.outcomes.values())
                text = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES)
                print(f"[{time.time() - self.started:.0f} s] {self.done} of {self.total} groups: {text}", file=sys.stderr, flush=True)

    def stop(self):
        """Leaves the groups that no worker has; what came is printed."""
        while not self.todo.empty():
            try:
                self.todo.get_nowait()
            except queue.Empty:
                return

    def serve(self):
        """Keeps one worker busy, and another one after it."""
        while not self.todo.empty():
            Process(self).run()


class Process:
    """A worker: one that ends has crashed, in what it has said last."""

    def __init__(self, sweep):
        self.sweep = sweep
        options = {name: getattr(sweep.options, name) for name in ("place", "keep", "disputed")}
        command = [sys.executable, os.path.abspath(__file__), "--work", json.dumps(options)]
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def run(self):
        for _ in range(GROUPS_OF_WORKER):
            try:
                name = self.sweep.todo.get_nowait()
            except queue.Empty:
                break
            self.run_group(name)
            self.sweep.finish_group()
        self.child.stdin.close()
        self.child.wait()

    def restart(self):
        self.child.stdin.close()
        self.child.wait()
        self.errors.close()
        self.__init__(self.sweep)

    def last_error(self):
        """The last line that the worker has written as an error."""
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors if line.strip()]
        return f": {lines[-1][:200]}" if lines else ""

    def run_group(self, name):
        request = {"group": name, "slot": 0, "skipped": {}}
        while True:
            last = self.ask(request)
            if last is None:
                return
            error = self.last_error()
            self.restart()
            if not last:
                self.sweep.note(name, f"{name}/0.0", "crashed", "the worker does not start" + error, False)
                return
            self.learn(request, last, error)

    def learn(self, request, last, error):
        """What the worker crashed at is not asked for again."""
        request["slot"] = last["slot"]
        who = "ours" if last["phase"] in OURS else last["phase"]
        ended = "did not end" if last["code"] in (-27, -14) else f"crashed ({last['code']})"
        request["skipped"].setdefault(last["case"], {})[who] = f"the worker {ended} where it {last['phase']}{error}"

    def ask(self, request):
        """None when the group is done, else the last words of a worker that has ended."""
        last = {}
        try:
            self.child.stdin.write(json.dumps(request) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass
        for line in self.child.stdout:
            said = json.loads(line)
            if "done" in said:
                return None
            if "slot" in said:
                last = {"slot": said["slot"]}
            elif "outcome" in said:
                self.sweep.note(request["group"], said["case"], said["outcome"], said["reason"], said["reached"])
            else:
                last |= said
        self.child.wait()
        return {**last, "code": self.child.returncode} if "case" in last else {}


# --- What is printed ---


def shorten(reason):
    """The kind of a reason: without names and numbers."""
    text = re.sub(r"loc\([^)]*\)+:? ?|\"[^\"]*\"(:\d+:\d+)?:? ?|/tmp/\S+", "", reason.replace("\n", " "))
    text = re.sub(r"%\w+|\d+x[\dx?a-z]+|-?\d+(\.\d+)?(e[+-]?\d+)?", "#", text)
    return re.sub(r"\s+", " ", text)[:150]


def operator_of(name):
    return re.match(r"(.+?)-\d+/", name).group(1)


def print_operator(operator, cases, triples, most):
    counts = collections.Counter(outcome for outcome, _ in cases.values())
    text = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES[:4])
    rest = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES[4:])
    print(f"{operator}: {text}; {rest}; {triples[0]} of {triples[1]} triples")
    kinds = collections.defaultdict(list)
    for name, (outcome, reason) in sorted(cases.items()):
        if outcome in ("refused", "wrong", "crashed", "disputed"):
            kinds[outcome, shorten(reason)].append((name, reason))
    for (outcome, kind), found in sorted(kinds.items(), key=lambda item: (OUTCOMES.index(item[0][0]), -len(item[1])))[:most]:
        name, reason = found[0]
        shown = reason.replace("\n", " ")[:300] if outcome in ("wrong", "crashed", "disputed") else kind
        print(f"  {outcome} ({len(found)}): {name}: {shown}")


def print_all(sweep):
    by_operator = collections.defaultdict(dict)
    for name, outcome in sweep.outcomes.items():
        by_operator[operator_of(name)][name] = outcome
    wanted = collections.defaultdict(set)
    for group in sweep.groups.values():
        wanted[operator_of(group.name + "/")].add(group.triple)
    for operator, cases in sorted(by_operator.items()):
        reached = len(wanted[operator] & sweep.reached)
        print_operator(operator, cases, (reached, len(wanted[operator])), 10**6 if sweep.options.verbose else 8)
    counts = collections.Counter(outcome for outcome, _ in sweep.outcomes.values())
    everything = set().union(*wanted.values()) if wanted else set()
    print(f"{len(sweep.reached)} of {len(everything)} triples of operator, version and type reached")
    print(f"{counts['disputed']} disputed, {counts['unchecked']} unchecked, {time.time() - sweep.started:.0f} s")
    strings = sum(outcome == "refused" and "string" in reason for outcome, reason in sweep.outcomes.values())
    known = len(sweep.outcomes) - counts["unchecked"]
    share = (known - counts["refused"]) / max(known - strings, 1)
    print(f"a reference runs {known}; {strings} are refused for strings, and {share:.1%} of the others run")
    print(", ".join(f"{counts[name]} {name}" for name in OUTCOMES[:4]))
    return 1 if counts["wrong"] or counts["crashed"] else 0


def show_case(options, name):
    """Runs one case here and prints all of it."""
    import cases
    import work
    from onnx import printer

    _, case = cases.find(name)
    print(printer.to_text(case.model))
    for key, value in case.feeds.items():
        print(f"{key} = {value!r}")
    found, reasons = work.run_references(case, lambda _: None, {})
    for reference, outputs in found.items():
        print(f"{reference}: {outputs}")
    for reference, reason in reasons.items():
        print(f"{reference} fails: {reason}")
    outcome, reason, got = work.judge(case, options.place, lambda _: None, {}, found)
    print(f"ours: {got}\n{outcome}: {reason}")
    return 0 if outcome in ("right", "refused", "unchecked") else 1


def choose(options):
    """The groups that are asked for."""
    import cases

    groups = cases.all_groups()
    if options.only:
        wanted = options.only.split(",")
        groups = [group for group in groups if group.operator in wanted or group.name in wanted]
    if options.slice:
        number, count = map(int, options.slice.split("/"))
        groups = groups[number % count :: count]
    return groups


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="operators, or names of groups (Conv-11/T=float), by commas")
    parser.add_argument("--slice", help="I/N: each N-th group, from the I-th")
    parser.add_argument("--case", help="the name of one model")
    parser.add_argument("--library", help="the path of libhetero.so")
    parser.add_argument("--place", default="cpu", help="the device of everything")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a folder for models that are wrong or crash")
    parser.add_argument("--disputed", action="store_true", help="keep disputed ones too")
    parser.add_argument("--verbose", action="store_true", help="all kinds of reasons")
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
    if options.case:
        return show_case(options, options.case)
    sweep = Sweep(options, choose(options))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sweep.stop())
    workers.run_threads(options.jobs, sweep.serve)
    return print_all(sweep)


if __name__ == "__main__":
    sys.exit(main())
