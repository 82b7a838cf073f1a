"""ONNX by the library alone, with NumPy and nothing else."""

import dataclasses
import pickle
import sys

import numpy as np

import hetero
from hetero.importers import reader

path = sys.argv[1]
image = np.ones((2, 1, 28, 28), np.float32)

read = reader.from_file(path)
assert (read.argument_names, read.argument_dtypes) == (["image"], ["float32"]), read
assert (read.result_names, read.result_dtypes) == (["probabilities"], ["float32"]), read
free = hetero.compile(path)(image)
assert free.shape == (2, 10) and abs(np.asarray(free).sum() - 2) < 1e-5, free

# What was imported compiles more than once, and as bytecode; programs keep what they need of it.
again = hetero.compile(read)
code = pickle.loads(pickle.dumps(read))
assert code == dataclasses.replace(read, source=read.bytecode)
del read
for program in (hetero.compile(code), again):
    assert np.allclose(program(image), free, atol=1e-6)
    assert program.placement.operations, program

# From bytes, with a size that is set.
with open(path, "rb") as file:
    data = file.read()
program = hetero.compile(reader.from_bytes(data, "lenet", {"N": 2}))
assert str(program) == "lenet(image: tensor<2x1x28x28xf32>) -> (tensor<2x10xf32>)", program
assert np.allclose(program(image), free, atol=1e-6)

# With an input that is a constant.
fixed = hetero.compile(reader.from_bytes(data, "lenet", values={"image": image}))
assert np.allclose(fixed(), free, atol=1e-6)


def refused(call, *words):
    try:
        call()
    except hetero.Error as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(f"expected an error with {words}")


refused(lambda: reader.from_bytes(data, "lenet", {"M": 2}), "cannot import 'lenet'", "no input has a dimension named M; it has N")
refused(lambda: reader.from_bytes(data[:1000], "lenet"), "cannot import 'lenet': the file is damaged at byte")
refused(lambda: reader.from_bytes(b"", "lenet"), "cannot import 'lenet'")
refused(lambda: reader.from_file("/nowhere.onnx"), "cannot read '/nowhere.onnx'")
