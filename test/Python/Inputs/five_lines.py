"""What the wheel is for, in an environment that has only the wheel: five_lines.py MODEL.mlir"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import hetero

m = hetero.compile(sys.argv[1], default="gpu:0")
y = m(np.ones((2, 3), np.float32))
print(m.placement)
with tempfile.TemporaryDirectory() as folder:
    m.save(pathlib.Path(folder) / "model.so")
    assert (hetero.load(pathlib.Path(folder) / "model.so")(np.ones((2, 3), np.float32)) == y).all()
    m.view(pathlib.Path(folder) / "model.html")
assert y.shape == (2, 3), y
# All of it is the wheel's.
maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
assert "libMLIR" in maps and "/usr/lib/llvm" not in maps, maps
run = [sys.executable, "-m", "hetero", sys.argv[1], "--default=gpu:0", "--input=2x3xf32=1", "--expected=2x3xf32=1"]
subprocess.run(run, check=True)
print("five lines work")
