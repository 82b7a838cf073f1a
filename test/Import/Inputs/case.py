"""Single nodes through the reader, executed and compared with onnx.reference.

    from case import check, refuse, finish
    check("Gemm", [a, b], alpha=0.5)                       arrays are inputs; static sizes
    check("Slice", [x, starts, ends], constants=(1, 2))    inputs 1 and 2 are initializers
    check("Add", [x, y], dims={0: ["N", 3], 1: ["M", 3]})  dynamic sizes by input
    check("Clip", [x, None, high], opset=12)               None is an input that is left out
    check("Div", [a, b], want=[a // b])                    where the reference is wrong
    check("Neg", [x], signs=True)                          compares the signs of zeros, too
    refuse("Reshape", [x, shape], "in its error")
    finish()                                               prints counts; exits 1 where one is wrong

`python3 FILE VERBOSE` prints each case. PLACE=gpu:0 runs them there.
"""

import os
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
os.environ.setdefault("HETERO_LIBRARY", str(ROOT / "build" / "dev" / "lib" / "libhetero.so"))
warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import hetero
import hetero.importers

COUNTS = {"right": 0, "wrong": 0, "refused": 0}
RULES = 'default: "%s"' % os.environ.get("PLACE", "cpu")


def make_model(op, inputs, outputs, opset, constants, dims, domain, attributes):
    """A model of one node; the types of its results are left to inference."""
    names = [f"x{i}" if array is not None else "" for i, array in enumerate(inputs)]
    node = helper.make_node(op, names, [f"y{i}" for i in range(outputs)], name="the/node", domain=domain, **attributes)
    values, weights = [], []
    for number, (name, array) in enumerate(zip(names, inputs)):
        if array is None:
            continue
        if number in constants:
            weights.append(numpy_helper.from_array(array, name))
        else:
            shape = (dims or {}).get(number, array.shape)
            values.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape))
    results = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "g", values, results, weights)
    opsets = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def run(model, given):
    imported = hetero.importers.from_onnx(model)
    program = hetero.compile(imported, rules=RULES)
    got = program(**given)
    return got if isinstance(got, list) else [got]


def differ(got, want, rtol, atol, signs):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"shape {got.shape}, expected {want.shape}"
    if got.dtype != want.dtype and got.dtype.itemsize == want.dtype.itemsize:
        got = got.view(want.dtype)
    if want.dtype.kind in "iub":
        if np.array_equal(got, want):
            return None
    elif np.allclose(got.astype(complex), want.astype(complex), rtol, atol, equal_nan=True):
        if not signs or want.dtype.kind != "f":
            return None
        zeros = (want == 0) & (got == 0)
        if np.array_equal(np.signbit(got[zeros]), np.signbit(want[zeros])):
            return None
        return "the signs of zeros differ"
    return f"got {got.ravel()[:12].tolist()}, expected {want.ravel()[:12].tolist()}"


def note(outcome, op, text):
    COUNTS[outcome] += 1
    if outcome == "wrong" or len(sys.argv) > 1:
        print(f"{outcome}: {op}: {text}", flush=True)


def check(op, inputs, *, want=None, opset=23, constants=(), dims=None, outputs=1, rtol=1e-4, atol=1e-5, signs=False, domain="", **attributes):
    inputs = [None if array is None else np.asarray(array) for array in inputs]
    model = make_model(op, inputs, outputs, opset, constants, dims, domain, attributes)
    given = {f"x{i}": array for i, array in enumerate(inputs) if array is not None and i not in constants}
    label = f"{attributes or ''} {[None if a is None else f'{a.dtype}{list(a.shape)}' for a in inputs]} opset {opset} {dims or ''}"
    if want is None:
        want = ReferenceEvaluator(model).run(None, given)
    want = want if isinstance(want, (list, tuple)) else [want]
    try:
        got = run(model, given)
    except hetero.Error as error:
        return note("wrong", op, f"{label}: {str(error)[:600]}")
    for number, (a, b) in enumerate(zip(got, want)):
        text = differ(a, b, rtol, atol, signs)
        if text:
            return note("wrong", op, f"{label}: result {number}: {text}")
    return note("right", op, label)


def refuse(op, inputs, text, *, opset=23, constants=(), dims=None, outputs=1, domain="", **attributes):
    """The reader refuses the node with an error that has the text."""
    inputs = [None if array is None else np.asarray(array) for array in inputs]
    model = make_model(op, inputs, outputs, opset, constants, dims, domain, attributes)
    try:
        hetero.importers.from_onnx(model)
    except hetero.ImportFailure as error:
        return note("refused" if text in str(error) else "wrong", op, str(error))
    return note("wrong", op, "it is not refused")


def finish():
    print(", ".join(f"{count} {outcome}" for outcome, count in COUNTS.items()))
    sys.exit(COUNTS["wrong"] > 0)
