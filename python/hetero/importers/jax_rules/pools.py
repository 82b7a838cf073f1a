"""Derivatives of pools: the rule of JAX's primitive that chooses an element of each window, in its own operations.

The elements at one place of all windows are a strided slice; the windows choose among these.
"""

from __future__ import annotations

import itertools

import jax.numpy as jnp
import numpy as np
from jax import lax


def _least(select, dtype):
    """What no window chooses, where it has another element."""
    return np.asarray(-np.inf if select.name == "ge" else np.inf, dtype)


def _places(window, dilation):
    return list(itertools.product(*(range(0, size * step, step) for size, step in zip(window, dilation))))


def _elements(x, place, counts, strides):
    ends = [start + (count - 1) * step + 1 for start, count, step in zip(place, counts, strides)]
    return lax.slice(x, place, ends, strides)


def _choose(select, operand, places, counts, strides):
    """The number of the place that each window chooses."""
    best, chosen = _elements(operand, places[0], counts, strides), jnp.zeros(counts, jnp.int32)
    for number, place in enumerate(places[1:], 1):
        other = _elements(operand, place, counts, strides)
        keeps = select.bind(best, other)
        best, chosen = jnp.where(keeps, best, other), jnp.where(keeps, chosen, number)
    return chosen


def gather_chosen(tangents, operand, *, select_prim, window_dimensions, window_strides, padding, base_dilation, window_dilation):
    """The rule of select_and_gather_add_p: of each window, the tangent of the element that it chooses."""
    edges = [(low, high, step - 1) for (low, high), step in zip(padding, base_dilation)]
    padded = lax.pad(operand, _least(select_prim, operand.dtype), edges)
    values = lax.pad(tangents, jnp.zeros((), tangents.dtype), edges)
    spans = [(size - 1) * step + 1 for size, step in zip(window_dimensions, window_dilation)]
    counts = [(size - span) // step + 1 for size, span, step in zip(padded.shape, spans, window_strides)]
    places = _places(window_dimensions, window_dilation)
    chosen = _choose(select_prim, padded, places, counts, window_strides)
    found = jnp.zeros(counts, tangents.dtype)
    for number, place in enumerate(places):
        found = jnp.where(chosen == number, _elements(values, place, counts, window_strides), found)
    return found
