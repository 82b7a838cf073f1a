"""The C API of libhetero (hetero-c/Compiler.h, Import.h) and of its runtime, by ctypes."""

import concurrent.futures
import ctypes
import functools
import os
import pathlib
import sys
import threading

OK = 0
HOST = -1
SCALAR = -1
MAX_RANK = 16
DYNAMIC = -(2**63)


class Owner:
    """Owns something of the library, which the process that made it destroys.

    A copy of the process (os.fork, multiprocessing) has the object, but not the
    threads of the library, for which its destruction would wait forever.
    """

    def __init__(self):
        self._process = os.getpid()

    def destroy(self) -> None:
        """Gives back what it owns."""
        raise NotImplementedError

    def __del__(self, is_ending=sys.is_finalizing):
        # Modules are taken apart then, and all goes with the process.
        if is_ending():
            return
        # Not there if the constructor has failed before.
        if getattr(self, "_process", None) == os.getpid():
            self.destroy()


class Value(ctypes.Structure):
    """HeteroValue: a tensor or scalar that crosses an entry point."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("allocation", ctypes.c_void_p),
        ("scalar", ctypes.c_uint64),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("sizes", ctypes.c_int64 * MAX_RANK),
        ("strides", ctypes.c_int64 * MAX_RANK),
    ]


class SignatureValue(ctypes.Structure):
    """HeteroSignatureValue: the type of an argument or result."""

    _fields_ = [
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("donated", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
    ]


class ProgramEntry(ctypes.Structure):
    """HeteroProgramEntry: a function that may be called."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("num_arguments", ctypes.c_int64),
        ("arguments", ctypes.POINTER(SignatureValue)),
        ("num_results", ctypes.c_int64),
        ("results", ctypes.POINTER(SignatureValue)),
    ]


class ProgramTable(ctypes.Structure):
    """HeteroProgramTable: the entry points of a program."""

    _fields_ = [("num_entries", ctypes.c_int64), ("entries", ctypes.POINTER(ProgramEntry))]


