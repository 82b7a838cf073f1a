"""jax.numpy: elementwise functions, sums, shapes, sorts, indexing."""

import jax.numpy as jnp

from draws import ALL, BOOL, COMPLEX, FLOATS, INTEGERS, REAL, WIDE, any_of, between, beyond, fixed, index, mask, of, small, special
from table import differentiable, resolve, row

VALUE_AND_VMAP = ("value", "vmap")

# --- One argument ---

for name, function in resolve(
    jnp,
    """abs absolute negative positive sign square conjugate real imag iscomplex isreal isfinite isinf isnan isneginf
    isposinf signbit logical_not floor ceil trunc rint fix invert nan_to_num ravel copy atleast_2d ones_like zeros_like
    bitwise_count""",
):
    row(f"jnp.{name}", function, special(4, 6), dtypes=ALL + WIDE)

for name, function in resolve(
    jnp,
    """exp exp2 expm1 sin cos tan sinh cosh tanh arctan arcsinh sinc deg2rad rad2deg cbrt square i0""",
):
    differentiable(f"jnp.{name}", function, small(4, 6), dtypes=FLOATS + COMPLEX + ("int8", "uint8", "bool"))

for name, function in resolve(jnp, "log log2 log10 log1p sqrt reciprocal arccosh"):
    differentiable(f"jnp.{name}", function, between(1.1, 9, 4, 6), dtypes=FLOATS + COMPLEX + ("int16", "uint8"))

for name, function in resolve(jnp, "arcsin arccos arctanh"):
    differentiable(f"jnp.{name}", function, between(-0.9, 0.9, 4, 6), dtypes=FLOATS + COMPLEX)

differentiable("jnp.angle", jnp.angle, any_of(4, 6), dtypes=FLOATS + COMPLEX)
row("jnp.round", lambda x: jnp.round(x, 1), any_of(4, 6), dtypes=FLOATS + INTEGERS)
row("jnp.frexp", jnp.frexp, any_of(4, 6), dtypes=FLOATS)
row("jnp.modf", jnp.modf, any_of(4, 6), dtypes=FLOATS)
row("jnp.spacing", lambda x: jnp.nextafter(x, x + 1), any_of(4, 6), dtypes=FLOATS)

# --- Two arguments ---

for name, function in resolve(
    jnp,
    """add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal logical_and
    logical_or logical_xor bitwise_and bitwise_or bitwise_xor""",
):
    row(f"jnp.{name}", function, special(4, 6), special(4, 6), dtypes=ALL + WIDE, kinds=VALUE_AND_VMAP)

# JAX's own does not end where a number is the least one, which has no absolute value.
for name, function in resolve(jnp, "gcd lcm"):
    row(f"jnp.{name}", function, small(4, 6), small(4, 6), dtypes=INTEGERS + WIDE, kinds=VALUE_AND_VMAP)

for name, function in resolve(jnp, "divide true_divide floor_divide remainder mod fmod divmod"):
    row(f"jnp.{name}", function, any_of(4, 6), any_of(4, 6), dtypes=ALL + WIDE)

for name, function in resolve(jnp, "left_shift right_shift"):
    row(f"jnp.{name}", function, any_of(4, 6), between(0, 8, 6), dtypes=INTEGERS + WIDE)

for name, function in resolve(jnp, "arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside float_power"):
    row(f"jnp.{name}", function, between(0.5, 4, 4, 6), between(0.5, 3, 6), dtypes=FLOATS + ("uint8", "int32"), kinds=("value", "gradient"))

