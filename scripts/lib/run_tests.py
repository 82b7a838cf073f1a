#!/usr/bin/env python3
"""The stages of scripts/test: each runs commands, counts what passed,
failed and was skipped, and prints one line, with the time that it took and that
of processors; a failed one prints its output."""

import concurrent.futures
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
LIT = "/usr/lib/llvm-22/bin/lit"
FILECHECK = "/usr/lib/llvm-22/bin/FileCheck"
JOBS = str(os.cpu_count() or 2)


class Stage:
    """What one stage has counted, and the output that a failure shows."""

    def __init__(self, name):
        self.name = name
        self.passed = self.failed = 0
        self.skipped = []
        self.output = []

    def run(self, command, env=None, timeout=1500, cwd=ROOT):
        """Runs a command; returns its exit status and output."""
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=timeout,
            )
            status, text = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            status = 124
            text = (error.stdout or b"").decode(errors="replace")
            text += f"\nstopped after {timeout} s"
        except OSError as error:
            status, text = 127, str(error)
        self.output.append((status, f"$ {' '.join(command)}\n{text}"))
        return status, text

    def note(self, text):
        """Adds a line for the output of a failure."""
        self.output.append((1, text))

    def failures(self):
        """The output of the commands that failed, or all of it."""
        bad = [text for status, text in self.output if status]
        return "\n".join(bad or [text for _, text in self.output])

    def check(self, command, **options):
        """Runs a command that counts as one test."""
        status, text = self.run(command, **options)
        if status == 0:
            self.passed += 1
        else:
            self.failed += 1
        return status == 0


def build(stage, preset, targets, options=(), env=None):
    """Configures a preset, if it is not, and builds; True when both worked."""
    if not os.path.exists(os.path.join(BUILD, preset, "build.ninja")):
        status, _ = stage.run(["cmake", "--preset", preset, *options], env=env)
        if status:
            stage.failed += 1
            return False
    return stage.check(["ninja", "-C", os.path.join(BUILD, preset), "-j", JOBS, *targets], timeout=2400)


def count_gtests(stage, programs, env=None):
    """Runs GoogleTest programs, one for each processor at a time, and counts their tests."""
    timeout = 2400 if os.environ.get("HETERO_FULL_TESTS") else 1200
    with concurrent.futures.ThreadPoolExecutor(int(JOBS)) as pool:
        outcomes = pool.map(lambda program: stage.run([program], env=env, timeout=timeout), programs)
        for program, (status, text) in zip(programs, outcomes):
            count_gtest(stage, program, status, text)


def count_gtest(stage, program, status, text):
    """Counts the tests of a GoogleTest program by its output."""
    passed = re.search(r"\[  PASSED  \] (\d+) test", text)
    failed = re.search(r"\[  FAILED  \] (\d+) test", text)
    stage.passed += int(passed.group(1)) if passed else 0
    stage.failed += int(failed.group(1)) if failed else (1 if status else 0)
    if not passed and not failed and not status:
        stage.failed += 1
        stage.note(f"{program} ran no test")
    for name in sorted(set(re.findall(r"\[  SKIPPED \] ([\w./]+)", text))):
        reason = re.search(re.escape(name.split(".")[-1]) + r"[\s\S]{0,400}?Skipped\n(.*)", text)
        stage.skipped.append(f"{name}: {reason.group(1).strip() if reason else 'see its output'}")


def count_lit(stage, directories, env=None, parameters=()):
    """Runs lit and counts its tests."""
    command = [LIT, "-sv", "--show-unsupported", "-j", JOBS, *parameters, *directories]
    _, text = stage.run(command, env=env, timeout=1500)
    counts = dict(re.findall(r"^\s*([A-Z][\w ]+?)\s*:\s*(\d+) \(", text, re.M))
    stage.passed += int(counts.get("Passed", 0)) + int(counts.get("Expectedly Failed", 0))
    bad = sum(int(counts.get(name, 0)) for name in ("Failed", "Unresolved", "Unexpectedly Passed", "Timed Out"))
    stage.failed += bad
    unsupported = re.search(r"^Unsupported Tests \(\d+\):\n((?:  .*\n)*)", text, re.M)
    for name in re.findall(r"^  (?:HETERO :: )?(\S+)", unsupported.group(1), re.M) if unsupported else ():
        stage.skipped.append(f"{name}: needs what this machine lacks (see its REQUIRES line)")
    if not counts:
        stage.failed += 1


