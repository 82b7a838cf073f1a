"""Recurrent networks of the reader, executed and compared with the equations of the standard."""

import itertools

import numpy as np
from case import check, finish, refuse

f = np.float32
r = np.random.default_rng(0)
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
FUNCTIONS = {
    "Affine": lambda x, a=1.0, b=0.0: a * x + b,
    "Elu": lambda x, a=1.0, b=0: np.where(x < 0, a * (np.exp(x) - 1), x),
    "HardSigmoid": lambda x, a=0.2, b=0.5: np.clip(a * x + b, 0, 1),
    "LeakyRelu": lambda x, a=0.01, b=0: np.where(x < 0, a * x, x),
    "Relu": lambda x, a=0, b=0: np.maximum(x, 0),
    "ScaledTanh": lambda x, a=1.0, b=1.0: a * np.tanh(b * x),
    "Sigmoid": lambda x, a=0, b=0: 1 / (1 + np.exp(-x)),
    "Softplus": lambda x, a=0, b=0: np.log1p(np.exp(x)),
    "Softsign": lambda x, a=0, b=0: x / (1 + np.abs(x)),
    "Tanh": lambda x, a=0, b=0: np.tanh(x),
    "ThresholdedRelu": lambda x, a=1.0, b=0: np.where(x > a, x, 0),
}
WITH_ALPHA = ("Affine", "Elu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "ThresholdedRelu")
WITH_BETA = ("Affine", "HardSigmoid", "ScaledTanh")


def pick(names, alphas, betas):
    """Functions that take the next numbers that are given."""
    alphas, betas, made = list(alphas), list(betas), []
    for name in names:
        a = [alphas.pop(0)] if name in WITH_ALPHA and alphas else []
        b = {"b": betas.pop(0)} if name in WITH_BETA and betas else {}
        made.append(lambda x, g=FUNCTIONS[name], a=a, b=b: g(x, *a, **b))
    return made


def step(op, x, h, c, w, u, b, p, g, clip, linear, coupled):
    act = lambda k, v: g[k](np.clip(v, -clip, clip) if clip else v)
    n = h.shape[1]
    xs, hs = np.split(x @ w.T + b[: len(b) // 2], GATES[op], 1), np.split(h @ u.T + b[len(b) // 2 :], GATES[op], 1)
    if op == "RNN":
        return act(0, xs[0] + hs[0]), c
    if op == "GRU":
        z, s = act(0, xs[0] + hs[0]), act(0, xs[1] + hs[1])
        t = s * hs[2] if linear else (s * h) @ u[2 * n :].T + b[-n:]
        return (1 - z) * act(1, xs[2] + t) + z * h, c
    pi, po, pf = np.split(p, 3)
    i = act(0, xs[0] + hs[0] + pi * c)
    k = 1 - i if coupled else act(0, xs[2] + hs[2] + pf * c)
    c = k * c + i * act(1, xs[3] + hs[3])
    return act(0, xs[1] + hs[1] + po * c) * act(2, c), c


def compute(op, x, w, u, b=None, lens=None, h0=None, c0=None, p=None, *, hidden_size, direction="forward", layout=0, activations=(), activation_alpha=(), activation_beta=(), clip=0, linear_before_reset=0, input_forget=0):
    swap = lambda a: np.swapaxes(a, 0, 1) if layout and a is not None else a
    x, h0, c0 = swap(x), swap(h0), swap(c0)
    count, (time, batch, _) = w.shape[0], x.shape
    g = pick(list(activations) or DEFAULTS[op] * count, activation_alpha, activation_beta)
    ys, hs, cs = [], [], []
    for d in range(count):
        own = g[d * len(g) // count : (d + 1) * len(g) // count]
        zero = np.zeros((batch, hidden_size), x.dtype)
        h, c = (zero if s is None else s[d] for s in (h0, c0))
        y = np.zeros((time, batch, hidden_size), x.dtype)
        bias = np.zeros(2 * GATES[op] * hidden_size, x.dtype) if b is None else b[d]
        peep = np.zeros(3 * hidden_size, x.dtype) if p is None else p[d]
        for t in range(time)[:: -1 if d or direction == "reverse" else 1]:
            inside = (t < np.full(batch, time) if lens is None else t < lens)[:, None]
            h1, c1 = step(op, x[t], h, c, w[d], u[d], bias, peep, own, clip, linear_before_reset, input_forget)
            y[t], h, c = np.where(inside, h1, 0), np.where(inside, h1, h), np.where(inside, c1, c)
        ys.append(y), hs.append(h), cs.append(c)
    y = np.stack(ys, 1)
    return [y.transpose(2, 0, 1, 3) if layout else y, swap(np.stack(hs)), swap(np.stack(cs))][: 3 if op == "LSTM" else 2]


def try_case(op, given="", time=4, batch=2, dims=None, dtype=f, **how):
    """One network; `given` names the optional inputs."""
    count, gates, hidden, size = 2 if how.get("direction") == "bidirectional" else 1, GATES[op], 3, 5
    draw = lambda *shape: r.standard_normal(shape).astype(dtype)
    flip = lambda a: np.ascontiguousarray(np.swapaxes(a, 0, 1)) if how.get("layout") else a
    inputs = [flip(draw(time, batch, size)), draw(count, gates * hidden, size), draw(count, gates * hidden, hidden)]
    inputs.append(draw(count, 2 * gates * hidden) if "b" in given else None)
    inputs.append(r.integers(0, time + 1, batch).astype(np.int32) if "l" in given else None)
    inputs += [flip(draw(count, batch, hidden)) if letter in given else None for letter in "hc"]
    inputs.append(draw(count, 3 * hidden) if "p" in given else None)
    inputs = inputs[: 8 if op == "LSTM" else 6]
    want = compute(op, *inputs, hidden_size=hidden, **how)
    check(op, inputs, outputs=len(want), want=want, dims=dims, constants=(1, 2, 3, 7), opset=22, hidden_size=hidden, **how)


try_case("LSTM", time=1)
try_case("GRU", "bhc", dtype=np.float64)
for op in GATES:
    for direction in ("forward", "reverse", "bidirectional"):
        try_case(op, "bhcpl", direction=direction, dims={0: ["T", "B", 5], 4: ["B"], 5: ["D", "B", 3], 6: ["D", "B", 3]})
    try_case(op, "bhc", layout=1, direction="bidirectional")
    try_case(op, "bh", time=0, dims={0: ["T", 2, 5]})
    try_case(op, "b", clip=0.3)
    for names in itertools.islice(zip(*[iter(FUNCTIONS)] * len(DEFAULTS[op])), 6):
        try_case(op, "b", activations=list(names))
try_case("RNN", activations=["Affine", "ScaledTanh"], activation_alpha=[0.5, 0.7], activation_beta=[0.1, 1.5], direction="bidirectional")
try_case("LSTM", activations=["HardSigmoid", "LeakyRelu", "Tanh"], activation_alpha=[0.3, 0.2], activation_beta=[0.4])
try_case("GRU", "bh", linear_before_reset=1, direction="bidirectional")
try_case("GRU", "h", linear_before_reset=1)
try_case("LSTM", "bhcp", input_forget=1)
refuse("RNN", [np.zeros((2, 2, 5), f), np.zeros((1, 3, 5), f), np.zeros((1, 3, 3), f)], "there is no activation Sinh", opset=22, hidden_size=3, activations=["Sinh"])
refuse("GRU", [np.zeros((2, 2, 5), f), np.zeros((1, 8, 5), f), np.zeros((1, 9, 3), f)], "do not fit the hidden size", opset=22, hidden_size=3)
finish()