row("jnp.power", jnp.power, between(0.5, 4, 4, 6), between(0, 3, 6), dtypes=REAL, kinds=("value", "gradient"))
row("jnp.power(2)", lambda x: (x**2, x**3, 2**x), small(4, 6), dtypes=INTEGERS)
row("jnp.ldexp", lambda x, i: jnp.ldexp(x, i), any_of(4, 6), index(6, below=5), dtypes=FLOATS)
row("jnp.isclose", jnp.isclose, small(4, 6), small(4, 6))
row("jnp.allclose", jnp.allclose, small(4, 6), small(4, 6))
row("jnp.array_equal", lambda x: jnp.array_equal(x, x), any_of(4, 6))
row("jnp.clip", lambda x, a, b: jnp.clip(x, a, b), special(4, 6), fixed(1), fixed(3), kinds=("value", "gradient"))
row("jnp.where", lambda m, x, y: jnp.where(m, x, y), mask(4, 6), any_of(4, 6), any_of(6), kinds=("value", "gradient"))
row("jnp.select", lambda m, x, y: jnp.select([m, x > y], [x, y], 0), mask(4, 6), any_of(4, 6), any_of(4, 6))
row("jnp.piecewise", lambda x: jnp.piecewise(x, [x < 2, x >= 2], [lambda v: v, lambda v: v + v]), any_of(4, 6), dtypes=REAL)

# --- Sums, maxima and statistics ---

for name, function in resolve(jnp, "sum prod mean var std nansum nanprod nanmean nanvar"):
    row(f"jnp.{name}", lambda x, f=function: (f(x, 0), f(x, -1), f(x)), between(1, 3, 3, 5), kinds=("value", "gradient"))

for name, function in resolve(jnp, "max min amax amin nanmax nanmin ptp any all count_nonzero argmax argmin nanargmax nanargmin"):
    row(f"jnp.{name}", lambda x, f=function: (f(x, axis=0), f(x, axis=-1), f(x)), any_of(4, 6), dtypes=ALL + WIDE, kinds=("value", "gradient"))

for name, function in resolve(jnp, "cumsum cumprod nancumsum nancumprod"):
    row(f"jnp.{name}", lambda x, f=function: (f(x, 0), f(x, 1)), small(4, 6), kinds=("value", "gradient", "vmap"))

row("jnp.average", lambda x, w: jnp.average(x, 1, w), any_of(4, 6), of("float32", between(1, 3, 6)), dtypes=REAL)
row("jnp.median", lambda x: jnp.median(x, 1), any_of(4, 6), dtypes=REAL, kinds=("value", "gradient"))
row("jnp.quantile", lambda x: jnp.quantile(x, 0.3, 1), any_of(4, 6), dtypes=FLOATS, kinds=("value", "gradient"))
row("jnp.percentile", lambda x: jnp.percentile(x, 40, 0), any_of(4, 6), dtypes=FLOATS)
row("jnp.cov", jnp.cov, any_of(4, 6), dtypes=("float32", "uint8"))
row("jnp.corrcoef", jnp.corrcoef, any_of(4, 6), dtypes=("float32",))
row("jnp.histogram", lambda x: jnp.histogram(x, 5, (-3, 3)), small(20), dtypes=("float32", "int32", "uint8"))
row("jnp.bincount", lambda x: jnp.bincount(x, length=9), between(0, 9, 20), dtypes=INTEGERS)
row("jnp.digitize", lambda x, b: jnp.digitize(x, jnp.sort(b)), any_of(20), any_of(5), dtypes=REAL)
row("jnp.diff", lambda x: (jnp.diff(x), jnp.diff(x, 2, 0)), any_of(4, 6), kinds=("value", "gradient"))
row("jnp.ediff1d", jnp.ediff1d, any_of(7), dtypes=REAL)
row("jnp.gradient", lambda x: jnp.gradient(x), any_of(4, 6), dtypes=FLOATS)
row("jnp.trapezoid", lambda x: jnp.trapezoid(x, axis=1), any_of(4, 6), dtypes=FLOATS, kinds=("value", "gradient"))
row("jnp.interp", lambda x, p, f: jnp.interp(x, jnp.sort(p), f), any_of(7), any_of(5), any_of(5), dtypes=FLOATS, kinds=("value", "gradient"))
row("jnp.convolve", jnp.convolve, small(9), small(4), kinds=("value", "gradient"))
row("jnp.correlate", jnp.correlate, small(9), small(4))
row("jnp.polyval", jnp.polyval, small(4), small(6), dtypes=REAL, kinds=("value", "gradient"))
row("jnp.polyadd", jnp.polyadd, small(4), small(6), dtypes=REAL)
row("jnp.polymul", jnp.polymul, between(1, 4, 4), between(1, 4, 6), dtypes=FLOATS)
row("jnp.polyder", jnp.polyder, small(6), dtypes=FLOATS)
row("jnp.vander", lambda x: jnp.vander(x, 3), small(6), dtypes=REAL)

