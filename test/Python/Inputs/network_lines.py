"""Networks in an environment that has only the wheel and its extras: network_lines.py ROOT

A JAX function, and the lines of Python that the documents show, each block in the
order of its document.
"""

import os
import pathlib
import re
import sys
import tempfile

import jax.numpy as jnp
import numpy as np

import hetero


def layer(x, weights):
    return jnp.maximum(x @ weights, 0)


def check_jax() -> None:
    x, weights = np.arange(-3, 3, dtype=np.float32).reshape(2, 3), np.ones((3, 4), np.float32)
    m = hetero.compile(layer, arguments=(x, weights), default="gpu:0")
    np.testing.assert_array_equal(m(x, weights), layer(x, weights))
    assert m.entries["main"].argument_names == ["x", "weights"], m


def run_blocks(document: pathlib.Path) -> int:
    """Runs the blocks of a document, which name a network and its input."""
    image = np.ones((1, 1, 28, 28), np.float32)
    names = {"hetero": hetero, "image": image, "x": image}
    blocks = re.findall(r"^```python\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)
    for block in blocks:
        exec(compile(block, str(document), "exec"), names)  # pylint: disable=exec-used
        assert names["y"].shape == (1, 10), names["y"]
    return len(blocks)


def main() -> None:
    root = pathlib.Path(sys.argv[1]).resolve()
    check_jax()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(root / "examples", "examples")
        os.symlink(root / "examples" / "lenet.onnx", "model.onnx")
        counts = [run_blocks(root / name) for name in ("README.md", "docs/Python.md")]
    assert all(counts), counts
    print(f"a JAX function and {sum(counts)} blocks work")


main()
