"""The package against NumPy."""

import contextlib
import gc
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import hetero
from hetero import progress

ROOT = pathlib.Path(sys.argv.pop(1))
MODEL = ROOT / "examples" / "deploy" / "model.mlir"
RULES = "rules: [{op: linalg.add, device: gpu}, {op: linalg.sub, device: cpu}]"


def elementwise(shape, element, op):
    kind = f"tensor<{'x'.join(map(str, shape))}{'x' if shape else ''}{element}>"
    return f"""
func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{
  %0 = {op} %x, %y : {kind}
  return %0 : {kind}
}}
"""


STATE = """
ml_program.global private mutable @sum(dense<1.0> : tensor<2x3xf32>) : tensor<2x3xf32> {hetero.device = #hetero.device<DEVICE>}
ml_program.global private mutable @calls(dense<0> : tensor<i64>) : tensor<i64> {hetero.device = #hetero.device<cpu:0>}
func.func @add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ml_program.global_load @sum : tensor<2x3xf32>
  %0 = arith.addf %s, %x : tensor<2x3xf32>
  ml_program.global_store @sum = %0 : tensor<2x3xf32>
  %c = ml_program.global_load @calls : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  %1 = arith.addi %c, %one : tensor<i64>
  ml_program.global_store @calls = %1 : tensor<i64>
  return %0 : tensor<2x3xf32>
}
func.func @double() {
  %s = ml_program.global_load @sum : tensor<2x3xf32>
  %0 = arith.addf %s, %s : tensor<2x3xf32>
  ml_program.global_store @sum = %0 : tensor<2x3xf32>
  return
}
"""


# Takes long to compile.
INTERRUPTED = """
import signal, sys, hetero
# Ignored, where a shell has started the tests in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
kind = "tensor<64x64xf32>"
lines = [f"func.func @main(%v0: {kind}) -> {kind} {{"]
for i in range(6000):
    lines.append(f"%v{i + 1} = linalg.matmul ins(%v{i}, %v{i} : {kind}, {kind}) outs(%v{i} : {kind}) -> {kind}")
lines.append(f"return %v6000 : {kind} }}")
print("begins", flush=True)
try:
    hetero.compile("\\n".join(lines))
except KeyboardInterrupt:
    HANDLER
"""


