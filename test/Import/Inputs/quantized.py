"""Quantized operators, attention, and those of com.microsoft and ai.onnx.ml.

Where the reference has an operator it says what is right, else NumPy here.
"""

import ml_dtypes
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


def softmax(x, sink=-np.inf):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / (powers.sum(-1, keepdims=True) + np.exp(sink - x.max(-1, keepdims=True)))


# Scales of axes and of blocks, whose last one may be shorter; what has no place saturates, and nan is the least.
check("QuantizeLinear", [real(3, 7) * 50, np.abs(real(3, 3)) + f(0.1), whole(3, 3)], axis=1, block_size=3)
check("QuantizeLinear", [np.array([np.nan, np.inf, -np.inf, 2.5, 3.5, -0.5, 1e30], f), f(1), np.uint8(3)], want=np.array([0, 255, 0, 5, 7, 3, 255], np.uint8))
check("QuantizeLinear", [real(2, 3), np.abs(real(3)) + f(0.1), whole(3, dtype=np.int16)], axis=-1, dims={0: ["N", 3]})
# A zero point of one element may have a dimension more than its scale.
check("DequantizeLinear", [whole(3, 8), np.float32(0.5), whole(1)])
check("DequantizeLinear", [whole(3, 8), real(8), whole(8)], axis=-1)
check("DequantizeLinear", [whole(4, 6, dtype=np.int8), real(2, 6), whole(2, 6, dtype=np.int8)], axis=0, block_size=2, constants=(0, 1, 2))
# Large constants of a few bits stay packed.
for kind in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2, ml_dtypes.float4_e2m1fn):
    check("DequantizeLinear", [r.integers(-2, 4, (67, 67)).astype(kind), np.abs(real(67))], opset=25, constants=(0, 1))
    check("DequantizeLinear", [r.integers(-2, 4, (64, 71)).astype(kind), np.abs(real(2, 71))], opset=25, constants=(0,), axis=0, block_size=32)
    check("Transpose", [r.integers(-2, 4, (67, 67)).astype(kind)], opset=25, constants=(0,))
check("DynamicQuantizeLinear", [real(3, 4)], outputs=3)
# The reference has a scale of 1 / 255, ONNX Runtime one of 1.
zeros = [np.zeros((1, 4), np.uint8), np.float32(1), np.uint8(0)]
check("DynamicQuantizeLinear", [np.zeros((1, 4), np.float32)], outputs=3, want=zeros)

# Products of all signs, with zero points of rows and columns.
for left, right in ((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8)):
    zeros = whole(dtype=left), whole(5, dtype=right)
    check("MatMulInteger", [whole(2, 3, 4, dtype=left), whole(4, 5, dtype=right), *zeros])
    x, w, zero = whole(1, 4, 6, 6, dtype=left), whole(6, 2, 3, 3, dtype=right), whole(dtype=left)
    check("ConvInteger", [x, w, zero], group=2, pads=[1, 1, 1, 1])
    check("QLinearConv", [x, f(0.02), zero, w, np.abs(real(6)), np.full(6, 3, right), f(5), zero, np.arange(6, dtype=np.int32)], group=2)
a, b = (x.astype(ml_dtypes.float8_e4m3fn) for x in (real(3, 4), real(4, 5)))
zero = np.array(0, a.dtype)
want = (a.astype(f) @ b.astype(f) * f(0.5) * f(0.25) / f(2)).astype(a.dtype)
check("QLinearMatMul", [a, f(0.5), zero, b, f(0.25), zero, f(2), zero], want=want)
a, b = whole(3, 4), whole(4, 5)
rows = whole(3)
check("MatMulInteger", [a, b, rows], want=((a.astype(int) - rows[:, None]) @ b.astype(int)).astype(np.int32))

