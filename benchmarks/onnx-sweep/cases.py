"""Models of one node, made from ONNX's schemas alone: each operator, version and type that they allow."""

import dataclasses
import functools
import itertools

import numpy as np
import onnx
import onnx.defs
from onnx import helper, shape_inference

import makers
import makers_networks
import makers_numbers
import makers_shapes
import types_of_onnx as types
from draft import DYNAMIC, OPTIONAL, OUTSIDE, SMALL, SPECIAL, UNUSUAL, USUAL, VARIADIC, Draft

assert makers_networks and makers_numbers and makers_shapes  # They fill the table.

OLDEST = 7
# What the cases of a type are: of the first variable of an operator, and of its other ones.
FIRST = (USUAL, DYNAMIC, SPECIAL, SMALL, UNUSUAL, OUTSIDE)
OTHER = (USUAL, UNUSUAL)
# How often inputs are drawn until a reference takes them.
ATTEMPTS = 8
RANDOM = ("Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike")


@dataclasses.dataclass(frozen=True)
class Group:
    """The cases that have this type for this type variable ("" for an operator without one)."""

    domain: str
    operator: str
    version: int
    variable: str
    kind: str
    styles: tuple

    @property
    def name(self):
        operator = f"{self.domain}.{self.operator}" if self.domain else self.operator
        return f"{operator}-{self.version}/{self.variable}={self.kind.replace('tensor', '').strip('()') or 'none'}"

    @property
    def triple(self):
        return self.operator, self.version, self.kind


@dataclasses.dataclass
class Case:
    """A model and what to call it with; result_types are as ONNX's schemas write types."""

    name: str
    model: onnx.ModelProto
    feeds: dict
    result_types: list
    is_elementwise: bool
    is_random: bool
    is_outside: bool = False


@functools.lru_cache(maxsize=None)
def versions():
    """The schemas of each operator that a model of opset 7 or later may mean, with the opset where the next begins."""
    found = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        found.setdefault((schema.domain, schema.name), []).append(schema)
    kept = {}
    for key, schemas in sorted(found.items()):
        schemas.sort(key=lambda schema: schema.since_version)
        ends = [schema.since_version for schema in schemas[1:]] + [None]
        oldest = OLDEST if key[0] == "" else 1
        kept[key] = [pair for pair in zip(schemas, ends) if (pair[1] is None or pair[1] > oldest) and not pair[0].deprecated]
    return kept


def _variables(schema):
    """Type variables that inputs have before those that only results have."""
    names = [formal.type_str for formal in (*schema.inputs, *schema.outputs)]
    known = {constraint.type_param_str: sorted(constraint.allowed_type_strs) for constraint in schema.type_constraints}
    return {name: known[name] for name in dict.fromkeys(names) if name in known}


def _groups_of(schema):
    seen, variables = set(), _variables(schema)
    for number, (variable, kinds) in enumerate(variables.items()):
        for kind in kinds:
            styles = FIRST if number == 0 else OTHER if kind in seen else FIRST[:4]
            seen.add(kind)
            yield Group(schema.domain, schema.name, schema.since_version, variable, kind, styles)
    if not variables:
        kind = schema.inputs[0].type_str if schema.inputs else schema.outputs[0].type_str
        yield Group(schema.domain, schema.name, schema.since_version, "", kind, FIRST)


@functools.lru_cache(maxsize=None)
def all_groups():
    return [group for schemas in versions().values() for schema, _ in schemas for group in _groups_of(schema)]


def schema_of(group):
    pairs = versions()[group.domain, group.operator]
    return next(pair for pair in pairs if pair[0].since_version == group.version)


def _choose_types(group, schema, attempt, draw):
    """Types of all variables: common ones first, then those like the group's, then any."""
    chosen = {}
    for name, kinds in _variables(schema).items():
        usual = [kind for kind in ("tensor(float)", "tensor(int64)", "tensor(bool)", "tensor(uint8)") if kind in kinds]
        if name == group.variable:
            chosen[name] = group.kind
        elif attempt % 3 == 1 and group.kind in kinds:
            chosen[name] = group.kind
        elif attempt % 3 == 2 or not usual:
            chosen[name] = draw.choice(kinds)
        else:
            chosen[name] = usual[0]
    # Sequences are of the tensors beside them.
    if "T" in chosen and chosen.get("S", "").startswith("seq("):
        if group.variable == "T":
            chosen["S"] = f"seq({chosen['T']})"
        else:
            chosen["T"] = chosen["S"][len("seq(") : -1]
    return chosen


def _result_kinds(draft):
    """Types of the results that the node has, as the schema says them."""
    outputs = draft.schema.outputs
    if outputs and outputs[-1].option == VARIADIC:
        count = draft.outputs or 1
        return [draft.result_type(min(i, len(outputs) - 1)) for i in range(count)]
    least = sum(output.option != OPTIONAL for output in outputs) or 1
    count = draft.outputs or (len(outputs) if draft.some(0.3) else least)
    return [draft.result_type(i) for i in range(min(count, len(outputs)))]