# --- Sorts and sets ---

for name, function in resolve(jnp, "sort argsort"):
    row(f"jnp.{name}", lambda x, f=function: (f(x), f(x, axis=0), f(x, descending=True)), special(5, 7), dtypes=ALL + WIDE, kinds=VALUE_AND_VMAP)
differentiable("jnp.sort", jnp.sort, any_of(4, 6))
row("jnp.lexsort", lambda x, y: jnp.lexsort((x, y)), small(9), small(9))
row("jnp.partition", lambda x: jnp.partition(x, 2), any_of(4, 6), dtypes=REAL)
row("jnp.argpartition", lambda x: jnp.sort(jnp.argpartition(x, 2)[:, :2]), any_of(4, 6), dtypes=REAL)
row("jnp.searchsorted", lambda x, v: jnp.searchsorted(jnp.sort(x), v), any_of(9), any_of(5), dtypes=REAL + WIDE)
row("jnp.unique", lambda x: jnp.unique(x, size=6, fill_value=1), small(9))
row("jnp.unique(all)", lambda x: jnp.unique(x, True, True, True, size=6), small(9), dtypes=REAL)
row("jnp.union1d", lambda x, y: jnp.union1d(x, y, size=8), small(5), small(6), dtypes=REAL)
row("jnp.intersect1d", lambda x, y: jnp.intersect1d(x, y, size=4), small(5), small(6), dtypes=REAL)
row("jnp.setdiff1d", lambda x, y: jnp.setdiff1d(x, y, size=4), small(5), small(6), dtypes=REAL)
row("jnp.isin", jnp.isin, small(4, 6), small(3))
row("jnp.nonzero", lambda x: jnp.nonzero(x, size=5, fill_value=-1), small(3, 4))
row("jnp.argwhere", lambda x: jnp.argwhere(x, size=5), small(3, 4))
row("jnp.flatnonzero", lambda x: jnp.flatnonzero(x, size=5), small(9))
row("jnp.extract", lambda m, x: jnp.extract(m, x, size=4, fill_value=1), mask(9), any_of(9))
row("jnp.compress", lambda x: jnp.compress(jnp.array([True, False, True]), x, axis=0), any_of(3, 4))

# --- Shapes ---

for name, function in (
    ("reshape", lambda x: jnp.reshape(x, (3, -1))),
    ("transpose", lambda x: jnp.transpose(x, (2, 0, 1))),
    ("swapaxes", lambda x: jnp.swapaxes(x, 0, 2)),
    ("moveaxis", lambda x: jnp.moveaxis(x, 0, 1)),
    ("rollaxis", lambda x: jnp.rollaxis(x, 2)),
    ("flip", lambda x: (jnp.flip(x), jnp.flip(x, 1))),
    ("fliplr", jnp.fliplr),
    ("flipud", jnp.flipud),
    ("rot90", lambda x: jnp.rot90(x, 1, (0, 1))),
    ("roll", lambda x: (jnp.roll(x, 2), jnp.roll(x, -1, 1), jnp.roll(x, (1, 2), (0, 2)))),
    ("expand_dims", lambda x: jnp.expand_dims(x, (0, 2))),
    ("squeeze", lambda x: jnp.squeeze(x[:1], 0)),
    ("broadcast_to", lambda x: jnp.broadcast_to(x, (2, 2, 3, 4))),
    ("tile", lambda x: jnp.tile(x, (2, 1, 3))),
    ("repeat", lambda x: (jnp.repeat(x, 2, 1), jnp.repeat(x, jnp.array([1, 0, 2]), 1, total_repeat_length=3))),
    ("concatenate", lambda x: (jnp.concatenate([x, x[:1]]), jnp.stack([x, x], 1), jnp.hstack([x, x]), jnp.dstack([x, x]))),
    ("append", lambda x: jnp.append(x, x[:, :1], 1)),
    ("split", lambda x: jnp.split(x, 2, 2)),
    ("array_split", lambda x: jnp.array_split(x, 3, 2)),
    ("delete", lambda x: jnp.delete(x, 1, 1)),
    ("insert", lambda x: jnp.insert(x, 1, x[:, 0], 1)),
    ("resize", lambda x: jnp.resize(x, (5, 7))),
    ("pad", lambda x: (jnp.pad(x, 1), jnp.pad(x, 1, constant_values=1))),
    ("pad(reflect)", lambda x: jnp.pad(x, 1, "reflect")),
    ("pad(symmetric)", lambda x: jnp.pad(x, ((0, 1), (1, 1), (2, 0)), "symmetric")),
    ("pad(edge)", lambda x: jnp.pad(x, 2, "edge")),
    ("pad(wrap)", lambda x: jnp.pad(x, 1, "wrap")),
    ("pad(maximum)", lambda x: jnp.pad(x, 1, "maximum")),
    ("pad(linear_ramp)", lambda x: jnp.pad(x, 1, "linear_ramp")),
    ("tril", lambda x: (jnp.tril(x), jnp.triu(x, 1))),
    ("diagonal", lambda x: (jnp.diagonal(x, 1), jnp.trace(x))),
    ("diag", lambda x: (jnp.diag(x[0, 0]), jnp.diagflat(x[0]))),
    ("fill_diagonal", lambda x: jnp.fill_diagonal(x[0], 1, inplace=False)),
    ("x[1:, ::2]", lambda x: (x[1:, ::2], x[::-1, 1], x[..., None, -1], x[:, 2:0:-1])),
):
    row(f"jnp.{name}", function, any_of(2, 3, 4), kinds=("value", "gradient", "vmap"))

