#!/usr/bin/env python3
"""Times of host regions are those of their work, whatever stands beside them.

    host-region-times.py HETERO-RUN [--tolerance=2]

A matrix product on the host is measured alone and beside work of gpu:0 that
does not need it, in several programs. Both times, of the profile and of the
trace, are those of the shortest of several calls; their ratio is at most the
tolerance (1.05 on a machine that does nothing else). All host regions and waits
of a trace's thread together take no longer than the whole of it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PRODUCT = """
  %z = arith.constant dense<0.0> : tensor<256x256xf32>
  %p = linalg.matmul {hetero.device = #hetero.device<cpu:0>} ins(%a, %a : tensor<256x256xf32>, tensor<256x256xf32>) outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
"""
SIGNATURE = "func.func @main(%a: tensor<256x256xf32>, %b: tensor<64xf32>) -> "
GPU = "{hetero.device = #hetero.device<gpu:0>}"

PROGRAMS = {
    "alone": SIGNATURE + "tensor<256x256xf32> {" + PRODUCT + "  return %p : tensor<256x256xf32>\n}",
    "kernel after": SIGNATURE + "(tensor<256x256xf32>, tensor<64xf32>) {" + PRODUCT + f"""
  %g = math.absf %b {GPU} : tensor<64xf32>
  return %p, %g : tensor<256x256xf32>, tensor<64xf32>
}}""",
    "kernel before": SIGNATURE + f"""(tensor<256x256xf32>, tensor<64xf32>) {{
  %g = math.absf %b {GPU} : tensor<64xf32>
""" + PRODUCT + """
  return %p, %g : tensor<256x256xf32>, tensor<64xf32>
}""",
    "kernel of the product": SIGNATURE + "(tensor<256x256xf32>, tensor<64xf32>) {" + PRODUCT + f"""
  %g = math.absf %b {GPU} : tensor<64xf32>
  %h = math.absf %p {GPU} : tensor<256x256xf32>
  return %h, %g : tensor<256x256xf32>, tensor<64xf32>
}}""",
}


def measure(run, program, folder):
    """Seconds of the product by the profile, and by the trace."""
    source, profile, trace = folder / "a.mlir", folder / "a.yaml", folder / "a.json"
    source.write_text(program)
    inputs = ["--input=256x256xf32=1", "--input=64xf32=2", "--print-max=1", "--time=5"]
    for option in (f"--write-profile={profile}", f"--trace={trace}"):
        subprocess.run([run, source, *inputs, option], check=True, stdout=subprocess.DEVNULL)
    operation = next(line for line in profile.read_text().splitlines() if "op: linalg.matmul" in line)
    by_profile = float(re.search(r"seconds: ([0-9.e+-]+)", operation).group(1))
    events = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X" and e["pid"] == 1]
    whole = max(e["ts"] + e["dur"] for e in events) - min(e["ts"] for e in events)
    total = sum(e["dur"] for e in events)
    assert total <= whole * 1.001 + 1, f"spans of {total} us in {whole} us"
    by_trace = {}
    for event in events:
        if event["cat"] == "region":
            by_trace.setdefault(event["name"], []).append(event["dur"] * 1e-6)
    return by_profile, max(min(times) for times in by_trace.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--tolerance", type=float, default=2)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        alone = measure(options.run, PROGRAMS["alone"], Path(name))
        for title, program in PROGRAMS.items():
            for what, seconds, reference in zip(("profile", "trace"), measure(options.run, program, Path(name)), alone):
                ratio = seconds / reference
                fits = 1 / options.tolerance <= ratio <= options.tolerance
                failures += not fits
                print(f"{title}, {what}: {seconds * 1e6:.1f} us, {ratio:.3f} of the product alone{'' if fits else ': too far'}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
