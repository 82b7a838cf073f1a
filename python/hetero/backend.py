"""The package as a backend of the onnx package (onnx.backend.base).

    import hetero.backend
    outputs = hetero.backend.prepare(model, "CPU", rules="default: gpu:0").run(inputs)

The device of ONNX's interface says nothing about placement: options of
hetero.compile do.
"""

from __future__ import annotations

import functools

import numpy as np
from onnx.backend.base import Backend, BackendRep

import hetero
from hetero import importers
from hetero.importers import reader


class Prepared(BackendRep):
    """A model, compiled once for each set of shapes, and of values that it cannot be imported without."""

    def __init__(self, model, options: dict):
        self._model = model
        self._options = options
        self._fixed: list = []
        self._programs: dict = {}

    def _key(self, given: dict):
        """The shapes, and the values that are constants, of the program for a call."""
        arguments = reader.list_arguments(given)
        values = {name: np.asarray(arguments[name]) for name in self._fixed if name in arguments}
        return str(reader.list_shapes(given)), *((name, array.shape, array.tobytes()) for name, array in sorted(values.items()))

    def _compile(self, given: dict) -> tuple[importers.Imported, hetero.Program]:
        if self._key(given) not in self._programs:
            read = functools.partial(importers.from_onnx, self._model)
            imported, self._fixed = reader.import_for_call(read, given, self._fixed)
            self._programs[self._key(given)] = imported, hetero.compile(imported, **self._options)
        return self._programs[self._key(given)]

    def run(self, inputs, **_):
        """Inputs in the graph's order, or a dictionary: an array, a list of them for a sequence, None for an absent
        optional. Returns a list of such results."""
        weights = {weight.name for weight in self._model.graph.initializer}
        names = [value.name for value in self._model.graph.input if value.name not in weights]
        given = dict(inputs) if isinstance(inputs, dict) else dict(zip(names, inputs))
        imported, program = self._compile(given)
        arguments = reader.list_arguments(given).items()
        return reader.join_results(imported, program(**{name: array for name, array in arguments if name not in self._fixed}))


class HeteroBackend(Backend):
    """Compiles models with hetero.compile; keyword arguments are its options."""

    @classmethod
    def prepare(cls, model, device="CPU", **options):
        return Prepared(model, options)

    @classmethod
    def run_model(cls, model, inputs, device="CPU", **options):
        return cls.prepare(model, device, **options).run(inputs)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


prepare = HeteroBackend.prepare
run_model = HeteroBackend.run_model
supports_device = HeteroBackend.supports_device
