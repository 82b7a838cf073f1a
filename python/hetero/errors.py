"""Exceptions, each with the text of the diagnostic."""


class Error(RuntimeError):
    """What goes wrong in this package."""


class ImportFailure(Error):
    """A network cannot be imported: its file is broken, or uses what the importer lacks."""


class CompileError(Error):
    """A program cannot be compiled, loaded or saved."""


class CompileWarning(UserWarning):
    """What a program was compiled with is probably not meant: a rule that matches nothing, say."""


class RunError(Error):
    """A call failed: its arguments do not fit, an index is out of range, memory is short."""
