"""StableHLO (JAX) to linalg on tensors: python -m hetero.importers.stablehlo IN.mlir OUT.mlirbc {}"""

from hetero.importers import child, linalg_ext


def convert(source: str, settings: dict):
    ir = child.require("iree.compiler.ir", "iree-base-compiler==3.10.0")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with ir.Context() as context:
        # Of JAX's partitioner, on calls that the passes refuse by their names.
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text).operation
    child.run_passes(module, "builtin.module(iree-stablehlo-input-transformation-pipeline)")
    linalg_ext.to_tm_tensor(module)
    return module, {}


if __name__ == "__main__":
    child.main(convert)
