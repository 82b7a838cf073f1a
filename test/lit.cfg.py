"""lit configuration of the hetero test suite."""

import os

import lit.formats

config.name = "HETERO"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.excludes = ["Inputs", "lib", "Unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hetero_binary_root, "test")

tools = os.path.join(config.hetero_binary_root, "bin")
path = [tools, config.llvm_tools_dir, config.environment.get("PATH", "")]
config.environment["PATH"] = os.path.pathsep.join(path)
config.environment["HETERO_CUDA_DRIVER"] = "emulator"

config.substitutions.append(("%hetero_src", config.hetero_source_root))
config.substitutions.append(("%hetero_bin", config.hetero_binary_root))
config.substitutions.append(("%plugin", os.path.join(tools, "HeteroPlugin.so")))
config.substitutions.append(
    ("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt"))
)
