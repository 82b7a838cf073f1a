"""Selections from windows of StableHLO, whose regions choose an element of each and say where numbers meet.

    select_and_scatter(%x, %source, %init) select GE, scatter add
      ->
    %i = the elements at one place of all windows: a strided slice, for each place
    %chosen = the number of the place that a window selects
    %init + the sum over places of pad(%chosen == place ? %source : 0)

Elements of the padding are not chosen.
"""

from __future__ import annotations

import itertools

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import compare, like, shaped, type_of


def _numbers(op, name, rank):
    return list(ir.DenseI64ArrayAttr(op.attributes[name])) if name in op.attributes else [1] * rank


def _pad(value, number, edges):
    """`edges` are three lists: before, after, between."""
    arrays = [ir.DenseI64ArrayAttr.get([int(size) for size in sizes]) for sizes in edges]
    return stablehlo.pad(value, rewriting.splat(shaped([], type_of(value).element_type), number), *arrays)


class _Windows:
    """The windows of an operation."""

    def __init__(self, op):
        operand, source = op.operands[:2]
        self.rank, self.shape = type_of(operand).rank, list(type_of(operand).shape)
        self.counts = list(type_of(source).shape)
        self.strides = _numbers(op, "window_strides", self.rank)
        window = _numbers(op, "window_dimensions", self.rank)
        padding = np.asarray(op.attributes["padding"]) if "padding" in op.attributes else np.zeros((self.rank, 2), int)
        self.low, self.high = ([int(size) for size in sizes] for sizes in padding.T)
        self.places = list(itertools.product(*(range(size) for size in window)))

    def is_padded(self):
        return any(self.low) or any(self.high)

    def pad(self, value, number):
        return _pad(value, number, (self.low, self.high, [0] * self.rank)) if self.is_padded() else value

    def take(self, padded, place):
        """The elements at one place."""
        ends = [start + (count - 1) * step + 1 for start, count, step in zip(place, self.counts, self.strides)]
        return stablehlo.slice(padded, *(ir.DenseI64ArrayAttr.get(list(sizes)) for sizes in (place, ends, self.strides)))

    def give(self, value, place, number):
        """The operand's shape with the values at one place of all windows, and `number` elsewhere."""
        spans = [(count - 1) * step + 1 for count, step in zip(self.counts, self.strides)]
        low = [start - before for start, before in zip(place, self.low)]
        high = [size - start - span for size, start, span in zip(self.shape, low, spans)]
        return _pad(value, number, (low, high, [step - 1 for step in self.strides]))


def _choose(op, windows):
    """The number of the place that each window selects."""
    padded = windows.pad(op.operands[0], 0)
    truth = ir.IntegerType.get_signless(1)
    inside = windows.pad(rewriting.splat(shaped(windows.shape, truth), 1), 0) if windows.is_padded() else None
    chosen = rewriting.splat(shaped(windows.counts, ir.IntegerType.get_signless(32)), 0)
    best = windows.take(padded, windows.places[0])
    found = inside and windows.take(inside, windows.places[0])
    for number, place in enumerate(windows.places[1:], 1):
        other = windows.take(padded, place)
        keeps = rewriting.combine(op.regions[0], [best, other])
        if keeps is None:
            return None
        if inside:
            here = windows.take(inside, place)
            keeps = stablehlo.or_(stablehlo.and_(found, keeps), stablehlo.not_(here))
            found = stablehlo.or_(found, here)
        best = stablehlo.select(keeps, best, other)
        chosen = stablehlo.select(keeps, chosen, like(chosen, number))
    return chosen


def _scatter(op):
    """The result, or None where a region is not of elementwise operations."""
    source, init = op.operands[1:]
    windows = _Windows(op)
    neutral = rewriting.neutral_of(op.regions[1], type_of(source).element_type)
    chosen = _choose(op, windows)
    if neutral is None or chosen is None:
        return None
    total = rewriting.broadcast_scalar(init, type_of(op.operands[0]))
    for number, place in enumerate(windows.places):
        here = stablehlo.select(compare(chosen, like(chosen, number), "EQ"), source, like(source, neutral))
        total = rewriting.combine(op.regions[1], [total, windows.give(here, place, neutral)])
    return total


def expand_selections(module) -> None:
    with module.context, ir.Location.unknown():
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.select_and_scatter"):
            with rewriting.before(op):
                result = _scatter(op)
            if result is not None:
                rewriting.replace(op, [result])
