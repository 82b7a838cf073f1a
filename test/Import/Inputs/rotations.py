"""Eigenvalues and singular values of the domain `hetero`: what the results must satisfy, for they have no order or sign."""

import case
import numpy as np

r = np.random.default_rng(0)


def run(op, x, dims=None):
    model = case.make_model(op, [x], 2, 23, (), dims, "hetero", {})
    return case.run(model, {"x0": x})


def is_close(got, want, dtype):
    # As LAPACK: a few last places of the largest number.
    return np.allclose(got, want, 0, 30 * np.finfo(dtype).eps * max(1, np.abs(want).max(initial=0)))


def check_eigen(x, dims=None):
    values, vectors = run("SymmetricEigen", x, dims)
    unit = np.broadcast_to(np.eye(x.shape[-1]), x.shape)
    facts = {
        "orthogonal": is_close(np.swapaxes(vectors, -1, -2) @ vectors, unit, x.dtype),
        "x": is_close(vectors * values[..., None, :] @ np.swapaxes(vectors, -1, -2), x, x.dtype),
        "values": is_close(np.sort(values, -1), np.linalg.eigvalsh(x), x.dtype),
    }
    note("SymmetricEigen", x, facts)


def check_columns(x, dims=None):
    turned, vectors = run("OrthogonalColumns", x, dims)
    columns = x.shape[-1]
    products = np.swapaxes(turned, -1, -2) @ turned
    values = np.sqrt(np.maximum(np.diagonal(products, 0, -2, -1), 0))
    known = np.zeros((*x.shape[:-2], columns))
    known[..., : min(x.shape[-2:])] = np.linalg.svd(x, compute_uv=False)
    facts = {
        "orthogonal": is_close(np.swapaxes(vectors, -1, -2) @ vectors, np.broadcast_to(np.eye(columns), products.shape), x.dtype),
        "turned": is_close(x @ vectors, turned, x.dtype),
        "products": is_close(products * (1 - np.eye(columns)), 0 * products, x.dtype),
        "values": is_close(-np.sort(-values, -1), known, x.dtype),
    }
    note("OrthogonalColumns", x, facts)


def note(op, x, facts):
    bad = [name for name, holds in facts.items() if not holds]
    case.note("wrong" if bad else "right", op, f"{x.dtype}{list(x.shape)}: {', '.join(bad)}")


for size in (1, 2, 5, 8):
    for dtype in (np.float32, np.float64):
        x = r.standard_normal((size, size)).astype(dtype)
        check_eigen(x + x.T)
        check_columns(x)
check_eigen(np.stack([x + x.T, np.ones_like(x), np.zeros_like(x)]), {0: ["B", "N", "N"]})
# Equal values, of both signs.
check_eigen(np.diag([2, -2, 2, 0, -2]).astype(np.float32))
check_eigen(np.kron(np.array([[0, 1], [1, 0]]), np.eye(3)).astype(np.float32))
check_columns(r.standard_normal((2, 7, 4)).astype(np.float32), {0: [2, "N", "M"]})
check_columns(r.standard_normal((3, 6)).astype(np.float64))
check_columns(np.outer(np.arange(5), np.arange(4)).astype(np.float64))
check_columns(np.zeros((3, 3), np.float32))
case.refuse("SymmetricEigen", [x[0]], "no matrix", domain="hetero", outputs=2)
case.finish()