class StateTest(unittest.TestCase):
    """What a program keeps, on the host and on a device."""

    def each_program(self):
        for device in ("cpu:0", "gpu:0"):
            with self.subTest(device=device):
                yield hetero.compile(STATE.replace("DEVICE", device))

    def test_entries_share(self):
        for program in self.each_program():
            x = np.arange(6, dtype=np.float32).reshape(2, 3)
            np.testing.assert_array_equal(program.entries["add"](x), 1 + x)
            program.entries["double"]()
            np.testing.assert_array_equal(program.entries["add"](x), 2 + 3 * x)

    def test_checkpoint(self):
        for program in self.each_program():
            first = program.state()
            np.testing.assert_array_equal(first["sum"], np.ones((2, 3), np.float32))
            self.assertEqual(first["calls"].shape, ())
            program.entries["add"](np.full((2, 3), 4, np.float32))
            saved = program.state()
            np.testing.assert_array_equal(saved["sum"], np.full((2, 3), 5, np.float32))
            self.assertEqual(int(saved["calls"]), 1)
            program.entries["double"]()
            program.load_state({"sum": saved["sum"]})
            np.testing.assert_array_equal(program.entries["add"](saved["sum"] * 0), saved["sum"])
            self.assertEqual(int(program.state()["calls"]), 2)
            # What was read does not change with the state.
            np.testing.assert_array_equal(first["sum"], np.ones((2, 3), np.float32))

    def test_moves_to_another_placement(self):
        on_host = hetero.compile(STATE.replace("DEVICE", "cpu:0"))
        on_device = hetero.compile(STATE.replace("DEVICE", "gpu:0"))
        on_host.entries["double"]()
        on_device.load_state(on_host.state())
        on_device.entries["double"]()
        np.testing.assert_array_equal(on_device.state()["sum"], np.full((2, 3), 4, np.float32))
        np.testing.assert_array_equal(on_host.state()["sum"], np.full((2, 3), 2, np.float32))

    def test_instances(self):
        for program in self.each_program():
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "state.so")
                program.save(path)
                first, second = hetero.load(path), hetero.load(path)
                first.entries["double"]()
                np.testing.assert_array_equal(first.state()["sum"], np.full((2, 3), 2, np.float32))
                for other in (program, second, hetero.load(path)):
                    np.testing.assert_array_equal(other.state()["sum"], np.ones((2, 3), np.float32))

    def test_threads(self):
        for program in self.each_program():
            x = np.ones((2, 3), np.float32)

            def call():
                for _ in range(50):
                    program.entries["add"](x)

            threads = [threading.Thread(target=call) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            state = program.state()
            np.testing.assert_array_equal(state["sum"], np.full((2, 3), 201, np.float32))
            self.assertEqual(int(state["calls"]), 200)

    def test_errors(self):
        program = hetero.compile(STATE.replace("DEVICE", "gpu:0"))
        with self.assertRaisesRegex(hetero.RunError, "the program has no state 'total'; it has: sum, calls"):
            program.load_state({"total": np.zeros((2, 3), np.float32)})
        with self.assertRaisesRegex(hetero.RunError, "'sum' is expected to be tensor<2x3xf32>"):
            program.load_state({"calls": np.array(7), "sum": np.zeros((3, 3), np.float32)})
        self.assertEqual(int(program.state()["calls"]), 0)
        self.assertEqual(hetero.compile(elementwise((2,), "f32", "arith.addf")).state(), {})


class RequestsTest(unittest.TestCase):
    """Program.map: many requests at once."""

    KIND = "tensor<3xf32>"
    PIPELINE = f"""
func.func @main(%x: {KIND}, %y: {KIND}) -> ({KIND}, {KIND}) {{
  %0 = arith.addf %x, %y {{hetero.device = #hetero.device<gpu:0>}} : {KIND}
  %1 = arith.mulf %0, %y {{hetero.device = #hetero.device<gpu:1>}} : {KIND}
  %2 = arith.subf %1, %x {{hetero.device = #hetero.device<cpu:0>}} : {KIND}
  return %1, %2 : {KIND}, {KIND}
}}
"""

    def test_results_in_order(self):
        program = hetero.compile(self.PIPELINE)
        rows = [np.full((2, 3), i, np.float32) + np.float32([[1], [2]]) for i in range(40)]
        for in_flight in (None, 1, 7):
            positional = program.map((tuple(row) for row in rows), in_flight=in_flight)
            named = program.map([{"arg1": y, "arg0": x} for x, y in rows], in_flight=in_flight)
            self.assertEqual(len(positional), 40)
            for (x, y), *results in zip(rows, positional, named):
                for first, second in results:
                    np.testing.assert_array_equal(first, (x + y) * y)
                    np.testing.assert_array_equal(second, (x + y) * y - x)

    def test_one_argument_and_result(self):
        program = hetero.compile(MODEL, rules=RULES)
        rows = [np.full((2, 3), i, np.float32) for i in range(9)]
        for row, result in zip(rows, program.map(rows)):
            np.testing.assert_array_equal(result, 2 * row - 1)
        self.assertEqual(program.map([]), [])

    def test_loaded_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipeline.so")
            hetero.compile(self.PIPELINE).save(path)
            ones = np.ones(3, np.float32)
            for first, second in hetero.load(path).map([(ones, ones)] * 10):
                np.testing.assert_array_equal(first, 2 * ones)
                np.testing.assert_array_equal(second, ones)

    def test_state_orders_them(self):
        for device in ("cpu:0", "gpu:0"):
            program = hetero.compile(STATE.replace("DEVICE", device))
            x = np.ones((2, 3), np.float32)
            for i, result in enumerate(program.entries["add"].map([x] * 12, in_flight=4)):
                np.testing.assert_array_equal(result, x * (2 + i))
            self.assertEqual(int(program.state()["calls"]), 12)

    def test_donated_arguments(self):
        kind = "tensor<4xf32>"
        place = "hetero.device = #hetero.device<gpu:0>"
        program = hetero.compile(
            f"func.func @main(%x: {kind} {{{place}, hetero.donated}}) -> ({kind} {{{place}}}) {{\n"
            f"  %0 = arith.addf %x, %x {{{place}}} : {kind}\n  return %0 : {kind}\n}}\n"
        )
        for i, result in enumerate(program.map([np.full(4, i, np.float32) for i in range(12)], in_flight=3)):
            np.testing.assert_array_equal(result, np.full(4, 2 * i, np.float32))

    def test_errors(self):
        program = hetero.compile(self.PIPELINE)
        ones = np.ones(3, np.float32)
        with self.assertRaisesRegex(hetero.RunError, "request 2: .*was called with the wrong arguments"):
            program.map([(ones, ones), (ones, ones), (ones,)])
        with self.assertRaisesRegex(hetero.RunError, "request 1: .*'arg0'"):
            program.map([(ones, ones), (np.ones(4, np.float32), ones)])
        for wrong in (0, -1, 1025, True):
            with self.assertRaisesRegex(hetero.RunError, f"from 1 to 1024, got {wrong}"):
                program.map([(ones, ones)], in_flight=wrong)
        with self.assertRaises(TypeError):
            program.map([(ones, ones)], in_flight="many")


class ProgramTest(unittest.TestCase):
    def test_phases(self):
        program = hetero.compile(MODEL, rules=RULES, time_phases=True)
        self.assertGreater(program.phases["compile"], 0.0)
        self.assertRegex(str(program.phases), r"^compile  \d+\.\d{3} s$")
        for phase in ("parse", "passes", "llvm ir", "codegen"):
            self.assertRegex(program.diagnostics, rf"(?m)^{phase} +\d+\.\d{{3}} s$")

    def test_progress(self):
        before, progress.SECONDS = progress.SECONDS, 0.05
        try:
            text = io.StringIO()
            with contextlib.redirect_stderr(text):
                with progress.phase("quick"):
                    pass
                with progress.phase("slow"):
                    time.sleep(0.5)
            self.assertRegex(text.getvalue(), r"^slow \.\.\.\nslow: \d+\.\d s\n$")
            text = io.StringIO()
            text.isatty = lambda: True
            with contextlib.redirect_stderr(text), progress.phase("slow"):
                time.sleep(1.0)
            self.assertRegex(text.getvalue(), r"^\rslow \[[#-]{20}\] \d+ s")
        finally:
            progress.SECONDS = before

    def test_arrays(self):
        program = hetero.compile(MODEL, rules=RULES)
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        for y in (program(x), program(arg0=x), program.entries["main"](x.tolist()), program(x[:, ::-1])[:, ::-1]):
            np.testing.assert_array_equal(y, 2 * x - 1)
        self.assertEqual(repr(program), "main(arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>)")

    def test_element_types(self):
        for element, dtype, op in (
            ("f64", np.float64, "arith.addf"),
            ("f16", np.float16, "arith.addf"),
            ("i8", np.int8, "arith.addi"),
            ("i64", np.int64, "arith.addi"),
            ("i1", np.bool_, "arith.xori"),
        ):
            for shape in ((), (4,), (2, 0)):
                for device in ("cpu", "gpu:0"):
                    program = hetero.compile(elementwise(shape, element, op), default=device)
                    x, y = np.ones(shape, dtype), np.ones(shape, dtype)
                    want = x ^ y if element == "i1" else x + y
                    got = program(x, y)
                    self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
                    np.testing.assert_array_equal(got, want)

    def test_scalars_and_several_results(self):
        program = hetero.compile(
            "func.func @main(%a: f32, %b: i32, %c: complex<f64>) -> (i32, f32, complex<f64>) {\n"
            "  return %b, %a, %c : i32, f32, complex<f64>\n}\n"
        )
        self.assertEqual(program(1.5, -7, 2 - 3j), [-7, 1.5, 2 - 3j])

    def test_results_outlive_program(self):
        program = hetero.compile(MODEL, default="cpu")
        y = program(np.ones((2, 3), np.float32))
        row = y[1]
        del program, y
        np.testing.assert_array_equal(row, [1, 1, 1])

    def test_device_arguments(self):
        kind = "tensor<3xf32>"
        attribute = "{hetero.device = #hetero.device<gpu:0>}"
        program = hetero.compile(
            f"func.func @main(%x: {kind} {attribute}) -> ({kind} {attribute}) {{\n"
            f"  %0 = arith.addf %x, %x : {kind}\n  return %0 : {kind}\n}}\n"
        )
        np.testing.assert_array_equal(program(np.ones(3, np.float32)), [2, 2, 2])

    def test_placement(self):
        placement = hetero.compile(MODEL, rules=RULES).placement
        devices = {op["op"]: (op["device"], op["origin"]) for op in placement.operations}
        self.assertEqual(devices["linalg.add"], ("gpu:0", "rule 1"))
        self.assertEqual(devices["linalg.sub"], ("cpu:0", "rule 2"))
        self.assertIn(24, [copy.get("bytes") for copy in placement.copies])
        self.assertRegex(str(placement), r"linalg\.add +gpu:0 +rule 1 +\d")

    def test_tuned(self):
        """The program is that of the shortest calls; what was measured places later programs."""
        source = elementwise((4, 4), "f32", "arith.addf")
        x = np.arange(16, dtype=np.float32).reshape(4, 4)
        program = hetero.compile(source, tune=3, inputs=[x, x])
        np.testing.assert_array_equal(program(x, x), x + x)
        tuning = program.tuning
        times = {each["name"]: each["call_seconds"] for each in tuning.placements}
        self.assertEqual(times[tuning.kept], min(times.values()))
        self.assertLessEqual({"round 1", "round 2", "all on cpu:0", "all on gpu:0"}, set(times))
        self.assertRegex(str(tuning), rf"(?m)^kept {tuning.kept}, ")
        measured = {op["where"] for each in tuning.placements for op in each["operations"]}
        self.assertEqual(measured, {"cpu:0", "gpu:0"})
        later = hetero.compile(source, profile=tuning.profile)
        self.assertIsNone(later.tuning)
        self.assertIn("(measured)", " ".join(op["explanation"] for op in later.placement.operations))
        # Arguments are made up where sizes are known.
        self.assertTrue(hetero.compile(source, tune=1).tuning.placements)
        with self.assertRaisesRegex(hetero.CompileError, "whose sizes are not known; give a value for it"):
            hetero.compile(elementwise("?4", "f32", "arith.addf"), tune=1)
        with self.assertRaisesRegex(hetero.CompileError, r"argument 0 is expected to be tensor<4x4xf32>"):
            hetero.compile(source, tune=1, inputs=[x[:2], x])

    def test_measured_times(self):
        program = hetero.compile(MODEL, rules=RULES, mark_nodes=True)
        x = np.ones((2, 3), np.float32)
        before = program.placement
        self.assertEqual(before.measured, [])
        self.assertRegex(str(before), r"(?m)^measured: nothing yet; compile with mark_nodes=True, then ")
        for _ in range(2):
            np.testing.assert_array_equal(program.measure(x), program(x))
        placement = program.placement
        times = {op["op"]: op.get("measured_seconds") for op in placement.operations}
        self.assertGreater(times["linalg.add"], 0)
        self.assertGreater(times["linalg.sub"], 0)
        self.assertEqual({row["device"] for row in placement.measured}, {"cpu:0", "gpu:0"})
        # What is divided among operations adds up to what was measured.
        self.assertAlmostEqual(
            sum(filter(None, times.values())), sum(row["seconds"] for row in placement.measured), delta=1e-9
        )
        self.assertRegex(str(placement), r"linalg\.add +gpu:0 +rule 1 +\d[^ ]* \w+ +~?\d[^ ]* \w+\n")
        plain = hetero.compile(MODEL, rules=RULES)
        with self.assertRaisesRegex(hetero.RunError, "expected a program that was compiled here with the option 'mark-nodes'"):
            plain.measure(x)

    def test_save_load_view(self):
        program = hetero.compile(MODEL, default="gpu:0")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.so"
            program.save(path)
            program.view(pathlib.Path(folder) / "model.html")
            self.assertIn("<html", (pathlib.Path(folder) / "model.html").read_text())
            program.view(pathlib.Path(folder) / "both.html", against=hetero.compile(MODEL, rules=RULES))
            self.assertIn('id="against"', (pathlib.Path(folder) / "both.html").read_text())
            loaded = hetero.load(path)
            np.testing.assert_array_equal(loaded(np.ones((2, 3), np.float32)), np.ones((2, 3)))
            with self.assertRaisesRegex(hetero.CompileError, "does not know where"):
                loaded.placement
            with self.assertRaisesRegex(hetero.CompileError, "the other program was loaded"):
                program.view(pathlib.Path(folder) / "both.html", against=loaded)
            with self.assertRaisesRegex(hetero.CompileError, "cannot tell what to write"):
                program.save(pathlib.Path(folder) / "model.what")

    def test_threads(self):
        program = hetero.compile(MODEL, default="cpu")
        wrong = []

        def call(number):
            x = np.full((2, 3), number, np.float32)
            wrong.extend(1 for _ in range(20) if not np.array_equal(program(x), 2 * x - 1))

        threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_names_stay_in_files(self):
        """A saved network has the names and dtypes of its arguments, whose integers have signs."""
        from hetero.importers import Imported

        source = elementwise((2,), "i8", "arith.addi").encode()
        network = Imported("net", source, ["image", "bias"], ["sum"], ["uint8", "uint8"], ["uint8"])
        program = hetero.compile(network)
        with tempfile.TemporaryDirectory() as folder:
            program.save(os.path.join(folder, "net.so"))
            loaded = hetero.load(os.path.join(folder, "net.so"))
        image, bias = np.array([200, 1], np.uint8), np.array([50, 2], np.uint8)
        for each in (program, loaded):
            self.assertEqual(repr(each), "main(image: tensor<2xi8>, bias: tensor<2xi8>) -> (tensor<2xi8>)")
            self.assertEqual(each.main.result_names, ["sum"])
            result = each(bias=bias, image=image)
            self.assertEqual((result.dtype, result.tolist()), (np.uint8, [250, 3]))

    def test_text_of_one_line(self):
        """A module is told from the name of a file by what it has."""
        program = hetero.compile("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
        np.testing.assert_array_equal(program(np.ones(2, np.float32)), [1, 1])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "{a}.mlir")
            pathlib.Path(path).write_text("func.func @main() { return }")
            self.assertEqual(repr(hetero.compile(path)), "main() -> ()")

    def test_idle_rules_warn(self):
        """What the command line warns of is a warning of Python, at the line that compiles."""
        with self.assertWarnsRegex(hetero.CompileWarning, "rule 1 matches no operation") as caught:
            hetero.compile(MODEL, rules="rules: [{source: Conv, device: gpu}]")
        self.assertEqual(caught.filename, __file__)

    def test_reset(self):
        """A kernel that stops takes its device away until reset()."""
        program = hetero.compile(
            "func.func @main(%x: tensor<4xf32>, %i: tensor<2xi64>, %out: tensor<2xf32>) -> tensor<2xf32> {\n"
            "  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],\n"
            "      iterator_types = [\"parallel\"]} ins(%i : tensor<2xi64>) outs(%out : tensor<2xf32>) {\n"
            "  ^bb0(%i0: i64, %o: f32):\n    %index = arith.index_cast %i0 : i64 to index\n"
            "    %e = tensor.extract %x[%index] : tensor<4xf32>\n"
            "    linalg.yield %e : f32\n  } -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n",
            default="gpu:0",
        )
        x, out = np.arange(4, dtype=np.float32), np.zeros(2, np.float32)
        for _ in range(2):
            with self.assertRaisesRegex(hetero.RunError, r"expected index 0 of tensor.extract .*hetero\.reset\(\)"):
                program(x, np.array([7, 1]), out)
            with self.assertRaisesRegex(hetero.RunError, r"call hetero\.reset\(\) first"):
                program(x, np.array([0, 1]), out)
            hetero.reset()
            np.testing.assert_array_equal(program(x, np.array([3, 1]), out), [3, 1])

    def test_interrupt(self):
        """Ctrl-C ends a compilation and the process; what catches it goes on, and ends as it wants to."""
        for caught, status in (("raise", -signal.SIGINT), ("sys.exit(7)", 7)):
            code = INTERRUPTED.replace("HANDLER", caught)
            with self.subTest(status=status):
                child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                self.assertEqual(child.stdout.readline(), b"begins\n")
                time.sleep(1)
                self.assertIsNone(child.poll())
                child.send_signal(signal.SIGINT)
                start = time.monotonic()
                self.assertEqual(child.wait(60), status)
                # A second, and what a busy machine needs.
                self.assertLess(time.monotonic() - start, 5)
                child.stdout.close()

    def test_copies_of_the_process(self):
        """A copy that drops what it has of the program ends, and leaves the program as it is."""
        program = hetero.compile(MODEL)
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        result = program(x)
        copy = os.fork()
        if copy == 0:
            del program, result
            gc.collect()
            os._exit(0)
        deadline = time.monotonic() + 60
        while (ended := os.waitpid(copy, os.WNOHANG)) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(copy, signal.SIGKILL)
                os.waitpid(copy, 0)
                self.fail("the copy does not end")
            time.sleep(0.01)
        self.assertEqual(ended[1], 0)
        np.testing.assert_array_equal(program(x), result)

    def test_errors(self):
        program = hetero.compile(MODEL, default="cpu")
        x = np.zeros((2, 3), np.float32)
        for arguments, text in (
            ((), "wrong arguments: 0 by position"),
            ((x, x), "wrong arguments: 2 by position"),
            ((x.astype(np.float64),), r"expected to be tensor<2x3xf32> \(dtype float32\), got dtype float64"),
            ((np.zeros((3, 2), np.float32),), r"of shape \(3, 2\)"),
        ):
            with self.assertRaisesRegex(hetero.RunError, text):
                program(*arguments)
        with self.assertRaisesRegex(hetero.RunError, "0 by position, z"):
            program(z=x)
        for model, options, text in (
            ("/nowhere.mlir", {}, "cannot read '/nowhere.mlir'"),
            ("func.func @f( {\n", {}, "<text>:1:"),
            (MODEL, {"rule": "x"}, "no option is named 'rule'"),
            (MODEL, {"opt_level": "high"}, "expected an integer for the option 'opt-level'"),
            (MODEL, {"rules": "rules: [{op: 7}]"}, "<rules>:1:10: error: expected a device in rule 1"),
        ):
            with self.assertRaisesRegex(hetero.CompileError, text):
                hetero.compile(model, **options)
        with self.assertRaisesRegex(hetero.CompileError, "cannot load the program"):
            hetero.load(__file__)

    def test_errors_are_of_the_package(self):
        """Whatever is given, what is raised is a hetero.Error."""

        class Shared:
            """What shares elements that NumPy lacks, as PyTorch's bfloat16 does."""

            dtype = "bfloat16"

            def __dlpack__(self, **_):
                raise BufferError("unsupported dtype")

            def __dlpack_device__(self):
                return (1, 0)

        program = hetero.compile(MODEL, default="cpu")
        for argument in (Shared(), [[1], [2, 3]], "text", None, object(), {}):
            with self.subTest(argument=argument), self.assertRaisesRegex(hetero.RunError, "'arg0'"):
                program(argument)
        with self.assertRaisesRegex(hetero.RunError, "of dtype bfloat16 cannot be taken as an array: unsupported dtype; give"):
            program(Shared())
        # A misspelt option is found before there is an import.
        for model, options in (
            ("/nowhere.onnx", {"ruls": "x"}),
            ("a" * 5000, {}),
            ("a" * 5000 + ".onnx", {}),
            ("a\0b", {}),
            ("nowhere {", {}),
            (MODEL, {"tune": "often"}),
            (MODEL, {"tune": 1, "inputs": [[[1], [2, 3]]]}),
        ):
            with self.subTest(model=str(model)[:40], options=options), self.assertRaises(hetero.Error) as raised:
                hetero.compile(model, **options)
            if "ruls" in options:
                self.assertIn("no option is named 'ruls'", str(raised.exception))
        with self.assertRaisesRegex(hetero.CompileError, "cannot write '/nowhere/x.html'"):
            program.view("/nowhere/x.html")


if __name__ == "__main__":
    unittest.main()
