"""The worker: takes groups of cases by lines of JSON and answers with a line for each case and phase."""

import json
import os
import pathlib
import pickle
import resource
import signal
import sys

import numpy as np

import adapter
import cases
import hetero.library
import references
import verdicts

# Of a processor for a case; of memory for the worker.
SECONDS = 60
MEMORY = 16 << 30
# The phase before there is a case.
MAKES = "makes"


class Channel:
    """Where answers go: what libraries print does not."""

    def __init__(self):
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)

    def say(self, **fields):
        self._file.write(json.dumps(fields) + "\n")
        self._file.flush()


def limit(seconds=SECONDS):
    """One signal ends a worker that does not come to an end."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def run_references(case, phase, skipped):
    """Results by the name of each reference that runs the case, and why the others do not."""
    found, reasons = {}, {}
    for name, run in references.REFERENCES.items():
        if name in skipped:
            reasons[name] = "it crashed"
            continue
        phase(name)
        try:
            found[name] = run(case)
        except references.Failed as failed:
            reasons[name] = str(failed)
    return found, reasons


def judge(case, place, phase, skipped, found, data=None):
    """The verdict on a case that a reference may run: outcome, reason, and our results.

    data: the file, which stays as it is; without it, the case's model gets the types of results that were found.
    """
    if found and not data:
        cases.declare_results(case, next(iter(found.values())))
    try:
        if "ours" in skipped:
            raise adapter.Crashed(skipped["ours"])
        got = adapter.run_case(case, place, phase, data)
    except adapter.Refused as refused:
        return ("refused" if found else "unchecked"), str(refused), None
    except adapter.Crashed as crashed:
        return "crashed", str(crashed), None
    except MemoryError:
        return "refused", "run: out of memory", None
    return *verdicts.decide(case, got, found), got


def keep(folder, case, found, got):
    """Writes the model, its inputs, what was expected and what came."""
    place = pathlib.Path(folder) / case.name.replace("/", "_").replace("=", "-")
    place.mkdir(parents=True, exist_ok=True)
    (place / "model.onnx").write_bytes(case.model.SerializeToString())
    for name, values in (("inputs", case.feeds), ("got", dict(enumerate(got or []))), *((k, dict(enumerate(v))) for k, v in found.items())):
        try:
            np.savez(place / f"{name.replace(' ', '_')}.npz", **{str(key): value for key, value in values.items()})
        except (ValueError, TypeError, pickle.PicklingError):
            continue


class Worker:
    def __init__(self, options, channel):
        self.options, self.channel = options, channel

    def draw(self, group, slot, request):
        """The cases of a slot, what is skipped in each, and whom to tell of its phases."""
        for attempt in range(cases.ATTEMPTS):
            name = f"{group.name}/{slot}.{attempt}"
            skipped = request["skipped"].get(name, {})
            if MAKES in skipped:
                continue
            phase = lambda what, name=name: self.channel.say(case=name, phase=what)
            phase(MAKES)
            # Inference of onnx crashes and hangs as well.
            limit(SECONDS // 6)
            case = cases.make_case(group, slot, attempt)
            if case is not None:
                yield case, skipped, phase

    def run_slot(self, group, slot, request):
        """Draws inputs until a reference takes them, and then it is our turn."""
        last = None
        for case, skipped, phase in self.draw(group, slot, request):
            last = case, {}, phase, skipped
            limit()
            found, _ = run_references(case, phase, skipped)
            if found:
                last = case, found, phase, skipped
                break
        if last is not None:
            self.report(*last)

    def report(self, case, found, phase, skipped):
        limit()
        outcome, reason, got = judge(case, self.options["place"], phase, skipped, found)
        self.channel.say(case=case.name, outcome=outcome, reason=reason[:2000], reached=bool(found))
        if self.options["keep"] and outcome in ("wrong", "crashed", *(["disputed"] if self.options["disputed"] else [])):
            keep(self.options["keep"], case, found, got)

    def serve(self):
        groups = {group.name: group for group in cases.all_groups()}
        for line in sys.stdin:
            request = json.loads(line)
            group = groups[request["group"]]
            for slot in range(len(group.styles)):
                if slot >= request["slot"]:
                    self.channel.say(slot=slot)
                    self.run_slot(group, slot, request)
            self.channel.say(done=request["group"])


def prepare():
    """Limits of this process, and its channel."""
    # A library that is not there is told at once.
    hetero.library.get()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return Channel()


def main(options):
    Worker(options, prepare()).serve()
