"""Gives every tool inputs that cannot be right. Each must end soon, with an exit
status of its own, one message that has the text expected here, no crash, and no
file written.

  bad_inputs.py BIN_FOLDER WORK_FOLDER [NAME...]
"""

import os
import re
import shutil
import subprocess
import sys

MODULE = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
SIGNS_OF_CRASHES = ("Stack dump", "submit a bug report", "LLVM ERROR", "terminate called", "Assertion", "Sanitizer")
# What a tool prints when it did something, which it must not have.
SIGNS_OF_RESULTS = ("EXEC @", "result[", "module {")
SECONDS = 120


HOST = "#hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000, compute = 5, bandwidth = 1>"
LINK = "#hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:3>, bandwidth = 1, latency = 0>"
PARTITIONED = MODULE.replace("func.func", 'module attributes {hetero.phase = #hetero.phase<partitioned>} {\nfunc.func') + "}\n"


def topology(devices, links=""):
    return f"#hetero.topology<devices = [{devices}], links = [{links}]>"


def npy(header):
    """An array's file that ends with its header."""
    return b"\x93NUMPY\x01\x00" + bytes([len(header) & 255, len(header) >> 8]) + header


def deep(depth):
    return "{rules: " + "[" * depth + "]" * depth + "}"


# Files that programs are given: name, content.
FILES = {
    "good.mlir": MODULE,
    "deep-modules.mlir": "module {\n" * 20000 + "}\n" * 20000,
    "deep-list.mlir": "module attributes {a = " + "[" * 100000 + "]" * 100000 + "} {}\n",
    "deep-type.mlir": "func.func private @f(" + "tuple<" * 100000 + "i32" + ">" * 100000 + ")\n",
    "deep-sum.mlir": "#m = affine_map<(d0) -> (" + "(" * 100000 + "d0" + ")" * 100000 + ")>\nmodule {}\n",
    "empty": "",
    "spaces": "  \n\n",
    "garbage": bytes(range(256)) * 4,
    "zeros": bytes(64),
    "bytecode-start": b"ML\xefR",
    "bytecode-cut": b"ML\xefR\x0d\x4d\x4c\x49\x52\x00\x03",
    "text": "this is no file of any kind\n",
    "latin1.yaml": "default: cpu # \xe9\n".encode("latin-1"),
    "scalar.yaml": "gpu\n",
    "list.yaml": "- a\n- b\n",
    "twice.yaml": "default: cpu\ndefault: auto\n",
    "twice-rule.yaml": "rules:\n  - {op: arith.addf, op: arith.mulf, device: cpu}\n",
    "number.yaml": "rules: 3\n",
    "rule-text.yaml": "rules: [cpu]\n",
    "device-list.yaml": "rules:\n  - {op: arith.addf, device: [cpu]}\n",
    "device-number.yaml": "rules:\n  - {op: arith.addf, device: 3}\n",
    "nth-text.yaml": "rules:\n  - {op: arith.addf, nth: first, device: cpu}\n",
    "nth-negative.yaml": "rules:\n  - {op: arith.addf, nth: -1, device: cpu}\n",
    "nth-huge.yaml": "rules:\n  - {op: arith.addf, nth: 99999999999999999999999, device: cpu}\n",
    "flops-text.yaml": "rules:\n  - {op: arith.addf, min_flops: many, device: cpu}\n",
    "name-pattern.yaml": 'rules:\n  - {name: "(", device: cpu}\n',
    "no-device.yaml": "rules:\n  - {op: arith.addf}\n",
    "anchor.yaml": "default: *nowhere\n",
    "open.yaml": "rules: [{op: arith.addf\n",
    "two-documents.yaml": "default: cpu\n---\ndefault: auto\n",
    "deep.yaml": deep(100000),
    "devices.yaml": "devices: cpu\ndefault: cpu\n",
    "device-twice.yaml": "devices: [cpu, cpu]\ndefault: cpu\n",
    "device-kind.yaml": "default: tpu:0\n",
    "device-ordinal.yaml": 'default: "gpu:x"\n',
    "empty-key.yaml": "{? : cpu}\n",
    "partitioned.mlir": PARTITIONED,
    "topology-deep": "#hetero.topology<" + "[" * 5000,
    "topology-open": "#hetero.topology<devices = [",
    "topology-twice": topology(HOST + ", " + HOST),
    "topology-negative": topology(HOST.replace("memory = 1", "memory = -1")),
    "topology-huge": topology(HOST.replace("memory = 1", "memory = 99999999999999999999999")),
    "topology-link": topology(HOST, LINK),
    "topology-zero": topology(HOST.replace("compute = 5", "compute = 0")),
    "topology-text": topology(HOST.replace("compute = 5", "compute = fast")),
    "topology-key": topology(HOST.replace("compute", "computes")),
    "topology-short": topology(HOST.replace(", bandwidth = 1", "")),
    "topology-without-host": topology(HOST.replace("cpu:0", "gpu:0")),
    "topology-more": topology(HOST) + " and more",
    "topology-device": "#hetero.device<gpu:0>",
    "profile.yaml": "ops: {a: b}\n",
    "profile-negative.yaml": "- {op: arith.addf, device: cpu, seconds: -1}\n",
    "half.npy": b"\x93NUMPY\x01\x00",
    "shape.npy": npy(b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }\n"),
    "keys.npy": npy(b"{'descr': '<f4', 'shape': (4,), }\n"),
}