def unit_programs(preset, names=None):
    found = glob.glob(os.path.join(BUILD, preset, "bin", "*Tests"))
    found += glob.glob(os.path.join(BUILD, preset, "test", "Unit", "**", "*Tests"), recursive=True)
    return sorted(path for path in found if names is None or os.path.basename(path) in names)


def unit_targets():
    """The GoogleTest programs of the project, by the CMake files that add them."""
    targets = []
    for path in glob.glob(os.path.join(ROOT, "test", "Unit", "**", "CMakeLists.txt"), recursive=True):
        with open(path) as file:
            targets += re.findall(r"\b(?:add_executable|add_hetero_unittest|add_hetero_unit_test)\(\s*(\w+)", file.read())
    return sorted(name for name in targets if name.endswith("Tests"))


# Stages, in order: what is cheap and breaks often comes first.


def format_stage(stage):
    files = subprocess.run(
        ["git", "ls-files", "*.h", "*.cpp", "*.c", "*.cu"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    stage.check(["clang-format-22", "--dry-run", "-Werror", *files])


def lint_stage(stage):
    stage.check(["/usr/bin/python3", "scripts/lib/lint.py"])
    stage.check(["/usr/bin/python3", "scripts/lib/lint_test.py"])


def changed_sources():
    """Sources that differ from the main branch, or from the commit before."""
    for base in ("origin/main", "main", "HEAD~1"):
        found = subprocess.run(["git", "merge-base", "HEAD", base], cwd=ROOT, capture_output=True, text=True)
        names = subprocess.run(
            ["git", "diff", "--name-only", "--diff-filter=d", found.stdout.strip() or "HEAD"], cwd=ROOT, capture_output=True, text=True
        ).stdout.split()
        if found.returncode == 0 and names:
            return names
    return []


def tidy_sources():
    """What clang-tidy looks at: what is quickly read, and what has changed; with
    --full all of the project."""
    tracked = subprocess.run(["git", "ls-files", "lib/*.cpp", "tools/*.cpp"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    if os.environ.get("HETERO_FULL_TESTS"):
        return tracked
    changed = set(changed_sources())
    return [name for name in tracked if name in changed or name.startswith(TIDY_ALWAYS)]


TIDY_ALWAYS = ("lib/Runtime/", "lib/Runner/", "lib/Support/")


def write_commands(stage, folder):
    """The commands that compile each file alone and without precompiled headers, all of which clang-tidy would look at."""
    alone = os.path.join(folder, "build")
    if not stage.check(["cmake", "--preset", "plain", "-B", alone]):
        return False
    with open(os.path.join(alone, "compile_commands.json")) as file:
        commands = file.read()
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        file.write(commands.replace(alone, os.path.join(BUILD, "dev")))
    return True


def tidy_stage(stage):
    """The checks of .clang-tidy; the build has made what headers are generated."""
    if not os.path.exists(os.path.join(BUILD, "dev", "build.ninja")):
        stage.skipped.append("there is no build/dev; build it first")
        return
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(int(JOBS)) as pool:
        if write_commands(stage, folder):
            for checked in [pool.submit(stage.check, ["clang-tidy-22", "--quiet", "-p", folder, name]) for name in tidy_sources()]:
                checked.result()


def docs_stage(stage):
    stage.check(["scripts/docs", "--check"])


def build_stage(stage):
    """As scripts/run does, files of a folder together; the stage tsan compiles each alone, and tidy those that changed."""
    build(stage, "dev", [], ["-DHETERO_UNITY_BUILD=ON"])


def plain_stage(stage):
    """Each file compiles by what it includes itself."""
    build(stage, "plain", [])


# Programs that link the whole compiler, most of whose memory is MLIR's. With sanitizers they take longer to build than
# all else; only with --full, or by name, they are built so, and the others run without sanitizers.
COMPILER_TESTS = {f"Hetero{name}Tests" for name in ("Analysis", "Codegen", "Compiler", "Dialect", "Program", "Transforms")}


def splits_unit_tests():
    """Whether the stages unit and asan share the programs, instead of both running all."""
    return {"unit", "asan"} <= WANTED and not os.environ.get("HETERO_FULL_TESTS")


def unit_stage(stage):
    programs = unit_programs("dev", COMPILER_TESTS if splits_unit_tests() else None)
    count_gtests(stage, programs)
    if not programs:
        stage.failed += 1
        stage.note("no unit test program was built")


KEPT_KERNELS = os.path.join(BUILD, "dev", "kept-kernels")


# Tests that take a minute and differ from others in a version only.
LEFT_TO_FULL = ["Tools/toolkit-algorithms-90"]


def lit_stage(stage):
    shutil.rmtree(KEPT_KERNELS, ignore_errors=True)
    # Networks have a stage of their own, which installs what they need.
    left = [] if os.environ.get("HETERO_FULL_TESTS") else LEFT_TO_FULL
    others = ("--filter-out", "|".join(["Python/Importers", ":: Import/", *left]))
    count_lit(stage, [os.path.join(BUILD, "dev", "test")], env={"HETERO_KEPT_KERNELS": KEPT_KERNELS}, parameters=others)


def kernels_stage(stage):
    """NVIDIA's assembler takes every kernel without spills, as the report says:
    those of the benchmark, those of products of all plans, and all that the stage
    lit compiled."""
    tools = ["--bin", os.path.join(BUILD, "dev", "bin")]
    report = ["benchmarks/gpu-kernels/run.py", "--check", *tools]
    plans = ["benchmarks/gpu-kernels/plans.py", *tools]
    for command in (report, plans, ["benchmarks/gpu-kernels/kept.py", KEPT_KERNELS]):
        status, text = stage.run(["/usr/bin/python3", *command])
        if "skipped:" in text or "not compared" in text:
            stage.skipped.append(text.strip())
        stage.failed += status != 0
        stage.passed += status == 0 and "skipped:" not in text


def count_programs(stage, preset, script, *options):
    """Runs a script of test/Integration that counts its own programs."""
    timeout = 14400 if os.environ.get("HETERO_FULL_TESTS") else 1500
    command = ["/usr/bin/python3", f"test/Integration/{script}", "--build", os.path.join(BUILD, preset), *options]
    _, text = stage.run(command, timeout=timeout)
    last = re.search(r"(\d+) passed, (\d+) failed\s*$", text)
    stage.passed += int(last.group(1)) if last else 0
    stage.failed += int(last.group(2)) if last else 1


def differential_stage(stage):
    for script in ("differential.py", "random_programs.py", "random_dynamic.py", "random_nodes.py"):
        count_programs(stage, "dev", script)


def sanitized(stage, preset, names, env):
    targets = [name for name in unit_targets() if names is None or name in names]
    if not targets:
        stage.failed += 1
        stage.note("no unit test program to run")
        return
    if not build(stage, preset, targets):
        return
    count_gtests(stage, unit_programs(preset, set(targets)), env=env)


# libLLVM and libMLIR are not instrumented: containers that they and we both
# touch look overflowed, and what they leak at exit is not ours.
SANITIZERS = {
    "ASAN_OPTIONS": "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=1:abort_on_error=0",
    "LSAN_OPTIONS": f"suppressions={os.path.join(ROOT, 'scripts', 'lib', 'lsan.supp')}:print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def asan_stage(stage):
    names = set(unit_targets()) - COMPILER_TESTS if splits_unit_tests() else None
    sanitized(stage, "asan", names, SANITIZERS)


def fuzz(stage, program, folder, *options):
    """Runs a fuzzer on the seeds of a folder: for seconds, with --full for ten minutes."""
    stage.check(
        [
            os.path.join(BUILD, "fuzz", "bin", program),
            "-seed=1",
            f"-max_total_time={600 if os.environ.get('HETERO_FULL_TESTS') else 20}",
            f"-artifact_prefix={os.path.join(BUILD, 'fuzz', '')}",
            *options,
            os.path.join(folder, "seeds"),
        ],
        env=SANITIZERS,
    )


def fuzz_stage(stage):
    """The front end of the PTX compiler, and the reader of ONNX."""
    if not build(stage, "fuzz", ["HeteroPTXFuzzer", "HeteroONNXFuzzer"]):
        return
    sources = ("test/Unit/Emulator/Inputs/*.ptx", "build/dev/test/Unit/Emulator/Execute/*.ptx")
    files = sorted(path for pattern in sources for path in glob.glob(os.path.join(ROOT, pattern)))
    with tempfile.TemporaryDirectory() as folder:
        if stage.check(["test/Unit/Emulator/PTX/seeds.py", folder, *files]):
            fuzz(stage, "HeteroPTXFuzzer", folder, f"-dict={os.path.join(folder, 'ptx.dict')}")
    with tempfile.TemporaryDirectory() as folder:
        if stage.check(["test/Unit/Import/ONNX/seeds.py", os.path.join(folder, "seeds")]):
            fuzz(stage, "HeteroONNXFuzzer", folder, "-timeout=20", "-malloc_limit_mb=1024")


def tsan_stage(stage):
    env = {"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"}
    sanitized(stage, "tsan", {name for name in unit_targets() if "Runtime" in name}, env)


def examples_stage(stage):
    """scripts/run prints for each example what the example's lit test expects of
    hetero-run."""
    env = {"HETERO_CUDA_DRIVER": "emulator"}
    models = [("shared-operand", [])]
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        name = os.path.splitext(os.path.basename(path))[0]
        models.append((name, [os.path.relpath(path, ROOT)]))
    for name, arguments in models:
        expected = os.path.join(ROOT, "test", "Examples", name + ".test")
        with open(expected) as file:
            if "# REPORT:" not in file.read():
                stage.skipped.append(f"{name}: its test expects no report")
                continue
        status, text = stage.run(["scripts/run", *arguments], env=env)
        with tempfile.NamedTemporaryFile("w") as output:
            output.write(text)
            output.flush()
            check = [FILECHECK, expected, "--check-prefix=REPORT", "--input-file", output.name]
            if status == 0:
                stage.check(check)
            else:
                stage.failed += 1


def plugin_stage(stage, prefix, there, configure):
    """Builds the plugin against an installed project, as `configure` does another one, and runs its program."""
    configure = [*configure[:2], "examples/plugin", "-B", there, *configure[5:]]
    if stage.check(configure) and stage.check(["ninja", "-C", there]):
        run = [os.path.join(prefix, "bin", "hetero-run"), "examples/plugin/dsp.mlir"]
        run += [f"--load-dialect-plugin={there}/dsp-plugin.so", f"--shared-libs={there}/libdsp.so"]
        run += ["--input=2x3xf32=iota", "--input=2x3xf32=1", "--input=3x2xf32=1", "--expected=2x3xf32=-2,-4,-10,-20,-34,-52", "--expected=2x2xf32=-15,-15,-105,-105"]
        stage.check(run, env={"HETERO_CUDA_DRIVER": "emulator"})


def downstream_stage(stage):
    with tempfile.TemporaryDirectory() as work:
        prefix, there = os.path.join(work, "prefix"), os.path.join(work, "build")
        configure = ["cmake", "-S", "examples/downstream", "-B", there, "-G", "Ninja"]
        configure += [f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22"]
        program = [os.path.join(there, "place-and-count"), "examples/shared-operand.mlir"]
        if (
            stage.check(["cmake", "--install", os.path.join(BUILD, "dev"), "--prefix", prefix])
            and stage.check(configure)
            and stage.check(["ninja", "-C", there])
        ):
            status, text = stage.run(program)
            good = status == 0 and "#hetero.device<cpu:0> -> #hetero.device<gpu:0>" in text
            stage.passed += good
            stage.failed += not good
            program = [os.path.join(there, "register-kind"), "examples/downstream/scaler.mlir", "hetero-pipeline{stop-after=codegen}"]
            status, text = stage.run(program)
            good = status == 0 and 'hetero.execute "main_scaler0_0" on #hetero.device<scaler:0>' in text
            stage.passed += good
            stage.failed += not good
            plugin_stage(stage, prefix, os.path.join(work, "plugin"), configure)
            status, text = stage.run([os.path.join(there, "ask-costs"), "examples/downstream/scaler.mlir"])
            good = status == 0 and re.search(r"^linalg.add: cpu:0 \d+ gpu:0 \d+", text, re.M) is not None
            stage.passed += good
            stage.failed += not good
            run = [os.path.join(prefix, "bin", "hetero-run"), "examples/shared-operand.mlir"]
            run += ["--input=5x7xf32=iota", "--input=5x7xf32=2.5", "--input=5x7xf32=1", "--expected=5x7xf32=" + ",".join(str(i - 1) for i in range(35))]
            stage.check(run, env={"HETERO_CUDA_DRIVER": "emulator"})


# What makes each virtual environment: begun before the first stage, since the
# network's time is nobody's.
PYTHONS = {}


def make_python(environment):
    """Makes a virtual environment as scripts/lib/setup.sh does; its last line names the interpreter."""
    setup = f'source scripts/lib/setup.sh; hetero_{environment} && echo "python:$HETERO_{environment.upper()}/bin/python"'
    return Stage(environment).run(["bash", "-c", setup])


def begin_pythons(environments):
    pool = concurrent.futures.ThreadPoolExecutor(1)
    PYTHONS.update({name: pool.submit(make_python, name) for name in environments})


def get_python(stage, environment):
    """The interpreter of a virtual environment that scripts/lib/setup.sh makes; None, and a skipped test, without PyPI."""
    if environment not in PYTHONS:
        begin_pythons([environment])
    status, text = PYTHONS[environment].result()
    stage.output.append((status, text))
    python = re.search(r"^python:(.*)$", text, re.M)
    if python:
        return python.group(1)
    stage.skipped.append(f"hetero_{environment} of scripts/lib/setup.sh cannot make what it needs: " + text.strip().splitlines()[-1])
    stage.output.clear()
    return None


def page_stage(stage):
    """The page of a placement in Debian's browser, without a screen."""
    python = get_python(stage, "page")
    if not python:
        return
    _, text = stage.run([python, "test/Target/Page/run.py", "--bin", os.path.join(BUILD, "dev", "bin")], timeout=600)
    last = re.search(r"(\d+) passed, (\d+) failed\s*$", text)
    stage.passed += int(last.group(1)) if last else 0
    stage.failed += int(last.group(2)) if last else 1
    if not last or int(last.group(2)):
        stage.note(text)


def importers_stage(stage):
    """Networks of other front ends, imported and run, with the numbers of theirs."""
    python = get_python(stage, "importers")
    if not python:
        return
    env = {
        "HETERO_IMPORTERS_PYTHON": python,
        "HETERO_CUDA_DRIVER": "emulator",
        "HETERO_LIBRARY": os.path.join(BUILD, "dev", "lib", "libhetero.so"),
    }
    nodes = [python, "benchmarks/onnx-nodes/run.py", f"--jobs={JOBS}"]
    nodes += [] if os.environ.get("HETERO_FULL_TESTS") else ["--every=20", "--least=90"]
    stage.check(nodes, env=env, timeout=3600)
    if os.environ.get("HETERO_FULL_TESTS"):
        programs = [python, "benchmarks/jax-programs/run.py", f"--jobs={JOBS}"]
        stage.check(programs, env=env, timeout=4 * 3600)
        stage.check([*programs, "--grep=random program", "--places=gpu:0,split"], env=env, timeout=4 * 3600)
    models = get_python(stage, "models")
    if models:
        count = 2000 if os.environ.get("HETERO_FULL_TESTS") else 100
        stage.check([models, "benchmarks/onnx-mutations/run.py", f"--count={count}"], env=env, timeout=4 * 3600)
        sweep = [models, "benchmarks/onnx-sweep/run.py", f"--library={env['HETERO_LIBRARY']}", f"--jobs={JOBS}"]
        sweep += [] if os.environ.get("HETERO_FULL_TESTS") else ["--slice=7/120"]
        stage.check(sweep, env=env, timeout=4 * 3600)
        networks = [models, "benchmarks/networks/run.py"]
        networks += [] if os.environ.get("HETERO_FULL_TESTS") else ["--only=magika,okay_nabu,vad_16k_sequence"]
        stage.check(networks, env=env, timeout=4 * 3600)
    importers = os.path.join(BUILD, "dev", "test", "Python", "Importers")
    count_lit(stage, [importers, os.path.join(BUILD, "dev", "test", "Import")], env=env)
    newest = get_python(stage, "newest") if os.environ.get("HETERO_FULL_TESTS") else None
    if newest:
        jax = [os.path.join(importers, f"{name}.test") for name in ("jax-functions", "stablehlo-tests")]
        count_lit(stage, jax, env={**env, "HETERO_IMPORTERS_PYTHON": newest})


def check_pytorch(stage, python, is_whole):
    """Operations, random programs and modules by one version of PyTorch."""
    env = {"HETERO_PYTORCH_PYTHON": python, "HETERO_CUDA_DRIVER": "emulator"}
    part = [] if is_whole else ["--slice=7/40"]
    for dtype in ("float32", "uint8", "int32"):
        operations = [python, "benchmarks/opinfo/run.py", f"--jobs={JOBS}", f"--dtype={dtype}", *part]
        stage.check(operations, env=env, timeout=4 * 3600)
    programs = [f"--programs={300 if is_whole else 10}", "--place=cpu,gpu:0,split", f"--jobs={JOBS}"]
    stage.check([python, "benchmarks/opinfo/run.py", *programs], env=env, timeout=4 * 3600)
    count_lit(stage, [os.path.join(BUILD, "dev", "test", "Python", "Importers", "pytorch.test")], env=env)


def pytorch_stage(stage):
    """PyTorch, which takes gigabytes: its oldest version in the range, and of all tests also the newest one."""
    is_full = bool(os.environ.get("HETERO_FULL_TESTS"))
    oldest = get_python(stage, "pytorch")
    if oldest:
        check_pytorch(stage, oldest, is_full)
    newest = get_python(stage, "newest_pytorch") if is_full else None
    if newest:
        check_pytorch(stage, newest, False)


def wheel_stage(stage):
    """The wheel of the build that is there, in an environment that has nothing else; then what the documents show of
    networks, with the importers that the wheel names."""
    if not get_python(stage, "wheel_tools"):
        return
    with tempfile.TemporaryDirectory() as folder:
        if not stage.check(["scripts/wheel", folder, "dev"]):
            return
        (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
        python = os.path.join(folder, "empty", "bin", "python")
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        start = ["env", "-i", "PATH=/usr/bin:/bin", "HETERO_CUDA_DRIVER=emulator", python]
        stage.check(["/usr/bin/python3", "-m", "venv", os.path.join(folder, "empty")])
        stage.check([*install, wheel])
        stage.check([*start, "test/Python/Inputs/five_lines.py", "examples/deploy/model.mlir"])
        stage.check([*start, "test/Python/Inputs/reader.py", "examples/lenet.onnx"])
        stage.check([*install, f"{wheel}[jax,onnx]"])
        stage.check([*start, "test/Python/Inputs/network_lines.py", "."])


def gpu_check_stage(stage):
    """A bundle of each 16th test, unpacked elsewhere, passes on the emulator in an
    environment without the compiler's libraries."""
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "bundle.tar.xz")
        make = ["/usr/bin/python3", "scripts/lib/gpu_check_bundle.py", "--every=16", "-o", archive]
        if not stage.check(make) or not stage.check(["tar", "-xJf", archive, "-C", folder]):
            return
        driver = os.path.join(BUILD, "dev", "lib", "libhetero_cuda_emulator.so")
        start = ["env", "-i", "PATH=/usr/bin:/bin", f"HETERO_CUDA_DRIVER={driver}", "HETERO_EMULATOR=devices=4", "./gpu-check", "--minutes=2"]
        _, text = stage.run([*start, f"--jobs={JOBS}"], cwd=os.path.join(folder, "hetero-gpu-check"))
        counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped", text)
        stage.passed += int(counts.group(1)) if counts else 0
        stage.failed += int(counts.group(2)) if counts else 1
        stage.skipped += [line for line in text.splitlines() if line.startswith("nothing is measured")]


def assert_stage(stage):
    """What lit and the random programs run, with the assertions of LLVM and MLIR."""
    if not stage.check(["/usr/bin/python3", "scripts/lib/asserting_mlir.py"]):
        return
    folder = stage.output[-1][1].split()[-1]
    env = {f"{name.upper()}_DIR": os.path.join(folder, name, "lib", "cmake", name) for name in ("mlir", "llvm")}
    if not build(stage, "assert", [], env=env):
        return
    count_gtests(stage, unit_programs("assert"))
    count_lit(stage, [os.path.join(BUILD, "assert", "test")])
    for script in ("random_programs.py", "random_dynamic.py"):
        count_programs(stage, "assert", script, "--count=40")


STAGES = [
    ("format", format_stage),
    ("lint", lint_stage),
    ("docs", docs_stage),
    ("build", build_stage),
    ("plain", plain_stage),
    ("tidy", tidy_stage),
    ("unit", unit_stage),
    ("lit", lit_stage),
    ("kernels", kernels_stage),
    ("differential", differential_stage),
    ("examples", examples_stage),
    ("downstream", downstream_stage),
    ("page", page_stage),
    ("importers", importers_stage),
    ("pytorch", pytorch_stage),
    ("wheel", wheel_stage),
    ("gpu-check", gpu_check_stage),
    ("asan", asan_stage),
    ("fuzz", fuzz_stage),
    ("tsan", tsan_stage),
    ("assert", assert_stage),
]

# Run when they are named, or with --full.
ON_DEMAND = {"assert", "fuzz", "plain", "pytorch"}
# The stages of this run.
WANTED = set()


def is_wanted(stage, names):
    if names:
        return stage in names
    return stage not in ON_DEMAND or bool(os.environ.get("HETERO_FULL_TESTS"))


# The stages that need Python packages of PyPI, by the name that scripts/lib/setup.sh has for them.
PYTHON_STAGES = {"page": ["page"], "importers": ["importers", "models"], "pytorch": ["pytorch"], "wheel": ["wheel_tools"]}


def git_status():
    return subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout


def processor_seconds():
    """What the commands up to now have used of all processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_stage(name, function):
    stage = Stage(name)
    start, used = time.monotonic(), processor_seconds()
    function(stage)
    seconds, used = time.monotonic() - start, processor_seconds() - used
    counts = f"{stage.passed} passed, {stage.failed} failed, {len(stage.skipped)} skipped"
    print(f"{name}: {counts} in {seconds:.0f} s, {used:.0f} s of processors", flush=True)
    for reason in stage.skipped:
        print(f"  skipped {reason}")
    if stage.failed:
        text = stage.failures()
        print(text if len(text) < 40000 else text[:10000] + "\n[...]\n" + text[-30000:], flush=True)
    return stage


def main():
    names = sys.argv[1:]
    if "--full" in names:
        names.remove("--full")
        os.environ["HETERO_FULL_TESTS"] = "1"
    if "--list" in names:
        print("\n".join(name for name, _ in STAGES))
        return 0
    unknown = [name for name in names if name not in dict(STAGES)]
    if unknown:
        print(f"scripts/test: error: unknown stage '{unknown[0]}'; --list names them", file=sys.stderr)
        return 2
    before = git_status()
    wanted = [(name, function) for name, function in STAGES if is_wanted(name, names)]
    WANTED.update(name for name, _ in wanted)
    begin_pythons(environment for name, _ in wanted for environment in PYTHON_STAGES.get(name, ()))
    stages = [run_stage(name, function) for name, function in wanted]
    if git_status() != before:
        tree = Stage("tree")
        tree.failed = 1
        stages.append(tree)
        print("tree: the tests changed the work tree:\n" + git_status())
    passed = sum(stage.passed for stage in stages)
    failed = sum(stage.failed for stage in stages)
    skipped = sum(len(stage.skipped) for stage in stages)
    print(f"all stages: {processor_seconds():.0f} s of processors, of which there are {JOBS}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
