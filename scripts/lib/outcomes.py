"""What came of one run of the compiler: the classes of `scripts/peer-suites`.

  right     exit status 0, and nothing on stderr that calls itself an error
  clean     a non-zero exit status, and an error that is for the user
  crash     a signal, a stack dump, an abort of LLVM, a report of a sanitizer
  hang      the time limit
  silent    a non-zero exit status without an error, or an error and status 0
  internal  an error about IR that the user did not write: a pass of ours made
            what the verifier rejects, or left what a later pass of ours, or an
            upstream pass inside ours, cannot take

The order of the tests is the order of harm: a crash that also printed an error
is a crash.

Errors of this project say what to do, after a semicolon. One that does not is
upstream's, and since the input was parsed and verified before, it is about IR of
ours: internal, unless reading the input makes the same error, or running the
schedule that it brings along. Some of ours, too, speak of what no user can
mend."""

import re

OUTCOMES = ("right", "clean", "crash", "hang", "silent", "internal")
BAD = ("crash", "hang", "silent", "internal")

CRASHES = (
    r"PLEASE submit a bug report",
    r"Stack dump:",
    r"LLVM ERROR:",
    r"Assertion [`'].*failed",
    r"UNREACHABLE executed",
    r"(?:Address|Leak|Thread|Memory)Sanitizer",
    r"^\S+: runtime error: ",
    r"terminate called",
    r"(?:free|malloc|realloc)\(\): ",
    r"double free or corruption|stack smashing detected|corrupted size",
)

# Of this project's own errors those that are not for the user.
INTERNALS = (
    r"breaks the contract of phase",
    r"; run --?hetero-",
)

_crash = re.compile("|".join(CRASHES), re.M)
_internal = re.compile("|".join(INTERNALS))
_error = re.compile(r"^(?:.*?: )?error: (.*)$", re.M)


def errors_of(stderr):
    """The texts of the errors, in their order."""
    return _error.findall(stderr)


def classify(status, stderr):
    """The outcome of a run that ended with `status` (negative: a signal, None:
    the time limit), and the line that shows it."""
    errors = errors_of(stderr)
    first = errors[0] if errors else ""
    if status is None:
        return "hang", first
    crash = _crash.search(stderr)
    if status < 0 or status >= 128 or crash:
        return "crash", crash_site(stderr) or f"status {status}"
    if status == 0:
        return ("silent", first) if errors else ("right", "")
    if not errors:
        return "silent", f"status {status}: {stderr.strip()[:200]}"
    # What follows the first one may be a consequence.
    internal = next((text for text in errors if _internal.search(text)), None)
    if not internal and "; " not in first:
        internal = first
    return ("internal", internal) if internal else ("clean", first)


def crash_site(stderr):
    """The first functions of a stack dump that say where it was."""
    aborted = re.search(r"LLVM ERROR: .*|Assertion [`'].*failed.*|.*runtime error: .*|ERROR: \w+Sanitizer: [\w-]+", stderr)
    if aborted:
        return aborted.group()
    frames = re.findall(r"^\s*#\d+ 0x[0-9a-f]+ (.+?) \(?/?\S*\)?$", stderr, re.M)
    frames = [frame for frame in frames if not re.search(r"PrintStackTrace|RunSignalHandlers|libc|^__|^\(", frame)]
    return " < ".join(frame.split("(")[0] for frame in frames[:3])


def normal_form(text):
    """An error without what differs from input to input."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text)
    text = re.sub(r"%[\w#]+", "%...", text)
    text = re.sub(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>", "<...>", text)
    return re.sub(r"\d+", "N", text)
