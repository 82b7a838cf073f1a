"""Inputs and attributes of operators whose inputs have shapes or contents of their own.

A maker gets a draft. What is not in the table is made by `generic`: shapes that broadcast and
attributes by their names. Validity is decided later, by whether a reference runs the model.
"""

import numpy as np

from draft import SPECIAL, VARIADIC, kind_of, required_attributes
import types_of_onnx as types

TABLE = {}


def maker(*names):
    """Registers the function for operators."""

    def register(function):
        TABLE.update(dict.fromkeys(names, function))
        return function

    return register


# --- Attributes by name ---

FLOATS = (0.5, 1.0, 2.0, -1.0, 0.0, 0.3)
BY_NAME = {
    "keepdims": (0, 1),
    "epsilon": (1e-5, 1e-3, 0.1),
    "momentum": (0.9, 0.5),
    "noop_with_empty_axes": (0, 1),
    "select_last_index": (0, 1),
    "exclusive": (0, 1),
    "reverse": (0, 1),
    "saturate": (0, 1),
    "round_mode": ("up", "down", "nearest"),
    "detect_negative": (0, 1),
    "detect_positive": (0, 1),
    "approximate": ("none", "tanh"),
    "direction": ("LEFT", "RIGHT"),
    "fmod": (0, 1),
    "p": (1, 2, 3),
    "periodic": (0, 1),
    "stash_type": (1, 10, 16),
    "seed": (1.0, 2.0),
    "k": (0, 1, -1, 3, -7),
    "broadcast": (0, 1),
    "upper": (0, 1),
    "sorted": (0, 1),
    "largest": (0, 1),
}


def fill_attributes(draft, rank):
    """What the maker has not set, by the names of attributes and else by their types."""
    required = required_attributes(draft.schema)
    for name in draft.schema.attributes:
        if name in draft.attributes:
            continue
        kind = kind_of(draft.schema.attributes[name])
        if name in ("to", "dtype", "output_datatype", "output_dtype"):
            if name in required or draft.often():
                draft.element_type(name)
        elif name == "axis":
            if name in required or draft.often():
                draft.attribute(name, draft.axis(max(rank, 1)))
        elif name in BY_NAME:
            draft.choose(name, *BY_NAME[name])
        elif kind == "FLOAT":
            draft.choose(name, *FLOATS)
        elif name in required and kind in ("INT", "INTS", "STRING"):
            draft.attribute(name, {"INT": 1, "INTS": [1], "STRING": "x"}[kind])


def generic(draft):
    """Operands that broadcast."""
    shape, first = draft.shape(), True
    for formal in draft.schema.inputs:
        if formal.option == VARIADIC:
            count = draft.pick(1, 2, 2, 3)
            draft.list(formal.name, [draft.array(formal.name, draft.broadcast(shape)) for _ in range(count)])
        elif draft.maybe(formal.name):
            draft.data(formal.name, shape if first else draft.broadcast(shape))
        first = False
    draft.is_elementwise = not draft.takes("axis")
    fill_attributes(draft, len(shape))


def make(draft):
    """Fills the draft."""
    own = TABLE.get(draft.schema.name)
    (own or generic)(draft)
    if own:
        rank = next((getattr(value, "ndim", 1) for value in draft.values.values() if not isinstance(value, list)), 1)
        fill_attributes(draft, rank)


# --- Elementwise with something of their own ---


@maker("Clip")
def _clip(draft):
    shape = draft.shape()
    draft.is_elementwise = True
    draft.data("input", shape)
    for name, choices in (("min", (-1, 0, -3, 2)), ("max", (1, 3, 0, -2))):
        if not draft.some(0.7):
            continue
        if draft.has(name):
            draft.data(name, (), *[draft.pick(*choices)] * 2)
        else:
            draft.attribute(name, float(draft.pick(*choices)))


@maker("BitShift")
def _bit_shift(draft):
    shape = draft.shape()
    draft.is_elementwise = True
    bits = draft.dtype_of("X").itemsize * 8
    draft.data("X", shape)
    draft.data("Y", draft.broadcast(shape), 0, bits if draft.style == SPECIAL else bits - 1)


@maker("Pow")
def _pow(draft):
    shape = draft.shape()
    draft.is_elementwise = True
    if types.is_float(draft.dtype_of("X")) and (draft.some(0.5) or draft.style == SPECIAL):
        draft.data("X", shape)
    else:
        draft.data("X", shape, 0, 4)
    draft.data("Y", draft.broadcast(shape), 0, 4)


@maker("Div", "Mod")
def _div(draft):
    """Divisors of integers are not 0 but in special drafts."""
    shape = draft.shape()
    draft.is_elementwise = True
    draft.data("A", shape)
    other = draft.data("B", draft.broadcast(shape))
    if types.is_integer(other.dtype):
        other = other.astype(other.dtype)
        other[other == 0] = 3
        draft.values["B"] = other
    draft.choose("fmod", 1 if types.is_float(other.dtype) else 0, 1)


