"""Makers of recurrent networks, attention, signals, control flow, sequences and strings."""

import numpy as np
import onnx.defs
from onnx import helper

import types_of_onnx as types
from makers import maker

WITH_ALPHA = {"Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu"}
ACTIVATIONS = ("Relu", "Tanh", "Sigmoid", "Softsign", "Softplus", *sorted(WITH_ALPHA))
WITH_BETA = {"Affine", "ScaledTanh", "HardSigmoid"}
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}


def _activations(draft, count):
    names = [draft.pick(*ACTIVATIONS) for _ in range(count)]
    draft.attribute("activations", names)
    for name, value, users in (("activation_alpha", 0.5, WITH_ALPHA), ("activation_beta", 0.25, WITH_BETA)):
        if users.intersection(names):
            draft.attribute(name, [value for activation in names if activation in users])


@maker("RNN", "GRU", "LSTM")
def _recurrent(draft):
    name = draft.schema.name
    time, batch, inputs, hidden = (draft.size(1, 3) for _ in range(4))
    direction = draft.pick("forward", "reverse", "bidirectional")
    draft.choose("direction", direction, "forward")
    ways = 2 if draft.attributes.get("direction") == "bidirectional" else 1
    draft.choose("layout", 0, 0, 1)
    is_batch_first = draft.attributes.get("layout") == 1
    draft.attribute("hidden_size", hidden if not draft.outside() else hidden + 1)
    draft.data("X", (batch, time, inputs) if is_batch_first else (time, batch, inputs))
    draft.data("W", (ways, GATES[name] * hidden, inputs), -1, 1)
    draft.data("R", (ways, GATES[name] * hidden, hidden), -1, 1)
    if draft.some():
        draft.data("B", (ways, 2 * GATES[name] * hidden), -1, 1)
    if draft.some(0.3):
        draft.data("sequence_lens", (batch,), 1, time)
    for state in ("initial_h", "initial_c"):
        if draft.has(state) and draft.some(0.4):
            draft.data(state, (batch, ways, hidden) if is_batch_first else (ways, batch, hidden))
    for name in draft.values.keys() & {"X", "initial_h", "initial_c"}:
        draft.clean(name, large=False)
    if draft.has("P") and draft.some(0.3):
        draft.data("P", (ways, 3 * hidden), -1, 1)
    if draft.some(0.3):
        _activations(draft, FUNCTIONS[name] * ways)
    if draft.some(0.2):
        draft.attribute("clip", draft.pick(3.0, 0.5))
    for flag in ("linear_before_reset", "input_forget"):
        draft.choose(flag, 0, 1)
    draft.outputs = draft.pick(1, len(draft.schema.outputs))


@maker("Attention")
def _attention(draft):
    batch, heads, queries, keys = draft.size(1, 2), draft.pick(1, 2), draft.size(1, 4), draft.size(1, 4)
    width, values = draft.pick(2, 4), draft.pick(2, 4)
    shared = heads * draft.pick(1, 1, 2)
    if draft.some():
        draft.data("Q", (batch, shared, queries, width))
        draft.data("K", (batch, heads, keys, width))
        draft.data("V", (batch, heads, keys, values))
    else:
        draft.data("Q", (batch, queries, shared * width))
        draft.data("K", (batch, keys, heads * width))
        draft.data("V", (batch, keys, heads * values))
        draft.attribute("q_num_heads", shared)
        draft.attribute("kv_num_heads", heads)
    past = draft.size(1, 3) if draft.some(0.3) else 0
    if draft.some(0.5):
        draft.data("attn_mask", draft.pick((queries, keys + past), (batch, 1, queries, keys + past), (1, shared, queries, keys + past)))
    if past:
        draft.data("past_key", (batch, heads, past, width))
        draft.data("past_value", (batch, heads, past, values))
        draft.outputs = 3
    elif draft.some(0.3):
        draft.data("nonpad_kv_seqlen", (batch,), 1, keys)
    draft.choose("is_causal", 0, 1)
    for name in draft.values.keys() - {"attn_mask", "nonpad_kv_seqlen"}:
        draft.clean(name, large=False)
    draft.choose("softcap", 0.0, 2.0)
    draft.choose("scale", 0.5, 0.1)
    for name in ("left_window_size", "right_window_size"):
        draft.choose(name, -1, 0, 1, 2)
    if draft.some(0.3):
        draft.choose("qk_matmul_output_mode", 0, 1, 2, 3)
        draft.outputs = 4