def _dimensions(draft, name, shape):
    """Sizes of an input as the model declares them."""
    is_dynamic = draft.style == DYNAMIC or draft.style > DYNAMIC and draft.some(0.3)
    return [f"{name}_{axis}" if is_dynamic and draft.some(0.7) else size for axis, size in enumerate(shape)]


class _Builder:
    """Inputs of the node: names, what the graph declares and what it has in it."""

    def __init__(self, draft):
        self.draft = draft
        self.names, self.declared, self.weights, self.feeds = [], [], [], {}
        for formal in draft.schema.inputs:
            self._add_formal(formal)
        while self.names and not self.names[-1]:
            self.names.pop()

    def _add_formal(self, formal):
        value = self.draft.values.get(formal.name)
        kind = self.draft.type_of(formal.name)
        if formal.option == VARIADIC:
            for number, array in enumerate(value or []):
                self._add(f"{formal.name}_{number}", _kind_of_array(array, kind), array, False)
        elif value is None and not kind.startswith("optional("):
            self.names.append("")
        elif formal.name in self.draft.values:
            self._add(formal.name, kind, value, formal.name in self.draft.constants)

    def _add(self, name, kind, value, is_constant):
        self.names.append(name)
        if is_constant and types.is_tensor(kind):
            self.weights.append(types.to_tensor(value, name, kind))
            return
        shape = _dimensions(self.draft, name, np.shape(value)) if types.is_tensor(kind) else None
        self.declared.append(helper.make_value_info(name, types.proto_of(kind, shape)))
        self.feeds[name] = value


def _kind_of_array(array, kind):
    """The type of one of the arrays of an input whose arrays may have different types."""
    if not isinstance(array, np.ndarray) or array.dtype == object or not types.is_tensor(kind):
        return kind
    return f"tensor({onnx.TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(array.dtype)).lower()})"


def _opsets(schema, end, draw):
    """The opset in which the model means this version; the last one sometimes."""
    newest = onnx.defs.onnx_opset_version()
    if schema.domain:
        return [helper.make_opsetid("", min(newest, 21)), helper.make_opsetid(schema.domain, schema.since_version)]
    first = max(schema.since_version, OLDEST)
    return [helper.make_opsetid("", (end or newest + 1) - 1 if draw.random() < 0.2 else first)]


def _infer_results(model, kinds):
    """Types of the results by inference, or else those of the schema."""
    try:
        outputs = shape_inference.infer_shapes(model).graph.output
        found = [types.type_of_proto(value.type) for value in outputs]
    except Exception:  # Inference of what is out of range fails as it likes.
        found = [""] * len(kinds)
    return [inferred or kind for inferred, kind in zip(found, kinds)]


def _build(draft, end):
    schema, kinds = draft.schema, _result_kinds(draft)
    builder = _Builder(draft)
    results = [f"result_{number}" for number in range(len(kinds))]
    node = helper.make_node(schema.name, builder.names, results, name="node", domain=schema.domain or None, **draft.attributes)
    outputs = [onnx.ValueInfoProto(name=name) for name in results]
    graph = helper.make_graph([node], "graph", builder.declared, outputs, builder.weights)
    opsets = _opsets(schema, end, draft.random)
    model = helper.make_model(graph, opset_imports=opsets, ir_version=helper.find_min_ir_version_for(opsets, True))
    kinds = _infer_results(model, kinds)
    for value, kind in zip(model.graph.output, kinds):
        value.type.CopyFrom(types.proto_of(kind))
    is_random = schema.name in RANDOM
    return Case(draft.name, model, builder.feeds, kinds, draft.is_elementwise, is_random, draft.style == OUTSIDE)


def make_case(group, slot, attempt):
    """The case, or None where such inputs cannot be made."""
    schema, end = schema_of(group)
    name = f"{group.name}/{slot}.{attempt}"
    draft = Draft(schema, {}, group.styles[slot], name)
    draft.variables = _choose_types(group, schema, attempt, draft.random)
    try:
        with np.errstate(all="ignore"):
            makers.make(draft)
            return _build(draft, end)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError):
        return None


def find(name):
    """The case of this name."""
    group_name, _, place = name.rpartition("/")
    slot, attempt = map(int, place.split("."))
    group = next(group for group in all_groups() if group.name == group_name)
    return group, make_case(group, slot, attempt)


def declare_results(case, outputs):
    """Declares the results' shapes in half of the models."""
    if sum(case.name.encode()) % 2:
        return
    is_static = all(not dim.dim_param for value in case.model.graph.input for dim in value.type.tensor_type.shape.dim)
    for value, kind, output in zip(case.model.graph.output, case.result_types, outputs):
        if types.is_tensor(kind):
            shape = np.shape(output)
            names = [f"{value.name}_{axis}" for axis in range(len(shape))]
            value.type.CopyFrom(types.proto_of(kind, shape if is_static else names))


def slots(group):
    return itertools.product(range(len(group.styles)), range(ATTEMPTS))
