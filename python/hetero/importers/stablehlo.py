"""StableHLO (JAX) to linalg on tensors: python -m hetero.importers.stablehlo IN.mlir OUT.mlirbc {}

Operations of the result have "dot_general/attention" as location: the primitive of
JAX, and the scopes that it stands in (jax.named_scope, the functions that are derived).
"""

from hetero.importers import child, linalg_ext, suspects
from hetero.importers.names import is_location, number_repeated


def _name_of(location, number: int) -> str | None:
    """JAX writes "jit(step)/jit(main)/attention/dot_general", and "sort" in functions of its own."""
    if not is_location(location, "name"):
        return None
    *scopes, primitive = location.name_str.split("/")
    scopes = [scope for scope in scopes if not scope.startswith("jit(")]
    return f"{primitive}/{'.'.join(scopes) or number}"


def _name_operations(module) -> None:
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    operations = child.find_operations(module, lambda op: True)
    names = {number: _name_of(op.location, number) for number, op in enumerate(operations)}
    for number, name in number_repeated({number: name for number, name in names.items() if name}).items():
        operations[number].location = ir.Location.name(name, context=module.context)


def _describe(module) -> dict:
    """Names of the arguments, as the function has them."""
    main = next(op for op in module.regions[0].blocks[0] if op.attributes["sym_name"].value == "main")
    locations = [argument.location for argument in main.regions[0].blocks[0].arguments]
    names = [location.name_str for location in locations if is_location(location, "name")]
    return {"argument_names": names} if len(set(names)) == len(locations) else {}


# What the compiler takes.
_DIALECTS = ("arith", "builtin", "cf", "complex", "func", "linalg", "math", "scf", "shape", "tensor", "tm_tensor")


def _run_pipeline(module) -> None:
    child.run_passes(module, "builtin.module(iree-stablehlo-input-transformation-pipeline)")
    linalg_ext.to_tm_tensor(module)
    others = child.find_operations(module, lambda op: op.name.split(".")[0] not in _DIALECTS)
    if others:
        names = ", ".join(sorted({op.name for op in others}))
        raise child.Failure(f"it becomes {names}, of which the compiler knows nothing")


def _refuse(bytecode, otherwise: str):
    """Fails with all that is not taken, or with this text where each operation is by itself."""
    lines = suspects.find(bytecode, _run_pipeline)
    raise child.Failure("these operations cannot be compiled:\n  " + "\n  ".join(lines) if lines else otherwise)


def _rewrite(source) -> bytes:
    """What hetero.importers.jax_function has done for JAX's functions, by JAX's bindings of MLIR."""
    mlir, jax_ir = child.require("jax.interpreters.mlir", "jax"), child.require("jaxlib.mlir.ir", "jax")
    from hetero.importers import rewrites

    with mlir.make_ir_context() as context:
        module = jax_ir.Module.parse(source, context=context)
        rewrites.rewrite(module)
        return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True).encode()


def convert(source: str, settings: dict):
    """Of settings, "rewritten" says that hetero.importers.rewrites has seen the module, and "crashed" that the importer
    has ended without a word: the Failure says what it does not take."""
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    with open(source, "rb") as file:
        bytecode = file.read()
    if not settings.get("rewritten"):
        bytecode = _rewrite(bytecode)
    if settings.get("crashed"):
        _refuse(bytecode, "IREE's importer crashes, at no operation by itself; it may be one with a region")
    context = child.make_context()
    # Of JAX's partitioner, on calls that the passes refuse by their names.
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(bytecode, context=context).operation
    signature = _describe(module)
    _name_operations(module)
    try:
        _run_pipeline(module)
    except child.Failure as failure:
        _refuse(bytecode, str(failure))
    return module, signature


if __name__ == "__main__":
    child.main(convert)
