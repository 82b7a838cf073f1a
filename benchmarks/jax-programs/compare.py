"""Whether two results are the same: integers and truths exactly, floats by their type."""

import ml_dtypes
import numpy as np

# Of the largest element.
TOLERANCES = {"float64": 1e-7, "complex128": 1e-7, "float32": 2e-5, "complex64": 2e-5, "float16": 8e-3, "bfloat16": 6e-2}


def _differs(got, want, whole):
    """Which elements of floats differ, `whole` numbers of which they may be parts."""
    a, b = got.astype(np.float64), want.astype(np.float64)
    sizes = np.abs(whole if whole.dtype.kind == "c" else b)
    near = np.abs(a - b) <= TOLERANCES[whole.dtype.name] * sizes[np.isfinite(sizes)].max(initial=0) + 1e-30
    return ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def _parts(array):
    return [array.real, array.imag] if array.dtype.kind == "c" else [array]


def compare_array(got, want):
    """What differs, or nothing."""
    got, want = np.asarray(got), np.asarray(want)
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        return f"{got.dtype} of {list(got.shape)} for {want.dtype} of {list(want.shape)}"
    if want.dtype.kind in "biu":
        bad = np.asarray(got != want)
    else:
        with np.errstate(all="ignore"):
            parts = [_differs(a, b, want) if want.dtype.name in TOLERANCES else a != b for a, b in zip(_parts(got), _parts(want))]
            bad = np.asarray(np.any(parts, axis=0))
    if not bad.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(bad)[0]) if bad.ndim else ()
    return f"{bad.sum()} of {bad.size} elements differ, first at {list(place)}: {got[place]} for {want[place]}"


def compare(got, want):
    """What differs between lists of results, or nothing."""
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for number, (a, b) in enumerate(zip(got, want)):
        difference = compare_array(a, b)
        if difference:
            return f"result {number}: {difference}"
    return ""


assert ml_dtypes.bfloat16