RUN = ["hetero-run", "good.mlir", "--input=4xf32=1"]
OPT = ["hetero-opt", "good.mlir", "-o", "OUT"]
COMPILE = ["hetero-compile", "good.mlir", "-o", "OUT.so"]


def runs(*words):
    return RUN + list(words)


def opts(*words):
    return OPT + list(words)


def compiles(*words):
    return COMPILE + list(words)


# Name, command, and what standard error must say (a regular expression).
CASES = []


def add(name, command, says):
    CASES.append((name, command, says))


for file in ("empty", "spaces"):
    add(f"run-{file}", ["hetero-run", file], "no entry point 'main'")
add("run-zeros", ["hetero-run", "zeros"], "no entry point 'main'")
for file in ("garbage", "bytecode-start", "bytecode-cut", "text"):
    for tool, rest in (("run", []), ("opt", ["-o", "OUT"]), ("compile", ["-o", "OUT.so"])):
        add(f"{tool}-{file}", [f"hetero-{tool}", file] + rest, f"{file}:?.*error|error: .*{file}")
for tool, rest in (("run", []), ("opt", ["-o", "OUT"]), ("compile", ["-o", "OUT.so"])):
    add(f"{tool}-folder", [f"hetero-{tool}", "folder"] + rest, "folder.*[Ii]s a directory|is a folder")
    add(f"{tool}-nowhere", [f"hetero-{tool}", "nowhere"] + rest, "nowhere.*No such file")
    add(f"{tool}-two-files", [f"hetero-{tool}", "good.mlir", "good.mlir"] + rest, "[Tt]oo many positional")
for file in ("deep-modules.mlir", "deep-list.mlir", "deep-type.mlir", "deep-sum.mlir"):
    for tool, rest in (("run", []), ("opt", ["-o", "OUT"]), ("compile", ["-o", "OUT.so"]), ("translate", ["--placement-to-dot", "-o", "OUT"])):
        add(f"{tool}-{file}", [f"hetero-{tool}", file] + rest, f"error: '{file}', line \\d+, column \\d+: brackets are nested")
add("translate-garbage", ["hetero-translate", "--placement-to-dot", "garbage", "-o", "OUT"], "garbage.*error|error.*garbage")
add("translate-folder", ["hetero-translate", "--placement-to-dot", "folder", "-o", "OUT"], "folder")
add("translate-none", ["hetero-translate", "good.mlir", "-o", "OUT"], "error: no option names a translation")

for file in FILES:
    if file.endswith(".yaml") and not file.startswith("profile"):
        for tool, words in (("run", runs), ("opt", None)):
            command = words(f"--rules={file}") if words else opts(f"--hetero-annotate=rules={file}")
            add(f"{tool}-rules-{file}", command, f"{re.escape(file)}:\\d+:\\d+: error|error: .*{re.escape(file)}")
for file in ("garbage", "zeros", "text"):
    add(f"rules-{file}", runs(f"--rules={file}"), f"{file}:\\d+:\\d+: error: ")
add("rules-folder", runs("--rules=folder"), "folder.*[Ii]s a directory|folder.*is a folder")
add("rules-nowhere", runs("--rules=nowhere.yaml"), "nowhere.yaml.*No such file")
add("rules-flow", runs("--rules={default: cpu"), "error")
for file in FILES:
    if file.startswith("topology"):
        add(f"run-{file}", runs(f"--topology={file}"), "error: .*(topology|host)")
for file in ("empty", "garbage", "zeros", "folder"):
    add(f"topology-{file}", runs(f"--topology={file}"), "error: .*")
for file in ("profile.yaml", "profile-negative.yaml", "garbage", "folder", "nowhere", "deep.yaml"):
    add(f"profile-{file}", opts(f"--hetero-place=profile={file}"), "error: .*")
    add(f"explain-{file}", ["hetero-opt", "partitioned.mlir", "-o", "OUT", f"--hetero-explain-codegen=profile={file}"], f"{file}:\\d+:\\d+: error|'{file}'")

# Options of hetero-run.
for word in ("--time=x", "--time=-1", "--time=99999999999999999999", "--print-max=x", "--print-max=-1", "--rtol=x", "--atol=", "--opt-level=x",
             "--trip-count=0", "--dynamic-size=0", "--check=-1",
             "--input", "--entry", "--bounds-checks=maybe", "--copy-site=never", "--device-map=x", "--device-map=gpu:0=",
             "--device-map=gpu:0=gpu:99999999999", "--processors=z80", "--chip=", "--schedule=nowhere", "--schedule=folder",
             "--schedule=garbage", "--schedule=empty", "--shared-libs=nowhere.so", "--shared-libs=text", "--shared-libs=folder",
             "--output=nowhere/x.npy", "--output=folder", "--trace=nowhere/x.json", "--report-file=folder", "--nonsense"):
    add("run" + word, runs(word), "error: |[Ff]or the|must be|requires a value|Cannot find|Unknown|unknown")
