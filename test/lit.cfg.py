"""lit configuration of the hetero test suite."""

import ctypes
import os
import platform

import lit.formats
import lit.util

config.name = "HETERO"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.excludes = ["Inputs", "lib", "Unit", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hetero_binary_root, "test")

tools = os.path.join(config.hetero_binary_root, "bin")
path = [tools, config.mlir_tools_dir, config.llvm_tools_dir, config.environment.get("PATH", "")]
config.environment["PATH"] = os.path.pathsep.join(path)
# Tests run the same with and without a GPU, and in the same locale everywhere.
config.environment["HETERO_CUDA_DRIVER"] = "emulator"
for name in ("CPU", "EMULATOR", "DEVICE_MAP", "LIBRARIES", "CACHE", "CUDA_DISABLE"):
    config.environment.pop(f"HETERO_{name}", None)
# Keeps the kernels that tests compile, for the assembler: see kept.py in
# benchmarks/gpu-kernels.
if os.environ.get("HETERO_KEPT_KERNELS"):
    config.environment["HETERO_CACHE"] = os.environ["HETERO_KEPT_KERNELS"]
# Records the runs of hetero-run: see scripts/lib/gpu_check_collect.py.
if os.environ.get("HETERO_RECORDED_RUNS"):
    path.insert(0, os.path.join(os.environ["HETERO_RECORDED_RUNS"], "bin"))
    config.environment["PATH"] = os.path.pathsep.join(path)
    for name in ("HETERO_RECORDED_RUNS", "HETERO_RECORDED_TOOL"):
        config.environment[name] = os.environ[name]
for name in ("CUDA_HOME", "CUDA_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "HETERO_FULL_TESTS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%hetero_src", config.hetero_source_root))
config.substitutions.append(("%hetero_bin", config.hetero_binary_root))
config.substitutions.append(("%hetero_lib", os.path.join(config.hetero_binary_root, "lib")))
config.substitutions.append(
    ("%mlir_lib", os.path.join(os.path.dirname(config.mlir_tools_dir), "lib"))
)
config.substitutions.append(("%examples", os.path.join(config.hetero_source_root, "examples")))
config.substitutions.append(("%plugin", os.path.join(tools, "HeteroPlugin.so")))
config.substitutions.append(("%dsp_plugin", os.path.join(tools, "HeteroDspPlugin.so")))
config.substitutions.append(("%dsp_library", os.path.join(config.hetero_binary_root, "lib", "libhetero_dsp.so")))
config.substitutions.append(
    ("%mlir_opt", os.path.join(config.mlir_tools_dir, "mlir-opt"))
)
# Debian's, which has NumPy.
config.substitutions.append(("%python", "/usr/bin/python3"))
# The package on the library of this build, with that, or where the importers are.
package = f"env PYTHONPATH={os.path.join(config.hetero_source_root, 'python')}"
package += f" HETERO_LIBRARY={os.path.join(config.hetero_binary_root, 'lib', 'libhetero.so')}"
config.substitutions.append(("%hetero_python", f"{package} /usr/bin/python3"))
for environment in ("importers", "pytorch"):
    python = os.environ.get(f"HETERO_{environment.upper()}_PYTHON")
    if python:
        config.available_features.add(environment)
        config.substitutions.append((f"%{environment}_python", f"{package} JAX_PLATFORMS=cpu {python}"))

# Every input of hetero-opt must print as it parses: the suite checks that on
# the side, except for a run that says %hetero_opt.
config.substitutions.append(("%hetero_opt", os.path.join(tools, "hetero-opt")))
for tool in ("hetero-opt", "hetero-opt-test-passes"):
    config.substitutions.append((rf"(?<![\w/.%-]){tool}(?![\w.-])", f"{tool} --verify-roundtrip"))

if platform.machine() == "x86_64":
    config.available_features.add("x86-64")

# What starts several ranks, also as root and with more of them than processors.
if os.path.exists(os.path.join(config.hetero_binary_root, "lib", "libhetero_mpi.so")):
    if lit.util.which("mpirun", config.environment["PATH"]):
        config.available_features.add("mpi")
    if all(lit.util.which(tool, config.environment["PATH"]) for tool in ("mpicxx.mpich", "mpiexec.mpich")):
        config.available_features.add("mpich")
for name in ("ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"):
    config.environment[f"OMPI_{name}"] = "1"

# Where cost has no GPU to place on.
try:
    ctypes.CDLL("libcuda.so.1")
except OSError:
    config.available_features.add("no-gpu")

# The library that the toolkit gives to link with; no driver.
stub = next(
    (
        candidate
        for home in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda")
        for candidate in [os.path.join(home, "lib64", "stubs", "libcuda.so")]
        if home and os.path.exists(candidate)
    ),
    None,
)
if stub:
    config.available_features.add("cuda-stub")
    config.substitutions.append(("%cuda_stub", stub))
    home = os.path.dirname(os.path.dirname(os.path.dirname(stub)))
    config.substitutions.append(("%cuda_include", os.path.join(home, "include")))
    nvcc = os.path.join(home, "bin", "nvcc")
    if os.access(nvcc, os.X_OK) and not os.environ.get("HETERO_CUDA_DISABLE"):
        config.available_features.add("nvcc")
        config.substitutions.append(("%nvcc", nvcc))

ptxas = lit.util.which("ptxas", config.environment["PATH"]) or next(
    (
        candidate
        for home in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda")
        for candidate in [os.path.join(home, "bin", "ptxas")]
        if home and os.access(candidate, os.X_OK)
    ),
    None,
)
if ptxas and not os.environ.get("HETERO_CUDA_DISABLE"):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
