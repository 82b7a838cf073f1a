#!/usr/bin/env python3
"""Changes the bytes of ONNX files and imports them: an error with a message, or ONNX Runtime's numbers where that
accepts the file too; no crash and no hang. Mutations are the same in each run.

  benchmarks/onnx-mutations/run.py --count 2000
  benchmarks/onnx-mutations/run.py --only 17 --keep DIR   one mutation, written there

The files are models of onnx-sweep, one for each operator in turn, and those that --files names.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import random
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import workers

SWEEP = ROOT / "benchmarks" / "onnx-sweep"
OUTCOMES = ("refused", "right", "disputed", "unchecked", "wrong", "crashed")
# A larger file is not one of a few nodes: its numbers take long.
MOST_BYTES = 1 << 20
# So long one mutation takes at most.
SECONDS = 300


def _flip(draw, data):
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def _set(draw, data):
    data[draw.randrange(len(data))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF))


def _cut(draw, data):
    del data[draw.randrange(len(data)) :]


def _remove(draw, data):
    start = draw.randrange(len(data))
    del data[start : start + draw.randint(1, 8)]


def _repeat(draw, data):
    start = draw.randrange(len(data))
    data[start:start] = data[start : start + draw.randint(1, 16)]


def _insert(draw, data):
    start = draw.randrange(len(data))
    data[start:start] = draw.choice((b"\xff" * 9 + b"\x01", b"\x80" * 10, b"\0" * 4, draw.randbytes(4)))


MUTATIONS = (_flip, _flip, _set, _set, _cut, _remove, _repeat, _insert)
ODD_NUMBERS = (0, 1, -1, 2, 3, 7, 2**31 - 1, -(2**31), 2**40, 2**62, -(2**63))


def _numbers_of(model):
    """Functions that set a number somewhere in the model."""
    for node in model.graph.node:
        for attribute in node.attribute:
            yield lambda value, attribute=attribute: setattr(attribute, "i", value)
            for index in range(len(attribute.ints)):
                yield lambda value, ints=attribute.ints, index=index: ints.__setitem__(index, value)
    for value in (*model.graph.input, *model.graph.output):
        yield lambda number, kind=value.type.tensor_type: setattr(kind, "elem_type", abs(number) % 30)
        for dim in value.type.tensor_type.shape.dim:
            yield lambda number, dim=dim: setattr(dim, "dim_value", number)
    for weight in model.graph.initializer:
        yield lambda number, weight=weight: setattr(weight, "data_type", abs(number) % 30)
        for index in range(len(weight.dims)):
            yield lambda number, dims=weight.dims, index=index: dims.__setitem__(index, number)
    for opset in model.opset_import:
        yield lambda number, opset=opset: setattr(opset, "version", number)


def _names_of(model):
    """Functions that give a name somewhere in the model."""
    for node in model.graph.node:
        for names in (node.input, node.output):
            for index in range(len(names)):
                yield lambda name, names=names, index=index: names.__setitem__(index, name)
    for value in (*model.graph.input, *model.graph.output, *model.graph.initializer):
        yield lambda name, value=value: setattr(value, "name", name)


def _change_shape(draw, shape):
    """A shape with a dimension more or less, or one of another size."""
    shape, place, kind = list(shape), draw.randrange(len(shape) + 1), draw.randrange(3)
    size = draw.choice((0, 1, 2, 5))
    if kind == 0 or place == len(shape):
        shape.insert(place, size)
    else:
        shape[place : place + 1] = [size] if kind == 1 else []
    return shape


def _shapes_of(model, draw):
    """Functions that change the shape of an input or of a weight, with its elements."""
    import numpy as np
    from onnx import helper, numpy_helper

    def change_input(value):
        kind = value.type.tensor_type
        shape = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in kind.shape.dim]
        value.CopyFrom(helper.make_tensor_value_info(value.name, kind.elem_type, _change_shape(draw, shape)))

    def change_weight(weight):
        array = np.resize(numpy_helper.to_array(weight), _change_shape(draw, weight.dims))
        weight.CopyFrom(numpy_helper.from_array(array, weight.name))

    for value in model.graph.input:
        yield lambda value=value: change_input(value)
    for weight in model.graph.initializer:
        yield lambda weight=weight: change_weight(weight)


def _graphs_of(graph):
    """The graph, and all that nodes have."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _graphs_of(attribute.g)


def _lists_of(model):
    """Lists of which something may be missing, or there twice."""
    for graph in _graphs_of(model.graph):
        yield from (graph.input, graph.output, graph.initializer)
        for node in graph.node:
            yield from (node.input, node.output, node.attribute)
            for attribute in node.attribute:
                yield from (attribute.ints, attribute.floats, attribute.strings)


