"""The worker: takes groups of cases by lines of JSON and answers with a line for each case.

The importer runs in this process, which makes a case ten times as cheap; where it crashes, in one of its own next time.
"""

import pathlib
import tempfile

import jax
import numpy as np

import cases
import compare
import hetero
import places
import sweep
from hetero import importers
from hetero.importers import child, jax_function, stablehlo

jax.config.update("jax_platforms", "cpu")


class Refused(Exception):
    """An error of the package: the phase and what was said."""


def import_here(case):
    """As hetero.importers.from_jax(), without a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path, output = pathlib.Path(folder) / "network.mlirbc", pathlib.Path(folder) / "linalg.mlirbc"
        try:
            signature = jax_function.lower(case.function, case.arguments, path)
            module, names = stablehlo.convert(str(path), {"rewritten": True})
            child.write(module, str(output), child.PACKAGE)
        except (child.Failure, hetero.ImportFailure) as failure:
            raise Refused(f"import: {failure}") from None
        return importers.Imported("function", output.read_bytes(), **{**names, **signature})


def import_alone(case):
    try:
        return importers.from_jax(case.function, case.arguments)
    except hetero.ImportFailure as failure:
        raise Refused(f"import: {failure}") from None


def run_ours(case, place, import_it):
    imported = import_it(case)
    try:
        program = hetero.compile(imported, **places.options(place, case.name))
    except hetero.CompileError as error:
        raise Refused(f"compile: {error}") from None
    try:
        got = program(*case.arguments)
    except hetero.RunError as error:
        raise Refused(f"run: {error}") from None
    return [np.asarray(value) for value in (got if isinstance(got, (tuple, list)) else [got])]


def run_reference(case):
    return [np.asarray(value) for value in jax.tree_util.tree_leaves(jax.jit(case.reference)(*case.arguments))]


def judge(case, place, import_it=import_here):
    """Outcome and reason; no outcome where JAX itself has none."""
    with cases.enable_x64(case.is_wide):
        try:
            want = run_reference(case)
        except Exception as error:  # JAX takes the types, and cannot compile it.
            return None, f"{type(error).__name__}: {error}"
        try:
            difference = compare.compare(run_ours(case, place, import_it), want)
        except Refused as refused:
            return "refused", str(refused)
        except Exception as error:  # None but the package's own is to come.
            return "crashed", f"{type(error).__name__}: {error}"
    return ("wrong" if difference else "right"), difference


def run_group(row, kind, place, dtypes, done, ended, say):
    """Cases that are not in `done`: all in one program, and each by itself if that is not right. Those at which a worker
    has ended are imported in a process of its own."""
    named = {f"{case.name} on {place}": case for case in cases.of_group(row, kind, dtypes)}
    for wide in (False, True):
        some = {name: case for name, case in named.items() if case.is_wide == wide and name not in done}
        if len(some) > 1 and not done and not ended:
            say(case="joined")
            if judge(cases.join(list(some.values())), place)[0] == "right":
                for name in some:
                    say(case=name, outcome="right", reason="")
                continue
        for name, case in some.items():
            say(case=name)
            outcome, reason = judge(case, place, import_alone if name in ended else import_here)
            if outcome:
                say(case=name, outcome=outcome, reason=reason)


def main(options):
    table = {name: (row, kind) for name, row, kind in cases.groups()}

    def run(group, *rest):
        name, place = group.rsplit(" on ", 1)
        run_group(*table[name], place, options["dtypes"], *rest)

    return sweep.answer(run)
