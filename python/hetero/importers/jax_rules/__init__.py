"""JAX's primitives that are calls of libraries, or that StableHLO's importer does not take, in other primitives.

JAX gives these rules precedence over its own where a function is lowered.
"""

from __future__ import annotations

import functools

from jax.extend.core import primitives
from jax.interpreters import mlir

from hetero.importers.jax_rules import fourier, matrices, pools, rotations, selections


def _rule(function, multiple_results=False):
    return mlir.lower_fun(function, multiple_results=multiple_results)


def _matrix_rule(function, ranks, multiple_results=False):
    return _rule(matrices.over_batches(function, ranks), multiple_results)


@functools.cache
def rules() -> tuple:
    """Pairs of a primitive and its rule."""
    found = {
        "approx_top_k_p": _rule(selections.find_largest, True),
        "fft_p": _rule(fourier.transform),
        "cholesky_p": _matrix_rule(matrices.factorize_cholesky, (2,)),
        "triangular_solve_p": _matrix_rule(matrices.solve_triangular, (2, 2)),
        "lu_p": _matrix_rule(matrices.factorize_lu, (2,), True),
        "householder_product_p": _matrix_rule(matrices.multiply_reflections, (2, 1)),
        "qr_p": _matrix_rule(matrices.factorize_qr, (2,), True),
        "eigh_p": _matrix_rule(rotations.find_eigenvalues, (2,), True),
        "svd_p": _matrix_rule(rotations.find_singular_values, (2,), True),
        "tridiagonal_solve_p": _matrix_rule(matrices.solve_tridiagonal, (1, 1, 1, 2)),
        "select_and_gather_add_p": _rule(pools.gather_chosen),
    }
    return tuple((getattr(primitives, name), rule) for name, rule in found.items() if hasattr(primitives, name))
