"""Compiled programs."""

from __future__ import annotations

import ctypes
import json
import operator
import os
import pathlib
import re
import warnings

import numpy as np

from hetero import importers, library, values
from hetero.errors import CompileError, CompileWarning, RunError
from hetero.importers import Imported
from hetero.placement import Placement
from hetero.progress import Phases, phase
from hetero.tuning import Tuning


def _get_dtypes(signatures, names):
    names = names or [None] * len(signatures)
    return [values.dtype_of(signature.type, name) for signature, name in zip(signatures, names)]


class Entry:
    """An entry point of a program: a function that can be called."""

    def __init__(self, program: "Program", entry: library.ProgramEntry, imported: Imported | None = None):
        self._program = program
        self.name: str = entry.name.decode()
        self._arguments = [entry.arguments[i] for i in range(entry.num_arguments)]
        self._results = [entry.results[i] for i in range(entry.num_results)]
        known = imported or Imported("", b"")
        self.argument_names: list[str] = known.argument_names or [f"arg{i}" for i in range(len(self._arguments))]
        self.result_names: list[str] = known.result_names or [f"result{i}" for i in range(len(self._results))]
        self.argument_dtypes = _get_dtypes(self._arguments, known.argument_dtypes)
        self.result_dtypes = _get_dtypes(self._results, known.result_dtypes)

    @property
    def argument_types(self) -> list[str]:
        return [values.describe(signature) for signature in self._arguments]

    @property
    def result_types(self) -> list[str]:
        return [values.describe(signature) for signature in self._results]

    def __repr__(self):
        arguments = ", ".join(f"{n}: {t}" for n, t in zip(self.argument_names, self.argument_types))
        return f"{self.name}({arguments}) -> ({', '.join(self.result_types)})"

    def _bind(self, positional, named):
        """The arguments in order."""
        wanted = self.argument_names
        unknown = set(named) - set(wanted[len(positional) :])
        if unknown or len(positional) + len(named) != len(wanted):
            given = [f"{len(positional)} by position"] + sorted(named)
            raise RunError(f"{self} was called with the wrong arguments: {', '.join(given)}")
        return list(positional) + [named[name] for name in wanted[len(positional) :]]

    def __call__(self, *positional, **named):
        return self._invoke(library.get().heteroInvoke, positional, named)

    def measure(self, *positional, **named):
        """The call with measured times for the placement, as Program.measure."""
        self._program._placement = None
        return self._invoke(library.get().heteroInvokeMeasured, positional, named)

    def map(self, requests, in_flight: int | None = None) -> list:
        """The results for each request, in their order, as Program.map."""
        rows = []
        for number, request in enumerate(requests):
            try:
                rows.append(self._convert(*_split(request)))
            except RunError as error:
                raise RunError(f"request {number}: {error}") from None
        if not rows:
            return []
        if in_flight is not None and (isinstance(in_flight, bool) or not 1 <= operator.index(in_flight) <= 1024):
            raise RunError(f"expected in_flight to be a number from 1 to 1024, got {in_flight}")
        many = library.get().heteroInvokeMany

        def invoke(*arguments):
            return many(*arguments, len(rows), in_flight or 0)

        return self._call(invoke, rows)

    def _invoke(self, function, positional, named):
        return self._call(function, [self._convert(positional, named)])[0]

    def _convert(self, positional, named):
        """The arguments of one call as arrays."""
        return [
            values.to_array(*each)
            for each in zip(
                self._bind(positional, named), self._arguments, self.argument_dtypes, self.argument_names
            )
        ]

    def _call(self, function, rows):
        """Calls a function of the C API once, with the arguments of each row after the other; a result for each."""
        count, num_results = len(self._arguments), len(self._results)
        arguments = (library.Value * max(len(rows) * count, 1))()
        on_devices = []
        try:
            for i, array in enumerate(array for row in rows for array in row):
                signature = self._arguments[i % count]
                arguments[i] = values.to_value(array, signature)
                if signature.device != library.HOST or signature.donated:
                    arguments[i] = _move(arguments[i], signature.device)
                    on_devices.append(i)
            results = (library.Value * max(len(rows) * num_results, 1))()
            status = function(
                self._program.handle, self.name.encode(), arguments, count, results, num_results
            )
            if status != library.OK:
                raise RunError(library.get().last_error())
        finally:
            for i in on_devices:
                library.get().heteroReleaseValue(ctypes.byref(arguments[i]))
        outputs = [_take_result(results[i], self.result_dtypes[i % num_results]) for i in range(len(rows) * num_results)]
        if num_results == 1:
            return outputs
        return [outputs[row * num_results : (row + 1) * num_results] for row in range(len(rows))]


