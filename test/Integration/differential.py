#!/usr/bin/env python3
"""Runs every example and a set of small programs under many placements and
holds the results, the driver's log and the IR against each other.

For each program: all on the CPU, all on a GPU, as annotated, and random
placements that pin at least 30 % of the operations on each device. Then

  - every placement gives the results of the CPU (bit by bit, or within the
    program's tolerance where functions such as exp differ by device);
  - streams wait for all that they need: no two accesses race, whatever the order
    in which streams and blocks run;
  - no operation fell back to another device;
  - launches and bytes copied per device in the emulated driver's own log are
    those of the kernels and copies in the IR, and those of the report;
  - the PTX that the driver loads is, by hash, the PTX that hetero-compile
    writes, and a change of a constant in it changes the result.

Prints one line for each failure and ends with 'N passed, N failed'.
"""

import argparse
import ast
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "scripts", "lib"))
import example_command  # noqa: E402

DEVICES = ["cpu:0", "gpu:0", "gpu:1"]
FLOATS = {"f16", "bf16", "f32", "f64"}
SHARE = 0.3

# Examples with functions that differ by device, or sums of rounded numbers.
TOLERANCES = {"conv-on-gpu": (1e-5, 1e-5), "partitioned-mlp": (1e-5, 1e-6)}

Program = collections.namedtuple("Program", "name text inputs rtol atol rules randoms")


class Failure(Exception):
    """A property that does not hold, or a tool that failed."""


# Programs


def settings(text, key):
    found = re.search(r"^// " + key + r": (.*)$", text, re.M)
    return found.group(1).split() if found else []


def instantiate(text, element):
    kind = {"ADD": "add", "SUB": "sub", "MUL": "mul"}
    suffix = "f" if element in FLOATS else "i"
    for word, name in kind.items():
        text = text.replace("arith." + word, "arith." + name + suffix)
    return text.replace("ZERO", "0.0" if suffix == "f" else "0").replace("TYPE", element)


def load_programs(randoms, example_randoms):
    programs = []

    def add(name, text, inputs, rules=None, count=randoms):
        rtol, atol = TOLERANCES.get(name, (0, 0))
        rtol = float((settings(text, "rtol") or [rtol])[0])
        atol = float((settings(text, "atol") or [atol])[0])
        programs.append(Program(name, text, inputs, rtol, atol, rules, count))

    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        with open(path) as file:
            text = file.read()
        command = example_command.command_of(path)
        inputs = [word for word in command if word.startswith("--input=")]
        rules = [os.path.join(ROOT, word.split("=")[1]) for word in command if word.startswith("--rules=")]
        add(os.path.basename(path)[:-5], text, inputs, rules[0] if rules else None, example_randoms)
    for path in sorted(glob.glob(os.path.join(HERE, "Inputs", "*.mlir*"))):
        with open(path) as file:
            text = file.read()
        name = os.path.basename(path).split(".")[0]
        for element in settings(text, "types") or [None]:
            full = instantiate(text, element) if element else text
            inputs = ["--input=" + word for word in settings(full, "inputs")]
            add(name + ("-" + element if element else ""), full, inputs)
    return programs


def strip_pins(text):
    """The program without any placement of its own."""
    device = r"hetero\.device = #hetero\.device<[^>]*>"
    text = re.sub(r"attrs = \{" + device + r"\}\s*", "", text)
    return re.sub(r"\{" + device + r"\}", "", text)


# Values


