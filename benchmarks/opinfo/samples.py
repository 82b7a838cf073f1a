"""Samples of PyTorch's own table of operations, as modules of tensors."""

import dataclasses
import itertools
import random

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree


class Operation(torch.nn.Module):
    """A call of an operation, whose tensors are the arguments."""

    def __init__(self, function, leaves, spec):
        super().__init__()
        self.function, self.leaves, self.spec = function, leaves, spec

    def forward(self, *tensors):
        given = iter(tensors)
        # Copies, for some operations write into their arguments.
        leaves = [next(given).clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in self.leaves]
        arguments, options = pytree.tree_unflatten(leaves, self.spec)
        results = pytree.tree_leaves(self.function(*arguments, **options))
        numbers = (int, float, torch.SymInt, torch.SymFloat)
        results = [torch.scalar_tensor(result) if isinstance(result, numbers) else result for result in results]
        return [result for result in results if isinstance(result, torch.Tensor)]


@dataclasses.dataclass
class Sample:
    name: str
    module: Operation
    arguments: tuple


def name_of(op):
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def list_operations(dtype):
    """The operations that take the dtype, by name."""
    return {name_of(op): op for op in op_db if dtype in op.supported_dtypes("cpu")}


def seed():
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)


def draw(op, dtype, count):
    """The first samples; OpInfo draws them anew at each call."""
    seed()
    drawn = list(itertools.islice(op.sample_inputs("cpu", dtype), count))
    for number, sample in enumerate(drawn):
        leaves, spec = pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
        leaves = [leaf.detach() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        arguments = tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))
        yield Sample(f"{name_of(op)}/{number}", Operation(op.op, leaves, spec).eval(), arguments)


def compute(sample):
    """PyTorch's results."""
    seed()
    results = sample.module(*[argument.clone() for argument in sample.arguments])
    return [result.detach().resolve_conj().resolve_neg() for result in results]