def _split(request):
    """Arguments by position and by name of one request of map()."""
    if isinstance(request, dict):
        return (), request
    return (tuple(request) if isinstance(request, (tuple, list)) else (request,)), {}


def _copy_of(value: library.Value) -> library.Value:
    """The structure itself: items of an array are views."""
    return library.Value.from_buffer_copy(value)


def _move(value: library.Value, device: int) -> library.Value:
    """A copy of the value in memory of the runtime on `device`."""
    api = library.get()
    moved = _copy_of(value)
    moved.data = None
    status = api.heteroAllocateValue(ctypes.byref(moved), device)
    if status == library.OK:
        status = api.heteroCopyValue(ctypes.byref(moved), ctypes.byref(value))
    if status != library.OK:
        message = api.last_error()
        api.heteroReleaseValue(ctypes.byref(moved))
        raise RunError(message)
    return moved


def _take_result(value: library.Value, dtype):
    if value.device == library.HOST or value.rank == library.SCALAR:
        return values.to_result(_copy_of(value), dtype)
    on_host = _move(_copy_of(value), library.HOST)
    library.get().heteroReleaseValue(ctypes.byref(value))
    return values.to_result(on_host, dtype)


# What an entry point and an imported network call alike.
_NAMES = ("argument_names", "result_names", "argument_dtypes", "result_dtypes")


def _read_names(handle: int) -> dict[str, Imported]:
    """The names in a program that was loaded, by entry point."""
    note = library.get().heteroGetProgramNote(handle)
    return {name: Imported(name, b"", **fields) for name, fields in json.loads(note or b"{}").items()}


