"""Measures small programs of the bundle's kinds on the emulator:
measure.py SOURCES BUILD FOLDER."""

import os
import sys

SOURCES, BUILD, FOLDER = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCES, "scripts", "lib"))
import gpu_check_cases as cases  # noqa: E402
import gpu_check_measure as measure  # noqa: E402
import gpu_check_run as run  # noqa: E402
from gpu_check_device import Device  # noqa: E402
from gpu_check_programs import Compiler  # noqa: E402

cases.programs.CASES = [(cases.programs.matmul, "f32", 64, 48, 32), (cases.programs.add, "f32", 64, 64)]
os.environ["HETERO_CUDA_DRIVER"] = os.path.join(BUILD, "lib", "libhetero_cuda_emulator.so")
os.makedirs(os.path.join(FOLDER, "lib"), exist_ok=True)
link = os.path.join(FOLDER, "lib", "libhetero_runtime.so.0")
if not os.path.exists(link):
    os.symlink(os.path.join(BUILD, "lib", "libhetero_runtime.so.0"), link)
compiler = Compiler(BUILD, os.path.join(FOLDER, "cache"))
entries, left_out = cases.compile_cases(compiler, os.path.join(FOLDER, "bin"), FOLDER)
assert not left_out, left_out
run.ROOT, measure.CALLS = FOLDER, 2
device = Device()
_, figures = measure.measure(run.Runner(5, run.environment_of(device)), entries, device)
for figure in figures:
    print(f"{figure.name}: failed {figure.why}" if figure.failed else f"{figure.name}: ratio {figure.ratio()} of {figure.of} {figure.why}")
