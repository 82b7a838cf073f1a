"""Whether two results are the same: integers and truths exactly, floats by their type."""

import ml_dtypes
import numpy as np

import types_of_onnx as types

# Of the largest element, or of each where an operator is elementwise.
TOLERANCES = {"float64": 1e-7, "float32": 1e-5, "complex64": 1e-5, "complex128": 1e-7}
# Results of these are one of the type's numbers: there is nothing to round.
EXACT = set(
    """Abs And BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil CenterCropPad Clip Compress
    Concat Constant ConstantOfShape DepthToSpace Equal Expand EyeLike Flatten Floor Gather GatherElements GatherND Greater
    GreaterOrEqual Hardmax Identity IsInf IsNaN Less LessOrEqual Max MaxPool GlobalMaxPool MaxUnpool Min Neg NonZero Not
    OneHot Or Pad ReduceMax ReduceMin Relu Reshape ReverseSequence Round Shape Sign Size Slice SpaceToDepth Split Squeeze
    ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze Where Xor""".split()
)

# Results of integers that are none: how they are rounded is not specified.
ROUNDED = {"Pow", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "Mean", "Resize", "Upsample"}


def _describe_difference(got, want, bad):
    place = tuple(int(index) for index in np.argwhere(bad)[0]) if bad.ndim else ()
    return f"{np.count_nonzero(bad)} of {bad.size} elements differ, first at {list(place)}: {got[place]} for {want[place]}"


def _tolerance(dtype):
    return TOLERANCES.get(dtype.name) or 4 * float(ml_dtypes.finfo(dtype).eps)


def _differing(got, want, is_elementwise, is_exact):
    """Which elements differ. Wide numbers of the same type."""
    dtype = want.dtype
    wide = np.complex128 if dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    if is_exact:
        return (a != b) & ~(np.isnan(a) & np.isnan(b))
    tolerance = _tolerance(dtype)
    size = np.abs(b) if is_elementwise else np.abs(b[np.isfinite(b)]).max(initial=0)
    # Sums that cancel, and numbers that the type hardly has.
    least = tolerance if is_elementwise else float(np.finfo(np.float32).tiny)
    near = np.abs(a - b) <= tolerance * size + least
    return ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def compare_arrays(got, want, is_elementwise=False, is_exact=False, is_random=False, is_rounded=False):
    """What differs, or nothing."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"its shape is {list(got.shape)}, not {list(want.shape)}"
    if got.dtype != want.dtype and got.dtype.itemsize == want.dtype.itemsize and "O" not in (got.dtype.kind, want.dtype.kind):
        got = got.view(want.dtype)
    if got.dtype.kind in "OUS" or want.dtype.kind in "OUS":
        bad = np.array(got.astype(str) != want.astype(str))
    elif got.dtype != want.dtype:
        return f"its type is {got.dtype}, not {want.dtype}"
    elif is_random or not want.size:
        return ""
    elif types.is_float(want.dtype) or want.dtype.kind == "c":
        with np.errstate(all="ignore"):
            bad = np.asarray(_differing(got, want, is_elementwise, is_exact))
    elif is_rounded and types.is_integer(want.dtype):
        bad = np.asarray(np.maximum(got, want) - np.minimum(got, want) > 1)
    else:
        bad = np.asarray(got != want)
    return _describe_difference(got, want, bad) if bad.any() else ""


def compare(case, got, want):
    """What differs between the results of a case, or nothing."""
    operator = case.model.graph.node[0].op_type
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for number, (a, b) in enumerate(zip(got, want)):
        if isinstance(b, (list, dict)) or b is None or isinstance(a, (list, dict)) or a is None:
            difference = "" if _same_nested(a, b) else "sequences differ"
        else:
            difference = compare_arrays(a, b, case.is_elementwise, operator in EXACT, case.is_random, operator in ROUNDED)
        if difference:
            return f"result {number}: {difference}"
    return ""


def _same_nested(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same_nested(x, y) for x, y in zip(a, b))
    if a is None or b is None or isinstance(a, dict) or isinstance(b, dict):
        return a is b or a == b
    return not compare_arrays(a, b)
