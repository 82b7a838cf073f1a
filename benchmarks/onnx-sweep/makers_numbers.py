"""Makers of products, windows, norms, quantized numbers and attention."""

import numpy as np

import types_of_onnx as types
from draft import UNUSUAL
from makers import maker


@maker("MatMul")
def _mat_mul(draft):
    n, k, m = draft.size(0), draft.size(0), draft.size(0)
    outer = draft.shape(0, 2)
    left = draft.pick((k,), (n, k), (*outer, n, k), (*draft.broadcast(outer), n, k))
    right = draft.pick((k,), (k, m), (*outer, k, m), (*draft.broadcast(outer), k, m))
    draft.data("A", left)
    draft.data("B", right if not draft.outside() else (k + 1, m))


@maker("Gemm")
def _gemm(draft):
    n, k, m = draft.size(0), draft.size(0), draft.size(0)
    draft.choose("transA", 0, 1)
    draft.choose("transB", 0, 1)
    # Products of integers with fractions, and those that do not fit, are not specified.
    is_integer = types.is_integer(draft.dtype_of("A"))
    small = (-9, 9) if is_integer else ()
    draft.data("A", (k, n) if draft.attributes.get("transA") else (n, k), *small)
    draft.data("B", (m, k) if draft.attributes.get("transB") else (k, m), *small)
    if draft.maybe("C"):
        draft.data("C", draft.pick((n, m), (m,), (1, m), (n, 1), (), (1,)), *small)
    for name in ("alpha", "beta"):
        draft.choose(name, *((2.0, 3.0) if is_integer else (0.5, 2.0, 0.0, 1.0)))
        if is_integer:
            draft.attributes.setdefault(name, 1.0)


def _zero_point(draft, name, shape=()):
    if draft.has(name) and draft.maybe(name):
        draft.data(name, shape, 0, 9)


@maker("MatMulInteger")
def _mat_mul_integer(draft):
    n, k, m = draft.size(), draft.size(), draft.size()
    outer = draft.shape(0, 1)
    draft.data("A", (*outer, n, k), -100, 200)
    draft.data("B", draft.pick((k, m), (*outer, k, m)), -100, 200)
    _zero_point(draft, "a_zero_point", draft.pick((), (1,), (n,)))
    _zero_point(draft, "b_zero_point", draft.pick((), (1,), (m,)))


@maker("QLinearMatMul")
def _q_linear_mat_mul(draft):
    n, k, m = draft.size(), draft.size(), draft.size()
    draft.data("a", (n, k), -100, 200)
    draft.data("b", (k, m), -100, 200)
    for name, size in (("a", n), ("b", m), ("y", n)):
        shape = draft.pick((), (), (1,), *([(size,)] if name == "b" else []))
        draft.data(f"{name}_scale", shape, 0.01, 1)
        draft.data(f"{name}_zero_point", shape, 0, 9)


# --- Windows ---