def read_npy(path):
    """The type string, the shape, and the bytes."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    return header["descr"], header["shape"], data[10 + length :]


def numbers(descr, data):
    code = {"<f4": "f", "<f8": "d", "<f2": "e", "<i8": "q", "<i4": "i", "<i2": "h", "|i1": "b", "|b1": "?"}
    if descr == "<V2":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return struct.unpack(f"<{len(words)}f", b"".join(struct.pack("<I", word << 16) for word in words))
    return struct.unpack(f"<{len(data) // struct.calcsize(code[descr])}{code[descr]}", data)


def compare(got, want, program):
    for index, (a, b) in enumerate(zip(got, want)):
        if a[:2] != b[:2]:
            raise Failure(f"result {index} has type {a[:2]}, expected {b[:2]}")
        if a[2] == b[2]:
            continue
        worst = max(
            (abs(x - y) - program.rtol * abs(y) for x, y in zip(numbers(a[0], a[2]), numbers(b[0], b[2]))),
            default=0,
        )
        # -0 and 0 differ in bits only.
        if not worst <= program.atol:
            raise Failure(f"result {index} differs from that of the CPU by {worst}")


# Tools


class Tools:
    def __init__(self, build):
        self.bin = os.path.join(build, "bin")

    def call(self, words, env=None):
        words = [os.path.join(self.bin, words[0]), *words[1:]]
        clean = {key: value for key, value in os.environ.items() if not key.startswith("HETERO_")}
        done = subprocess.run(
            words,
            env={**clean, "HETERO_CUDA_DRIVER": "emulator", "HETERO_NUM_THREADS": "2", **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode:
            command = " ".join(os.path.basename(word) if i == 0 else word for i, word in enumerate(words))
            raise Failure(f"'{command}' failed ({done.returncode}): {done.stderr.strip()[:2000]}")
        return done.stdout


def pipeline(program_rules, stop=""):
    words = []
    if program_rules:
        words.append("rules=" + program_rules)
    if stop:
        words.append("stop-after=" + stop)
    return "--hetero-pipeline" + ("=" + " ".join(words) if words else "")


# Counting


def bits_of(element):
    return 64 if element == "index" else max(8, int(re.search(r"\d+", element).group()))


def bytes_of(type_text):
    """Bytes of memref<5x7xf32, ...>, or None for a dynamic shape."""
    shape = re.match(r"(?:memref|tensor)<((?:[\d?]+x)*)(\w+)", type_text)
    total = bits_of(shape.group(2)) // 8
    for size in shape.group(1).split("x")[:-1]:
        if size == "?":
            return None
        total *= int(size)
    return total


def count_ir(text):
    """Launches per gpu and bytes copied per (from, to) in IR of the gpu phase;
    uploads of constants apart."""
    launches, copies, resident = collections.Counter(), collections.Counter(), collections.Counter()
    for line in text.splitlines():
        if "gpu.launch_func" in line:
            device = re.search(r"hetero\.device = #hetero\.device<gpu:(\d+)[,>]", line)
            launches[int(device.group(1))] += 1
        elif re.search(r"\bgpu\.memcpy\b", line):
            ends = [re.search(r"hetero\." + end + r" = #hetero\.device<(\w+:\d+)[,>]", line) for end in ("from", "to")]
            size = bytes_of(re.search(r": (memref<.*?>)", line).group(1))
            if size is None:
                return None
            copies[tuple(end.group(1) for end in ends)] += size
        elif "hetero.resident" in line:
            device = re.search(r"#hetero\.device<gpu:(\d+)>", line)
            resident[int(device.group(1))] += bytes_of(re.search(r": (memref<.*?>)", line).group(1))
    return launches, copies, resident


def is_straight(text):
    """Whether every operation runs once: no control flow and no calls."""
    return not re.search(r"\bscf\.|\bcf\.|\bcall @|\?", text)


def read_log(path):
    """Launches per gpu, bytes per (from, to), and hashes of loaded PTX."""
    launches, copies, hashes = collections.Counter(), collections.Counter(), set()
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                event = json.loads(line)
                if event["event"] == "launch":
                    launches[event["device"]] += 1
                elif event["event"] == "module_load":
                    hashes.add(event["sha256"])
                elif event["event"] == "memcpy":
                    copies[event["kind"], event["device"]] += event["bytes"]
    return launches, copies, hashes


def check_log(ir, log):
    launches, copies, resident = ir
    if launches != log[0]:
        raise Failure(f"launches per gpu: {dict(launches)} in the IR, {dict(log[0])} in the driver's log")
    for kind, host_end, name in (("h2d", 0, "to"), ("d2h", 1, "from")):
        for gpu in (0, 1):
            expected = sum(
                size for ends, size in copies.items() if ends[host_end] == "cpu:0" and ends[1 - host_end] == f"gpu:{gpu}"
            )
            expected += resident[gpu] if kind == "h2d" else 0
            if expected != log[1][kind, gpu]:
                raise Failure(
                    f"bytes copied {name} gpu:{gpu}: {expected} in the IR, {log[1][kind, gpu]} in the driver's log"
                )


# One program


class Run:
    """One program under one placement."""

    def __init__(self, tools, folder, program, name, text, rules):
        self.tools, self.program, self.name, self.rules = tools, program, name, rules
        self.base = os.path.join(folder, program.name + "-" + name)
        self.model = self.base + ".mlir"
        with open(self.model, "w") as file:
            file.write(text)

    def execute(self, results):
        outputs = [f"{self.base}-{index}.npy" for index in range(results)]
        self.log = self.base + ".log"
        words = ["hetero-run", self.model, *self.program.inputs, "--print-max=4", "--entry=main"]
        words += ["--output=" + path for path in outputs]
        words += ["--rules=" + self.rules] if self.rules else []
        # Each run has an order of its own, in which every access must be ordered.
        seed = zlib.crc32(os.path.basename(self.base).encode())
        emulator = f"devices=2,log={self.log},check=races,schedule=random,seed={seed}"
        self.tools.call(words, {"HETERO_EMULATOR": emulator})
        return [read_npy(path) for path in outputs]

    def check_ir(self):
        placed = self.tools.call(["hetero-opt", self.model, pipeline(self.rules, "placed")])
        fallback = re.search(r'hetero\.origin = "(fallback[^"]*)"', placed)
        if fallback:
            raise Failure(f"an operation fell back: {fallback.group(1)}")
        if not is_straight(placed):
            return
        counts = count_ir(self.tools.call(["hetero-opt", self.model, pipeline(self.rules, "gpu")]))
        if counts:
            check_log(counts, read_log(self.log))

    def check_ptx(self):
        """The PTX that is loaded is the PTX that is written."""
        loaded = read_log(self.log)[2]
        if not loaded:
            return
        output = self.base + ".ptx"
        words = ["hetero-compile", self.model, "-o", output]
        self.tools.call(words + (["--rules=" + self.rules] if self.rules else []))
        written = set()
        for path in glob.glob(self.base + "*.ptx"):
            with open(path, "rb") as file:
                written.add(hashlib.sha256(file.read()).hexdigest())
        if not loaded <= written:
            raise Failure("the driver loaded PTX that hetero-compile does not write")


def count_results(text):
    signature = re.search(r"func\.func @main\((.*?)\)\s*->\s*(.*?)\s*\{\n", text, re.S).group(2)
    depth, count = 0, 1
    for c in signature.strip("()"):
        depth += (c in "<(") - (c in ">)")
        count += c == "," and depth == 0
    return count


def pin_randomly(tools, folder, program, seed):
    source = os.path.join(folder, f"{program.name}-stripped.mlir")
    text = tools.call(
        [
            "hetero-opt-test-passes",
            source,
            "--hetero-convert-elementwise-to-linalg",
            f"--test-hetero-pin-randomly=seed={seed} devices={','.join(DEVICES)} min-share={SHARE}",
        ]
    )
    pins = collections.Counter(re.findall(r"hetero\.device = #hetero\.device<(\w+:\d+)", text))
    total = sum(pins.values())
    for device in DEVICES:
        if pins[device] < int(SHARE * total):
            raise Failure(f"seed {seed} pins {pins[device]} of {total} operations on {device}")
    return text


def placements(tools, folder, program):
    """Name, text and rules of every placement, the reference first."""
    stripped = strip_pins(program.text)
    for device in ("cpu", "gpu:0"):
        rules = os.path.join(folder, f"{program.name}-all-{device}.yaml")
        with open(rules, "w") as file:
            file.write(f'devices: [cpu, "gpu:0", "gpu:1"]\ndefault: "{device}"\n')
        yield "all-" + device, lambda: stripped, rules
    yield "annotated", lambda: program.text, program.rules
    with open(os.path.join(folder, f"{program.name}-stripped.mlir"), "w") as file:
        file.write(stripped)
    for seed in range(program.randoms):
        yield f"random-{seed}", lambda seed=seed: pin_randomly(tools, folder, program, seed), None


def check_program(tools, folder, program):
    """Runs a program under all placements; returns passes and failures."""
    passed, failures, reference = 0, [], None
    results = count_results(program.text)
    for name, text, rules in placements(tools, folder, program):
        try:
            run = Run(tools, folder, program, name, text(), rules)
            got = run.execute(results)
            if reference is None:
                reference = got
            compare(got, reference, program)
            run.check_ir()
            if not name.startswith("random"):
                run.check_ptx()
            if name == "all-gpu:0" and not read_log(run.log)[0]:
                raise Failure("nothing was launched on gpu:0")
            passed += 1
        except (Failure, OSError, subprocess.TimeoutExpired, AttributeError, ValueError, KeyError) as error:
            failures.append(f"{program.name}, {name}: {type(error).__name__}: {error}")
            if reference is None:
                break
    return passed, failures


# The PTX that is in the program is what computes


MUTATION = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<3.0> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%empty : tensor<4xf32>) attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%x: f32, %old: f32):
    %three = arith.constant 3.0 : f32
    %sum = arith.addf %x, %three : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def run_mutant(tools, program, folder, change):
    """Runs the executable with `change` made to the PTX inside it."""
    with open(program, "rb") as file:
        before = file.read()
    after = before.replace(*change)
    if after == before:
        raise Failure(f"the PTX in the executable lacks {change[0]!r}")
    mutant = os.path.join(folder, "mutant.exe")
    with open(mutant, "wb") as file:
        file.write(after)
    os.chmod(mutant, 0o755)
    return tools.call([mutant, "--input=4xf32=1,2,3,4"])


def check_mutation(tools, folder):
    """Changing a constant or an operation in the PTX changes the result."""
    model, program = os.path.join(folder, "mutation.mlir"), os.path.join(folder, "mutation.exe")
    with open(model, "w") as file:
        file.write(MUTATION)
    passed, failures = 0, []
    try:
        tools.call(["hetero-compile", model, "-o", program])
        cases = [
            ("unchanged", None, "4xf32=4 5 6 7"),
            ("constant 3 made 5", (b"0f40400000", b"0f40A00000"), "4xf32=6 7 8 9"),
            ("addition made subtraction", (b"add.rn.f32", b"sub.rn.f32"), "4xf32=-2 -1 0 1"),
        ]
        for name, change, want in cases:
            got = (
                run_mutant(tools, program, folder, change)
                if change
                else tools.call([program, "--input=4xf32=1,2,3,4"])
            )
            if want not in got:
                failures.append(f"PTX, {name}: expected {want}, got {got.strip()}")
            else:
                passed += 1
    except (Failure, OSError) as error:
        failures.append(f"PTX mutation: {error}")
    return passed, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    full = bool(os.environ.get("HETERO_FULL_TESTS"))
    parser.add_argument("--randoms", type=int, default=4 if full else 2, help="random placements of a small program")
    parser.add_argument("--example-randoms", type=int, default=20 if full else 8, help="random placements of an example")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--keep", help="folder to leave all files in")
    options = parser.parse_args()
    tools = Tools(os.path.abspath(options.build))
    programs = [
        program for program in load_programs(options.randoms, options.example_randoms) if options.only in program.name
    ]
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            folder = os.path.abspath(options.keep)
            os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            done = [pool.submit(check_program, tools, folder, program) for program in programs]
            if not options.only or options.only == "mutation":
                done.append(pool.submit(check_mutation, tools, folder))
            outcomes = [future.result() for future in done]
    failures = [failure for _, failed in outcomes for failure in failed]
    for failure in failures:
        print(failure)
    print(f"{sum(passed for passed, _ in outcomes)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
