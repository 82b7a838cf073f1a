"""Operators of the reader whose results depend on data or on places, executed and compared with onnx.reference."""

import numpy as np
from case import check, finish, refuse

f, i = np.float32, np.int64
r = np.random.default_rng(0)
v = lambda *numbers: np.array(numbers, i)

x = np.round(r.standard_normal((3, 4)), 1).astype(f)
holes = np.where(r.random((2, 3, 4)) > 0.5, f(1), f(0))
check("NonZero", [holes])
check("NonZero", [holes], dims={0: ["A", "B", "C"]})
check("NonZero", [holes * 0], dims={0: ["A", "B", "C"]})
check("NonZero", [holes[:0] > 0], dims={0: ["A", 3, 4]})
check("NonZero", [np.array(3, i)], want=[np.zeros((0, 1), i)])
check("NonZero", [np.array(3, i)], want=[np.zeros((1, 1), i)], opset=9)
mask = np.array([True, False, True])
check("Compress", [x, mask], axis=0)
check("Compress", [x, mask], axis=-1, dims={0: ["N", "M"], 1: ["K"]})
check("Compress", [x, mask])
check("Compress", [x, mask & False], axis=0)
for opset in (10, 11, 24):
    check("TopK", [x, v(2)], opset=opset, outputs=2)
check("TopK", [x], opset=9, k=2, outputs=2, want=[-np.sort(-x, 1)[:, :2], np.argsort(-x, 1, kind="stable")[:, :2]])
check("TopK", [np.array([[1, 5, 1, 5], [255, 0, 7, 255]], np.uint8), v(3)], largest=1, outputs=2)
check("TopK", [np.array([[1, 5, 1, -5], [-128, 0, 7, 127]], np.int8), v(3)], largest=0, outputs=2, axis=1)
check("TopK", [x, v(2)], largest=0, axis=0, outputs=2, dims={0: ["N", "M"]})
check("TopK", [np.full((1, 4), -np.inf, f), v(2)], outputs=2, want=[np.full((1, 2), -np.inf, f), np.array([[0, 1]])])
check("TopK", [x, v(0)], outputs=2, constants=(1,))
u = np.array([2, 1, 1, 3, 4, 3], f)
for order in (0, 1):
    check("Unique", [u], sorted=order, outputs=4, dims={0: ["N"]})
rows = np.array([[1, 0, 0], [1, 0, 0], [2, 3, 4], [0, 9, 9]], f)
check("Unique", [rows], sorted=1, axis=0, outputs=4)
check("Unique", [rows], sorted=1, axis=1, outputs=4, dims={0: ["N", "M"]})
check("Unique", [rows], sorted=0, axis=0, outputs=4, want=[rows[[0, 2, 3]], v(0, 2, 3), v(0, 0, 1, 2), v(2, 1, 1)])
check("Unique", [np.array([[1, -128], [127, -128]], np.int8)], outputs=4)
check("Unique", [u[:0]], outputs=1, dims={0: ["N"]})
finish()
