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
for mode in ("nearest", "linear", "cubic"):
    for transformation in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"):
        how = {"mode": mode, "coordinate_transformation_mode": transformation}
        check("Resize", [image(1, 2, 5, 4), None, np.array([1, 1, 2, 0.6], f)], constants=(2,), **how)
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
    check("Resize", [image(1, 1, 7, 4), None, np.array([1, 1, 0.5, 2], f)], nearest_mode=rounding, opset=11 if rounding == "floor" else 18, dims=DIMS)
check("Resize", [r.integers(0, 255, (1, 1, 4, 4)).astype(np.uint8), None, np.array([1, 1, 2, 2], f)], mode="linear", constants=(2,))
check("Upsample", [image(1, 1, 2, 3), np.array([1, 1, 2, 3], f)], opset=9, constants=(1,))
x = image(1, 1, 2, 3)
check("Upsample", [x], opset=7, scales=[1.0, 1.0, 2.0, 3.0], want=x.repeat(2, 2).repeat(3, 3))
check("Resize", [x, np.array([1, 1, 2, 3], f)], opset=10, want=x.repeat(2, 2).repeat(3, 3))
finish()