class Program(library.Owner):
    """A program, compiled or loaded. Calling it calls its only entry point, or main.

    entries: its entry points by name.
    diagnostics: warnings and remarks of the compiler.
    phases: seconds that its import and its compilation took; prints as a table.
    tuning: how its placement was tuned; None if it was not.
    """

    def __init__(self, handle: int, diagnostics: str = "", imported: Imported | None = None):
        super().__init__()
        known = _read_names(handle)
        self.handle = handle
        self.diagnostics = diagnostics
        self.phases = Phases()
        table = library.get().heteroGetProgramTable(handle).contents
        self.entries: dict[str, Entry] = {}
        for i in range(table.num_entries):
            name = table.entries[i].name.decode()
            entry = Entry(self, table.entries[i], imported or known.get(name))
            self.entries[entry.name] = entry
        if imported:
            # What is saved has them, too.
            names = {name: {field: getattr(entry, field) for field in _NAMES} for name, entry in self.entries.items()}
            library.get().heteroSetProgramNote(handle, json.dumps(names, default=lambda dtype: dtype.name).encode())
        self._placement = None
        tuning = library.get().take(library.get().heteroDescribeTuning(handle))
        self.tuning = Tuning(tuning) if tuning else None

    def destroy(self) -> None:
        library.get().heteroDestroyProgram(self.handle)

    @property
    def main(self) -> Entry:
        if len(self.entries) == 1:
            return next(iter(self.entries.values()))
        if "main" in self.entries:
            return self.entries["main"]
        raise RunError("the program has no main; call one of its entries: " + ", ".join(self.entries))

    def __call__(self, *positional, **named):
        """Calls main: NumPy arrays (or what DLPack shares) in and out; a list where there are several results."""
        return self.main(*positional, **named)

    def map(self, requests, in_flight: int | None = None) -> list:
        """Calls main for each request, several at once, so that all devices have work; the results in the order of the
        requests. One that fails ends them all, with an error that names it.

        requests: an iterable of tuples or lists of arguments, of dicts of them by name, or, where main has one
            argument, of arrays.
        in_flight: how many are under way at once, each with memory of its own; None: as many as keep the busiest
            device or link busy, by the times of placement, and fit into memory. `objective="throughput"` of
            compile() places for that.
        """
        return self.main.map(requests, in_flight)

    def measure(self, *positional, **named):
        """Calls main, one kernel or host region after the other, and takes their times.

        `placement` has those of the shortest such call. The program was compiled
        with mark_nodes=True; no other program may be running.
        """
        return self.main.measure(*positional, **named)

    def __repr__(self):
        return "\n".join(map(repr, self.entries.values()))

    def _states(self) -> dict[str, library.State]:
        table = library.get().heteroGetProgramStates(self.handle).contents
        return {table.states[i].name.decode(): table.states[i] for i in range(table.num_states)}

    def state(self) -> dict:
        """Copies of what the program keeps from call to call, by name, wherever it lives: a checkpoint."""
        api = library.get()
        arrays = {}
        for name, state in self._states().items():
            array = np.empty([state.sizes[i] for i in range(state.rank)], values.dtype_of(state.type))
            value = values.to_value(array, state)
            if api.heteroReadState(ctypes.byref(state), ctypes.byref(value)) != library.OK:
                raise RunError(api.last_error())
            arrays[name] = array
        return arrays

    def load_state(self, arrays) -> None:
        """Sets what the program keeps, by name, to arrays as state() returns them; the rest stays as it is."""
        api = library.get()
        states = self._states()
        for name in arrays:
            if name not in states:
                raise RunError(f"the program has no state '{name}'; it has: {', '.join(states) or 'none'}")
        # All are looked at before any is written.
        checked = {
            name: values.to_array(array, states[name], values.dtype_of(states[name].type), name)
            for name, array in arrays.items()
        }
        for name, array in checked.items():
            value = values.to_value(array, states[name])
            if api.heteroWriteState(ctypes.byref(states[name]), ctypes.byref(value)) != library.OK:
                raise RunError(api.last_error())

    def _take(self, call, argument) -> str:
        """The text that a function of the library gives of this program."""
        diagnostics = library.Text()
        text = library.get().take(call(self.handle, argument, diagnostics.pointer()))
        message = diagnostics.take()
        if text is None:
            raise CompileError(message)
        return text

    def _describe(self, form: str) -> str:
        return self._take(library.get().heteroDescribePlacement, form.encode())

    @property
    def placement(self) -> Placement:
        """Where the operations are; not known of a program that was loaded."""
        if self._placement is None:
            self._placement = Placement(self._describe("json"))
        return self._placement

    def view(self, path: str | os.PathLike, against: Program | None = None) -> None:
        """Writes the placement as a web page, or as a graph for Graphviz where the name ends in .dot. The page compares
        it with that of another program, if there is one: the same model with other rules."""
        if against is not None:
            text = self._take(library.get().heteroComparePlacements, against.handle)
        else:
            text = self._describe("dot" if str(path).endswith(".dot") else "html")
        try:
            pathlib.Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CompileError(f"cannot write '{path}': {error.strerror}") from None

    def save(self, path: str | os.PathLike) -> None:
        """Writes the program as hetero-compile does, by suffix: .so .o .ll .ptx .cubin .exe."""
        diagnostics = library.Text()
        file = os.fsencode(path)
        done = library.get().wait_for(
            lambda: library.get().heteroSaveProgram(self.handle, file, diagnostics.pointer()), drop=lambda _: None
        )
        message = diagnostics.take()
        if not done:
            raise CompileError(message)


class _Options(library.CompileOptions):
    """Options of compile(), by their names there."""

    def __init__(self, options: dict):
        super().__init__()
        for name, value in options.items():
            if isinstance(value, bool):
                value = "true" if value else "false"
            text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
            error = self.set(name.replace("_", "-"), text)
            if error:
                raise CompileError(error)


class _Rounds:
    """How often to place a program, and what to call it with meanwhile."""

    def __init__(self, rounds: int, inputs):
        if isinstance(rounds, bool) or not isinstance(rounds, (int, np.integer)) or rounds < 0:
            raise CompileError(f"expected tune to be a number of rounds, got {rounds!r}")
        self.rounds = int(rounds)
        self._arrays = None if inputs is None else [_to_plain_array(each) for each in inputs]

    def values(self):
        """The values, or none, and how many there are; -1 to have them made up."""
        if self._arrays is None:
            return None, -1
        items = (library.Value * max(len(self._arrays), 1))()
        for i, array in enumerate(self._arrays):
            items[i] = values.to_plain_value(array)
        return items, len(self._arrays)


def _to_plain_array(argument) -> np.ndarray:
    try:
        array = np.asarray(values.from_dlpack(argument, "an input"))
    except (TypeError, ValueError) as error:
        raise RunError(f"expected an array as input: {error}") from None
    return np.ascontiguousarray(array) if array.ndim else array


