"""Operators that carry a state, and others of the newest opsets, compared with onnx.reference."""

import ml_dtypes
import numpy as np
from case import check, finish, helper, refuse

f = np.float32
r = np.random.default_rng(0)


def i(*numbers):
    return np.array(numbers, np.int64)


for axis in (0, -1):
    for flags in ({}, {"exclusive": 1}, {"reverse": 1}, {"exclusive": 1, "reverse": 1}):
        x = r.random((3, 4), f)
        check("CumProd", [x, np.int64(axis)], opset=26, constants=(1,), **flags)
        check("CumSum", [x, np.int64(axis)], constants=(1,), dims={0: ["N", "M"]}, **flags)
check("CumProd", [np.array([3, -2, 5], np.int32), np.int64(0)], opset=26, constants=(1,))
check("CumSum", [np.zeros((0, 2), f), np.int64(0)], constants=(1,))
check("CumSum", [np.array([1, 2], np.uint32), np.array(0, np.int32)], constants=(1,))
refuse("CumSum", [r.random(3, f), np.int64(1)], "axis 1 is outside", constants=(1,))

gate, linear = r.standard_normal((2, 3, 4)).astype(f), r.standard_normal((2, 3, 4)).astype(f)
check("SwiGLU", [gate, linear], opset=28)
check("SwiGLU", [gate, linear], opset=28, alpha=1.7, dims={0: ["N", 3, "M"], 1: ["A", 3, "B"]})
check("SwiGLU", [gate.astype(np.float16), linear.astype(np.float16)], opset=28, rtol=1e-2, atol=1e-2)
refuse("SwiGLU", [gate, linear[:, :1]], "unlike sizes", opset=28)

numbers = np.array([[1.5, -2.25], [np.inf, 3]], f)
check("BitCast", [numbers], opset=26, to=helper.np_dtype_to_tensor_dtype(np.dtype(np.int32)))
check("BitCast", [numbers], opset=26, to=12, dims={0: ["N", 2]})
check("BitCast", [numbers.astype(np.float16)], opset=26, to=16)
check("BitCast", [np.array([1, -1], np.int64)], opset=26, to=11)
check("BitCast", [np.array([200, 3], np.uint8)], opset=26, to=3)
check("BitCast", [np.array([0, 1], np.uint8)], opset=26, to=9)
check("BitCast", [np.array([True, False])], opset=26, to=2)
check("BitCast", [np.array([1.5, -2], ml_dtypes.float8_e4m3fn)], opset=26, to=2)
check("BitCast", [np.array([60, 180], np.uint8)], opset=26, to=17)
powers, small = np.array([1, 1.4, 1.5, 1.6, 3], f), np.array([-1.5, -0.4, 0.5, 0.6, 2.5], f)
for mode, made in (("up", [1, 2, 2, 2, 4]), ("nearest", [1, 1, 2, 2, 4]), ("down", [1, 1, 1, 1, 2])):
    check("Cast", [powers], to=24, round_mode=mode, opset=24, want=np.array(made, ml_dtypes.float8_e8m0fnu))
check("Cast", [small], to=22, opset=24, want=np.array([-2, 0, 0, 1, 2], ml_dtypes.int4))
refuse("BitCast", [numbers], "have not the bits of type", opset=26, to=11)

for k, activation in ((1, "none"), (3, "silu"), (4, "swish")):
    x, w, b = r.standard_normal((2, 3, 5)).astype(f), r.random((3, 1, k), f), r.random(3, f)
    past = r.random((2, 3, k - 1), f)
    check("CausalConvWithState", [x, w], opset=27, outputs=2, activation=activation)
    check("CausalConvWithState", [x, w, b, past], opset=27, outputs=2, activation=activation)
    check("CausalConvWithState", [x[:, :, :1], w, None, past], opset=27, outputs=2, dims={0: ["N", 3, "L"]})
refuse("CausalConvWithState", [x, w[:2]], "channels", opset=27)

for rule in ("linear", "gated", "delta", "gated_delta"):
    for queries, heads in ((2, 2), (4, 2), (4, 1)):
        q, k, v = r.random((2, 3, queries * 4), f), r.random((2, 3, heads * 4), f) / 2, r.random((2, 3, heads * 5), f)
        past = r.random((2, heads, 4, 5), f)
        for inner, all_heads in ((1, heads), (4, 1)):
            decay = -r.random((2, 3, heads * inner), f) if "gated" in rule else None
            beta = r.random((2, 3, all_heads), f) if "delta" in rule else None
            options = {"update_rule": rule, "q_num_heads": queries, "kv_num_heads": heads}
            check("LinearAttention", [q, k, v, past, decay, beta], opset=27, outputs=2, **options)
            dims = {j: ["B", "T", array.shape[2]] for j, array in enumerate((q, k, v))}
            check("LinearAttention", [q, k, v, None, decay, beta], opset=27, outputs=2, dims=dims, scale=0.5, **options)
refuse("LinearAttention", [q, k, v], "needs input 4", opset=27, q_num_heads=4, kv_num_heads=1)


def graph(op, *rest):
    """A graph of one node on a tensor of rank 4."""
    values = [helper.make_tensor_value_info(name, 1, ["B", "H", "L", "S"]) for name in ("a", "b")]
    return helper.make_graph([helper.make_node(op, ["a", *rest], ["b"])], "g", values[:1], values[1:])


q, k, v = r.random((2, 4, 3, 8), f), r.random((2, 2, 5, 8), f), r.random((2, 2, 5, 6), f)
preview = {"domain": "ai.onnx.preview"}
check("FlexAttention", [q, k, v], **preview)
check("FlexAttention", [q, k, v], scale=0.25, score_mod=graph("Tanh"), prob_mod=graph("Mul", "a"), **preview)
check("FlexAttention", [q, k, v], dims={0: ["B", 4, "L", 8], 1: ["B", 2, "S", 8], 2: ["B", 2, "S", 6]}, score_mod=graph("Neg"), **preview)
half = [array.astype(np.float16) for array in (q, k, v)]
check("FlexAttention", half, softmax_precision=1, rtol=1e-2, atol=1e-2, **preview)
check("FlexAttention", [array.astype(float) for array in (q, k, v)], **preview)
refuse("FlexAttention", [q, k, v], "does not keep", score_mod=graph("IsNaN"), **preview)
finish()