# Normalizations, and attention with rows of which every key is hidden.
check("GroupNormalization", [real(2, 4, 3, 3), real(4), real(4)], num_groups=2, dims={0: ["N", 4, "H", "W"]})
x, channels = real(2, 3, 4), [np.abs(real(3)) for _ in range(4)]
scale, bias, mean, variance = channels
now = [x.mean((0, 2)), x.var((0, 2))]
normal = (x - now[0][:, None]) / np.sqrt(now[1][:, None] + f(1e-5)) * scale[:, None] + bias[:, None]
want = [normal, mean * f(0.75) + now[0] * f(0.25), variance * f(0.75) + now[1] * f(0.25), *now]
check("BatchNormalization", [x, *channels], opset=9, outputs=5, momentum=0.75, want=want)
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
# Each column of weights in a group of its own choice.
groups = r.integers(0, 2, 20).astype(np.int32)
options = {"domain": MICROSOFT, "K": 20, "N": 3, "bits": 4, "block_size": 16, "rtol": 1e-3, "atol": 1e-3}
check("MatMulNBits", [x, packed, scales, None, groups], want=x @ (numbers[:, :20] * scales[:, groups]).T, **options)
zeros = real(3, 2)
centered = numbers[:, :20] + 8 - zeros[:, groups]
check("MatMulNBits", [x, packed, scales, zeros, groups], want=x @ (centered * scales[:, groups]).T, constants=(1, 2, 3, 4), **options)
query, key, value = real(1, 2, 8), real(1, 3, 8), real(1, 3, 8)
heads = [softmax(query[0, :, h] @ key[0, :, h].T / 2) @ value[0, :, h] for h in (slice(0, 4), slice(4, 8))]
check("MultiHeadAttention", [query, key, value], domain=MICROSOFT, num_heads=2, want=np.concatenate(heads, -1)[None])
# Masks: where keys end and start, of each score, and of all queries and keys that may come.
x, w, b = real(2, 3, 4), real(4, 12), real(12)
some = np.array([[[0, 1, 1]] * 3, [[1, 1, 0]] * 3], np.int32)
all_ = np.pad(some, ((0, 0), (0, 2), (0, 2)))[:, None]
q, k, v = (part.reshape(2, 3, 2, 2).transpose(0, 2, 1, 3) for part in np.split(x @ w + b, 3, -1))
scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(f(2)) - 10000 * (1 - some[:, None])
want = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(2, 3, 4)
for mask in (np.array([3, 2, 1, 0], np.int32), some[:, 0], some, all_):
    check("Attention", [x, w, b, mask], domain=MICROSOFT, num_heads=2, want=want)
# A key without a value, whose score is 0 or one for each head.
q, k, v, sink = real(2, 3, 8), real(2, 3, 4), real(2, 3, 4), real(4)
none, lengths = np.zeros((2, 2, 0, 2), f), [np.array([2, 2], np.int32), np.array(3, np.int32)]
query, key, value = (part.reshape(2, 3, -1, 2).transpose(0, 2, 1, 3) for part in (q, k, v))
scores = query @ key.transpose(0, 1, 3, 2).repeat(2, 1) / np.sqrt(f(2)) + np.where(np.tri(3), 0, -np.inf)
for inputs, score, attributes in (([], 0, {"smooth_softmax": 1}), ([None] * 4 + [sink], sink[:, None, None], {"qk_output": 2})):
    weights = softmax(scores, score).astype(f)
    want = (weights @ value.repeat(2, 1)).transpose(0, 2, 1, 3).reshape(2, 3, 8)
    want = [want, key, value, weights][: 3 + bool(inputs)]
    options = {"domain": MICROSOFT, "num_heads": 4, "kv_num_heads": 2, "outputs": len(want), **attributes}
    check("GroupQueryAttention", [q, k, v, none[:, :, :0], none, *lengths, *inputs], want=want, **options)
x = real(2, 20)
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
# Probabilities of three classes from those of pairs, as ONNX Runtime has them.
x = np.array([[0.5, -1], [2, 0.25], [-1, 1]], f)
svm = {"kernel_type": "RBF", "kernel_params": [0.5, 0.0, 3.0], "vectors_per_class": [2, 1, 1], "classlabels_ints": [4, 5, 6]}
svm |= {"support_vectors": [0.0, 1.0, 1.0, 0.0, -1.0, 0.5, 2.0, -1.0], "coefficients": [0.5, -1.0, 1.5, -0.5, 1.0, 0.75, -0.25, 0.6]}
svm |= {"rho": [0.1, -0.2, 0.3], "prob_a": [-1.0, -2.0, 0.5], "prob_b": [0.1, 0.0, -0.2]}
want = [[0.32872814, 0.36631745, 0.3049544], [0.29720822, 0.37950832, 0.32328355], [0.62589586, 0.16340464, 0.21069942]]
check("SVMClassifier", [x], domain=LEARNING, outputs=2, want=[np.array([5, 5, 4]), np.array(want, f)], dims={0: ["N", 2]}, **svm)
two = {"vectors_per_class": [1, 1], "support_vectors": [0.0, 1.0, 1.0, 0.0], "coefficients": [0.5, -1.0], "rho": [0.1]}
two |= {"kernel_type": "LINEAR", "kernel_params": [0.0] * 3, "classlabels_ints": [4, 5], "prob_a": [-1.0], "prob_b": [0.1]}
check("SVMClassifier", [x], domain=LEARNING, outputs=2, **two)
check("OneHotEncoder", [np.array([[7, 1], [1, 7]])], domain=LEARNING, cats_int64s=[1, 7], zeros=0)
refuse("LinearClassifier", [x], "labels are strings", domain=LEARNING, coefficients=[1.0, 1.0], classlabels_strings=["a"], outputs=2)
finish()