def _change_list(draw, values):
    """Drops a value, or has it twice."""
    place = draw.randrange(len(values))
    if draw.random() < 0.6:
        del values[place]
    elif hasattr(values, "add"):
        values.add().CopyFrom(values[place])
    else:
        values.append(values[place])


def mutate_model(draw, data):
    """A file that can be read, with a number, a name, a shape, a list or bytes of a weight that do not fit; the bytes as
    they are where it cannot be read."""
    import adapter

    model = adapter.read_model(data)
    if model is None:
        return data
    weights = [weight for weight in model.graph.initializer if weight.raw_data]
    numbers, names = list(_numbers_of(model)), list(_names_of(model))
    shapes, lists = list(_shapes_of(model, draw)), [values for values in _lists_of(model) if values]
    choice = draw.randrange(12)
    if choice >= 9 and shapes:
        draw.choice(shapes)()
    elif choice >= 6 and lists:
        _change_list(draw, draw.choice(lists))
    elif choice == 0 and weights:
        weight = draw.choice(weights)
        weight.raw_data = weight.raw_data[:-1] if draw.random() < 0.5 else draw.randbytes(len(weight.raw_data))
    elif choice == 1 and names:
        known = [name for node in model.graph.node for name in (*node.input, *node.output)]
        draw.choice(names)(draw.choice(["", "other", *known]))
    elif numbers:
        draw.choice(numbers)(draw.choice(ODD_NUMBERS))
    return model.SerializeToString()


def mutate(number, data):
    """The bytes with one or a few changes."""
    draw = random.Random(number)
    if number % 4 >= 2:
        return mutate_model(draw, data)
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if changed:
            draw.choice(MUTATIONS)(draw, changed)
    return bytes(changed)


# --- In a worker ---