def _compile(
    source, name: str, settings: _Options, rounds: _Rounds, imported: Imported | None = None, phases=None
) -> Program:
    """Compiles text, bytecode, or a module that libhetero has."""
    api, diagnostics = library.get(), library.Text()
    phases = Phases() if phases is None else phases
    arguments, count = rounds.values()

    def tune():
        how = settings.handle, None, arguments, count, rounds.rounds, diagnostics.pointer()
        if isinstance(source, bytes):
            return api.heteroTuneBuffer(source, len(source), name.encode(), *how)
        return api.heteroTuneImport(source.handle, *how)

    with phase(f"compiling {name}", phases, "compile"):
        handle = api.wait_for(tune, drop=api.heteroDestroyProgram)
    message = diagnostics.take()
    if not handle:
        raise CompileError(message)
    program = Program(handle, message, imported)
    # Its weights are the program's as well, in bytes of Python's perhaps.
    program._module = None if isinstance(source, bytes) else source
    program.phases = phases
    for line in message.splitlines():
        if re.search(r"(^|: )warning: ", line):
            # The caller of compile() is who gave what it warns of.
            warnings.warn(line, CompileWarning, stacklevel=3)
    return program


def _is_text(model: str) -> bool:
    """Whether it is a module and no file: it has what names of files do not have, and there is no such file."""
    return "\n" in model or bool(re.search(r"[{(@!#\"]", model)) and not os.path.exists(model)


def reset() -> None:
    """Gives back all memory of devices, after a kernel has failed and its device cannot be used: the next call begins
    anew. State on devices has its first value then. No call of a program may be running."""
    if library.get().heteroReset() != library.OK:
        raise RunError(library.get().last_error())


def compile(
    model,
    *,
    dims: dict | None = None,
    values: dict | None = None,
    shapes: dict | None = None,
    arguments=None,
    tune: int = 0,
    inputs=None,
    **options,
) -> Program:
    """Compiles a model for this machine.

    model: a file (.mlir, .mlirbc, .onnx, .tflite), the text of an MLIR module, an
        onnx.ModelProto, a torch.export.ExportedProgram, a PyTorch module or a JAX
        function with `arguments`, example arguments or their shapes, or what
        hetero.importers made of one of these.
    dims: sizes for dynamic dimensions of a network, by name.
    values: arrays for inputs of a network that are to be constants, by name: those
        that shapes depend on (axes, sizes, numbers of elements).
    shapes: what inputs of an ONNX network are that are sequences, optionals or of unknown rank, by name
        (hetero.importers.from_file()).
    tune: how often to place, run, measure and place again by what was measured, at most; the program has the
        placement whose calls were the shortest, and `tuning` says how it was found.
    inputs: arrays to call main with meanwhile, in the order of its arguments; made up if left out, which needs
        static sizes.
    options: those of hetero-run, with underscores: rules (a file, or its text),
        default, topology, profile, chip, conflict, copy_site, mcpu, ...

    Raises ImportFailure for a network that cannot be imported, CompileError for
    a program that cannot be compiled.
    """
    # A misspelt option is an error before minutes of import.
    settings = _Options({name: value for name, value in options.items() if value is not None})
    rounds = _Rounds(tune, inputs)
    if isinstance(model, str) and _is_text(model):
        return _compile(model.encode(), "<text>", settings, rounds)
    if isinstance(model, (str, os.PathLike)) and pathlib.Path(model).suffix in ("", ".mlir", ".mlirbc"):
        path = pathlib.Path(model)
        try:
            source = path.read_bytes()
        except (OSError, ValueError) as error:
            raise CompileError(f"cannot read '{path}': {getattr(error, 'strerror', error)}") from None
        return _compile(source, str(path), settings, rounds)
    imported, phases = model, Phases()
    if not isinstance(model, Imported):
        with phase(f"importing {importers.name_of(model)}", phases, "import"):
            imported = importers.import_model(model, dims=dims, values=values, arguments=arguments, shapes=shapes)
    return _compile(imported.source, imported.name, settings, rounds, imported, phases)


def load(path: str | os.PathLike) -> Program:
    """Loads a library that Program.save or hetero-compile wrote."""
    diagnostics = library.Text()
    handle = library.get().heteroLoadProgram(os.fsencode(path), diagnostics.pointer())
    message = diagnostics.take()
    if not handle:
        raise CompileError(message)
    return Program(handle, message)
