#!/usr/bin/env python3
"""Compares the kernels that hetero-compile makes for the host with those of
OpenBLAS and oneDNN: one thread on one core, in turns, the best time of each, all
results compared with double precision. Prints a table.

The libraries do the same work on the same row-major tensors, with the weights of
convolutions in whatever layout they like ("library"), and, where they can, with
all tensors in their own layouts before and after, or all operations of a chain in
one call ("own layout"). Of layers of networks the library has a call each, and both
orders of images, its own with a copy before the first layer and after the last,
count as "library". Winograd's algorithm, which rounds more, has columns of its own. "auto" is this project where it calls these libraries for what they are
faster at. A ratio above 1 means that this project is faster.

  benchmarks/cpu-kernels/run.py
  benchmarks/cpu-kernels/run.py --only matmul --seconds 2
  benchmarks/cpu-kernels/run.py --products --seconds 0.3
"""

import argparse
import math
import os
import re
import subprocess
import sys

from programs import KINDS, NETWORKS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = ["measure.cpp", "onednn.cpp", "contractions.cpp", "convolutions.cpp", "networks.cpp", "rows.cpp"]

FEED_FORWARD = [(128, 3072, 768), (3136, 384, 96), (784, 768, 192), (196, 1536, 384), (49, 3072, 768)]

# Kind and sizes, which are those of cases.h.
CASES = (
    [("matmul", size, size, size) for size in (256, 384, 512, 768, 1024)]
    + [("matmul", 128, 768, 768), ("matmul", 128, 3072, 768), ("matmul", 200, 1000, 768), ("matmul", 333, 255, 517)]
    + [("matmul_weights", 128, 768, 768), ("matmul_weights", 128, 768, 3072), ("matmul_weights", 16, 1000, 512), ("matmul_weights", 1, 1000, 2048)]
    + [("matmul", 1, 1000, 2048), ("matmul", 1000, 1, 512), ("matmul", 17, 31, 1009), ("batch_matmul", 12, 128, 64, 128), ("batch_matmul", 12, 128, 128, 64)]
    # Weights of linear layers as PyTorch has them, and Q K of attention.
    + [("matmul_transpose_b", *sizes) for sizes in ((512, 512, 512), (128, 768, 768), (1, 768, 3072), (8, 1024, 1024), (17, 31, 1009), (100, 1001, 513))]
    + [("matmul_transpose_a", *sizes) for sizes in ((512, 512, 512), (128, 768, 768), (100, 1001, 513))]
    + [("batch_matmul_transpose_b", 12, 384, 384, 64)]
    # ResNet-50: the stem, then one of each kind of each stage.
    + [("convolution", 1, 3, 224, 224, 64, 7, 2, 3)]
    + [("convolution", 1, c, s, s, c, 3, 1, 1) for c, s in ((64, 56), (128, 28), (256, 14), (512, 7))]
    + [("convolution", 1, 128, 56, 56, 128, 3, 2, 1), ("convolution", 1, 256, 28, 28, 256, 3, 2, 1)]
    + [("convolution", 1, c, s, s, f, 1, 1, 0) for c, s, f in ((64, 56, 256), (512, 28, 128), (256, 14, 1024), (2048, 7, 512))]
    + [("convolution", 1, 256, 56, 56, 512, 1, 2, 0)]
    # MobileNet.
    + [("convolution", 1, 3, 224, 224, 32, 3, 2, 1)]
    + [("depthwise", 1, c, s, s, c, 3, stride, 1) for c, s, stride in ((32, 112, 1), (64, 112, 2), (256, 28, 1), (512, 14, 1))]
    + [("convolution", 1, 32, 112, 112, 64, 1, 1, 0), ("convolution", 1, 512, 14, 14, 512, 1, 1, 0)]
    + [("max_pool", 1, 64, 112, 112, 3, 2, 1), ("max_pool", 1, 64, 56, 56, 2, 2, 0)]
    + [("softmax", 128, 1024), ("softmax", 1536, 128), ("softmax", 100, 1001), ("layer_norm", 128, 768), ("layer_norm", 100, 1001)]
    + [("gelu", 64, 3136), ("row_sums", 1024, 1024), ("row_sums", 333, 1001)]
    + [("gelu_chain", 128, 3072)]
    # First half of a feed-forward layer: of BERT-base with 128 tokens, and of the
    # stages of Swin-T and ConvNeXt-T, as rows, 4 * channels, channels. And awkward sizes.
    + [("matmul_gelu", *sizes) for sizes in FEED_FORWARD] + [("matmul_gelu", 100, 1001, 513)]
    + [("matmul_weights_gelu", *sizes) for sizes in FEED_FORWARD]
    # Ends of residual blocks, one for each stage: of ResNet-18 and of ResNet-50.
    + [("convolution_add_relu", 1, c, s, s, c, 3, 1, 1) for c, s in ((64, 56), (128, 28), (256, 14), (512, 7))]
    + [("convolution_add_relu", 1, c, s, s, 4 * c, 1, 1, 0) for c, s in ((64, 56), (128, 28), (256, 14), (512, 7))]
    # Layers one after the other: ResNet-50's and ResNet-18's, MobileNetV2's and V1's.
    + [("stem", 1, 3, 224, 224, 64)]
    + [("bottleneck", 1, c, s, s) for c, s in ((64, 56), (128, 28), (256, 14), (512, 7))]
    + [("residual", 1, c, s, s) for c, s in ((64, 56), (128, 28), (256, 14), (512, 7))]
    + [("inverted", 1, c, s, s) for c, s in ((24, 56), (32, 28), (64, 14), (160, 7))]
    + [("separable", 1, c, s, s, 2 * c) for c, s in ((64, 112), (128, 56), (256, 28), (512, 14))]
    # Heads, tokens, channels of a head: BERT-base, eight heads and all of ViT-B/16, and
    # the windows of 7 x 7 pixels of the first and last stage of Swin-T (64 windows of
    # 3 heads, one of 24).
    + [("attention", *sizes) for sizes in ((12, 128, 64), (8, 197, 64), (12, 197, 64), (192, 49, 32), (24, 49, 32))]
)


