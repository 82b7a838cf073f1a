"""The torch dialect to linalg on tensors: python -m hetero.importers.torch_dialect IN.mlirbc OUT.mlirbc '{...}'

The settings are what Imported has of the signature; they come out as they are.
"""

from hetero.importers import child

# Merged and split dimensions stay that: as views, torch-mlir would guess what they are.
PIPELINE = (
    "builtin.module("
    "torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops=aten.flatten.using_ints,aten.unflatten.int},"
    "torch-backend-to-linalg-on-tensors-backend-pipeline{})"
)


def convert(source: str, settings: dict):
    ir = child.require("iree.compiler.ir", "iree-base-compiler==3.10.0")
    with open(source, "rb") as file:
        module = ir.Module.parse(file.read(), context=child.make_context()).operation
    child.run_passes(module, PIPELINE)
    return module, settings


if __name__ == "__main__":
    child.main(convert)
