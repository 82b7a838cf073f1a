"""Control flow, sequences and optionals of the reader, executed and compared."""

import numpy as np
import onnx
from case import RULES, finish, note, run
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import hetero.backend

F, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
f, i = np.float32, np.int64


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def constant(name, value):
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(value)))


def body(nodes, inputs, outputs):
    values = lambda names: [onnx.ValueInfoProto(name=name) for name in names.split()]
    return helper.make_graph(nodes, "body", values(inputs), values(outputs))


def check(label, nodes, given, outputs, want=None, dims=None, opset=21, functions=()):
    """Runs a graph whose inputs are the given arrays; dims has their dynamic sizes."""
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), (dims or {}).get(name, array.shape))
        for name, array in given.items()
    ]
    results = [onnx.ValueInfoProto(name=name) for name in outputs.split()]
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid("own", 1)] * bool(functions)
    graph = helper.make_graph(nodes, "g", inputs, results)
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=functions)
    if want is None:
        want = ReferenceEvaluator(model).run(None, given)
    try:
        got = run(model, given)
    except hetero.Error as error:
        return note("wrong", label, str(error)[:1500])
    for number, (a, b) in enumerate(zip(got, want)):
        if np.shape(a) != np.shape(b) or not np.allclose(a, b, 1e-4, 1e-5):
            return note("wrong", label, f"result {number}: got {a}, expected {b}")
    return note("right", label, "")


x = np.arange(6, dtype=f).reshape(2, 3)
yes, no = np.array(True), np.array(False)

# Branches of one rank and of several sizes; those of unlike ranks where the condition is known.
branches = dict(
    then_branch=body([node("Concat", "x x", "a", axis=0)], "", "a"),
    else_branch=body([node("Neg", "x", "b")], "", "b"),
)
for c in (yes, no):
    check("If", [node("If", "c", "y", **branches)], {"c": c, "x": x}, "y", [np.concatenate([x, x]) if c else -x])
    check("If dynamic", [node("If", "c", "y", **branches)], {"c": c, "x": x}, "y", [np.concatenate([x, x]) if c else -x], {"x": ["N", "M"]})
unlike = dict(
    then_branch=body([node("Squeeze", "x one", "a")], "", "a"),
    else_branch=body([node("Identity", "x", "b")], "", "b"),
)
decide = [constant("one", i(1).reshape(1)), node("Shape", "x", "s"), constant("at", i(1)), node("Gather", "s at", "d"), constant("uno", i(1)), node("Equal", "d uno", "c")]
check("If of unlike ranks", [*decide, node("If", "c", "y", **unlike)], {"x": x[:, :1]}, "y", [x[:, 0]])
check("If of unlike ranks", [*decide, node("If", "c", "y", **unlike)], {"x": x}, "y", [x], {"x": ["N", 3]})
check("If of unlike ranks at run time", [*decide, node("If", "c", "y", **unlike)], {"x": x[:, :1]}, "y", [x[:, 0]], {"x": ["N", "M"]})
check("axes of a scalar", [constant("a", i(1)), constant("z", i(0).reshape(1)), node("Unsqueeze", "a z", "axes"), node("ReduceSum", "x axes", "y", keepdims=0)], {"x": x}, "y", [x.sum(1)])
inner = body([node("If", "d", "t", **branches)], "", "t")
for c in (yes, no):
    check("If in If", [node("If", "c", "y", then_branch=inner, else_branch=body([node("Abs", "x", "e")], "", "e"))], {"c": yes, "d": c, "x": x}, "y", [np.concatenate([x, x]) if c else -x])
# A shape that a branch decides.
shapes = dict(
    then_branch=body([constant("p", np.array([3, 2], i))], "", "p"),
    else_branch=body([constant("q", np.array([6, 1], i))], "", "q"),
)
check("If shape", [node("If", "c", "s", **shapes), node("Reshape", "x s", "y")], {"c": no, "x": x}, "y", [x.reshape(6, 1)])

# Trip counts that are known and not, also zero; conditions; stacked results.
total = body([node("Add", "a n1", "a1"), node("Cast", "n", "n1", to=F), node("Identity", "c", "c1"), node("Mul", "a1 a1", "z")], "n c a", "c1 a1 z")
for m in (0, 1, 4):
    a, stack, want = f(2) + x[0] * 0, [], None
    for k in range(m):
        a = a + f(k)
        stack.append(a * a)
    want = [a, np.stack(stack) if stack else np.zeros((0, 3), f)]
    check(f"Loop {m}", [node("Loop", "m t a", "y z", body=total)], {"m": i(m), "t": yes, "a": f(2) + x[0] * 0}, "y z", want)
    check(f"Loop {m} dynamic", [helper.make_node("Loop", ["m", "", "a"], ["y", "z"], body=total)], {"m": i(m), "a": f(2) + x[0] * 0}, "y z", want, {"a": ["N"]})
    check(f"Loop {m} constant", [constant("m", i(m)), helper.make_node("Loop", ["m", "", "a"], ["y", "z"], body=total)], {"a": f(2) + x[0] * 0}, "y z", want)