@maker("FlexAttention")
def _flex_attention(draft):
    batch, heads, queries, keys, width = draft.size(1, 2), draft.pick(1, 2), draft.size(1, 4), draft.size(1, 4), draft.pick(2, 4)
    draft.data("Q", (batch, heads, queries, width))
    for name in ("K", "V"):
        draft.data(name, (batch, heads, keys, width))
    draft.choose("scale", 0.5, 0.1)


@maker("LinearAttention")
def _linear_attention(draft):
    batch, heads, time, width = draft.size(1, 2), draft.pick(1, 2), draft.size(1, 4), draft.pick(2, 4)
    for name in ("query", "key", "value"):
        draft.data(name, (batch, time, heads * width), -1, 1)
    draft.attribute("q_num_heads", heads)
    draft.attribute("kv_num_heads", heads)
    rule = draft.pick("linear", "gated", "delta", "gated_delta")
    draft.attribute("update_rule", rule)
    if draft.some(0.4):
        draft.data("past_state", (batch, heads, width, width), -1, 1)
    if "gated" in rule:
        draft.data("decay", (batch, time, heads * draft.pick(1, width)), -1, 0)
    if "delta" in rule:
        draft.data("beta", (batch, time, heads), 0, 1)
    draft.outputs = 2


@maker("RotaryEmbedding")
def _rotary(draft):
    batch, heads, time, width = draft.size(1, 2), draft.pick(1, 2), draft.size(1, 4), draft.pick(2, 4)
    if draft.some():
        draft.data("X", (batch, heads, time, width))
    else:
        draft.data("X", (batch, time, heads * width))
        draft.attribute("num_heads", heads)
    used = width
    if width == 4 and draft.some(0.3):
        used = 2
        draft.attribute("rotary_embedding_dim", used)
        draft.attribute("num_heads", heads)
    if draft.some():
        draft.data("position_ids", (batch, time), 0, 5)
        shape = (6, used // 2)
    else:
        shape = (batch, time, used // 2)
    draft.data("cos_cache", shape, -1, 1)
    draft.data("sin_cache", shape, -1, 1)
    draft.choose("interleaved", 0, 1)


# --- Signals ---


@maker("DFT")
def _dft(draft):
    shape = [draft.size(1, 3), *(draft.size(1, 8) for _ in range(draft.pick(1, 2))), draft.pick(1, 2)]
    draft.data("input", shape)
    draft.clean("input", large=False)
    draft.choose("inverse", 0, 1)
    draft.choose("onesided", 0, 1)
    axis = draft.random.randint(1, len(shape) - 2)
    if draft.some():
        draft.shaping("dft_length", draft.size(1, 9))
    if draft.takes("axis") or draft.some(0.6):
        draft.shaping("axis", axis - len(shape) if draft.some(0.3) else axis)


@maker("STFT")
def _stft(draft):
    length, frame = draft.size(16, 32), draft.pick(4, 5, 8)
    draft.data("signal", (draft.size(1, 2), length, draft.pick(1, 1, 2)))
    draft.clean("signal", large=False)
    draft.shaping("frame_step", draft.pick(1, 2, 3))
    if draft.some():
        draft.data("window", (frame,), 0, 1)
    if draft.some() or "window" not in draft.values:
        draft.shaping("frame_length", frame)
    draft.choose("onesided", 0, 1)


@maker("Det")
def _det(draft):
    size = draft.size()
    draft.data("X", (*draft.shape(0, 2), size, size))


# --- Control flow ---


def _value(name, kind, shape=None):
    return helper.make_value_info(name, types.proto_of(kind, shape))


def _constant_graph(draft, kind, name):
    """A graph without inputs that gives a constant."""
    array = types.make_array(draft.numbers, kind, draft.shape(0, 3))
    node = helper.make_node("Constant", [], [name], value=types.to_tensor(array, name, kind))
    return helper.make_graph([node], name, [], [_value(name, kind, array.shape)])


@maker("If")
def _if(draft):
    draft.data("cond", draft.pick((), (1,)))
    kind = draft.result_type()
    if not types.is_tensor(kind):
        kind = f"tensor({types.element_of(kind)})"
    draft.attribute("then_branch", _constant_graph(draft, kind, "then_value"))
    draft.attribute("else_branch", _constant_graph(draft, kind, "else_value"))
    draft.outputs = 1


@maker("Loop")
def _loop(draft):
    """A body that keeps one value and gives it as a row of the result."""
    kind = draft.type_of("v_initial")
    shape = draft.shape(0, 3)
    draft.shaping("M", draft.pick(draft.size(0, 4), [draft.size(0, 4)]), 0.5)
    if draft.some():
        draft.values["cond"] = np.array(draft.some(0.9))
    nodes = [helper.make_node("Identity", ["keep_in"], ["keep_out"])]
    row_kind, row_shape = kind, shape
    if types.is_tensor(kind):
        draft.list("v_initial", [types.make_array(draft.numbers, kind, shape)])
        added = onnx.defs.get_schema("Add", 14).type_constraints[0].allowed_type_strs
        is_sum = kind in added and types.is_float(types.dtype_of(kind)) and draft.some(0.7)
        nodes.append(helper.make_node("Add" if is_sum else "Identity", ["carried"] * (2 if is_sum else 1), ["next"]))
        nodes.append(helper.make_node("Identity", ["carried"], ["row"]))
    else:
        draft.list("v_initial", [draft.nested(kind, shape)])
        row_kind, row_shape = _carry_nested(nodes, kind, shape)
    inputs = [_value("turn", "tensor(int64)", ()), _value("keep_in", "tensor(bool)", ()), _value("carried", kind, shape)]
    outputs = [_value("keep_out", "tensor(bool)", ()), _value("next", kind, shape), _value("row", row_kind, row_shape)]
    draft.attribute("body", helper.make_graph(nodes, "body", inputs, outputs))
    draft.outputs = 2


def _carry_nested(nodes, kind, shape):
    """Passes on a longer sequence, and its first item as a row; an optional as it is. Returns the row's type and shape."""
    if kind not in onnx.defs.get_schema("SequenceAt", 11).type_constraints[0].allowed_type_strs:
        nodes.append(helper.make_node("Identity", ["carried"], ["next"]))
        nodes.append(helper.make_node("Identity", ["turn"], ["row"]))
        return "tensor(int64)", ()
    nodes.append(helper.make_node("Constant", [], ["zero"], value=onnx.numpy_helper.from_array(np.array(0))))
    nodes.append(helper.make_node("SequenceAt", ["carried", "zero"], ["row"]))
    nodes.append(helper.make_node("SequenceInsert", ["carried", "row"], ["next"]))
    return kind[kind.index("(") + 1 : -1], shape


@maker("Scan")
def _scan(draft):
    """A body that keeps one value, which is not changed, and gives each slice."""
    name = draft.schema.inputs[-1].name
    kind, rank = draft.type_of(name), 1
    shape = list(draft.shape(1, 3))
    state = types.make_array(draft.numbers, kind, draft.shape(0, 2))
    is_old = draft.schema.since_version < 9
    scanned = types.make_array(draft.numbers, kind, [2, *shape] if is_old else shape)
    state = np.stack([state, state]) if is_old else state
    draft.list(name, [state, scanned])
    inner, kept = shape[1:], state.shape[1:] if is_old else state.shape
    if not is_old and draft.often():
        axis = draft.axis(len(shape))
        draft.attribute("scan_input_axes", [axis])
        inner = [size for i, size in enumerate(shape) if i != axis % len(shape)]
        draft.choose("scan_output_axes", [0], [-1])
    for attribute in ("scan_input_directions", "directions", "scan_output_directions"):
        draft.choose(attribute, [0], [1])
    nodes = [helper.make_node("Identity", ["kept"], ["kept_on"]), helper.make_node("Identity", ["slice"], ["row"])]
    inputs = [_value("kept", kind, kept), _value("slice", kind, inner)]
    outputs = [_value("kept_on", kind, kept), _value("row", kind, inner)]
    draft.attribute("body", helper.make_graph(nodes, "body", inputs, outputs))
    draft.attribute("num_scan_inputs", rank)
    draft.outputs = 2


@maker("SequenceMap")
def _sequence_map(draft):
    kind = draft.type_of("input_sequence")
    draft.data("input_sequence", draft.shape(1, 3))
    inner = kind[kind.index("(") + 1 : -1]
    body = helper.make_graph([helper.make_node("Identity", ["each"], ["same"])], "body", [_value("each", inner)], [_value("same", inner)])
    draft.attribute("body", body)
    draft.outputs = 1


# --- Sequences and optional values ---


@maker("SequenceAt", "SequenceErase", "SequenceInsert")
def _sequence(draft):
    shape = draft.shape(1, 3)
    sequence = draft.data("input_sequence", shape)
    if draft.has("tensor"):
        kind = f"tensor({types.element_of(draft.type_of('input_sequence'))})"
        draft.values["tensor"] = types.make_array(draft.numbers, kind, shape)
    if draft.maybe("position"):
        draft.data("position", (), -len(sequence), len(sequence) - 1 + (5 if draft.outside() else 0))


@maker("SequenceConstruct")
def _sequence_construct(draft):
    draft.list("inputs", [draft.array("inputs", draft.shape(1, 3)) for _ in range(draft.pick(1, 2, 3))])


@maker("ConcatFromSequence")
def _concat_from_sequence(draft):
    shape = draft.shape(1, 3)
    draft.data("input_sequence", shape)
    draft.attribute("axis", draft.axis(len(shape)))
    draft.choose("new_axis", 0, 1)


@maker("SequenceEmpty")
def _sequence_empty(draft):
    element = types.element_of(draft.result_type())
    draft.attribute("dtype", types.number_of(f"tensor({element})"))


@maker("Optional")
def _optional(draft):
    if draft.some(0.7):
        draft.data("input", draft.shape(0, 3))
    kind = draft.type_of("input")
    draft.attribute("type", types.proto_of(kind))


# --- Strings ---


@maker("StringNormalizer")
def _string_normalizer(draft):
    draft.data("X", (draft.size(),))
    draft.choose("case_change_action", "NONE", "LOWER", "UPPER")
    draft.choose("is_case_sensitive", 0, 1)
    draft.choose("stopwords", ["a"], ["onnx", "B"])


@maker("RegexFullMatch")
def _regex(draft):
    draft.data("X", draft.shape())
    draft.attribute("pattern", draft.pick("[a-z]+", ".*", "a|B"))


@maker("StringSplit")
def _string_split(draft):
    draft.data("X", draft.shape(1))
    draft.choose("delimiter", " ", ",")
    draft.choose("maxsplit", 1, 2)


@maker("TfIdfVectorizer")
def _tf_idf(draft):
    is_string = draft.type_of("X") == "tensor(string)"
    draft.data("X", draft.shape(1, 2), 0, 4)
    draft.attribute("pool_strings", ["a", "B", "onnx", "a", "B"]) if is_string else draft.attribute("pool_int64s", [0, 1, 2, 0, 1])
    for name, value in (("ngram_counts", [0, 3]), ("ngram_indexes", [0, 1, 2, 3]), ("min_gram_length", 1), ("max_gram_length", 2)):
        draft.attribute(name, value)
    draft.attribute("max_skip_count", draft.pick(0, 1))
    draft.attribute("mode", draft.pick("TF", "IDF", "TFIDF"))
    if draft.some():
        draft.attribute("weights", [0.5, 1.0, 2.0, 3.0])