row("jnp.meshgrid", jnp.meshgrid, any_of(3), any_of(4))
row("jnp.block", lambda x: jnp.block([[x, x], [x, x]]), any_of(2, 3))
row("jnp.tri", lambda x: x * jnp.tri(4, dtype=x.dtype), any_of(4, 4))
row("jnp.eye", lambda x: x + jnp.eye(4, dtype=x.dtype), any_of(4, 4))
row("jnp.arange", lambda x: x + jnp.arange(4).astype(x.dtype), any_of(4, 4))
row("jnp.linspace", lambda x: jnp.linspace(x[0], x[1], 5), any_of(2, 3), dtypes=FLOATS + ("int32", "uint8"))
row("jnp.logspace", lambda x: jnp.logspace(x[0], x[1], 5), small(2, 3), dtypes=("float32",))
row("jnp.packbits", lambda x: (jnp.packbits(x), jnp.packbits(x, 1, "little")), any_of(3, 11), dtypes=BOOL + INTEGERS)
row("jnp.unpackbits", lambda x: jnp.unpackbits(x, axis=1), any_of(3, 4), dtypes=("uint8",))
row("jnp.apply_along_axis", lambda x: jnp.apply_along_axis(lambda v: v[::-1], 0, x), any_of(4, 6))
row("jnp.vectorize", lambda x: jnp.vectorize(lambda v: v.sum(), signature="(n)->()")(x), small(4, 6))

# --- Indexing ---

TAKES = {"clip": "clip", "fill": "fill", "wrap": "wrap", "default": None}
for name, mode in TAKES.items():
    row(f"jnp.take(mode={name})", lambda x, i, m=mode: jnp.take(x, i, 1, mode=m), any_of(4, 6), beyond(5, below=6), kinds=("value", "gradient", "vmap"))