check("Loop not begun", [node("Loop", "m t a", "y z", body=total)], {"m": i(3), "t": no, "a": x[0]}, "y z", [x[0], np.zeros((0, 3), f)])
early = body([node("Add", "a a", "a1"), node("ReduceSum", "a1", "s", keepdims=0), constant("k", f(40)), node("Less", "s k", "c1"), node("Add", "n off", "w")], "n c a", "c1 a1 a1 w")
want = [x[0] * 16, np.stack([x[0] * 2**k for k in range(1, 5)]), np.arange(4) + 7]
check("Loop with exit", [helper.make_node("Loop", ["", "t", "a"], ["y", "z", "w"], body=early)], {"t": yes, "a": x[0], "off": i(7)}, "y z w", want)
check("Loop with exit", [helper.make_node("Loop", ["m", "t", "a"], ["y", "z", "w"], body=early)], {"m": i(40), "t": yes, "a": x[0], "off": i(7)}, "y z w", want, {"a": ["N"]})
# Values that grow, and slices whose sizes only the passes know.
grow = body([node("Concat", "a x", "a1", axis=0), node("Identity", "c", "c1"), node("NonZero", "x", "z")], "n c a", "c1 a1 z")
check("Loop that grows", [node("Loop", "m t a", "y z", body=grow)], {"m": i(3), "t": yes, "a": x[:1], "x": x}, "y z", [np.concatenate([x[:1], x, x, x]), np.stack([np.array(np.nonzero(x))] * 3)])
ranks = body([node("Unsqueeze", "a zero", "a1"), node("Identity", "c", "c1")], "n c a", "c1 a1")
check("Loop that changes ranks", [constant("m", i(3)), constant("zero", i(0).reshape(1)), helper.make_node("Loop", ["m", "", "a"], ["y"], body=ranks)], {"a": x}, "y", [x[None, None, None]])
counter = body([node("Add", "p one", "p1"), node("Identity", "c", "c1"), node("Slice", "x p p1", "z")], "n c p", "c1 p1 z")
check("Loop with a counter", [constant("one", i(1).reshape(1)), node("Loop", "m t p", "y z", body=counter)], {"m": i(2), "t": yes, "p": i(0).reshape(1), "x": x}, "y z", [i(2).reshape(1), x[:, None]])
listed = body([node("SequenceInsert", "s x", "s1"), node("Identity", "c", "c1")], "n c s", "c1 s1")
check("Loop over a sequence", [constant("m", i(3)), node("SequenceEmpty", "", "s"), helper.make_node("Loop", ["m", "", "s"], ["l"], body=listed), node("ConcatFromSequence", "l", "y", axis=0, new_axis=1)], {"x": x}, "y", [np.stack([x] * 3)])
nested = body([helper.make_node("Loop", ["m", "", "a"], ["a1", "z"], body=body([node("Add", "b x", "b1"), node("Identity", "d", "d1"), node("Identity", "b1", "z1")], "k d b", "d1 b1 z1")), node("Identity", "c", "c1")], "n c a", "c1 a1 z")
check("Loop in Loop", [node("Loop", "m t a", "y z", body=nested)], {"m": i(2), "t": yes, "a": x * 0, "x": x}, "y z", [x * 4, np.stack([np.stack([x, x * 2]), np.stack([x * 3, x * 4])])])

# Values that change places, and slices of what a pass begins with.
swap = body([node("Identity", "b", "a1"), node("Add", "a b", "b1"), node("Identity", "c", "c1"), node("Identity", "a", "z")], "n c a b", "c1 a1 b1 z")
check("Loop of Fibonacci", [node("Loop", "m t a b", "y w z", body=swap)], {"m": i(5), "t": yes, "a": f(0), "b": f(1)}, "y w z", [f(5), f(8), np.array([0, 1, 1, 2, 3], f)])
flags = body([node("Identity", "q", "c1"), node("Identity", "r", "q1"), node("And", "r no", "r1"), node("Add", "a a", "a1")], "n c q r a", "c1 q1 r1 a1")
check("Loop while flags last", [constant("no", no), helper.make_node("Loop", ["", "t", "q", "r", "a"], ["q2", "r2", "y"], body=flags)], {"t": yes, "q": yes, "r": yes, "a": x}, "y", [x * 8])

