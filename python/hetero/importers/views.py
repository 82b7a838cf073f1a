"""Views of PyTorch's programs as merges and splits of dimensions.

    %v = aten.view(%x, [T, N * 4, 4])        # of [T, N, 16]
      ->
    %m = aten.flatten.using_ints(%x, 1, 2)   # [T, N * 16]
    %v = aten.unflatten.int(%m, 1, [N * 4, 4])

torch-mlir guesses which dynamic dimensions a view keeps, and guesses wrong; PyTorch
knows their sizes as expressions.
"""

from __future__ import annotations

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true


def _group(old, new):
    """Pairs of ranges of dimensions with the same number of elements; None if that is not known."""
    groups, i, j = [], 0, 0
    while i < len(old) or j < len(new):
        first, second, a, b = i, j, 1, 1
        if i < len(old):
            a, i = old[i], i + 1
        if j < len(new):
            b, j = new[j], j + 1
        while not statically_known_true(a == b):
            # The side that is a factor of the other takes its next dimension.
            if j < len(new) and statically_known_true(a % b == 0):
                b, j = b * new[j], j + 1
            elif i < len(old):
                a, i = a * old[i], i + 1
            elif j < len(new):
                b, j = b * new[j], j + 1
            else:
                return None
        groups.append(((first, i), (second, j)))
    return groups


def _replace(graph, node, sizes, groups) -> None:
    """Merges and splits from the last group to the first, whose dimensions stay where they are."""
    aten = torch.ops.aten
    value = node.args[0]

    def call(function, *arguments):
        with graph.inserting_before(node):
            made = graph.call_function(function, (value, *arguments))
        made.meta = dict(node.meta)
        fakes = [argument.meta["val"] if isinstance(argument, torch.fx.Node) else argument for argument in arguments]
        if isinstance(fakes[-1], list):
            fakes[-1] = [size.meta["val"] if isinstance(size, torch.fx.Node) else size for size in fakes[-1]]
        made.meta["val"] = function(value.meta["val"], *fakes)
        return made

    for (first, last), (second, end) in reversed(groups):
        if last - first > 1:
            value = call(aten.flatten.using_ints, first, last - 1)
        if end - second > 1:
            value = call(aten.unflatten.int, first, list(sizes[second:end]))
    node.replace_all_uses_with(value)
    graph.erase_node(node)


def split_views(graph) -> None:
    """Replaces the views of dynamic sizes whose dimensions can be told apart."""
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target not in (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default):
            continue
        old, new = node.args[0].meta["val"].shape, node.meta["val"].shape
        if not any(isinstance(size, torch.SymInt) for size in (*old, *new)) or 1 in new:
            continue
        groups = _group(old, new)
        if groups and all(last > first and end > second for (first, last), (second, end) in groups):
            _replace(graph, node, node.args[1], groups)
