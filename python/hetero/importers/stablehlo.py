"""StableHLO (JAX) to linalg on tensors: python -m hetero.importers.stablehlo IN.mlir OUT.mlirbc {}

Operations of the result have "dot_general/attention" as location: the primitive of
JAX, and the scopes that it stands in (jax.named_scope, the functions that are derived).
"""

from hetero.importers import child, linalg_ext, suspects
from hetero.importers.names import dtype_of, is_location, number_repeated, read_location


def _name_operations(module) -> None:
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    operations = child.find_operations(module, lambda op: True)
    found = {number: read_location(op.location) for number, op in enumerate(operations)}
    names = {number: f"{name[0]}/{name[1] or number}" for number, name in found.items() if name}
    for number, name in number_repeated(names).items():
        operations[number].location = ir.Location.name(name, context=module.context)


def _describe(module) -> dict:
    """Names of the arguments, as the function has them."""
    locations = [argument.location for argument in _find_main(module).regions[0].blocks[0].arguments]
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


def _find_main(module):
    functions = [op.operation for op in module.regions[0].blocks[0]]
    for op in functions:
        if op.name == "func.func" and op.attributes["sym_name"].value == "main":
            return op
    raise child.Failure("it has no function 'main'")


def _list_dtypes(main) -> dict:
    """Types of arguments and results, whose signs are gone later."""
    function = main.attributes["function_type"].value

    def names(types):
        for kind in types:
            if not hasattr(kind, "element_type"):
                raise child.Failure(f"'main' takes or returns a {kind}; expected tensors")
        return [dtype_of(kind.element_type) for kind in types]

    return {"argument_dtypes": names(function.inputs), "result_dtypes": names(function.results)}


def _rewrite(source) -> tuple[bytes, dict]:
    """What hetero.importers.jax_function has done for JAX's functions, by JAX's bindings of MLIR; and the signature."""
    mlir, jax_ir = child.require("jax.interpreters.mlir", "jax"), child.require("jaxlib.mlir.ir", "jax")
    from hetero.importers import rewrites

    with mlir.make_ir_context() as context:
        try:
            module = jax_ir.Module.parse(source, context=context)
        except jax_ir.MLIRError as error:
            raise child.Failure(str(error)) from None
        signature = _list_dtypes(_find_main(module.operation))
        rewrites.rewrite(module)
        return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True).encode(), signature


def convert(source: str, settings: dict):
    """Of settings, "rewritten" says that hetero.importers.rewrites has seen the module, and "crashed" that the importer
    has ended without a word: the Failure says what it does not take."""
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    with open(source, "rb") as file:
        bytecode = file.read()
    signature = {}
    if not settings.get("rewritten"):
        bytecode, signature = _rewrite(bytecode)
    if settings.get("crashed"):
        _refuse(bytecode, "IREE's importer crashes, at no operation by itself; it may be one with a region")
    context = child.make_context()
    # Of JAX's partitioner, on calls that the passes refuse by their names.
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(bytecode, context=context).operation
    signature |= _describe(module)
    _name_operations(module)
    try:
        _run_pipeline(module)
    except child.Failure as failure:
        _refuse(bytecode, str(failure))
    return module, signature


if __name__ == "__main__":
    child.main(convert)