class State(ctypes.Structure):
    """HeteroState: what a program keeps from call to call."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("host", ctypes.c_void_p),
        ("fallback", ctypes.c_void_p),
        ("resident", ctypes.c_void_p),
        ("num_devices", ctypes.c_int64),
        ("devices", ctypes.POINTER(ctypes.c_int32)),
    ]


class StateTable(ctypes.Structure):
    """HeteroStateTable: the state of a program."""

    _fields_ = [("num_states", ctypes.c_int64), ("states", ctypes.POINTER(State))]


_TEXT = ctypes.POINTER(ctypes.c_char)
_TEXT_RESULT = ctypes.POINTER(_TEXT)
_HANDLE = ctypes.c_void_p
_VALUES = ctypes.POINTER(Value)

# How to compile and to tune.
_TUNING = [_HANDLE, ctypes.c_char_p, _VALUES, ctypes.c_int32, ctypes.c_int32, _TEXT_RESULT]

# Name: result, arguments.
_FUNCTIONS = {
    "heteroCreateCompileOptions": (_HANDLE, []),
    "heteroDestroyCompileOptions": (None, [_HANDLE]),
    "heteroSetCompileOption": (_TEXT, [_HANDLE, ctypes.c_char_p, ctypes.c_char_p]),
    "heteroTuneBuffer": (_HANDLE, [ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, *_TUNING]),
    "heteroTuneImport": (_HANDLE, [_HANDLE, *_TUNING]),
    "heteroDescribeTuning": (_TEXT, [_HANDLE]),
    "heteroLoadProgram": (_HANDLE, [ctypes.c_char_p, _TEXT_RESULT]),
    "heteroDestroyProgram": (None, [_HANDLE]),
    "heteroSetProgramNote": (None, [_HANDLE, ctypes.c_char_p]),
    "heteroGetProgramNote": (ctypes.c_char_p, [_HANDLE]),
    "heteroLeaveCompilations": (None, []),
    "heteroGetProgramTable": (ctypes.POINTER(ProgramTable), [_HANDLE]),
    "heteroGetProgramStates": (ctypes.POINTER(StateTable), [_HANDLE]),
    "heteroReadState": (ctypes.c_int32, [ctypes.POINTER(State), _VALUES]),
    "heteroWriteState": (ctypes.c_int32, [ctypes.POINTER(State), _VALUES]),
    "heteroDescribePlacement": (_TEXT, [_HANDLE, ctypes.c_char_p, _TEXT_RESULT]),
    "heteroComparePlacements": (_TEXT, [_HANDLE, _HANDLE, _TEXT_RESULT]),
    "heteroInvoke": (
        ctypes.c_int32,
        [_HANDLE, ctypes.c_char_p, _VALUES, ctypes.c_int32, _VALUES, ctypes.c_int32],
    ),
    "heteroInvokeMeasured": (
        ctypes.c_int32,
        [_HANDLE, ctypes.c_char_p, _VALUES, ctypes.c_int32, _VALUES, ctypes.c_int32],
    ),
    "heteroInvokeMany": (
        ctypes.c_int32,
        [
            _HANDLE,
            ctypes.c_char_p,
            _VALUES,
            ctypes.c_int32,
            _VALUES,
            ctypes.c_int32,
            ctypes.c_int64,
            ctypes.c_int32,
        ],
    ),
    "heteroSaveProgram": (ctypes.c_int32, [_HANDLE, ctypes.c_char_p, _TEXT_RESULT]),
    "heteroLastError": (ctypes.c_char_p, []),
    "heteroReleaseValue": (ctypes.c_int32, [_VALUES]),
    "heteroAllocateValue": (ctypes.c_int32, [_VALUES, ctypes.c_int32]),
    "heteroCopyValue": (ctypes.c_int32, [_VALUES, _VALUES]),
    "heteroReset": (ctypes.c_int32, []),
    "heteroFreeString": (None, [_TEXT]),
    "heteroImportFile": (_HANDLE, [ctypes.c_char_p, _HANDLE, _TEXT_RESULT, _TEXT_RESULT]),
    "heteroImportBuffer": (
        _HANDLE,
        [ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, _HANDLE, _TEXT_RESULT, _TEXT_RESULT],
    ),
    "heteroGetImportBytecode": (ctypes.c_void_p, [_HANDLE, ctypes.POINTER(ctypes.c_int64)]),
    "heteroDescribeImport": (_TEXT, [_HANDLE]),
    "heteroDestroyImport": (None, [_HANDLE]),
}


def _candidates():
    """Where libhetero.so may be: named, beside the package, in a checkout's build, the system's."""
    named = os.environ.get("HETERO_LIBRARY")
    if named:
        return [named]
    package = pathlib.Path(__file__).resolve().parent
    checkout = package.parent.parent / "build"
    found = [package / "lib" / "libhetero.so"]
    found += [checkout / preset / "lib" / "libhetero.so" for preset in ("release", "dev")]
    return [str(path) for path in found if path.exists()] + ["libhetero.so.0"]


class _Library:
    """The functions of libhetero and of the runtime that it brings along, with their types."""

    def __init__(self):
        errors = []
        for path in _candidates():
            try:
                library = ctypes.CDLL(path)
                self.path = path
                break
            except OSError as error:
                errors.append(str(error))
        else:
            raise ImportError(
                "libhetero.so cannot be loaded (" + "; ".join(errors) + "); build it with scripts/run, "
                "or set HETERO_LIBRARY to its path"
            )
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)

    def take(self, text):
        """The string of a `char *` that the caller owns; None for NULL."""
        if not text:
            return None
        result = ctypes.cast(text, ctypes.c_char_p).value.decode("utf-8", "replace")
        self.heteroFreeString(text)
        return result

    def last_error(self) -> str:
        """Why a call of this thread has failed, with the remedy in this package's words."""
        return self.heteroLastError().decode("utf-8", "replace").replace("heteroReset()", "hetero.reset()")

    def wait_for(self, compile, drop):
        """What compile() returns. Python looks at signals only between its own steps, so the call has a thread of its
        own; one that is interrupted goes on there, and drop() gets what it returns."""
        if threading.current_thread() is not threading.main_thread():
            return compile()
        future: concurrent.futures.Future = concurrent.futures.Future()

        def run():
            try:
                future.set_result(compile())
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        try:
            return future.result()
        except BaseException:
            if not future.done():
                self.heteroLeaveCompilations()
                future.add_done_callback(lambda done: done.exception() or drop(done.result()))
            raise


@functools.lru_cache(maxsize=None)
def get():
    """The library, loaded by the first call."""
    return _Library()


class Text:
    """The text that a call of the C API returns."""

    def __init__(self):
        self._text = _TEXT()

    def pointer(self):
        return ctypes.byref(self._text)

    def take(self) -> str:
        return (get().take(self._text) or "").rstrip("\n")


class CompileOptions(Owner):
    """HeteroCompileOptions."""

    def __init__(self):
        self._api = get()
        self.handle = self._api.heteroCreateCompileOptions()
        super().__init__()

    def set(self, name: str, text: str) -> str | None:
        """Why the option cannot be set so, or None."""
        return self._api.take(self._api.heteroSetCompileOption(self.handle, name.encode(), text.encode()))

    def destroy(self) -> None:
        self._api.heteroDestroyCompileOptions(self.handle)


class ImportedModule(Owner):
    """HeteroImport. Its weights are in the file or in `data`, for programs that are compiled from it, too."""

    def __init__(self, handle: int, data: bytes | None = None):
        super().__init__()
        self._api, self._data, self.handle = get(), data, handle

    def write(self) -> bytes:
        """Bytecode, with the weights."""
        size = ctypes.c_int64()
        return ctypes.string_at(self._api.heteroGetImportBytecode(self.handle, ctypes.byref(size)), size.value)

    def __reduce__(self):
        """What is pickled is the bytecode."""
        return bytes, (self.write(),)

    def destroy(self) -> None:
        self._api.heteroDestroyImport(self.handle)
