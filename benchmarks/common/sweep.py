"""Groups of cases, which workers do: processes that take lines of JSON and answer with a line for each case.

A worker says the name of a case before it begins, so that its end is the crash of that case, if another worker ends
there, too.
"""

import collections
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

import workers

# A worker keeps the memory of programs.
GROUPS_OF_WORKER = 60
# Without an answer for so long, a worker has hung, on a machine that does nothing else.
SECONDS = 60


def add_options(parser):
    parser.add_argument("--library", help="the path of libhetero.so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--width", type=int, default=300, help="of a reason")
    parser.add_argument("--times", action="store_true", help="what takes longest")
    parser.add_argument("--progress", action="store_true", help="counts meanwhile, as errors")
    parser.add_argument("--work", help="of a worker: its settings")


def set_environment(options):
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    if options.library:
        os.environ["HETERO_LIBRARY"] = os.path.abspath(options.library)


class Sweep:
    """What is to be done, and what came. Workers run the script with `--work` and the settings."""

    def __init__(self, options, script, settings, outcomes):
        self.options, self.names = options, outcomes
        self.command = [sys.executable, os.path.abspath(script), "--work", json.dumps(settings)]
        self.todo, self.outcomes, self.seconds = queue.SimpleQueue(), {}, {}

    def run(self, groups):
        self.started, self.total = time.time(), len(groups)
        for group in groups:
            self.todo.put(group)
        workers.run_threads(self.options.jobs, self.serve)

    def note(self, case, outcome, reason):
        self.outcomes[case] = (outcome, reason)
        if outcome != "right":
            print(f"{outcome}: {case}: {' '.join(reason.split())[:self.options.width]}", flush=True)

    def finish(self, group, seconds):
        self.seconds[group] = seconds
        if self.options.progress and len(self.seconds) % 20 == 0:
            done = f"{len(self.seconds)} of {self.total}"
            print(f"[{time.time() - self.started:.0f} s] {done}: {self.describe()}", file=sys.stderr, flush=True)

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

    def count(self):
        return collections.Counter(outcome for outcome, _ in self.outcomes.values())

    def describe(self):
        counts = self.count()
        return ", ".join(f"{counts[name]} {name}" for name in self.names) + f" of {len(self.outcomes)}"

    def print_all(self, summary=""):
        """The counts; where it took long, if that is asked for. 1 if something is wrong or has crashed."""
        if self.options.times:
            for group, seconds in sorted(self.seconds.items(), key=lambda item: -item[1])[:20]:
                print(f"{seconds:.1f} s: {group}")
        print(f"{summary}{time.time() - self.started:.0f} s")
        print(self.describe())
        counts = self.count()
        return 1 if counts["wrong"] or counts["crashed"] else 0


class Worker:
    """A process; one that ends has crashed, in what it has said last."""

    def __init__(self, sweep):
        self.sweep = sweep
        self.start()

    def start(self):
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        self.child = subprocess.Popen(self.sweep.command, text=True, **pipes)

    def end(self):
        self.child.stdin.close()
        self.child.wait()

    def run_group(self, group):
        done, ended = [], {}
        while True:
            last = self.ask(group, done, ended)
            if last is None:
                return
            self.start()
            if last == "":
                self.sweep.note(group, "crashed", "the worker does not start")
                return
            if last in ended:
                self.sweep.note(last, "crashed", f"the worker ended ({self.child_code})")
                done.append(last)
            ended[last] = True

    def ask(self, group, done, ended):
        """None when the group is done, else the case at which the worker has ended."""
        last = ""
        watch = threading.Timer(workers.PATIENCE * SECONDS, self.child.kill)
        watch.start()
        try:
            self.child.stdin.write(json.dumps({"group": group, "done": done, "ended": list(ended)}) + "\n")
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


def answer(run_group):
    """The loop of a worker: `run_group(group, done, ended, say)` for each request, where `done` has cases to leave out,
    `ended` those at which a worker has ended, for which it may take more care, and `say(case=, outcome=, reason=)`
    answers. What libraries print is not among the answers."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def say(**fields):
        channel.write(json.dumps(fields) + "\n")
        channel.flush()

    for line in sys.stdin:
        request, started = json.loads(line), time.time()
        run_group(request["group"], set(request["done"]), set(request["ended"]), say)
        say(finished=request["group"], seconds=time.time() - started)
    return 0
