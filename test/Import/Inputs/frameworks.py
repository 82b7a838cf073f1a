"""Operators of the domain `hetero`, executed and compared with NumPy, where what comes is unique."""

import functools

import numpy as np
from case import check, finish, refuse

f = np.float32
r = np.random.default_rng(0)
check = functools.partial(check, domain="hetero")
refuse = functools.partial(refuse, domain="hetero")

x = r.standard_normal((3, 4)).astype(f)
holes = x.copy()
holes[1, 1] = np.nan
for array in (x, holes, (x * 9).astype(np.int32), np.abs(x * 9).astype(np.uint8)):
    check("CumMax", [array], axis=1, want=[np.maximum.accumulate(array, 1)])
    check("CumMin", [array], axis=0, dims={0: ["N", "M"]}, want=[np.minimum.accumulate(array, 0)])
check("CumProd", [x], axis=-1, want=[np.cumprod(x, -1)])
refuse("CumMax", [x], "outside", axis=2)

z = (x + 1j * x[::-1]).astype(np.complex64)
pairs = np.stack([z.real, z.imag], -1)
check("ViewAsReal", [z], want=[pairs])
check("ViewAsReal", [z], dims={0: ["N", "M"]}, want=[pairs])
check("ViewAsComplex", [pairs], want=[z])
check("ViewAsComplex", [pairs.astype(np.float64)], dims={0: ["N", 4, 2]}, want=[z.astype(np.complex128)])
refuse("ViewAsReal", [x], "float")
refuse("ViewAsComplex", [x], "size 2")


def unpack(factors, pivots):
    """P, L and U as a product."""
    rows = np.arange(factors.shape[0])
    for number, pivot in enumerate(pivots):
        rows[[number, pivot - 1]] = rows[[pivot - 1, number]]
    size = min(factors.shape)
    product = (np.tril(factors[:, :size], -1) + np.eye(len(rows), size)) @ np.triu(factors[:size])
    return product[np.argsort(rows)], rows


# Rows of which the pivots are known: 2, then 1 of what is left, ...
matrix = np.array([[1, 2, 0], [4, 4, 4], [2, 6, 1]], f)
factors, pivots = np.array([[4, 4, 4], [0.5, 4, -1], [0.25, 0.25, -0.75]], f), np.array([2, 3, 3], np.int32)
assert np.allclose(unpack(factors, pivots)[0], matrix)
check("LU", [matrix], outputs=3, want=[factors, pivots, np.array(1, f)])
check("LU", [np.stack([matrix, matrix[::-1]])], outputs=1, dims={0: ["B", 3, 3]}, want=[np.stack([factors, factors])])
check("LU", [np.zeros((0, 3, 3), f)], outputs=1, want=[np.zeros((0, 3, 3), f)])
check("Rows", [pivots], count=3, want=[unpack(factors, pivots)[1]])
refuse("LU", [np.zeros(3, f)], "no matrix")

positive = (x @ x.T + 3 * np.eye(3)).astype(f)
lower = np.linalg.cholesky(positive)
check("Cholesky", [positive], want=[lower])
check("Cholesky", [np.stack([positive, 4 * positive])], dims={0: ["B", "N", "N"]}, want=[np.stack([lower, 2 * lower])])
check("TriangularSolve", [lower, x], want=[np.linalg.solve(lower, x)])
check("TriangularSolve", [lower.T.copy(), x], upper=1, want=[np.linalg.solve(lower.T, x)])
unit = np.tril(lower, -1) + np.eye(3, dtype=f)
check("TriangularSolve", [lower, x], unit=1, dims={0: ["N", "N"], 1: ["N", "M"]}, want=[np.linalg.solve(unit, x)])
refuse("Cholesky", [x], "not square")

for array in (x, x.T.copy()):
    q, triangle = np.linalg.qr(array)
    factors, scales = (part.astype(f) for part in np.linalg.qr(array, mode="raw"))
    check("Householder", [array], outputs=2, want=[factors.T, scales])
    size = min(array.shape)
    check("HouseholderProduct", [factors.T[:, :size].copy(), scales], want=[q])

finish()
