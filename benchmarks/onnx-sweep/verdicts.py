"""Who is right where results differ. Where the references differ the specification decides."""

from compare import compare

# What a reference is known to get wrong by the specification: its result does not count there.
# Operator, with the number of its results where that matters; reference, from and up to which opset, why.
DEVIATIONS = (
    ("Softmax", "onnx.reference", 1, 12, "has the meaning of opset 13: one axis, not all from it on"),
    ("LogSoftmax", "onnx.reference", 1, 12, "has the meaning of opset 13"),
    ("Hardmax", "onnx.reference", 1, 12, "has the meaning of opset 13"),
    ("Shape", "onnx.reference", 15, 99, "takes an end before the first axis for another one"),
    ("MaxPool:2", "onnx.reference", 8, 99, "counts indices within a plane"),
    ("GlobalMaxPool", "onnx.reference", 1, 99, "takes the maximum over channels where there is one dimension"),
)


def _counting(case, found):
    """The references that count for the case."""
    node = case.model.graph.node[0]
    names = (node.op_type, f"{node.op_type}:{len(node.output)}")
    opset = case.model.opset_import[0].version
    kept = dict(found)
    for name, reference, first, last, _ in DEVIATIONS:
        if name in names and first <= opset <= last:
            kept.pop(reference, None)
    return kept


def decide(case, got, found):
    """The outcome, and its reason."""
    kept = _counting(case, found)
    if not kept:
        return "unchecked", "no reference that counts"
    differences = {name: compare(case, got, want) for name, want in kept.items()}
    agreeing = [name for name, difference in differences.items() if not difference]
    if len(agreeing) == len(kept):
        return "right", ""
    told = "; ".join(f"{name}: {difference}" for name, difference in differences.items() if difference)
    if agreeing:
        return "disputed", f"as {agreeing[0]}, not as {told}"
    first, *others = kept.values()
    if others and compare(case, others[0], first):
        return "disputed", f"as neither: {told}"
    if case.is_outside and not others:
        return "disputed", f"out of range, and one reference only: {told}"
    return "wrong", told
