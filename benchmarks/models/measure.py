"""One network, measured: hetero and ONNX Runtime, or hetero with other options, in turns, in one process."""

import dataclasses
import json
import statistics
import time

import numpy as np
import onnx
import variants

# What a sample of one of the two lasts at least.
SECONDS = 0.03


@dataclasses.dataclass
class Measured:
    """Seconds of one run, the median of the samples; how far results are from each other,
    and ONNX Runtime's from those that it has without its optimizations, as parts of the
    largest one; seconds of the processor to import and compile."""

    ours: float
    theirs: float
    difference: float
    their_own: float
    compiled: float


def open_session(model, threads, is_optimized=True):
    """A function that runs the model in ONNX Runtime, with arrays by name."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if is_optimized else levels.ORT_DISABLE_ALL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, inputs)


def take_sample(run, clock, repetitions):
    begin = clock()
    for _ in range(repetitions):
        run()
    return (clock() - begin) / repetitions


def alternate(runs, clock, rounds):
    """The median time of each function; they take turns, so that both have the same machine."""
    counts = []
    for run in runs:
        run()
        counts.append(max(1, round(SECONDS / max(take_sample(run, clock, 1), 1e-7))))
    samples = [[] for _ in runs]
    for _ in range(rounds):
        for run, count, taken in zip(runs, counts, samples):
            taken.append(take_sample(run, clock, count))
    return [statistics.median(taken) for taken in samples]


def compare(ours, theirs):
    """The largest difference, as a part of the largest number."""
    worst = 0.0
    for a, b in zip(ours, theirs):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if a.shape != b.shape:
            raise RuntimeError(f"results have shapes {a.shape} and {b.shape}")
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            raise RuntimeError("results are not finite")
        worst = max(worst, float(np.abs(a - b).max(initial=0)) / max(float(np.abs(b).max(initial=0)), 1e-30))
    return worst


def compile_model(model, **options):
    """The program as a function of arrays by name, and seconds of the processor that it took."""
    import resource

    import hetero

    def spent():
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    before = spent()
    program = hetero.compile(model, rules="default: cpu", **options)
    names = program.main.argument_names
    seconds = spent() - before

    def run(inputs):
        results = program(*(inputs[name] for name in names))
        return results if isinstance(results, list) else [results]

    return run, seconds


def measure(path, threads, rounds, than):
    """Of a file, against ONNX Runtime or the same program with the options in `than`. One thread's
    time is the processor's: what else the machine does is not in it."""
    model = onnx.load(path)
    inputs = variants.draw_inputs(model, np.random.default_rng(2))
    theirs = compile_model(model, **than)[0] if than else open_session(model, threads)
    ours, compiled = compile_model(model)
    want = theirs(inputs)
    difference = compare(ours(inputs), want)
    their_own = compare(open_session(model, threads, is_optimized=False)(inputs), want)
    clock = time.thread_time if threads == 1 else time.perf_counter
    times = alternate([lambda: ours(inputs), lambda: theirs(inputs)], clock, rounds)
    return Measured(*times, difference, their_own, compiled)


def print_measured(path, threads, rounds, than):
    print(json.dumps(dataclasses.asdict(measure(path, threads, rounds, than))))
