"""Operators on images and signals, executed and compared with onnx.reference."""

import numpy as np
from case import check, finish, refuse

f = np.float32
r = np.random.default_rng(0)


def i(*numbers):
    return np.array(numbers, np.int64)


def image(*sizes):
    return r.random(sizes, f)


# Resize: every transformation and mode, up and down, with sizes that are known and not.
DIMS = {0: ["N", "C", "H", "W"]}
MODES = ("nearest", "linear", "cubic")
for number, transformation in enumerate(("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")):
    how = {"mode": MODES[number % 3], "coordinate_transformation_mode": transformation}
    check("Resize", [image(1, 2, 5, 4), None, np.array([1, 1, 2, 0.6], f)], constants=(2,), **how)
    how["mode"] = MODES[(number + 1) % 3]
    check("Resize", [image(1, 2, 5, 4), None, None, i(1, 2, 7, 3)], dims=DIMS, **how)
for mode in ("linear", "cubic"):
    how = {"mode": mode, "antialias": 1}
    check("Resize", [image(1, 1, 9, 8), None, np.array([1, 1, 0.4, 0.6], f)], constants=(2,), **how)
    check("Resize", [image(1, 1, 9, 8), None, np.array([0.4, 2], f)], dims=DIMS, axes=[2, 3], exclude_outside=1, **how)
check("Resize", [image(1, 1, 4, 4), np.array([0.2, 0.3, 0.7, 1.4], f), None, i(3, 3)], constants=(1, 3), axes=[2, 3], mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9.0)
check("Resize", [image(1, 1, 4, 6), None, None, i(9, 9)], axes=[2, 3], keep_aspect_ratio_policy="not_larger", dims=DIMS)
check("Resize", [image(1, 1, 4, 6), None, None, i(9, 9)], axes=[3, 2], keep_aspect_ratio_policy="not_smaller", constants=(3,))
for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
    check("Resize", [image(1, 1, 7, 4), None, None, i(1, 1, 4, 8)], nearest_mode=rounding, coordinate_transformation_mode="asymmetric", opset=13, constants=(3,))
    if rounding.startswith("round"):
        continue
    check("Resize", [image(1, 1, 7, 4), None, np.array([1, 1, 0.5, 2], f)], nearest_mode=rounding, opset=11 if rounding == "floor" else 18, dims=DIMS)
check("Resize", [r.integers(0, 255, (1, 1, 4, 4)).astype(np.uint8), None, np.array([1, 1, 2, 2], f)], mode="linear", constants=(2,))
check("Upsample", [image(1, 1, 2, 3), np.array([1, 1, 2, 3], f)], opset=9, constants=(1,))
x = image(1, 1, 2, 3)
check("Upsample", [x], opset=7, scales=[1.0, 1.0, 2.0, 3.0], want=x.repeat(2, 2).repeat(3, 3))
check("Resize", [x, np.array([1, 1, 2, 3], f)], opset=10, want=x.repeat(2, 2).repeat(3, 3))

# Pads: all modes, cut where they are negative, of known and unknown sizes and pads.
for mode in ("constant", "reflect", "edge", "wrap"):
    check("Pad", [image(3, 4), i(1, 2, 0, 3)], mode=mode, dims={0: ["N", "M"]})
x = np.array([[1, 2], [3, 4]], f)
check("Pad", [x, i(-1, 0, 1, 0), f(9)], want=np.array([[3, 4], [9, 9]], f), opset=19)
check("Pad", [x, i(-1, 1), None, i(1)], want=np.array([[2, 0], [4, 0]], f), constants=(3,))
check("Pad", [x], pads=[0, 1, 0, -1], value=5.0, opset=10, want=np.array([[5, 1], [5, 3]], f))
check("CenterCropPad", [image(5, 2, 7), i(2, 5)], axes=[0, 1], dims={0: ["A", "B", "C"]})
check("DepthToSpace", [image(1, 8, 2, 3)], blocksize=2, mode="CRD", dims={0: ["N", 8, "H", "W"]})
check("SpaceToDepth", [image(1, 3, 4, 6)], blocksize=2, dims={0: ["N", "C", "H", "W"]})

# Scatters and gathers: repeated and negative indices, all reductions.
for reduction in ("none", "add", "mul", "min", "max"):
    again = i(1, -1, 1) if reduction != "none" else i(1, -1, 0)
    if reduction in ("none", "mul", "min"):
        check("ScatterElements", [image(4), again, image(3)], reduction=reduction, dims={0: ["N"], 1: ["M"], 2: ["M"]}, opset=18)
    else:
        check("ScatterND", [image(4, 3), again[:, None], image(3, 3)], reduction=reduction, dims={0: ["N", 3], 1: ["M", 1], 2: ["M", 3]}, opset=18)