def make_source(number, files):
    """The file that a mutation changes, and what to call its model with."""
    import cases

    if files and number % 2:
        return pathlib.Path(files[number // 2 % len(files)]).read_bytes()
    kinds = ("tensor(float)", "tensor(int64)", "tensor(uint8)")
    groups = [group for group in cases.all_groups() if group.kind in kinds]
    # Neighbours are versions of one operator.
    for step in range(number * 97, number * 97 + len(groups)):
        group = groups[step % len(groups)]
        case = cases.make_case(group, number % len(group.styles), 0)
        if case is not None:
            break
    return case.model.SerializeToString()


def make_feeds(model, number):
    """Inputs of a changed model; None where they cannot be made."""
    import numpy as np

    import types_of_onnx as types

    numbers, feeds = np.random.default_rng(number), {}
    weights = {weight.name for weight in model.graph.initializer}
    for value in model.graph.input:
        if value.name in weights:
            continue
        kind = types.type_of_proto(value.type)
        shape = [dim.dim_value if dim.HasField("dim_value") else 2 for dim in value.type.tensor_type.shape.dim]
        if not kind.startswith("tensor(") or min(shape, default=0) < 0 or np.prod(shape, dtype=float) > 1e6:
            return None
        feeds[value.name] = types.make_array(numbers, kind, shape)
    return feeds


def is_extreme(array):
    """Whether there are no elements, or some that arithmetic in another order or of other types makes others of."""
    import numpy as np

    if array.dtype.kind not in "fiu" or array.size == 0:
        return array.size == 0
    return not (np.abs(array.astype(np.float64)) < (2.0**31 if array.dtype.kind == "f" else 2.0**26)).all()


def make_case(data, number):
    """The changed model as a case of the sweep; None where there is nothing to run."""
    import adapter
    import cases
    import types_of_onnx as types
    from onnx import numpy_helper

    model = adapter.read_model(data)
    if model is None or not model.graph.output or len(data) > MOST_BYTES:
        return None
    try:
        feeds = make_feeds(model, number)
        kinds = [types.type_of_proto(value.type) for value in model.graph.output]
        arrays = [*feeds.values(), *map(numpy_helper.to_array, model.graph.initializer)] if feeds is not None else []
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if feeds is None or not all(map(types.is_tensor, kinds)):
        return None
    random_nodes = {node.op_type for node in model.graph.node} & set(cases.RANDOM)
    return cases.Case(str(number), model, feeds, kinds, any(map(is_extreme, arrays)), bool(random_nodes))


def judge(number, data, place, phase, skipped):
    """The verdict on a file."""
    import adapter
    import references
    import verdicts
    import work

    case = make_case(data, number)
    if case is None:
        return judge_bytes(data, phase)
    found = {}
    if references.RUNTIME not in skipped:
        phase(references.RUNTIME)
        try:
            found = {references.RUNTIME: references.run_runtime(case)}
        except references.Failed:
            pass
    outcome, reason, got = work.judge(case, place, phase, skipped, found, data)
    if outcome == "wrong":
        # A second opinion.
        try:
            found[references.NUMPY] = references.run_onnx(case)
        except references.Failed:
            pass
        outcome, reason = verdicts.decide(case, got, found)
    return ("refused" if reason.startswith(adapter.PHASES) and outcome == "unchecked" else outcome), reason


def judge_bytes(data, phase):
    """A file that is no model for onnx itself: an error is due, or at least no crash."""
    import adapter

    phase("imports")
    try:
        adapter.import_bytes(data, {})
    except adapter.Refused as refused:
        return "refused", str(refused)
    return "unchecked", "onnx does not read it, or its inputs cannot be made"


def serve(options):
    """Answers with a line of JSON for each number."""
    import work

    channel = work.prepare()
    for line in sys.stdin:
        request = json.loads(line)
        number = request["number"]
        phase = lambda name: channel.say(phase=name)
        work.limit()
        phase("makes")
        data = bytes(mutate(number, make_source(number, options["files"])))
        if options["keep"]:
            pathlib.Path(options["keep"], f"mutation-{number}.onnx").write_bytes(data)
        outcome, reason = judge(number, data, options["place"], phase, request["skipped"])
        channel.say(outcome=outcome, reason=reason[:2000])


# --- In the parent ---


class Mutations:
    """Numbers that are to be done, by workers that may crash."""

    def __init__(self, options, numbers):
        self.options, self.outcomes = options, {}
        self.todo = queue.SimpleQueue()
        for number in numbers:
            self.todo.put(number)

    def start(self):
        options = {name: getattr(self.options, name) for name in ("place", "keep", "files")}
        command = [sys.executable, os.path.abspath(__file__), "--work", json.dumps(options)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def serve(self):
        child = self.start()
        while not self.todo.empty():
            try:
                number = self.todo.get_nowait()
            except queue.Empty:
                break
            skipped = {}
            while number not in self.outcomes:
                phase = self.ask(child, number, skipped)
                if number not in self.outcomes:
                    child = self.learn(child, number, phase, skipped)
        child.stdin.close()
        child.wait()

    def learn(self, child, number, phase, skipped):
        """A reference that crashed is left out; where we crashed, that is the outcome. Returns another worker."""
        child.stdin.close()
        child.wait()
        if phase == "ONNX Runtime":
            skipped[phase] = "it crashed"
        else:
            self.outcomes[number] = ("crashed", f"the worker ended with {child.returncode} where it {phase or 'starts'}")
        return self.start()

    def ask(self, child, number, skipped):
        """The last phase that the worker named."""
        phase = None
        try:
            child.stdin.write(json.dumps({"number": number, "skipped": skipped}) + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            return phase
        # Whoever hangs ends there, as one that crashes.
        timer = threading.Timer(SECONDS, child.kill)
        timer.start()
        for line in child.stdout:
            said = json.loads(line)
            if "outcome" in said:
                self.outcomes[number] = (said["outcome"], said["reason"])
                break
            phase = said["phase"]
        timer.cancel()
        return phase


def print_all(outcomes, verbose):
    counts = collections.Counter(outcome for outcome, _ in outcomes.values())
    for number, (outcome, reason) in sorted(outcomes.items()):
        if outcome in ("wrong", "crashed") or verbose:
            print(f"{number}: {outcome}: {reason[:300]}".replace("\n", " "))
    print(", ".join(f"{counts[name]} {name}" for name in OUTCOMES))
    return 1 if counts["wrong"] or counts["crashed"] else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--only", help="numbers of mutations, by commas")
    parser.add_argument("--files", nargs="*", default=[], help="files to change too, in half of the mutations")
    parser.add_argument("--library", help="the path of libhetero.so")
    parser.add_argument("--place", default="cpu", help="the device of everything")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a folder for the changed files")
    parser.add_argument("--verbose", action="store_true", help="every outcome")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse()
    sys.path[:0] = [str(SWEEP), str(ROOT / "python")]
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    if options.library:
        os.environ["HETERO_LIBRARY"] = os.path.abspath(options.library)
    if options.work:
        return serve(json.loads(options.work))
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    numbers = [int(number) for number in options.only.split(",")] if options.only else range(options.count)
    mutations = Mutations(options, numbers)
    workers.run_threads(options.jobs, mutations.serve)
    return print_all(mutations.outcomes, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
