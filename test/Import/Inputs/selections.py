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
mask = np.array([True, False, True])
check("Compress", [x, mask], axis=0)
check("Compress", [x, mask], axis=-1, dims={0: ["N", "M"], 1: ["K"]})
check("Compress", [x, mask])
check("Compress", [x, mask & False], axis=0)
for opset in (10, 24):
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

for dtype, ranges in ((i, ((1, 9, 3), (10, 1, -4), (5, 1, 2))), (f, ((10, 1, -4), (3, 3, 1))), (np.float16, ((1, 9, 3),)), (np.int32, ((1, 10, 3),))):
    for start, limit, step in ranges:
        ends = [np.array(number, dtype) for number in (start, limit, step)]
        check("Range", ends, opset=27, want=[np.arange(start, limit, step, dtype)])
check("Range", [np.array(number, i) for number in (1, 9, 3)], constants=(0, 1, 2))
check("Range", [np.array(number, f) for number in (0.1, 1.05, 0.1)], constants=(2,), rtol=1e-6)
values = np.array([2, 5], f)
for axis in (-1, 0, 1):
    check("OneHot", [np.array([[1, -1, 7], [0, -4, -3]], i), np.array(3, i), values], axis=axis, dims={0: ["N", 3]})
check("OneHot", [np.array([1, 2], f), np.array([3], f), values.astype(np.int32)], constants=(1,), want=[np.array([[2, 5, 2], [2, 2, 5]], np.int32)])
check("Hardmax", [np.array([[1, 3, 3], [-20, -30, -25]], f)], want=[np.array([[0, 1, 0], [1, 0, 0]], f)])
check("Hardmax", [x.reshape(3, 2, 2)], opset=11, axis=1, want=[np.eye(4, dtype=f)[x.argmax(1)].reshape(3, 2, 2)])
check("EyeLike", [x], k=-1, dims={0: ["N", "M"]})
check("EyeLike", [x], k=1, dtype=6)
for upper in (0, 1):
    for k in (-1, 2):
        check("Trilu", [holes, np.array(k, i)], upper=upper, dims={0: ["A", "B", "C"]})
check("Trilu", [holes > 0])
check("Trilu", [x.astype(np.int32)[:0]], upper=0, dims={0: ["N", 4]})
check("Tile", [x, v(2, 3)], dims={0: ["N", "M"]})
check("Tile", [x, v(2, 1)], constants=(1,), dims={0: ["N", 4]})
check("Tile", [x[0], v(0)])
check("Tile", [x > 0, v(1, 2)], constants=(1,))
lengths = v(2, 1, 3, 0)
check("ReverseSequence", [x, lengths])
check("ReverseSequence", [x, v(4, 2, 1)], time_axis=1, batch_axis=0, dims={0: ["N", "M"]})
for exclusive in (0, 1):
    for reverse in (0, 1):
        check("CumSum", [x, np.array(-1, np.int32)], constants=(1,), exclusive=exclusive, reverse=reverse, dims={0: ["N", "M"]})
check("CumProd", [x, np.array(0, i)], constants=(1,), exclusive=1, opset=26)
check("CumSum", [x[:0], np.array(0, i)], constants=(1,), dims={0: ["N", 4]})
a, b, c = (r.standard_normal(shape).astype(f) for shape in ((2, 3, 4), (2, 4, 5), (5, 3)))
for equation, operands in (
    ("bij,bjk->bik", [a, b]),
    ("bij, bjk", [a, b]),
    ("bij,bjk,kl->bl", [a, b, c]),
    ("...ij,...jk->...ik", [a, b]),
    ("...ij,...jk->...ik", [a, b[:1]]),
    ("...ij,jk", [a, b[0]]),
    ("i...->...", [a]),
    ("ii->i", [x[:, :3]]),
    ("ii", [x[:, :3]]),
    ("iij->ji", [np.stack([x, x + 1, x + 2])]),
    ("ij,ij->ij", [x, x]),
    ("ij,kl->ikjl", [x + 9, c]),
    ("ij,j->i", [x, x[0]]),
    ("i,i", [x[0], x[1]]),
    ("ij->", [x]),
    ("ba", [x]),
    ("bhid,bhjd->bhij", [a[None], a[None]]),
    ("ab,cd,ef->fbd", [x, x, x]),
    ("...,...->...", [x, x[0]]),
):
    want = [np.einsum(equation, *operands, optimize=False)]
    dynamic = len(equation) % 2
    check("Einsum", operands, equation=equation, want=want, dims={0: [f"D{k}" for k in range(operands[0].ndim)]} if dynamic else None)
check("Einsum", [x.astype(np.int32), x.T.astype(np.int32)], equation="ij,jk->ik")
refuse("Einsum", [x], "its equation", equation="ijk->i")
squares = r.standard_normal((2, 3, 4, 4)).astype(f)
squares[0, 0, 0] = 0
squares[0, 1, 0, 0] = 0
check("Det", [squares], dims={0: ["A", "B", "N", "N"]})
check("Det", [squares[0, 2].astype(np.float64)])

# N-grams, also in a row that is shorter than they are, and with elements skipped.
GRAMS = {"pool_int64s": [2, 3, 5, 4, 5, 6, 7, 8, 6, 7], "ngram_counts": [0, 4], "ngram_indexes": [0, 1, 2, 3, 4, 6, 5]}
for mode in ("TF", "IDF", "TFIDF"):
    for row in ([1, 1, 3, 3, 3, 7], [[8, 6, 7, 5, 6, 8], [6, 7, 8, 6, 8, 7]], [5]):
        how = {"mode": mode, "min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 2, "weights": [1.0, 2.0, 0.5, 3.0, 1.0, 1.5, 2.0]}
        check("TfIdfVectorizer", [np.array(row, np.int32)], dims={0: ["N", "M"][: np.ndim(row)]}, opset=9, **GRAMS, **how)
check("Trilu", [np.ones((3, 4), np.complex64) * (2 + 1j)])
# "?" is the name of no dimension.
check("MatMul", [r.random((2, 3), np.float32), r.random((3, 4), np.float32)], dims={0: ["?", "?"], 1: ["?", "?"]})

finish()
