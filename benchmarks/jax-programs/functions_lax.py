"""jax.lax: primitives, windows, scans, scatters, control flow."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from draws import ALL, BOOL, COMPLEX, FLOATS, INTEGERS, REAL, UNSIGNED, WIDE, any_of, between, beyond, fixed, index, of, small, special
from table import deviating, differentiable, resolve, row

VALUE_AND_VMAP = ("value", "vmap")

# --- Elementwise ---

for name, function in resolve(lax, "neg sign abs bitwise_not population_count clz is_finite real imag conj square"):
    row(f"lax.{name}", function, special(4, 6), dtypes=ALL + WIDE)
for name, function in resolve(lax, "exp exp2 expm1 tanh logistic sin cos tan cbrt erf erfc sinh cosh asinh atan"):
    differentiable(f"lax.{name}", function, small(4, 6), dtypes=FLOATS + COMPLEX + ("float64",))
for name, function in resolve(lax, "log log1p sqrt rsqrt lgamma digamma acosh bessel_i0e bessel_i1e"):
    differentiable(f"lax.{name}", function, between(1.1, 9, 4, 6), dtypes=FLOATS + COMPLEX)
for name, function in resolve(lax, "erf_inv asin acos atanh"):
    differentiable(f"lax.{name}", function, between(-0.9, 0.9, 4, 6), dtypes=FLOATS + COMPLEX)
for name, function in resolve(lax, "add sub mul max min eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor"):
    row(f"lax.{name}", function, special(4, 6), special(4, 6), dtypes=ALL + WIDE)
for name, function in resolve(lax, "div rem"):
    row(f"lax.{name}", function, any_of(4, 6), any_of(4, 6), dtypes=ALL + WIDE)
for name, function in resolve(lax, "shift_left shift_right_logical shift_right_arithmetic"):
    row(f"lax.{name}", function, any_of(4, 6), between(0, 8, 4, 6), dtypes=INTEGERS + WIDE)
for name, function in resolve(lax, "atan2 nextafter pow complex"):
    row(f"lax.{name}", function, between(0.5, 4, 4, 6), between(0.5, 4, 4, 6), dtypes=FLOATS + COMPLEX, kinds=("value", "gradient"))
for name, function in resolve(lax, "igamma igammac polygamma zeta"):
    row(f"lax.{name}", function, between(1.5, 4, 4, 6), between(1.5, 4, 4, 6), dtypes=FLOATS)
row("lax.betainc", lax.betainc, between(1.5, 4, 4), between(1.5, 4, 4), between(0.1, 0.9, 4), dtypes=("float32",))
row("lax.clamp", lambda x: lax.clamp(jnp.ones((), x.dtype), x, jnp.full((), 3, x.dtype)), special(4, 6), dtypes=REAL + WIDE)
row("lax.clamp(arrays)", lax.clamp, special(4, 6), special(4, 6), special(4, 6), dtypes=FLOATS)
row("lax.integer_pow", lambda x: (lax.integer_pow(x, 3), x**5), small(4, 6))
row("lax.round", lambda x: (lax.round(x), lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)), special(4, 6), dtypes=FLOATS)
row("lax.select_n", lambda i, x, y, z: lax.select_n(i, x, y, z), index(4, 6, below=3), any_of(4, 6), any_of(4, 6), any_of(4, 6))
row("lax.reduce_precision", lambda x: lax.reduce_precision(x, 5, 7), any_of(4, 6), dtypes=FLOATS)

for target in ALL + ("uint64", "int64", "float64"):
    row(f"astype({target})", lambda x, t=target: x.astype(t), between(0, 100, 4, 6), dtypes=ALL + WIDE)
    row(f"astype({target}), whole range", lambda x, t=target: x.astype(t), any_of(4, 6), dtypes=BOOL + INTEGERS + ("uint64", "int64"))
for target in ("uint8", "int8", "uint16", "float16", "bfloat16", "uint32", "int32", "float32"):
    row(f"bitcast({target})", lambda x, t=target: lax.bitcast_convert_type(x, t), any_of(4, 4), dtypes=REAL)

# --- Shapes ---

row("lax.pad", lambda x: (lax.pad(x, jnp.ones((), x.dtype), ((1, 2, 1), (-1, 0, 0))), lax.pad(x, jnp.ones((), x.dtype), ((0, -1, 2), (2, -2, 1)))), any_of(4, 6), kinds=("value", "gradient", "vmap"))
row("lax.rev", lambda x: lax.rev(x, (0, 1)), any_of(4, 6), kinds=("value", "gradient", "vmap"))
row("lax.slice", lambda x: lax.slice(x, (1, 0), (4, 5), (2, 3)), any_of(4, 6), kinds=("value", "gradient"))
row("lax.dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (2, 3)), any_of(4, 6), beyond(2, below=5), kinds=("value", "gradient", "vmap"))
row("lax.dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i[0], i[1])), any_of(4, 6), any_of(2, 3), beyond(2, below=5), kinds=("value", "gradient", "vmap"))
row("lax.dynamic_slice(uint8 index)", lambda x: lax.dynamic_slice(x, (x[0],), (2,)), small(9), dtypes=INTEGERS)
row("lax.broadcast_in_dim", lambda x: lax.broadcast_in_dim(x, (4, 2, 6), (0, 2)), any_of(4, 6), kinds=("value", "gradient"))
row("lax.iota", lambda x: x + lax.broadcasted_iota(x.dtype, (4, 6), 1), any_of(4, 6), dtypes=REAL + COMPLEX)
row("lax.concatenate", lambda x, y: lax.concatenate([x, y], 1), any_of(4, 6), any_of(4, 2))

# --- Reductions, scans and windows ---

REDUCTIONS = {
    "add": lax.add, "mul": lax.mul, "max": lax.max, "min": lax.min,
    "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor,
}  # fmt: skip
STARTS = {"add": 0, "mul": 1, "max": None, "min": None, "and": -1, "or": 0, "xor": 0}


def start_of(name, dtype):
    """The neutral element."""
    if name in ("max", "min"):
        if dtype == np.bool_:
            return np.array(name == "min")
        if jnp.issubdtype(dtype, jnp.floating):
            return np.array(-np.inf if name == "max" else np.inf, dtype)
        info = jnp.iinfo(dtype)
        return np.array(info.min if name == "max" else info.max, dtype)
    return np.array(STARTS[name]).astype(dtype)


for name, function in REDUCTIONS.items():

    def reduce(x, name=name, function=function):
        start = start_of(name, x.dtype)
        return lax.reduce(x, start, function, (0,)), lax.reduce(x, start, function, (1, 0))

    row(f"lax.reduce({name})", reduce, small(3, 4), dtypes=ALL)
    for padding in ("SAME", "VALID", ((0, 0), (2, 1))):

        def windows(x, name=name, function=function, padding=padding):
            return lax.reduce_window(x, start_of(name, x.dtype), function, (1, 3), (1, 2), padding)

        text = padding if isinstance(padding, str) else "2+1"
        row(f"lax.reduce_window({name}, {text})", windows, small(3, 8), dtypes=ALL, kinds=("value", "gradient") if name in ("add", "max", "min") else ("value",))
    for end in ((0, 5), (5, 0)):

        def scan_by_window(x, name=name, function=function, end=end):
            return lax.reduce_window(x, start_of(name, x.dtype), function, (1, 6), (1, 1), ((0, 0), end))

        row(f"lax.reduce_window({name}, scan {end})", scan_by_window, small(3, 6), dtypes=ALL, kinds=VALUE_AND_VMAP)
row("lax.reduce_window(dilated)", lambda x: lax.reduce_window(x, start_of("max", x.dtype), lax.max, (2, 3), (1, 1), "VALID", base_dilation=(2, 1), window_dilation=(1, 2)), any_of(5, 8), dtypes=REAL)
row("lax.reduce(two)", lambda x: lax.reduce((x, x + x), (start_of("add", x.dtype), start_of("max", x.dtype)), lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])), (1,)), small(4, 6), dtypes=REAL)
row("lax.argmax", lambda x: (lax.argmax(x, 1, np.int32), lax.argmin(x, 0, np.int32)), special(4, 6), dtypes=REAL + WIDE)

for name, function in resolve(lax, "cumsum cumprod cummax cummin cumlogsumexp"):
    for reverse in (False, True):
        row(f"lax.{name}(reverse={reverse})", lambda x, f=function, r=reverse: (f(x, 0, reverse=r), f(x, 1, reverse=r)), small(4, 6), dtypes=ALL, kinds=("value", "gradient", "vmap"))
row("lax.associative_scan", lambda x: (lax.associative_scan(jnp.add, x), lax.associative_scan(jnp.maximum, x, axis=1, reverse=True)), small(5, 6), dtypes=REAL)

for width, stride in ((2, 2), (3, 1), (3, 2), (2, 1)):
    for padding in ("SAME", "VALID"):

        def pool(x, width=width, stride=stride, padding=padding):
            return lax.reduce_window(x, -jnp.inf, lax.max, (1, width, width, 1), (1, stride, stride, 1), padding)

        row(f"max_pool({width}, {stride}, {padding})", pool, any_of(1, 6, 6, 2), dtypes=("float32", "float16"), kinds=("value", "gradient", "vmap"))

# --- Sorts ---

row("lax.sort(two keys)", lambda x, y: lax.sort((x, y), num_keys=2), small(4, 9), small(4, 9), dtypes=ALL)
row("lax.sort(stable)", lambda x: lax.sort((x, lax.broadcasted_iota(np.int32, (4, 9), 1)), num_keys=1), small(4, 9), dtypes=ALL)
row("lax.sort_key_val", lambda x, y: lax.sort_key_val(x, y, 0), any_of(6, 3), any_of(6, 3), dtypes=REAL)
row("lax.top_k", lambda x: lax.top_k(x, 3), any_of(4, 9), dtypes=REAL + WIDE, kinds=("value", "gradient", "vmap"))
row("lax.top_k(equal and nan)", lambda x: (lax.top_k(x, 5), lax.top_k(-x, 3)), special(4, 9), dtypes=("float32", "float16"))
row("lax.top_k(equal)", lambda x: lax.top_k(x, 5), small(4, 9), dtypes=REAL)
row("lax.approx_max_k", lambda x: lax.approx_max_k(x, 3), any_of(4, 9), dtypes=("float32", "bfloat16"), kinds=("value", "gradient"))
row("lax.approx_min_k", lambda x: (lax.approx_min_k(x, 3), lax.approx_min_k(x, 2, 0)), any_of(4, 9), dtypes=("float32", "bfloat16"))

# --- Products and convolutions ---

row("lax.dot", lax.dot, small(3, 4), small(4, 5), dtypes=ALL)
row("lax.batch_matmul", lax.batch_matmul, small(2, 3, 4), small(2, 4, 5), dtypes=ALL)
row("lax.dot_general(two)", lambda x, y: lax.dot_general(x, y, (((1, 3), (2, 1)), ((0,), (0,)))), small(2, 3, 4, 5), small(2, 5, 3, 2), dtypes=("float32", "uint8", "int32"), kinds=("value", "gradient"))
CONVOLUTIONS = {
    "plain": {},
    "strides": {"window_strides": (2, 1)},
    "padding": {"padding": ((1, 2), (0, 1))},
    "negative padding": {"padding": ((-1, 1), (1, -1))},
    "dilated input": {"lhs_dilation": (2, 2)},
    "dilated window": {"rhs_dilation": (2, 1)},
    "groups": {"feature_group_count": 2},
    "depthwise": {"feature_group_count": 4},
    "batch groups": {"batch_group_count": 2},
}
for name, options in CONVOLUTIONS.items():

    def convolution(x, w, options=options):
        settings = {"window_strides": (1, 1), "padding": "SAME", **options}
        return lax.conv_general_dilated(x, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), **settings)

    groups = options.get("feature_group_count", 1)
    row(f"lax.conv({name})", convolution, small(2, 6, 5, 4), small(3, 2, 4 // groups, 8), dtypes=ALL, kinds=("value", "gradient"))


def shift(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), ((-1, 1), (-1, 1)))


def shift_padded(x, w):
    padded = lax.pad(x, jnp.zeros((), x.dtype), ((0, 0, 0), (0, 0, 0), (-1, 1, 0), (-1, 1, 0)))
    return lax.conv_general_dilated(padded, w, (1, 1), "VALID")


why = "its convolution of floats in two dimensions reads beyond the input"
deviating("lax.conv(padding (-1, 1))", why, shift, shift_padded, small(2, 4, 6, 5), small(3, 4, 3, 2), dtypes=REAL)
row("lax.conv(NCHW)", lambda x, w: lax.conv(x, w, (1, 1), "SAME"), small(2, 4, 6, 5), small(3, 4, 3, 2), dtypes=REAL, kinds=("value", "gradient", "vmap"))
row("lax.conv(1-D)", lambda x, w: lax.conv_general_dilated(x, w, (2,), "SAME"), small(2, 4, 9), small(3, 4, 3), dtypes=REAL, kinds=("value", "gradient"))
row("lax.conv(3-D)", lambda x, w: lax.conv_general_dilated(x, w, (1, 1, 1), "VALID"), small(1, 2, 4, 4, 4), small(3, 2, 2, 2, 2), dtypes=("float32", "int8"), kinds=("value", "gradient"))
row("lax.conv_transpose", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), small(1, 4, 4, 2), small(3, 3, 2, 3), dtypes=REAL, kinds=("value", "gradient"))

# --- Gathers and scatters ---

WINDOWS = lax.GatherDimensionNumbers((1, 2), (), (0, 1))
WRITES = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
MODES = ("clip", "fill", "promise_in_bounds")
for mode in MODES:
    indices = beyond(3, 2, below=5) if mode != "promise_in_bounds" else index(3, 2, below=3)
    row(f"lax.gather(windows, {mode})", lambda x, i, m=mode: lax.gather(x, i, WINDOWS, (2, 3), mode=m), any_of(5, 6), indices, dtypes=ALL, kinds=("value", "gradient"))
    for name, function in resolve(lax, "scatter_add scatter_min scatter_max scatter_mul"):
        row(f"lax.{name}(windows, {mode})", lambda x, i, u, m=mode, f=function: f(x, i, u, WRITES, mode=m), small(5, 6), indices, small(3, 2, 3), dtypes=REAL)
    row(f"lax.scatter(windows, {mode})", lambda x, i, u, m=mode: lax.scatter(x, i, u, WRITES, mode=m), any_of(5, 6), fixed([[4, 3], [1, 2]] if mode != MODES[2] else [[3, 3], [1, 2]], "int32"), any_of(2, 2, 3), dtypes=ALL)
row("lax.index_take", lambda x, i: lax.index_take(x, (i,), (0,)), any_of(5, 6), index(4, below=5))
for name, function in resolve(jax.ops, "segment_sum segment_prod segment_max segment_min"):
    row(f"jax.ops.{name}", lambda x, i, f=function: f(x, i, 4), small(9, 2), index(9, below=4), dtypes=REAL, kinds=("value", "gradient"))

# --- Control flow ---

row("lax.cond", lambda x: lax.cond(x[0, 0] > 1, lambda v: v + v, lambda v: v * v, x), small(4, 6), dtypes=REAL, kinds=("value", "gradient", "vmap"))
row("lax.switch", lambda x, i: lax.switch(i, [lambda v: v + v, lambda v: v * v, lambda v: v[::-1]], x), small(4, 6), fixed(1, "int32"), kinds=("value", "gradient"))
row("lax.switch(out of range)", lambda x, i: lax.switch(i, [lambda v: v + v, lambda v: v * v, lambda v: v[::-1]], x), small(4, 6), fixed(7, "int32"))
row("lax.while_loop", lambda x: lax.while_loop(lambda s: s[1] < 3, lambda s: (s[0] + s[0], s[1] + 1), (x, 0))[0], small(4, 6))
row("lax.fori_loop", lambda x: lax.fori_loop(0, 3, lambda i, v: v.at[i].add(v[i + 1]), x), small(4, 6), dtypes=REAL, kinds=("value", "gradient"))
row("lax.scan", lambda x: lax.scan(lambda c, v: (c + v, c * v), x[0], x), small(4, 6), kinds=("value", "gradient", "vmap"))
row("lax.scan(reverse)", lambda x: lax.scan(lambda c, v: (c + v, c * v), x[0], x, reverse=True), small(4, 6), kinds=("value", "gradient"))
row("lax.map", lambda x: lax.map(lambda v: v[::-1] + v, x), small(4, 6))
row("jax.checkpoint", jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum(1)), any_of(4, 6), dtypes=FLOATS + COMPLEX, kinds=("value", "gradient", "vmap"))
row("lax.optimization_barrier", lambda x: lax.optimization_barrier((x, x + x)), any_of(4, 6))
row("lax.stop_gradient", lambda x: x * lax.stop_gradient(x), any_of(4, 6), dtypes=FLOATS, kinds=("value", "gradient"))
row("jax.jit in jit", lambda x: jax.jit(jnp.sort)(x) + jax.jit(jnp.flip)(x), any_of(5), dtypes=ALL)
if hasattr(lax, "composite"):
    row("lax.composite", lambda x: lax.composite(lambda v: v + v * v, "my.op")(x), any_of(4, 6))
row("jax.hessian", jax.hessian(lambda x: jnp.sum(jnp.tanh(x) ** 3)), any_of(4), dtypes=("float32",))
row("jax.jacfwd", jax.jacfwd(lambda x: jnp.cumsum(x * x)), any_of(4), dtypes=("float32",))
row("jax.custom_jvp", jax.nn.relu, special(4, 6), dtypes=REAL)
row("constants", lambda x: (x + np.asarray([200, 3, 100, 1]).astype(x.dtype), jnp.asarray(np.arange(4)).astype(x.dtype)), any_of(3, 4))
row("constants(all ones)", lambda x: (x ^ jnp.full((4,), jnp.iinfo(x.dtype).max, x.dtype), x >> 1), any_of(3, 4), dtypes=UNSIGNED)
row("complex of parts", lambda x: (lax.complex(x, x).real, jnp.abs(lax.complex(x, x)), lax.complex(x, x) * (1 + 2j)), any_of(4, 6), dtypes=("float32",))
row("complex sums", lambda x: (x.sum(0), x.mean(), (x * x.conj()).real.sum(), jnp.max(x, 0), jnp.cumsum(x, 0), jnp.sort(x)), of("complex64", any_of(4, 6)), dtypes=COMPLEX)