# Scan: axes, directions, states, no passes.
add = body([node("Add", "s v", "s1"), node("Mul", "s1 w", "o")], "s v w", "s1 o")
s = np.zeros(2, f)
sums = np.cumsum(x[:, ::-1], 1).T
check("Scan", [node("Scan", "s x w", "y z", body=add, num_scan_inputs=2, scan_input_axes=[1, -1], scan_input_directions=[1, 0], scan_output_axes=[1], scan_output_directions=[1])], {"s": s, "x": x, "w": x}, "y z", [sums[-1], (sums * x.T)[::-1].T])
check("Scan dynamic", [node("Scan", "s x w", "y z", body=add, num_scan_inputs=2)], {"s": np.zeros(3, f), "x": x, "w": x}, "y z", [x.sum(0), np.cumsum(x, 0) * x], {"x": ["T", 3], "w": ["T", 3]})
check("Scan of nothing", [node("Scan", "s x w", "y z", body=add, num_scan_inputs=2)], {"s": np.zeros(3, f), "x": x[:0], "w": x[:0]}, "y z", [np.zeros(3, f), x[:0]], {"x": ["T", 3], "w": ["T", 3]})
batch = np.stack([x.T, x.T + 1])
scan8 = body([node("Add", "s v", "s1"), node("Identity", "s1", "o")], "s v", "s1 o")
for lens, ends in (([3, 3], (3, 3)), ([2, 1], (2, 1))):
    want = [np.stack([batch[b, :e].sum(0) for b, e in enumerate(ends)]), np.stack([np.concatenate([np.cumsum(batch[b, :e], 0), np.zeros((3 - e, 2), f)]) for b, e in enumerate(ends)])]
    check("Scan 8", [node("Scan", "l s x", "y z", body=scan8, num_scan_inputs=1)], {"l": np.array(lens, i), "s": np.zeros((2, 2), f), "x": batch}, "y z", want, opset=8)

# Functions three deep, with attributes by reference and by default.


def reference(made, name, outer, kind):
    made.attribute.append(onnx.AttributeProto(name=name, ref_attr_name=outer, type=kind))
    return made


opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
third = helper.make_function("own", "Third", ["x"], ["y"], [reference(node("LeakyRelu", "x", "y"), "alpha", "slope", onnx.AttributeProto.FLOAT)], opsets, ["slope"])
second = helper.make_function("own", "Second", ["x"], ["y"], [reference(helper.make_node("Third", ["x"], ["y"], domain="own"), "slope", "inner", onnx.AttributeProto.FLOAT)], opsets, ["inner"])
chosen = body([reference(helper.make_node("Second", ["x"], ["a"], domain="own"), "inner", "outer", onnx.AttributeProto.FLOAT)], "", "a")
first = helper.make_function("own", "First", ["x", "c"], ["y"], [node("If", "c", "y", then_branch=chosen, else_branch=body([node("Neg", "x", "b")], "", "b"))], opsets, ["outer"])
check("functions", [helper.make_node("First", ["x", "c"], ["y"], domain="own", outer=0.5)], {"x": x - 3, "c": yes}, "y", [np.where(x < 3, (x - 3) / 2, x - 3)], functions=[first, second, third])

# Sequences and optionals.
check("SequenceAt", [node("SequenceConstruct", "x w", "s"), constant("p", i(-1)), node("SequenceAt", "s p", "y")], {"x": x, "w": x[0]}, "y", [x[0]])
check("SequenceErase", [node("SequenceConstruct", "x w x", "s"), constant("p", i(1)), node("SequenceErase", "s p", "t"), node("ConcatFromSequence", "t", "y", axis=-1), node("SequenceLength", "t", "z")], {"x": x, "w": x[0]}, "y z", [np.concatenate([x, x], -1), i(2)])
check("SplitToSequence", [constant("p", i(2)), node("SplitToSequence", "x p", "s", axis=1), constant("q", i(1)), node("SequenceAt", "s q", "y")], {"x": x}, "y", [x[:, 2:]])
check("SplitToSequence", [node("SplitToSequence", "x", "s", axis=1, keepdims=0), constant("q", i(1)), node("SequenceAt", "s q", "y")], {"x": x}, "y", [x[:, 1]])
check("SplitToSequence", [node("SplitToSequence", "x p", "s", axis=1), constant("q", i(0)), node("SequenceAt", "s q", "y")], {"x": x, "p": np.array([1, 2], i)}, "y", [x[:, :1]])
check("SequenceMap", [node("SequenceConstruct", "x w", "s"), node("SequenceMap", "s w", "t", body=body([node("Add", "a b", "o")], "a b", "o")), constant("q", i(1)), node("SequenceAt", "t q", "y")], {"x": x, "w": x[0]}, "y", [x[0] * 2])
check("Optional", [node("Optional", "x", "o"), node("OptionalHasElement", "o", "h"), node("OptionalGetElement", "o", "y")], {"x": x}, "h y", [yes, x])