@maker("PRelu")
def _prelu(draft):
    shape = draft.shape(1)
    draft.is_elementwise = True
    draft.data("X", shape)
    if len(shape) > 1 and draft.some(0.3):
        draft.data("slope", (shape[1],) + (1,) * (len(shape) - 2))
    else:
        draft.data("slope", draft.broadcast(shape))


@maker("Cast", "CastLike")
def _cast(draft):
    draft.is_elementwise = True
    draft.data("input", draft.shape())
    if draft.type_of("input") == "tensor(string)":
        shape = draft.values["input"].shape
        draft.values["input"].ravel()[:] = [str(number) for number in draft.numbers.integers(-9, 9, size=shape).ravel()]
    draft.data("target_type", draft.shape())
    draft.element_type("to")
    _fit(draft, "input", types.dtype_of(draft.result_type()))


def _fit(draft, name, dtype):
    """Keeps floats in the range of an integer type: others become what an implementation likes."""
    array = draft.values[name]
    if not types.is_integer(dtype) or not types.is_float(array.dtype):
        return
    least, most = (min(max(limit, -(2**24)), 2**24) for limit in types.limits(dtype))
    wide = np.nan_to_num(array.astype(np.float64))
    draft.values[name] = np.asarray(np.clip(wide, least, most).astype(array.dtype))


@maker("BitCast")
def _bit_cast(draft):
    """Sizes of elements are equal, mostly."""
    draft.data("input", draft.shape())
    draft.element_type("to")


@maker("Dropout")
def _dropout(draft):
    draft.data("data", draft.shape())
    if draft.has("ratio") and draft.some(0.6):
        draft.data("ratio", (), 0, 0)
        if draft.some(0.5):
            draft.data("training_mode", ())
    draft.choose("ratio", 0.5, 0.1)


@maker("IsInf", "IsNaN")
def _is_special(draft):
    draft.is_elementwise = True
    name = draft.schema.inputs[0].name
    kind = draft.type_of(name)
    draft.values[name] = types.make_array(draft.numbers, kind, draft.shape(), True)


# --- What makes tensors ---


@maker("Range")
def _range(draft):
    start, step = draft.random.randint(-5, 5), draft.pick(1, 2, 3, -1, -2)
    if draft.dtype_of("start").kind == "u":
        start, step = abs(start), abs(step)
    if draft.outside():
        step = 0
    limit = start + step * draft.size(0, 6) + draft.pick(0, 0, 1)
    for name, number in (("start", start), ("limit", limit), ("delta", step)):
        draft.shaping(name, number)


@maker("ConstantOfShape")
def _constant_of_shape(draft):
    draft.shaping("input", draft.shape() if not draft.outside() else [-1, 2])
    kind = draft.result_type()
    if kind != "tensor(float)" or draft.some():
        value = types.make_array(draft.numbers, kind, (1,), draft.style == SPECIAL)
        draft.attribute("value", types.to_tensor(value, "value", kind))


@maker("Constant")
def _constant(draft):
    kind = draft.result_type()
    options = {
        "tensor(float)": (("value_float", 0.5), ("value_floats", [1.5, -2.0])),
        "tensor(int64)": (("value_int", -7), ("value_ints", [1, 2**40, -1])),
        "tensor(string)": (("value_string", "a"), ("value_strings", ["a", "b"])),
    }
    options = [pair for pair in options.get(kind, ()) if draft.takes(pair[0])]
    if options and draft.some(0.6):
        return draft.attribute(*draft.pick(*options))
    value = types.make_array(draft.numbers, kind, draft.shape(), draft.style == SPECIAL)
    return draft.attribute("value", types.to_tensor(value, "value", kind))


@maker("EyeLike")
def _eye_like(draft):
    draft.data("input", draft.shape(2, 2))
    if draft.result_type() != draft.type_of("input") or draft.some(0.2):
        draft.element_type("dtype")


@maker("RandomNormal", "RandomUniform")
def _random(draft):
    draft.attribute("shape", list(draft.shape(1)))
    draft.element_type("dtype")


@maker("RandomNormalLike", "RandomUniformLike", "Bernoulli")
def _random_like(draft):
    draft.data("input", draft.shape(), 0, 1)
    draft.element_type("dtype")


@maker("Multinomial")
def _multinomial(draft):
    draft.data("input", (draft.size(), draft.size()))
    draft.element_type("dtype")
    draft.choose("sample_size", 1, 4)


@maker("HannWindow", "HammingWindow", "BlackmanWindow")
def _window(draft):
    draft.shaping("size", draft.size(0, 12))
    if draft.result_type() != "tensor(float)" or draft.some():
        draft.element_type("output_datatype")


@maker("MelWeightMatrix")
def _mel(draft):
    numbers = {"num_mel_bins": draft.size(1, 8), "dft_length": draft.pick(16, 17, 64), "sample_rate": draft.pick(8192, 16000, 100)}
    for name, number in numbers.items():
        draft.shaping(name, number)
    draft.shaping("lower_edge_hertz", draft.pick(0, 10))
    draft.shaping("upper_edge_hertz", draft.pick(50, 120))
    if draft.result_type() != "tensor(float)":
        draft.element_type("output_datatype")


# --- Machine learning of ai.onnx.ml that is numbers ---


