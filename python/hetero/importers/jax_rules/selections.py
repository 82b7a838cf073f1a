"""The largest numbers of rows where JAX may be content with fewer: a rule of its primitive, which finds all."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from hetero.importers import child


def find_largest(x, *, k, reduction_dimension, is_max_k, aggregate_to_topk, **_):
    """The rule of approx_top_k_p: the numbers and their places, exactly."""
    if not aggregate_to_topk:
        raise child.Failure("approx_max_k and approx_min_k are taken with aggregate_to_topk=True")
    moved = jnp.moveaxis(x, reduction_dimension, -1)
    values, places = lax.top_k(moved if is_max_k else -moved, k)
    values = values if is_max_k else -values
    return [jnp.moveaxis(part, -1, reduction_dimension) for part in (values, places.astype(jnp.int32))]