class Window:
    """Sizes of a window that fits into an image of this many axes."""

    def __init__(self, draft, axes):
        self.kernel = [draft.pick(1, 2, 3) for _ in range(axes)]
        self.strides = [draft.pick(1, 1, 2, 3) for _ in range(axes)]
        self.dilations = [draft.pick(1, 1, 2) for _ in range(axes)] if draft.some(0.4) else [1] * axes
        self.pads = [draft.random.randint(0, size - 1) for size in self.kernel * 2]
        self.image = tuple((k - 1) * d + 1 + draft.random.randint(0, 4) for k, d in zip(self.kernel, self.dilations))

    def describe(self, draft):
        """Sets the attributes."""
        draft.attribute("kernel_shape", self.kernel)
        for name in ("strides", "dilations"):
            values = getattr(self, name)
            if draft.takes(name) and (draft.often() or name == "dilations" and any(size > 1 for size in values)):
                draft.attribute(name, values if not draft.outside() else draft.odd(values))
        mode = draft.pick("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
        if draft.takes("auto_pad") and draft.some(0.4):
            draft.attribute("auto_pad", mode)
        if draft.often() and draft.attributes.get("auto_pad", "NOTSET") == "NOTSET":
            draft.attribute("pads", self.pads if not draft.outside() else draft.odd(self.pads))


def _axes_of_image(draft):
    return draft.pick(1, 2, 2, 2, 3)


@maker("AveragePool", "MaxPool", "LpPool")
def _pool(draft):
    window = Window(draft, _axes_of_image(draft))
    if not draft.takes("dilations"):
        window.dilations = [1] * len(window.kernel)
    draft.data("X", (draft.size(), draft.size(1, 3), *window.image))
    draft.clean("X", draft.schema.name == "MaxPool")
    window.describe(draft)
    draft.choose("ceil_mode", 0, 1)
    draft.choose("count_include_pad", 0, 1)
    draft.choose("storage_order", 0, 1)
    if draft.schema.name == "MaxPool":
        draft.outputs = draft.pick(1, 2)


@maker("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def _global_pool(draft):
    draft.data("X", draft.shape(3))
    draft.clean("X")


@maker("MaxUnpool")
def _max_unpool(draft):
    n, c, h, w = (draft.size(1, 3) for _ in range(4))
    draft.data("X", (n, c, h, w))
    places = [(2 * i + draft.pick(0, 1)) * 2 * w + 2 * j + draft.pick(0, 1) for i in range(h) for j in range(w)]
    planes = np.array([plane * 4 * h * w + np.array(places) for plane in range(n * c)], np.int64)
    draft.values["I"] = planes.reshape(n, c, h, w)
    draft.attribute("kernel_shape", [2, 2])
    draft.attribute("strides", [2, 2])
    if draft.some(0.3):
        draft.shaping("output_shape", [n, c, 2 * h, 2 * w])


def _convolution(draft, names, channels_first):
    """Shapes of the image and its filter, and attributes; returns the number of results' channels."""
    window = Window(draft, _axes_of_image(draft))
    group = draft.pick(1, 1, 2, 3) if draft.takes("group") else 1
    per_group, results = draft.pick(1, 2), draft.pick(1, 2)
    image, kernel = names
    small = (-9, 9) if types.is_integer(draft.dtype_of(image)) else (None, None)
    draft.data(image, (draft.size(1, 2), group * per_group, *window.image), *small)
    inner = (group * per_group, results) if not channels_first else (group * results, per_group)
    draft.data(kernel, (*inner, *window.kernel), *small)
    for name in names:
        draft.clean(name, large=False)
    if group > 1:
        draft.attribute("group", group if not draft.outside() else 5)
    window.describe(draft)
    if draft.some():
        draft.attributes.pop("kernel_shape", None)
    return window, group * results


@maker("Conv")
def _conv(draft):
    _, results = _convolution(draft, ("X", "W"), True)
    if draft.maybe("B"):
        draft.data("B", (results,))


@maker("ConvInteger")
def _conv_integer(draft):
    _, results = _convolution(draft, ("x", "w"), True)
    _zero_point(draft, "x_zero_point")
    if "x_zero_point" in draft.values:
        _zero_point(draft, "w_zero_point", draft.pick((), (results,)))


@maker("QLinearConv")
def _q_linear_conv(draft):
    _, results = _convolution(draft, ("x", "w"), True)
    for name in ("x", "w", "y"):
        shape = draft.pick((), (results,)) if name == "w" else ()
        draft.data(f"{name}_scale", shape, 0.01, 1)
        draft.data(f"{name}_zero_point", shape, 0, 9)
    if draft.some():
        draft.data("B", (results,), -99, 99)


@maker("ConvTranspose")
def _conv_transpose(draft):
    window, results = _convolution(draft, ("X", "W"), False)
    if draft.maybe("B"):
        draft.data("B", (results,))
    if draft.some(0.3):
        draft.attribute("output_padding", [min(1, stride - 1) for stride in window.strides])
        draft.attribute("strides", window.strides)
    elif draft.some(0.2):
        draft.attribute("output_shape", [size * stride for size, stride in zip(window.image, window.strides)])
        draft.attribute("strides", window.strides)
        draft.attributes.pop("pads", None)


@maker("DeformConv")
def _deform_conv(draft):
    n, c, results = draft.size(1, 2), draft.pick(1, 2), draft.pick(1, 2)
    kernel, size = (2, 2), draft.size(3, 5)
    draft.data("X", (n, c, size, size))
    draft.data("W", (results, c, *kernel))
    out = size - 1
    draft.data("offset", (n, 8, out, out), -1, 1)
    if draft.some():
        draft.data("B", (results,))
    if draft.some():
        draft.data("mask", (n, 4, out, out), 0, 1)
    draft.attribute("kernel_shape", list(kernel))


@maker("CausalConvWithState")
def _causal_conv(draft):
    n, c, length, k = draft.size(1, 2), draft.size(1, 3), draft.size(1, 5), draft.pick(1, 2, 3)
    draft.data("input", (n, c, length))
    draft.data("weight", (c, 1, k))
    if draft.some():
        draft.data("bias", (c,))
    if draft.some():
        draft.data("past_state", (n, c, k - 1))
    draft.choose("activation", "none", "silu", "swish")
    draft.outputs = 2


@maker("Col2Im")
def _col_to_im(draft):
    block = [draft.pick(1, 2), draft.pick(1, 2)]
    image = [draft.size(2, 4), draft.size(2, 4)]
    count = (image[0] - block[0] + 1) * (image[1] - block[1] + 1)
    draft.data("input", (draft.size(1, 2), draft.pick(1, 2) * block[0] * block[1], count))
    draft.shaping("image_shape", image)
    draft.shaping("block_shape", block)


# --- Images ---

COORDINATES = {
    10: (),
    11: ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"),
    13: ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"),
    19: ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"),
}


@maker("Resize", "Upsample")
def _resize(draft):
    version = draft.schema.since_version
    modes = ("nearest", "linear", "cubic") if version >= 11 else ("nearest", "linear")
    shape = draft.shape(1, 4) if draft.style == UNUSUAL else (draft.size(1, 2), draft.size(1, 2), draft.size(1, 6), draft.size(1, 6))
    # Averages of integers that doubles round are not specified.
    draft.data("X", shape, *((-99, 99) if types.is_integer(draft.dtype_of("X")) else ()))
    draft.clean("X")
    draft.choose("mode", *modes)
    used = list(range(len(shape)))
    if draft.takes("axes") and draft.some(0.3) and len(shape) > 1:
        used = used[-2:]
        draft.attribute("axes", used)
    draft.choose("coordinate_transformation_mode", *COORDINATES[max(key for key in COORDINATES if key <= max(version, 10))] or ("",))
    draft.choose("nearest_mode", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    if draft.attributes.get("mode") in ("linear", "cubic"):
        draft.choose("exclude_outside", 0, 1)
    draft.choose("antialias", 0, 0, 1)
    draft.choose("cubic_coeff_a", -0.75, -0.5)
    if draft.attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        draft.shaping("roi", [0.0] * len(used) + [draft.pick(0.5, 1.0, 1.2) for _ in used])
        draft.choose("extrapolation_value", 0.0, 5.0)
    elif draft.schema.name == "Resize" and 11 <= version < 13:
        draft.shaping("roi", [])
    if draft.has("sizes") and draft.some():
        if version < 13:
            draft.shaping("scales", [])
        draft.shaping("sizes", [shape[axis] if axis < 2 and len(shape) == 4 else draft.size(1, 8) for axis in used])
        draft.choose("keep_aspect_ratio_policy", "stretch", "stretch", "not_larger", "not_smaller")
    else:
        draft.shaping("scales", [1.0 if axis < 2 and len(shape) == 4 else draft.pick(0.5, 0.6, 1.0, 1.5, 2.0, 2.7, 3.0) for axis in used])


@maker("GridSample")
def _grid_sample(draft):
    axes = draft.pick(2, 2, 3) if draft.schema.since_version >= 20 else 2
    n = draft.size(1, 2)
    draft.data("X", (n, draft.size(1, 2), *(draft.size(1, 5) for _ in range(axes))))
    draft.data("grid", (n, *(draft.size(1, 4) for _ in range(axes)), axes), -1.5, 1.5)
    modes = ("linear", "nearest", "cubic") if draft.schema.since_version >= 20 else ("bilinear", "nearest", "bicubic")
    draft.choose("mode", *modes)
    draft.choose("padding_mode", "zeros", "border", "reflection")
    draft.choose("align_corners", 0, 1)


@maker("AffineGrid")
def _affine_grid(draft):
    axes, n = draft.pick(2, 3), draft.size(1, 2)
    draft.data("theta", (n, axes, axes + 1))
    draft.shaping("size", [n, 2, *(draft.size(1, 4) for _ in range(axes))])
    draft.choose("align_corners", 0, 1)


@maker("RoiAlign", "MaxRoiPool")
def _roi(draft):
    count, size = draft.size(0, 3), draft.size(4, 8)
    draft.data("X", (1, draft.size(1, 2), size, size))
    draft.clean("X")
    corners = np.sort(draft.numbers.uniform(0, size, size=(count, 2, 2)), axis=1).reshape(count, 4)
    if draft.schema.name == "MaxRoiPool":
        corners = np.concatenate([np.zeros((count, 1)), np.floor(corners)], 1)
        draft.attribute("pooled_shape", [2, draft.pick(1, 2, 3)])
    draft.values["rois"] = corners.astype(draft.dtype_of("rois"))
    if draft.has("batch_indices"):
        draft.values["batch_indices"] = np.zeros(count, np.int64)
    for name in ("output_height", "output_width"):
        draft.choose(name, 1, 2, 3)
    draft.choose("mode", "avg", "max")
    draft.choose("sampling_ratio", 0, 1, 2)
    draft.choose("spatial_scale", 1.0, 0.5)
    draft.choose("coordinate_transformation_mode", "half_pixel", "output_half_pixel")


@maker("NonMaxSuppression")
def _non_max_suppression(draft):
    batches, classes, boxes = draft.size(1, 2), draft.size(1, 2), draft.size(0, 6)
    draft.data("boxes", (batches, boxes, 4), 0, 1)
    draft.data("scores", (batches, classes, boxes), 0, 1)
    if draft.some(0.8):
        draft.shaping("max_output_boxes_per_class", draft.pick(0, 1, 3, [2]))
    for name in ("iou_threshold", "score_threshold"):
        if draft.some():
            draft.shaping(name, draft.pick(0.0, 0.3, 0.5))
    draft.choose("center_point_box", 0, 1)


# --- Norms ---


def _channels(draft, names, shape, size):
    for name in names:
        draft.data(name, shape if isinstance(shape, tuple) else (size,), 0.1, 2)


@maker("BatchNormalization")
def _batch_normalization(draft):
    shape = draft.shape(2)
    draft.data("X", shape)
    means = ("mean", "var") if draft.has("mean") else ("input_mean", "input_var")
    _channels(draft, ("scale", "B", *means), None, shape[1])
    draft.choose("training_mode", 0, 1)
    draft.outputs = 3 if draft.attributes.get("training_mode") == 1 else 1


@maker("InstanceNormalization", "GroupNormalization")
def _group_normalization(draft):
    shape = list(draft.shape(3))
    groups = draft.pick(1, 2, 3) if draft.takes("num_groups") else 1
    shape[1] = groups * draft.pick(1, 2)
    draft.data("X" if draft.has("X") else "input", shape)
    draft.attribute("num_groups", groups if not draft.outside() else 7)
    size = groups if draft.schema.name == "GroupNormalization" and draft.schema.since_version < 21 else shape[1]
    _channels(draft, ("scale", "B" if draft.has("B") else "bias"), None, size)


@maker("LayerNormalization", "RMSNormalization")
def _layer_normalization(draft):
    shape = draft.shape(1)
    axis = draft.axis(len(shape)) if draft.often() else -1
    draft.data("X", shape)
    draft.attribute("axis", axis)
    tail = shape[axis:] if axis < 0 else shape[min(axis, len(shape)) :]
    for name in ("Scale", "scale"):
        draft.data(name, tail)
    if draft.maybe("B"):
        draft.data("B", tail)
    draft.outputs = draft.pick(1, 1, len(draft.schema.outputs))


@maker("LpNormalization", "Softmax", "LogSoftmax", "Hardmax")
def _along_axis(draft):
    shape = draft.shape(1)
    name = draft.schema.inputs[0].name
    draft.data(name, shape)
    draft.clean(name)
    draft.choose("p", 2, 1)


@maker("LRN")
def _lrn(draft):
    draft.data("X", draft.shape(3))
    draft.attribute("size", draft.pick(1, 2, 3, 5))


@maker("MeanVarianceNormalization")
def _mean_variance(draft):
    shape = draft.shape(4, 4) if draft.some(0.7) else draft.shape(2)
    draft.data("X", shape)
    if draft.often() or len(shape) < 4:
        draft.attribute("axes", draft.axes(len(shape)) or [0])


@maker("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def _loss(draft):
    shape = draft.shape(2, 4)
    values, target, weight = [formal.name for formal in draft.schema.inputs]
    draft.data(values, shape)
    draft.data(target, (shape[0], *shape[2:]), 0, max(shape[1] - 1, 0))
    if draft.some():
        draft.data(weight, (shape[1],), 0.1, 2)
    draft.choose("reduction", "mean", "sum", "none")
    draft.choose("ignore_index", 0, -1, 1)
    draft.outputs = draft.pick(1, len(draft.schema.outputs))


# --- Quantized numbers ---


def _scale_shape(draft, shape):
    """The shape of scales, and attributes that say how they go with the data."""
    if not draft.takes("axis") or not shape or draft.some(0.4):
        return draft.pick((), (), (1,))
    axis = draft.axis(len(shape))
    draft.attribute("axis", axis)
    if not -len(shape) <= axis < len(shape):
        return (1,)
    if draft.takes("block_size") and draft.some(0.3):
        block = draft.pick(1, 2, 3)
        draft.attribute("block_size", block)
        scales = list(shape)
        scales[axis] = -(-shape[axis] // block)
        return tuple(scales)
    return (shape[axis],)


@maker("QuantizeLinear")
def _quantize(draft):
    shape = draft.shape()
    draft.data("x", shape)
    scales = _scale_shape(draft, shape)
    draft.data("y_scale", scales, 1 if types.is_integer(draft.dtype_of("y_scale")) else 0.05, 2)
    kind = draft.result_type()
    # What nan becomes in formats that have none is not specified.
    if kind.startswith(("tensor(float4", "tensor(float6")):
        draft.clean("x", infinite=True)
    if kind != "tensor(uint8)" and draft.takes("output_dtype") and draft.some(0.3):
        draft.element_type("output_dtype")
    elif kind != "tensor(uint8)" or draft.some(0.7):
        draft.data("y_zero_point", scales, 0, 3 if types.is_integer(types.dtype_of(kind)) else 0)
    draft.attributes.setdefault("axis", 0)
    if not draft.takes("axis"):
        del draft.attributes["axis"]


@maker("DequantizeLinear")
def _dequantize(draft):
    shape = draft.shape()
    draft.data("x", shape)
    scales = _scale_shape(draft, shape)
    draft.data("x_scale", scales, 0.05, 2)
    if draft.some(0.6):
        draft.data("x_zero_point", scales, 0, 0 if draft.type_of("x") == "tensor(int32)" else 3)
    if draft.takes("output_dtype") and draft.result_type() != draft.type_of("x_scale"):
        draft.element_type("output_dtype")
    draft.attributes.setdefault("axis", 0)
    if not draft.takes("axis"):
        del draft.attributes["axis"]
