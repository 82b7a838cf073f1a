"""Who is right where results differ. Where the references differ the specification decides."""

from dataclasses import dataclass

import numpy as np
from onnx import helper, numpy_helper

import references
import types_of_onnx as types
from compare import compare
from references import NUMPY, RUNTIME


@dataclass(frozen=True)
class Node:
    """Facts of a node, of which rows ask; `inputs` are arrays by their names."""

    opset: int
    outputs: int
    attributes: dict
    inputs: dict


def _read_node(case):
    graph = case.model.graph
    node = graph.node[0]
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    inputs = case.feeds | {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    return Node(case.model.opset_import[0].version, len(node.output), attributes, inputs)


def _is_old(node):
    return node.opset < 13


def _always(node):
    return True


def _caps_raw_scores(node):
    return node.outputs == 4 and node.attributes.get("softcap") and not node.attributes.get("qk_matmul_output_mode")


def _has_causal_integers(node):
    mask = node.inputs.get("attn_mask")
    return node.attributes.get("is_causal") and mask is not None and types.is_integer(mask.dtype)


def _leaves_its_type(node):
    """Floats that no integer of the result's type is."""
    if not types.is_integer(_target(node)) or not types.is_float(node.inputs["input"].dtype):
        return False
    low, high = types.limits(_target(node))
    values = node.inputs["input"].astype(np.float64)
    return not bool(((values > low - 1) & (values < high + 1)).all())


def _target(node):
    """The type of what Cast makes."""
    target = node.inputs.get("target_type")
    return helper.tensor_dtype_to_np_dtype(node.attributes["to"]) if target is None else target.dtype


def _makes_small_integers(node):
    """Of floats."""
    return _target(node).name in types.PACKED and types.is_float(node.inputs["input"].dtype)


def _rounds_halves(node):
    with np.errstate(all="ignore"):
        return _makes_small_integers(node) and bool((node.inputs["input"].astype(np.float64) % 1 == 0.5).any())


def _averages_integers(node):
    return types.is_integer(node.inputs["X"].dtype) and node.attributes.get("mode") != b"nearest"


def _is_odd_one_hot(node):
    values = node.inputs["values"]
    if values.size != 2 or not np.isfinite(values.astype(np.float64)).all():
        return True
    off, on = values
    with np.errstate(all="ignore"):
        return types.is_float(node.inputs["indices"].dtype) or (on - off) + off != on


def _has_zeros_of_rows(node):
    return np.size(node.inputs.get("a_zero_point", 0)) > 1


def _makes_no_pass(node):
    return node.opset < 9 and any(0 in value.shape for value in node.inputs.values())


def _turns_never(node):
    return "M" in node.inputs and bool((node.inputs["M"] <= 0).all())


def _leaves_int32(node):
    sizes = [np.abs(node.inputs[name].astype(np.float64)) for name in ("x", "y_scale")]
    return sizes[0].size > 0 and np.nanmax(sizes[0]) >= 2**31 * np.nanmin(sizes[1])


def _multiplies_small_floats(node):
    return any(types.is_float(node.inputs[name].dtype) for name in "ab")


def _leaves_integers(node):
    x = node.inputs["input"]
    return types.is_integer(x.dtype) and x.size > 0 and np.abs(x.astype(np.float64)).max() >= np.iinfo(x.dtype).max // 2


def _is_of_nothing(node):
    return any(not node.inputs[name].size for name in ("target", "labels") if name in node.inputs)


def _has_channels_of_vectors(node):
    return node.inputs["x"].ndim == 3 and node.inputs["w_scale"].size > 1


def _has_not_finite(node):
    return not np.isfinite(node.inputs["X"].astype(np.float64)).all()


def _keeps_order(node):
    return node.attributes.get("sorted") == 0 and node.outputs == 1


def _has_narrow_rate(node):
    return node.inputs["R"].dtype == np.float32 and any(value.dtype == np.float64 for value in node.inputs.values())


def _goes_beyond_default(node):
    changes = ("activations", "clip", "input_forget")
    return "sequence_lens" in node.inputs or any(name in node.attributes for name in changes)


# What a reference is known to get wrong by the specification: its result does not count there.
# Operators, reference, of which nodes, why.
DEVIATIONS = (
    ("Softmax Hardmax", NUMPY, _is_old, "has the meaning of opset 13: one axis, not all from it on"),
    ("Cast CastLike", NUMPY, _makes_small_integers, "cuts fractions where integers of less than a byte are rounded"),
    ("Cast CastLike", RUNTIME, _rounds_halves, "rounds halves away from 0 where they become even"),
    ("LogSoftmax", NUMPY, _always, "takes logarithms of quotients, which may be 0, where the specification subtracts"),
    ("QuantizeLinear", NUMPY, _leaves_int32, "does not saturate quotients that no int32 can hold"),
    ("Shape", NUMPY, lambda node: node.opset >= 15, "takes an end before the first axis for another one"),
    ("MaxPool", NUMPY, lambda node: node.outputs == 2, "counts indices within a plane"),
    ("MaxPool", NUMPY, lambda node: node.attributes.get("auto_pad") == b"SAME_LOWER", "pads more at the end"),
    ("GlobalMaxPool", NUMPY, _always, "takes the maximum over channels where there is one dimension"),
    ("ConvTranspose", NUMPY, lambda node: node.attributes.get("group", 1) > 1, "has one channel for each group"),
    ("GridSample", NUMPY, _averages_integers, "cuts the weights of integers"),
    ("Resize", NUMPY, lambda node: node.inputs["X"].dtype.kind == "c", "drops imaginary parts"),
    ("Loop", RUNTIME, _turns_never, "gives rows of no pass the sizes that the body declares"),
    ("Loop", NUMPY, _always, "joins the rows of passes along their first axis, not along a new one"),
    ("OneHot", NUMPY, _is_odd_one_hot, "does not cut fractions of indices, and multiplies where it is to choose"),
    ("Scan", RUNTIME, _makes_no_pass, "gives memory that nothing is written to"),
    ("MatMulInteger", NUMPY, _has_zeros_of_rows, "subtracts zero points of rows from columns"),
    ("QLinearMatMul", NUMPY, _multiplies_small_floats, "cuts fractions of floats of a byte"),
    ("Shrink", NUMPY, _leaves_integers, "gives what the processor has where the result is no number of the type"),
    ("Shrink", RUNTIME, _leaves_integers, "gives what the processor has where the result is no number of the type"),
    ("Cast CastLike", RUNTIME, _leaves_its_type, "gives what the processor has where no integer is meant"),
    ("Cast CastLike", NUMPY, _leaves_its_type, "gives what the processor has where no integer is meant"),
    ("LRN", RUNTIME, _has_not_finite, "moves a sum along the channels, which stays infinite or nan"),
    ("LpNormalization", NUMPY, lambda node: node.attributes.get("p") == 1, "adds numbers with their signs"),
    ("NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", RUNTIME, _is_of_nothing, "gives 0 for the mean of nothing"),
    ("QLinearConv", NUMPY, _has_channels_of_vectors, "has one dimension more"),
    ("Unique", NUMPY, _keeps_order, "sorts"),
    ("LinearRegressor", NUMPY, lambda node: "intercepts" not in node.attributes, "makes nan of intercepts that are missing"),
    ("LinearRegressor", RUNTIME, lambda node: "post_transform" in node.attributes, "leaves out the transform"),
    ("Adagrad Adam Momentum", NUMPY, _has_narrow_rate, "rounds the rate to floats where weights are doubles"),
    ("LRN", NUMPY, _always, "has sums for as many channels as there are images"),
    ("BatchNormalization", NUMPY, lambda node: 9 <= node.opset < 14, "moves the mean and the variance, as training does"),
    ("LSTM", RUNTIME, lambda node: "clip" in node.attributes, "does not clip the input of its last activation"),
    ("RNN GRU LSTM", NUMPY, _goes_beyond_default, "leaves out lengths, activations, clip and input_forget"),
    ("Attention", NUMPY, _caps_raw_scores, "caps the scores of mode 0, which are those of the product"),
    ("Attention", RUNTIME, _has_causal_integers, "hides no key where masks are integers, which have no -inf"),
)


def _counting(case, found):
    """The references that count for the case."""
    operator, node = case.model.graph.node[0].op_type, _read_node(case)
    kept = dict(found)
    for names, reference, is_wrong, _ in DEVIATIONS:
        if operator in names.split() and is_wrong(node):
            kept.pop(reference, None)
    return kept


def _is_as_doubles(case, got, kept):
    """Whether the results are those of the reference on doubles: how sums are rounded on the way is not specified."""
    if NUMPY not in kept:
        return False
    try:
        return not compare(case, got, references.run_as_doubles(case))
    except references.Failed:
        return False


def decide(case, got, found):
    """The outcome, and its reason."""
    kept = _counting(case, found)
    if not kept:
        return "unchecked", "no reference that counts"
    differences = {name: compare(case, got, want) for name, want in kept.items()}
    agreeing = [name for name, difference in differences.items() if not difference]
    if len(agreeing) == len(kept):
        return "right", ""
    told = "; ".join(f"{name}: {difference}" for name, difference in differences.items() if difference)
    if agreeing:
        return "disputed", f"as {agreeing[0]}, not as {told}"
    if _is_as_doubles(case, got, kept):
        return "right", ""
    first, *others = kept.values()
    if others and compare(case, others[0], first):
        return "disputed", f"as neither: {told}"
    if case.is_outside and not others:
        return "disputed", f"out of range, and one reference only: {told}"
    return "wrong", told