for value in ("", "4", "4x", "x4xf32=1", "4xf32", "4xf32=", "4xf32=1,2", "4xf32=x", "-4xf32=1", "4xf32=random", "4xf32=random:x",
              "4xf32=iota:3", "4.5xf32=1", "4xf32=@half.npy", "@", "@half.npy", "@keys.npy", "@shape.npy", "@folder", "@nowhere", "@empty", "@garbage",
              "99999999999999999999999xf32=1", "9999999999999xf32=1", "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32=1", "?xf32=1"):
    add(f"input-{value}", ["hetero-run", "good.mlir", f"--input={value}"], "error: (--input 0|the option '--input=' has no value)")

# Options of passes.
for word in ("hetero-place=placement=best", "hetero-place=conflict=", "hetero-place=default=tpu",
             "hetero-place=default=gpu:x", "hetero-place=trip-count=x", "hetero-place=trip-count=0", "hetero-place=dynamic-size=-1",
             "hetero-annotate=dynamic-size=0", "hetero-place=work-limit=-1", "hetero-fold-constants=max-bytes=-1", "hetero-outline-host-loops=max-loops=-1",
             "hetero-pipeline=trip-count=0", "hetero-pipeline=dynamic-size=-3",
             "hetero-place=dynamic-size=99999999999999999999999", "hetero-place=report=nowhere/x.json", "hetero-place=report=folder",
             "hetero-place=nonsense=1", "hetero-place=report", "hetero-annotate=rules=nowhere", "hetero-annotate=topology=nowhere",
             "hetero-annotate=topology=garbage", "hetero-apply-schedule=file=nowhere", "hetero-apply-schedule=file=garbage",
             "hetero-apply-schedule=file=folder", "hetero-apply-schedule=file=empty", "hetero-codegen=bounds-checks=maybe",
             "hetero-codegen=profile=nowhere", "hetero-clone-for-processors=processors=z80", "hetero-materialize-copies=copy-site=never", "hetero-pipeline=stop-after=never",
             "hetero-pipeline=stop-after", "hetero-pipeline=chip=sm_1", "hetero-pipeline=nonsense=1", "hetero-pipeline=rules=nowhere",
             "hetero-target-pipeline=device=gpu pipeline=nonsense", "hetero-target-pipeline=device=gpu",
             "convert-hetero-to-gpu=chip=sm_1", "hetero-schedule=nonsense", "hetero-explain-codegen=profile=nowhere", "hetero-explain-codegen=nonsense"):
    add("opt--" + word, opts("--" + word), "error|[Ff]or the|must be")

# Options of hetero-compile.
for words in (["--emit=rom"], ["--header=nowhere/x.h"], ["--header=folder"], ["--mcpu="], ["--target=x"], ["--opt-level=9"],
              ["--rules=nowhere"], ["--topology=nowhere"]):
    add("compile" + words[0], compiles(*words), "error: |Unknown|unknown|must be")
for name in ("nowhere/out.so", "folder", "OUT.rom", "OUT"):
    add(f"compile-to-{name}", ["hetero-compile", "good.mlir", "-o", name], "error: ")
add("compile-nothing", ["hetero-compile", "good.mlir"], "error: |-o")


def make_folder(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "folder"))
    for name, content in FILES.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


def snapshot(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


def find_fault(result, says, new):
    """What is wrong with how a tool took a bad input; empty if nothing is."""
    errors = result.stderr.decode(errors="replace")
    output = result.stdout.decode(errors="replace")
    if result.returncode == 0:
        return "exits with 0"
    if result.returncode < 0 or result.returncode > 128:
        return f"ends by a signal ({result.returncode})"
    for sign in SIGNS_OF_CRASHES:
        if sign in errors:
            return f"crashes: '{sign}'"
    for sign in SIGNS_OF_RESULTS:
        if sign in output:
            return f"prints results: '{sign}'"
    if not re.search(says, errors):
        return f"says no '{says}'"
    if len(re.findall(r"\berror: ", errors)) > 1:
        return "says more than one error"
    return f"leaves {sorted(new)}" if new else ""


def main():
    tools, folder, chosen = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    make_folder(folder)
    before = snapshot(folder)
    failures = count = 0
    for name, command, says in CASES:
        if chosen and name not in chosen:
            continue
        count += 1
        words = [os.path.join(tools, command[0])] + command[1:]
        try:
            result = subprocess.run(words, cwd=folder, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            print(f"FAIL {name}: takes more than {SECONDS} s")
            failures += 1
            continue
        new = snapshot(folder) - before
        fault = find_fault(result, says, new)
        for path in new:
            os.remove(os.path.join(folder, path))
        if chosen or fault:
            errors = result.stderr.decode(errors="replace")[:600]
            print(f"{'FAIL' if fault else 'ok'} {name}: {fault}\n    {' '.join(command)}\n    " + errors.replace("\n", "\n    "))
        failures += bool(fault)
    print(f"{count} bad inputs, {failures} taken badly")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
