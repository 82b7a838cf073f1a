"""The worker: takes groups of cases by lines of JSON and answers with a line for each case.

The importer runs in this process, which makes a case ten times as cheap; its crash ends the worker.
"""

import json
import os
import pathlib
import tempfile
import time

import jax
import numpy as np

import cases
import compare
import hetero
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
            child.write(module, str(output))
        except (child.Failure, hetero.ImportFailure) as failure:
            raise Refused(f"import: {failure}") from None
        return importers.Imported("function", output.read_bytes(), **{**names, **signature})


def run_ours(case, place):
    imported = import_here(case)
    try:
        program = hetero.compile(imported, rules=f'default: "{place}"')
    except hetero.CompileError as error:
        raise Refused(f"compile: {error}") from None
    try:
        got = program(*case.arguments)
    except hetero.RunError as error:
        raise Refused(f"run: {error}") from None
    return [np.asarray(value) for value in (got if isinstance(got, (tuple, list)) else [got])]


def run_reference(case):
    return [np.asarray(value) for value in jax.tree_util.tree_leaves(jax.jit(case.reference)(*case.arguments))]


def judge(case, place):
    """Outcome and reason; no outcome where JAX itself has none."""
    with cases.enable_x64(case.is_wide):
        try:
            want = run_reference(case)
        except Exception as error:  # JAX takes the types, and cannot compile it.
            return None, f"{type(error).__name__}: {error}"
        try:
            difference = compare.compare(run_ours(case, place), want)
        except Refused as refused:
            return "refused", str(refused)
        except Exception as error:  # None but the package's own is to come.
            return "crashed", f"{type(error).__name__}: {error}"
    return ("wrong" if difference else "right"), difference


def run_group(row, kind, options, done, say):
    """Cases that are not in `done`: all in one program, and each by itself if that is not right."""
    made = [case for case in cases.of_group(row, kind, options["dtypes"]) if case.name not in done]
    for wide in (False, True):
        some = [case for case in made if case.is_wide == wide]
        if len(some) > 1 and not done:
            say(case="joined")
            if judge(cases.join(some), options["place"])[0] == "right":
                for case in some:
                    say(case=case.name, outcome="right", reason="")
                continue
        for case in some:
            say(case=case.name)
            outcome, reason = judge(case, options["place"])
            if outcome:
                say(case=case.name, outcome=outcome, reason=reason)


def main(options):
    """Answers to the lines of the standard input. What libraries print is not among them."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    table = {name: (row, kind) for name, row, kind in cases.groups()}

    def say(**fields):
        channel.write(json.dumps(fields) + "\n")
        channel.flush()

    import sys

    for line in sys.stdin:
        request, started = json.loads(line), time.time()
        run_group(*table[request["group"]], options, set(request["done"]), say)
        say(finished=request["group"], seconds=time.time() - started)
    return 0