check("GatherElements", [image(2, 4), np.array([[0, -1], [1, 2]], np.int64)], axis=1, dims={0: ["N", "M"], 1: ["A", "B"]})
check("GatherND", [image(2, 3, 4), i(1, -1)[:, None]], batch_dims=1, dims={0: ["N", "A", "B"], 1: ["N", 1]})

# Transposed convolutions: strides, spread kernels, groups, sizes that are asked for.
DIMS = {0: ["N", 4, "H", "W"]}
w = r.random((4, 3, 3, 3), f)


def transposed(x, w, bias, group=1, strides=(1, 1), dilations=(1, 1), pads=None, output_padding=(0, 0), output_shape=None, auto_pad=""):
    """The specification's formula: each element adds its weights to a result, of which a part is cut."""
    whole = [s * (n - 1) + (k - 1) * d + 1 for s, n, k, d in zip(strides, x.shape[2:], w.shape[2:], dilations)]
    full = np.zeros((len(x), w.shape[1] * group, *[size + 32 for size in whole]))
    for g in range(group):
        channels, features = (slice(g * size, (g + 1) * size) for size in (x.shape[1] // group, w.shape[1]))
        for a, b in np.ndindex(*w.shape[2:]):
            rows, columns = (slice(t * d, t * d + s * n, s) for t, d, s, n in zip((a, b), dilations, strides, x.shape[2:]))
            full[:, features, rows, columns] += np.einsum("nchw,cf->nfhw", x[:, channels], w[channels, :, a, b])
    lows, sizes = [], []
    for i, size in enumerate(whole):
        wanted = output_shape[i] if output_shape else strides[i] * x.shape[2 + i] if auto_pad else None
        total = size + output_padding[i] - wanted if wanted else 0
        low, high = (pads[i], pads[2 + i]) if pads else (0, 0)
        lows.append((total // 2 if auto_pad == "SAME_UPPER" else total - total // 2) if wanted else low)
        sizes.append(wanted or size + output_padding[i] - low - high)
    made = full[:, :, lows[0] : lows[0] + sizes[0], lows[1] : lows[1] + sizes[1]]
    return (made + bias[:, None, None]).astype(f)


for how in (
    {}, {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}, {"strides": [3, 2], "dilations": [2, 1]},
    {"dilations": [2, 2], "pads": [1, 0, 2, 1]}, {"group": 2, "strides": [2, 2]}, {"strides": [2, 1], "auto_pad": "SAME_UPPER"},
    {"strides": [1, 2], "auto_pad": "SAME_LOWER"}, {"strides": [2, 2], "output_shape": [8, 6]}, {"strides": [4, 4], "pads": [0, 1, 2, 0]},
):
    x, bias = image(2, 4, 4, 3), r.random(3 * how.get("group", 1), dtype=f)
    known = {"dims": DIMS} if "output_padding" in how or "output_shape" in how else {"constants": (1, 2)}
    check("ConvTranspose", [x, w, bias], want=transposed(x, w, bias, **how), **known, **how)
check("ConvTranspose", [image(1, 4, 6), r.random((4, 2, 4), f)], strides=[2], dims={0: ["N", "C", "L"], 1: ["C", "F", "K"]})
check("Col2Im", [image(1, 12, 12), i(5, 5), i(2, 3)], strides=[1, 1], constants=(1, 2))
check("Col2Im", [image(1, 12, 12) > 0, i(5, 5), i(2, 3)], constants=(1, 2))
check("Col2Im", [image(1, 12, 12) + 1j * image(1, 12, 12), i(5, 5), i(2, 3)], constants=(1, 2))
check("MaxUnpool", [image(1, 1, 2, 2), np.array([[[[0, 3], [8, 15]]]], np.int64)], kernel_shape=[2, 2], strides=[2, 2], dims={0: ["N", 1, "H", "W"], 1: ["N", 1, "H", "W"]})
check("LpPool", [image(1, 2, 6, 6)], kernel_shape=[3, 2], strides=[2, 2], p=3, dims={0: ["N", "C", "H", "W"]}, opset=18)
x = image(2, 5, 3, 3)
sums = np.stack([(x[:, max(c - 1, 0) : c + 3] ** 2).sum(1) for c in range(5)], 1)
check("LRN", [x], size=4, alpha=0.1, dims={0: ["N", "C", "H", "W"]}, want=x / (1 + 0.025 * sums) ** 0.75)

# Samples between elements.
grid = (r.random((2, 3, 4, 2), f) * 3 - 1.5).astype(f)
for number, padding in enumerate(("zeros", "border", "reflection")):
    for corners in (0, 1):
        dims = {0: ["N", "C", "H", "W"], 1: ["N", "A", "B", 2]} if corners else None
        how = {"mode": MODES[(number + corners) % 2], "padding_mode": padding, "align_corners": corners}
        check("GridSample", [image(2, 2, 4, 3), grid], dims=dims, opset=20, **how)
check("GridSample", [image(1, 1, 3, 4, 2), (r.random((1, 2, 2, 2, 3), f) * 2 - 1).astype(f)], opset=20)
x = np.array([0, 1, 2, 4], f).reshape(1, 1, 1, 4)
check("GridSample", [x, np.array([-0.9, 0], f).reshape(1, 1, 1, 2)], mode="cubic", padding_mode="border", opset=20, want=np.full((1, 1, 1, 1), -0.11025, f))
rois = np.array([[0.4, 0.7, 5.2, 6.1], [1.5, 1.2, 3.3, 7.9]], f)
for mode in ("avg", "max"):
    check("RoiAlign", [image(2, 2, 8, 8), rois, i(1, 0)], output_height=2, output_width=3, mode=mode, dims={0: ["N", "C", "H", "W"], 1: ["R", 4], 2: ["R"]})
x = np.arange(16, dtype=f).reshape(1, 1, 4, 4)
check("MaxRoiPool", [x, np.array([[0, 0, 0, 3, 3], [0, 1, 1, 2, 2]], f)], pooled_shape=[2, 2], want=np.array([[[[5, 7], [13, 15]]], [[[5, 6], [9, 10]]]], f))
check("DeformConv", [image(1, 2, 5, 5), r.random((3, 2, 2, 2), f), r.random((1, 8, 4, 4), f), r.random(3, f), r.random((1, 4, 4, 4), f)], kernel_shape=[2, 2], dims={0: ["N", 2, "H", "W"], 2: ["N", 8, "A", "B"], 4: ["N", 4, "A", "B"]})

# Signals: any length, known at run time only.
DIMS = {0: ["N", "L", "P"]}
for length in (None, 5, 12):
    given = None if length is None else np.int64(length)
    check("DFT", [image(2, 8, 2), given, np.int64(1)], constants=(2,), opset=20)
    check("DFT", [image(2, 8, 1), given, np.int64(-2)], constants=(2,), dims={0: ["N", "L", 1]}, opset=20, onesided=1)
    check("DFT", [image(2, 7, 2), given], dims={0: ["N", "L", 2]}, inverse=1, axis=1, opset=17)
    check("DFT", [image(2, 7, 1), given], dims={0: ["N", "L", "P"]}, axis=1, opset=17)
x = image(1, 5, 2)
check("DFT", [x, np.int64(8), np.int64(1)], constants=(2,), opset=20, inverse=1, onesided=1, want=np.fft.irfft(x[..., 0] + 1j * x[..., 1], 8)[..., None].astype(f))
check("STFT", [image(2, 20, 1), np.int64(3), image(6)], dims={0: ["N", "L", 1], 2: ["W"]})
check("STFT", [image(1, 20, 2), np.int64(4), None, np.int64(8)], onesided=0, constants=(1, 3))
for window in ("HannWindow", "HammingWindow", "BlackmanWindow"):
    check(window, [np.int64(9)], periodic=0)
    check(window, [np.int64(8)], constants=(0,))
check("MelWeightMatrix", [np.int64(6), np.int64(32), np.int64(8000), f(20), f(3500)])
check("MelWeightMatrix", [np.int64(6), np.int64(32), np.int64(8000), f(20), f(3500)], constants=(0, 1, 2, 3, 4))

# Losses, and what is drawn.
scores, target = image(3, 5, 2), r.integers(0, 5, (3, 2))
for reduction in ("none", "sum", "mean"):
    how = {"reduction": reduction, "ignore_index": 2}
    check("NegativeLogLikelihoodLoss", [scores, target, image(5)], opset=22, dims={0: ["N", "C", "D"], 1: ["N", "D"]}, **how)
    check("SoftmaxCrossEntropyLoss", [scores, target], outputs=2, opset=13, **how)
check("Dropout", [scores, f(0.5), np.bool_(False)], outputs=2, opset=13, want=[scores, np.ones(scores.shape, bool)])
check("Dropout", [np.ones(4, f), f(0.0), np.bool_(True)], outputs=2, opset=13, want=[np.ones(4, f), np.ones(4, bool)])
check("Bernoulli", [np.array([0, 1, 1, 0], f)], dims={0: ["N"]}, want=np.array([0, 1, 1, 0], f))
check("Multinomial", [np.array([[0, 99, 0], [99, 0, 0]], f)], sample_size=2, want=np.array([[1, 1], [0, 0]], np.int32))
refuse("ImageDecoder", [np.zeros(4, np.uint8)], "ImageDecoder")
finish()
