"""The worker. The importer runs in this process, which makes a test ten times as cheap; where it crashes, in one of its
own next time."""

import pathlib
import tempfile

import jax
import numpy as np

import hetero
import places
import sweep
import tests
from hetero import importers
from hetero.importers import child, stablehlo

jax.config.update("jax_platforms", "cpu")
# StableHLO's own interpreter allows so much.
TOLERANCE = 1e-4


def import_here(text):
    """As hetero.importers.from_stablehlo(), without a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = pathlib.Path(folder) / "network.mlir", pathlib.Path(folder) / "linalg.mlirbc"
        source.write_text(text, encoding="utf-8")
        try:
            module, signature = stablehlo.convert(str(source), {})
        except child.Failure as failure:
            raise hetero.ImportFailure(str(failure)) from None
        child.write(module, str(output), child.PACKAGE)
        return importers.Imported("program", output.read_bytes(), **signature)


def run_ours(program, options, import_it):
    made = hetero.compile(import_it(program.text), **options)
    got = made(*program.arguments)
    return [np.asarray(value) for value in (got if isinstance(got, (tuple, list)) else [got])]


def compare(got, want, is_exact):
    """What differs, or nothing."""
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        return f"{got.dtype} of {list(got.shape)} for {want.dtype} of {list(want.shape)}"
    if want.dtype.kind not in "biuc":
        got, want = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (got == want) | ((got != got) & (want != want))
        if not is_exact:
            same |= abs(got - want) <= TOLERANCE
    return "" if np.all(same) else f"{got.tolist()} for {want.tolist()}"


def judge(text, options, import_it):
    """Outcome and reason."""
    if "interpreter.run_parallel" in text:
        return "not imported", "it runs several programs"
    try:
        program = tests.read(text)
    except tests.ir.MLIRError as error:
        return "not imported", f"JAX's bindings do not take it: {error.error_diagnostics[0].message}"
    try:
        got = run_ours(program, options, import_it)
    except hetero.ImportFailure as error:
        return "not imported", str(error)
    except hetero.Error as error:
        return "refused", str(error)
    except Exception as error:  # None but the package's own is to come.
        return "crashed", f"{type(error).__name__}: {error}"
    differences = [compare(a, b, is_exact) for a, (b, is_exact) in zip(got, program.expected)]
    found = next((text for text in differences if text), "")
    return ("wrong" if found else "right"), found


def main(options):
    texts = tests.load()

    def run_group(name, done, ended, say):
        if name not in done:
            say(case=name)
            import_it = importers.from_stablehlo if name in ended else import_here
            outcome, reason = judge(texts[name], places.options(options["place"], name), import_it)
            say(case=name, outcome=outcome, reason=reason)

    return sweep.answer(run_group)
