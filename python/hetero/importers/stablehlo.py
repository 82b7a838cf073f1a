"""StableHLO (JAX) to linalg on tensors: python -m hetero.importers.stablehlo IN.mlirbc OUT.mlirbc {}

Operations of the result have "dot_general/attention" as location: the primitive of
JAX, and the scopes that it stands in (jax.named_scope, the functions that are derived).
"""

from hetero.importers import child, linalg_ext
from hetero.importers.names import number_repeated


def _name_of(location, number: int) -> str | None:
    """JAX writes "jit(step)/jit(main)/attention/dot_general", and "sort" in functions of its own."""
    if not location.is_a_name():
        return None
    *scopes, primitive = location.name_str.split("/")
    scopes = [scope for scope in scopes if not scope.startswith("jit(")]
    return f"{primitive}/{'.'.join(scopes) or number}"


def _name_operations(module) -> None:
    ir = child.require("iree.compiler.ir", "iree-base-compiler==3.10.0")
    operations = child.find_operations(module, lambda op: True)
    names = {number: _name_of(op.location, number) for number, op in enumerate(operations)}
    for number, name in number_repeated({number: name for number, name in names.items() if name}).items():
        operations[number].location = ir.Location.name(name, context=module.context)


def _describe(module) -> dict:
    """Names of the arguments, as the function has them."""
    main = next(op for op in module.regions[0].blocks[0] if op.attributes["sym_name"].value == "main")
    locations = [argument.location for argument in main.regions[0].blocks[0].arguments]
    names = [location.name_str for location in locations if location.is_a_name()]
    return {"argument_names": names} if len(set(names)) == len(locations) else {}


def convert(source: str, settings: dict):
    ir = child.require("iree.compiler.ir", "iree-base-compiler==3.10.0")
    with open(source, "rb") as file:
        bytecode = file.read()
    context = child.make_context()
    # Of JAX's partitioner, on calls that the passes refuse by their names.
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(bytecode, context=context).operation
    signature = _describe(module)
    _name_operations(module)
    child.run_passes(module, "builtin.module(iree-stablehlo-input-transformation-pipeline)")
    linalg_ext.to_tm_tensor(module)
    return module, signature


if __name__ == "__main__":
    child.main(convert)
