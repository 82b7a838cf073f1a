"""Quantized operators, attention, and those of com.microsoft and ai.onnx.ml.

Where the reference has an operator it says what is right, else NumPy here.
"""

import numpy as np
from case import check, finish, refuse

f = np.float32
r = np.random.default_rng(0)
MICROSOFT, LEARNING = "com.microsoft", "ai.onnx.ml"


def real(*sizes):
    return r.standard_normal(sizes).astype(f)


def whole(*sizes, dtype=np.uint8):
    limits = np.iinfo(dtype)
    return r.integers(limits.min, limits.max + 1, sizes).astype(dtype)


def quantize(x, scale, zero):
    limits = np.iinfo(zero.dtype)
    return np.clip(np.rint(x / f(scale)) + zero, limits.min, limits.max).astype(zero.dtype)


def dequantize(x, scale, zero):
    return (x.astype(f) - f(zero)) * scale


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


# Scales of axes and of blocks, whose last one may be shorter; what has no place saturates, and nan is the least.
check("QuantizeLinear", [real(3, 7) * 50, np.abs(real(3, 3)) + f(0.1), whole(3, 3)], axis=1, block_size=3)
check("QuantizeLinear", [np.array([np.nan, np.inf, -np.inf, 2.5, 3.5, -0.5, 1e30], f), f(1), np.uint8(3)], want=np.array([0, 255, 0, 5, 7, 3, 255], np.uint8))
check("QuantizeLinear", [real(2, 3), np.abs(real(3)) + f(0.1), whole(3, dtype=np.int16)], axis=-1, dims={0: ["N", 3]})
# A zero point of one element may have a dimension more than its scale.
check("DequantizeLinear", [whole(3, 8), np.float32(0.5), whole(1)])
check("DequantizeLinear", [whole(3, 8), real(8), whole(8)], axis=-1)
check("DequantizeLinear", [whole(4, 6, dtype=np.int8), real(2, 6), whole(2, 6, dtype=np.int8)], axis=0, block_size=2, constants=(0, 1, 2))
check("DynamicQuantizeLinear", [real(3, 4)], outputs=3)

# Products of all signs, with zero points of rows and columns.
for left, right in ((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8)):
    zeros = whole(dtype=left), whole(5, dtype=right)
    check("MatMulInteger", [whole(2, 3, 4, dtype=left), whole(4, 5, dtype=right), *zeros])
    x, w, zero = whole(1, 4, 6, 6, dtype=left), whole(6, 2, 3, 3, dtype=right), whole(dtype=left)
    check("ConvInteger", [x, w, zero], group=2, pads=[1, 1, 1, 1])
    check("QLinearConv", [x, f(0.02), zero, w, np.abs(real(6)), np.full(6, 3, right), f(5), zero, np.arange(6, dtype=np.int32)], group=2)
a, b = whole(3, 4), whole(4, 5)
rows = whole(3)
check("MatMulInteger", [a, b, rows], want=((a.astype(int) - rows[:, None]) @ b.astype(int)).astype(np.int32))

# Normalizations, and attention with rows of which every key is hidden.
check("GroupNormalization", [real(2, 4, 3, 3), real(4), real(4)], num_groups=2, dims={0: ["N", 4, "H", "W"]})
check("InstanceNormalization", [real(2, 3, 4), real(3), real(3)], dims={0: ["N", 3, "S"]})
check("LayerNormalization", [real(2, 3, 4), real(4), real(4)], outputs=3, dims={0: ["N", "S", 4]})
x = np.array([[3, -4], [0, 0]], f)
check("LpNormalization", [x], p=1, want=np.array([[3 / 7, -4 / 7], [0, 0]], f))
mask = np.array([[True, False], [False, False], [True, True]])
check("Attention", [real(1, 2, 3, 4), real(1, 1, 2, 4), real(1, 1, 2, 4), mask], is_causal=1)
check("Attention", [real(1, 3, 8), real(1, 2, 8), real(1, 2, 8)], q_num_heads=2, kv_num_heads=2, softcap=2.0, dims={0: ["N", "S", 8], 1: ["N", "T", 8], 2: ["N", "T", 8]})

# com.microsoft.
x, w = real(2, 3), real(3, 4)
check("FusedMatMul", [x, w.T.copy()], domain=MICROSOFT, transB=1, alpha=0.5, want=0.5 * x @ w)
check("FusedGemm", [x, w, real(4) * 0], domain=MICROSOFT, activation="Relu", want=np.maximum(x @ w, 0))
check("QuickGelu", [x], domain=MICROSOFT, want=x / (1 + np.exp(f(-1.702) * x)))
total = real(2, 3)
sum_ = x + total
norm = sum_ / np.sqrt((sum_**2).mean(-1, keepdims=True) + 1e-5)
check("SkipSimplifiedLayerNormalization", [x, total, np.ones(3, f)], domain=MICROSOFT, epsilon=1e-5, want=norm)
p, q, zero = whole(2, 3), whole(3), np.uint8(128)
want = quantize(dequantize(p, f(0.5), zero) + dequantize(q, f(0.25), zero), 0.75, zero)
check("QLinearAdd", [p, f(0.5), zero, q, f(0.25), zero, f(0.75), zero], domain=MICROSOFT, want=want)
packed, scales = whole(3, 2, 8), np.abs(real(3, 2))
numbers = np.stack([packed & 15, packed >> 4], -1).reshape(3, 32).astype(f) - 8
weights = (numbers * np.repeat(scales, 16, 1))[:, :20]
x = real(2, 20)
check("MatMulNBits", [x, packed, scales], domain=MICROSOFT, K=20, N=3, bits=4, block_size=16, rtol=1e-3, atol=1e-3, want=x @ weights.T)
query, key, value = real(1, 2, 8), real(1, 3, 8), real(1, 3, 8)
heads = [softmax(query[0, :, h] @ key[0, :, h].T / 2) @ value[0, :, h] for h in (slice(0, 4), slice(4, 8))]
check("MultiHeadAttention", [query, key, value], domain=MICROSOFT, num_heads=2, want=np.concatenate(heads, -1)[None])
refuse("MatMulNBits", [x, packed, scales], "do not fit", domain=MICROSOFT, K=20, N=5, bits=4, block_size=16)

# ai.onnx.ml.
x = np.array([[0.5, -1], [2, np.nan]], f)
check("Imputer", [x], domain=LEARNING, imputed_value_floats=[7.0, 8.0], replaced_value_float=float("nan"), want=np.array([[0.5, -1], [2, 8]], f))
check("Scaler", [x[:, :1]], domain=LEARNING, offset=[1.0], scale=[2.0], want=(x[:, :1] - 1) * 2)
tree = {"nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"]}
tree |= {"nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0], "nodes_values": [0.0, 0.0, 0.0], "nodes_missing_value_tracks_true": [1, 0, 0]}
leaves = {"target_treeids": [0, 0], "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights": [3.0, 5.0]}
check("TreeEnsembleRegressor", [np.array([[0, 1], [0, -1], [0, np.nan]], f)], domain=LEARNING, n_targets=1, want=np.array([[5], [3], [3]], f), **tree, **leaves)
loop = tree | {"nodes_truenodeids": [0, 0, 0]}
refuse("TreeEnsembleRegressor", [x], "leads back", domain=LEARNING, n_targets=1, **loop, **leaves)
refuse("LinearClassifier", [x], "labels are strings", domain=LEARNING, coefficients=[1.0, 1.0], classlabels_strings=["a"], outputs=2)
finish()
