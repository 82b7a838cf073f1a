"""Exceptions, each with the text of the diagnostic."""


class Error(RuntimeError):
    """What goes wrong in this package."""


class ImportFailure(Error):
    """A network cannot be imported: its file is broken, or uses what the importer lacks.

    constants: inputs of the network that have to be constants (`values`) where it can be imported then.
    """

    def __init__(self, message: str, constants=()):
        super().__init__(message)
        self.constants = list(constants)


class CompileError(Error):
    """A program cannot be compiled, loaded or saved."""


class CompileWarning(UserWarning):
    """What a program was compiled with is probably not meant: a rule that matches nothing, say."""


class RunError(Error):
    """A call failed: its arguments do not fit, an index is out of range, memory is short."""