def _numbers(draft, count):
    return [round(float(number), 3) for number in draft.numbers.normal(size=count)]


@maker("Scaler")
def _scaler(draft):
    width = draft.size()
    draft.data("X", (draft.size(), width))
    draft.attribute("offset", _numbers(draft, draft.pick(1, width)))
    draft.attribute("scale", _numbers(draft, draft.pick(1, width)))


@maker("Normalizer")
def _normalizer(draft):
    draft.data("X", (draft.size(), draft.size()))
    draft.choose("norm", "MAX", "L1", "L2")


@maker("LinearRegressor")
def _linear_regressor(draft):
    width, targets = draft.size(), draft.size(1, 3)
    draft.data("X", (draft.size(), width))
    draft.attribute("coefficients", _numbers(draft, width * targets))
    if draft.some():
        draft.attribute("intercepts", _numbers(draft, targets))
    draft.attribute("targets", targets)
    draft.choose("post_transform", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@maker("LinearClassifier")
def _linear_classifier(draft):
    width, classes = draft.size(), draft.size(2, 4)
    draft.data("X", (draft.size(), width))
    draft.attribute("coefficients", _numbers(draft, width * classes))
    draft.attribute("intercepts", _numbers(draft, classes))
    draft.attribute("classlabels_ints", list(range(10, 10 + classes)))
    draft.choose("post_transform", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")


@maker("Imputer")
def _imputer(draft):
    width = draft.size()
    draft.data("X", (draft.size(), width))
    count = draft.pick(1, width)
    if types.is_float(draft.dtype_of("X")):
        draft.attribute("imputed_value_floats", _numbers(draft, count))
        draft.attribute("replaced_value_float", draft.pick(float("nan"), 0.0))
    else:
        draft.attribute("imputed_value_int64s", list(range(count)))
        draft.attribute("replaced_value_int64", 0)


@maker("OneHotEncoder")
def _one_hot_encoder(draft):
    draft.data("X", draft.shape(1, 3), 0, 4)
    draft.attribute("cats_int64s", draft.pick([0, 1, 2, 3, 4], [2, 1]))
    draft.choose("zeros", 0, 1)


@maker("LabelEncoder")
def _label_encoder(draft):
    draft.data("X", draft.shape(1), 0, 4)
    names = {"tensor(float)": "floats", "tensor(int64)": "int64s", "tensor(string)": "strings"}
    for side, kind in (("keys", draft.type_of("X")), ("values", draft.result_type())):
        numbers = [3, 1, 2]
        if kind in names:
            convert = {"floats": float, "int64s": int, "strings": str}[names[kind]]
            draft.attribute(f"{side}_{names[kind]}", [convert(number) for number in numbers])
        elif draft.takes(f"{side}_tensor"):
            array = np.array(numbers, types.dtype_of(kind))
            draft.attribute(f"{side}_tensor", types.to_tensor(array, side, kind))


@maker("ArrayFeatureExtractor")
def _array_feature_extractor(draft):
    shape = draft.shape(1, 3)
    draft.data("X", shape)
    draft.data("Y", (1, draft.size()), 0, max(shape[-1] - 1, 0))


@maker("TreeEnsembleRegressor", "TreeEnsembleClassifier")
def _trees(draft):
    """Two trees: a stump and a leaf."""
    draft.data("X", (draft.size(), 3))
    nodes = {"treeids": [0, 0, 0, 1], "nodeids": [0, 1, 2, 0], "featureids": [draft.pick(0, 1, 2), 0, 0, 0]}
    nodes |= {"truenodeids": [1, 0, 0, 0], "falsenodeids": [2, 0, 0, 0], "values": [0.25, 0.0, 0.0, 0.0]}
    nodes["modes"] = [draft.pick("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ"), *["LEAF"] * 3]
    for name, value in nodes.items():
        draft.attribute(f"nodes_{name}", value)
    side = "target" if draft.takes("target_ids") else "class"
    leaves = {"treeids": [0, 0, 1], "nodeids": [1, 2, 0], "ids": [0, 1, 0], "weights": [0.5, -1.5, 2.0]}
    for name, value in leaves.items():
        draft.attribute(f"{side}_{name}", value)
    draft.attribute("n_targets", 2)
    draft.attribute("classlabels_int64s", [3, 4])
    draft.choose("post_transform", "NONE", "SOFTMAX", "LOGISTIC")
    draft.choose("aggregate_function", "SUM", "AVERAGE", "MIN", "MAX")


@maker("Adagrad", "Adam", "Momentum")
def _optimizer(draft):
    shape = draft.shape()
    draft.data("R", (), 0, 1)
    draft.data("T", (), 0, 3)
    copies = {"Adam": 4, "Adagrad": 3, "Momentum": 3}[draft.schema.name]
    draft.list("inputs", [draft.array("inputs", shape, 0, 2) for _ in range(copies)])
    draft.outputs = copies - 1
    draft.choose("mode", "standard", "nesterov")
    for name in ("alpha", "beta", "norm_coefficient", "decay_factor"):
        draft.choose(name, 0.5, 0.1)
