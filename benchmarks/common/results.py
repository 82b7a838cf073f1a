"""How far results are from those of a reference."""

import numpy as np


def compare(got, want):
    """The largest difference, relative to the largest element of its result; a text where types differ."""
    if len(got) != len(want):
        return f"{len(got)} results instead of {len(want)}"
    worst = 0.0
    for a, b in zip(got, want):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype} of {a.shape} instead of {b.dtype} of {b.shape}"
        a, b = a.astype(np.float64), b.astype(np.float64)
        finite = np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True) or not np.isfinite(a[finite]).all():
            return "another element is not finite"
        worst = max(worst, np.abs(a - b)[finite].max(initial=0.0) / max(np.abs(b[finite]).max(initial=0.0), 1e-6))
    return worst