row("jnp.take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), any_of(4, 6), index(4, 3, below=6), kinds=("value", "gradient", "vmap"))
row("jnp.choose", lambda i, x: jnp.choose(i, [x, x + x]), index(4, 6, below=2), any_of(4, 6))
row("jnp.put_along_axis", lambda x, i: jnp.put_along_axis(x, i, 1, 1, inplace=False), any_of(4, 6), index(4, 1, below=6))
row("jnp.put", lambda x, i, y: jnp.put(x, i, y, inplace=False), any_of(4, 6), fixed([3, 1, 7], "int32"), any_of(3))
row("x[i]", lambda x, i: (x[i], x[:, i], x[i, i]), any_of(5, 5), index(4, below=5), kinds=("value", "gradient", "vmap"))
row("x[i] out of range", lambda x, i: (x[i], x[:, i], x[i, 1:3]), any_of(5, 6), beyond(4, below=5), kinds=("value", "gradient"))
row("x[i, :, j]", lambda x, i: x[i, :, i], any_of(4, 3, 4), index(5, below=4), kinds=("value", "gradient", "vmap"))
row("x[mask] by where", lambda x, m: jnp.where(m, x, 0).sum(0), small(5, 6), mask(5, 6))
for name in ("get", "set", "add", "multiply", "min", "max", "divide", "power", "subtract"):
    for mode in ("clip", "fill", "drop", "default"):

        def update(x, i, u, name=name, mode=mode):
            place = x.at[i]
            chosen = {} if mode == "default" else {"mode": mode}
            return getattr(place, name)(*([] if name == "get" else [u]), **chosen)

        # Written twice, the last of two numbers is not determined; beyond, they are the ends.
        indices = fixed([1, -3, 9, 4], "int32") if name in ("set", "divide", "power") else beyond(6, below=5)
        if name in ("set", "divide", "power") and mode == "clip":
            indices = fixed([1, -3, 7, 0], "int32")
        count = indices.shape[0]
        dtypes = FLOATS + ("int32",) if name in ("divide", "power") else ALL
        kinds = ("value", "gradient") if name in ("get", "set", "add", "multiply") else ("value",)
        row(f".at[i].{name}(mode={mode})", update, between(1, 3, 7, 3), indices, between(1, 3, count, 3), dtypes=dtypes, kinds=kinds)
row(".at[1:4, 2:4].set", lambda x: (x.at[1:4, 2:4].set(1), x.at[1:4, 2:4].add(x[:3, :2]), x.at[:, 1].set(0), x.at[::2].set(1)), any_of(5, 6), kinds=("value", "gradient", "vmap"))
row(".at[i, j].set", lambda x: (x.at[2, 3].set(1), x.at[-1].set(0), x.at[1, 2:].add(1)), any_of(5, 6), kinds=("value", "gradient", "vmap"))
row(".at[:, i].add", lambda x, i, u: x.at[:, i].add(u), any_of(4, 6), index(5, below=6), any_of(4, 5), kinds=("value", "gradient", "vmap"), dtypes=INTEGERS + ("float32", "bool"))
row(".at[i, :, i].add", lambda x, i, u: x.at[i, :, i].add(u), any_of(4, 3, 4), index(5, below=4), any_of(5, 3), kinds=("value", "vmap"), dtypes=INTEGERS + ("float32",))
row(".at[i, 1:3].set", lambda x, u: x.at[jnp.array([0, 3]), 1:3].set(u), any_of(4, 6), any_of(2, 2), kinds=("value", "gradient"))
row(".at[].apply", lambda x, i: x.at[i].apply(lambda v: v + v), any_of(7), fixed([1, 3], "int32"))

# --- Products ---

for name, function in resolve(jnp, "dot matmul inner outer kron vdot"):
    row(f"jnp.{name}", lambda x, y, f=function: f(x, y.T if f in (jnp.dot, jnp.matmul) else y), small(3, 5), small(3, 5), kinds=("value", "gradient"), dtypes=ALL + WIDE)
row("jnp.tensordot", lambda x, y: jnp.tensordot(x, y, ((1, 2), (0, 2))), small(2, 3, 4), small(3, 2, 4), kinds=("value", "gradient"))
row("jnp.einsum(bij,bjk)", lambda x, y: jnp.einsum("bij,bjk->bik", x, y), small(2, 3, 4), small(2, 4, 3), kinds=("value", "gradient", "vmap"))
row("jnp.einsum(ijk,k,j)", lambda x, y, z: jnp.einsum("ijk,k,j->i", x, y, z), small(2, 3, 4), small(4), small(3), dtypes=REAL)
row("jnp.einsum(ii)", lambda x: jnp.einsum("ii->i", x) + jnp.einsum("ii", x), small(4, 4))
row("jnp.cross", jnp.cross, small(4, 3), small(4, 3), kinds=("value", "gradient"))
row("jnp.matvec", lambda x, y: x @ y, small(3, 4), small(4), dtypes=ALL + WIDE)