def make_model(nodes, types, outputs):
    graph = helper.make_graph(nodes, "g", [helper.make_value_info(*pair) for pair in types.items()], [onnx.ValueInfoProto(name=name) for name in outputs.split()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def check_entry(label, nodes, types, given, outputs, want):
    """Runs a graph whose inputs and results may be sequences and optionals."""
    try:
        got = hetero.backend.prepare(make_model(nodes, types, outputs), rules=RULES).run(given)
    except hetero.Error as error:
        return note("wrong", label, str(error)[:1500])
    flat = lambda values: [number for value in values for number in (flat(value) if isinstance(value, list) else [value])]
    same = [len(part) if isinstance(part, list) else part is None for part in got] == [len(part) if isinstance(part, list) else part is None for part in want]
    same = same and all(a is b if b is None else np.array_equal(a, b) for a, b in zip(flat(got), flat(want)))
    return note("right" if same else "wrong", label, f"got {got}, expected {want}")


# The pass's number is a constant where passes are unrolled.
items = body([node("SequenceAt", "s n", "v"), node("Add", "a v", "a1"), node("Identity", "c", "c1"), node("Identity", "v", "z")], "n c a", "c1 a1 z")
check("Loop over items", [constant("m", i(2)), node("SequenceConstruct", "x w", "s"), helper.make_node("Loop", ["m", "", "b"], ["y", "z"], body=items)], {"x": x, "w": x + 1, "b": x * 0}, "y z", [2 * x + 1, np.stack([x, x + 1])])
def check_refused(label, nodes, types, outputs, text):
    """The reader refuses the graph with an error that has the text."""
    try:
        hetero.importers.from_onnx(make_model(nodes, types, outputs))
    except hetero.ImportFailure as error:
        return note("refused" if text in str(error) else "wrong", label, str(error))
    return note("wrong", label, "it is not refused")


grow = body([constant("f0", i(0)), node("SequenceInsert", "s x", "s1"), node("SequenceAt", "s1 f0", "z"), node("Identity", "c", "c1")], "n c s", "c1 s1 z")
for passes, starts in ((0, yes), (4, no)):
    check("Loop of no pass over a sequence", [constant("m", i(passes)), constant("t", starts), node("SequenceConstruct", "x x", "s"), node("Loop", "m t s", "l z", body=grow), node("SequenceLength", "l", "y")], {"x": x}, "y z", [i(2), np.zeros((0, 2, 3), f)])
same = body([node("Identity", "c", "c1"), node("Identity", "a", "a1"), node("Identity", "a", "z")], "n c a", "c1 a1 z")
check("Loop of empty slices", [constant("m", i(2)), helper.make_node("Loop", ["m", "", "a"], ["y", "z"], body=same)], {"a": x[:0]}, "y z", [x[:0], np.zeros((2, 0, 3), f)])
floats = helper.make_tensor_type_proto(F, None)
many, maybe = helper.make_sequence_type_proto(floats), helper.make_optional_type_proto(floats)
insert = [node("SequenceInsert", "s x p", "t")]
place = {"p": helper.make_tensor_type_proto(I64, [])}
for items in ([], [x[0], x]):
    check_entry("sequences at entry", insert, {"s": many, "x": floats, **place}, {"s": items, "x": x, "p": i(0)}, "t", [[x, *items]])
for held in (None, x):
    check_entry("optionals at entry", [node("Identity", "o", "y"), node("OptionalHasElement", "o", "h")], {"o": maybe}, [held], "y h", [held, np.array(held is not None)])
check_entry("an absent sequence", [node("Identity", "o", "y"), node("Neg", "x", "z")], {"o": helper.make_optional_type_proto(many), "x": floats}, {"o": None, "x": x}, "y z", [None, -x])
check_entry("an item that is a size", [constant("q", i(0)), node("SequenceAt", "s q", "n"), node("ConstantOfShape", "n", "y")], {"s": helper.make_sequence_type_proto(helper.make_tensor_type_proto(I64, None))}, [[np.array([2, 3], i)]], "y", [x * 0])
passing = body([node("SequenceInsert", "s x", "s1"), node("Identity", "c", "c1"), node("Identity", "s", "z")], "n c s", "c1 s1 z")
check_refused("Loop with a sequence of sequences", [constant("m", i(3)), node("SequenceEmpty", "", "s"), helper.make_node("Loop", ["m", "", "s"], ["l", "z"], body=passing)], {"x": helper.make_tensor_type_proto(F, [2, 3])}, "z", "a result with a slice of each pass is made of sequences")
check("If of sequences", [node("If", "c", "s", then_branch=body([node("SequenceConstruct", "x x", "a")], "", "a"), else_branch=body([node("Neg", "x", "n"), node("SequenceConstruct", "n x", "b")], "", "b")), constant("p", i(0)), node("SequenceAt", "s p", "y")], {"c": no, "x": x, "w": x[0]}, "y", [-x])
finish()