# Products of many shapes, which say what "auto" should call a library for.
PRODUCTS = [("matmul", m, n, k) for m in (1, 4, 16, 64, 128, 256, 512) for n in (1, 16, 64, 256, 1024) for k in (16, 64, 256, 1024)]

# The same windows on images whose channels are next to each other.
WINDOWS = ("convolution", "depthwise", "max_pool")
CASES += [(f"{kind}_channels_last", *sizes) for kind, *sizes in CASES if kind.startswith(WINDOWS)]

# What the programs of a case are compiled with.
RULES = {
    "hetero": "{default: cpu}",
    "auto": "{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: auto}]}",
    "winograd": "{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: winograd}]}",
}

# Of several operations each, by the beginnings of their names.
CHAINS = {
    "bias, GELU, gate": ("gelu chain",),
    "product, bias, GELU": ("matmul gelu", "matmul weights gelu"),
    "convolution, bias, sum, ReLU": ("convolution add relu",),
    "softmax(Q K) V": ("attention",),
}


def count_flops(kind, sizes):
    """Multiplications and additions of a contraction, else nothing."""
    if "matmul" in kind:
        return 2 * math.prod(sizes)
    if kind.startswith(("convolution", "depthwise")):
        n, c, h, w, f, window, stride, padding = sizes
        area = [(size + 2 * padding - window) // stride + 1 for size in (h, w)]
        return 2 * n * f * math.prod(area) * window**2 * (1 if kind.startswith("depthwise") else c)
    if kind in NETWORKS:
        layers = [layer for layer in NETWORKS[kind](*sizes).layers if layer.weights]
        return sum(2 * math.prod(layer.output()) * math.prod(layer.filter_shape()[1:]) for layer in layers)
    if kind == "attention":
        return 4 * sizes[0] * sizes[1] ** 2 * sizes[2]
    return 0


def count_bytes(kind, sizes):
    """What must be read and written at least."""
    if kind.startswith("max_pool"):
        n, c, h, w, window, stride, padding = sizes
        area = [(size + 2 * padding - window) // stride + 1 for size in (h, w)]
        return 4 * n * c * (h * w + math.prod(area))
    if kind == "row_sums":
        return 4 * math.prod(sizes)
    return 4 * math.prod(sizes) * (3 if kind == "gelu_chain" else 2)


def describe(kind, sizes):
    return f"{kind.replace('_', ' ')} {'x'.join(map(str, sizes))}"


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def build(options):
    """The C++ side."""
    program = os.path.join(options.work, "compare")
    sources = [os.path.join(HERE, name) for name in SOURCES]
    headers = [os.path.join(HERE, name) for name in os.listdir(HERE) if name.endswith(".h")]
    if os.path.exists(program) and all(os.path.getmtime(name) < os.path.getmtime(program) for name in sources + headers):
        return program
    library = os.path.join(options.build, "lib")
    flags = ["-std=c++17", "-O2", f"-I{ROOT}/include", f"-L{library}", f"-Wl,-rpath,{library}"]
    run([options.compiler, *flags, *sources, "-o", program, "-lhetero_runtime", "-ldnnl", "-lopenblas", "-ldl"])
    return program


def compile(options, kind, sizes):
    """The case's programs: their names and paths."""
    name = os.path.join(options.work, f"{kind}-{'x'.join(map(str, sizes))}")
    with open(f"{name}.mlir", "w") as file:
        file.write(KINDS[kind](*sizes))
    # Windows of 3 x 3 with stride 1 are what Winograd's algorithm is for.
    generators = [name for name in RULES if name != "winograd" or (kind.startswith("convolution") and sizes[5:7] == [3, 1])]
    for generator in generators:
        command = [os.path.join(options.build, "bin", "hetero-compile"), f"{name}.mlir", f"--rules={RULES[generator]}"]
        run([*command, *options.flags, "-o", f"{name}-{generator}.so"])
    return ",".join(f"{generator}={name}-{generator}.so" for generator in generators)


def measure(options, cases):
    """For each case the seconds of each contender."""
    lines = [f"{i} {kind} {compile(options, kind, sizes)} {' '.join(map(str, sizes))}" for i, (kind, *sizes) in enumerate(cases)]
    path = os.path.join(options.work, "cases")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    threads = {name: "1" for name in ("HETERO_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    command = [build(options), str(options.seconds), path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **threads})
    times = {}
    for line in process.stdout:
        case, contender, seconds = line.split()
        # Of several ways to call a library, the best.
        found = times.setdefault(int(case), {})
        found[contender] = min(float(seconds), found.get(contender, math.inf))
        if int(case) > 0 and int(case) - 1 in times:
            yield int(case) - 1, times.pop(int(case) - 1)
    if process.wait():
        sys.exit(1)
    yield from times.items()


def format_row(kind, sizes, times):
    own = times["hetero"]
    flops = count_flops(kind, sizes)
    speed = f"{flops / own / 1e9:.1f} GFLOP/s" if flops else f"{count_bytes(kind, sizes) / own / 1e9:.1f} GB/s"
    cells = [describe(kind, sizes), f"{own * 1e6:.1f}", speed]
    for name in ("auto", "winograd", "openblas", "onednn", "onednn-own", "onednn-winograd"):
        cells.append(f"{times[name] * 1e6:.1f}" if name in times else "")
    for program, names in (("hetero", ("openblas", "onednn")), ("auto", ("openblas", "onednn")), ("hetero", ("onednn-own",))):
        best = min((times[name] for name in names if name in times), default=None)
        cells.append(f"{best / times[program]:.2f}" if best else "")
    return f"| {' | '.join(cells)} |"


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summarize(all_times):
    """A table with a row for all kernels, for the chains that the libraries compute
    in several calls, all and each kind, and for the libraries' own layouts."""

    def select(beginnings):
        return {case: times for case, times in all_times.items() if case.startswith(beginnings)}

    chains = select(sum(CHAINS.values(), ()))
    last = {case: times for case, times in all_times.items() if "channels last" in case}
    print("\n| kernels | code | compared with | number | geometric mean | least | of |\n|---|---|---|--:|--:|--:|---|")
    plain, own = ("openblas", "onednn"), ("onednn-own",)
    for title, program, cases, against, names in (
        ("all", "hetero", all_times, "library", plain),
        ("all", "auto", all_times, "library", plain),
        ("fused chains", "hetero", chains, "library, one call after the other", plain),
        ("fused chains", "auto", chains, "library, one call after the other", plain),
        *((title, program, select(names), "library, one call after the other", plain) for title, names in CHAINS.items() for program in ("hetero", "auto")),
        *(("layers of networks", program, select(tuple(NETWORKS)), "library, one call per layer", plain) for program in ("hetero", "auto")),
        ("all", "hetero", all_times, "library, own layout", own),
        ("channels last", "hetero", last, "library", plain),
        ("channels last", "hetero", last, "library, own layout", own),
        ("convolutions", "winograd", {case: times for case, times in all_times.items() if "winograd" in times}, "library", plain),
        ("convolutions", "winograd", {case: times for case, times in all_times.items() if "winograd" in times}, "library's Winograd", ("onednn-winograd",)),
    ):
        ratios = {case: min((times[name] for name in names if name in times), default=0) / times[program] for case, times in cases.items()}
        ratios = {case: ratio for case, ratio in ratios.items() if ratio}
        if ratios:
            worst = min(ratios, key=ratios.get)
            print(f"| {title} | {'mlir' if program == 'hetero' else program} | {against} | {len(ratios)} | {mean(ratios.values()):.2f} | {ratios[worst]:.2f} | {worst} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", action="store_true", help="products of many shapes instead")
    parser.add_argument("--only", default="", help="regular expression on the names of kernels")
    parser.add_argument("--seconds", type=float, default=1, help="time for each kernel")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="build directory with bin and lib")
    parser.add_argument("--compiler", default="clang++-22", help="compiler for the C++ side")
    parser.add_argument("flags", nargs="*", help="options for hetero-compile, after --")
    options = parser.parse_args()
    options.work = os.path.join(options.build, "cpu-kernels")
    os.makedirs(options.work, exist_ok=True)
    cases = [case for case in (PRODUCTS if options.products else CASES) if re.search(options.only, describe(case[0], case[1:]))]
    columns = ["kernel", "time, us", "speed", "auto, us", "winograd, us", "OpenBLAS, us", "oneDNN, us", "own layout, us", "Winograd of oneDNN, us", "library / time", "library / auto", "own layout / time"]
    print(f"| {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) - 1)}", flush=True)
    all_times = {}
    for index, times in measure(options, cases):
        kind, *sizes = cases[index]
        all_times[describe(kind, sizes)] = times
        print(format_row(kind, sizes, times), flush=True)
    summarize(all_times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
