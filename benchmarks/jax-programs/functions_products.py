"""Products and convolutions of one type that is converted to another: masks, bytes, one-hot rows."""

import jax
import jax.numpy as jnp
from jax import lax

from draws import ALL, BOOL, INTEGERS, REAL, any_of, index, of, small
from table import row

NARROW = BOOL + ("uint8", "uint16", "int8", "int16", "uint32", "int32")
PLAIN = (((1,), (0,)), ((), ()))
NHWC = ("NHWC", "HWIO", "NHWC")

for target in ("float32", "float16", "bfloat16", "int32"):
    row(f"astype({target}) @ w", lambda x, w, t=target: x.astype(t) @ w, small(3, 8, low=0, high=9), of(target, small(8, 4)), dtypes=NARROW)
    row(f"w @ astype({target})", lambda x, w, t=target: w @ x.astype(t), small(8, 3, low=0, high=9), of(target, small(4, 8)), dtypes=NARROW)
row("astype(f32) @ w, whole range", lambda x, w: x.astype(jnp.float32) @ w, any_of(3, 8), of("float32", small(8, 4)), dtypes=NARROW, kinds=("value", "vmap"))
row("astype @ astype", lambda x, y: x.astype(jnp.float32) @ y.astype(jnp.float32), any_of(3, 8), any_of(8, 4), dtypes=NARROW)
row("astype(i32) @ astype(i32)", lambda x, y: x.astype(jnp.int32) @ y.astype(jnp.int32), any_of(3, 8), any_of(8, 4), dtypes=NARROW)
row("jnp.dot(u8, f32)", jnp.dot, any_of(3, 8), of("float32", small(8, 4)), dtypes=ALL)
row("comparison @ w", lambda x, w: (x > 1).astype(jnp.float32) @ w, any_of(3, 8), of("float32", small(8, 4)), dtypes=REAL)
row("one_hot @ w", lambda i, w: jax.nn.one_hot(i, 8) @ w, index(5, below=8), small(8, 4), dtypes=("float32",), kinds=("value", "gradient"))
row("vector of astype", lambda x, w: (x.astype(jnp.float32) @ w, w @ x.astype(jnp.float32)), any_of(8), of("float32", small(8)), dtypes=NARROW)
row("batched astype", lambda x, w: jnp.einsum("bij,bjk->bik", x.astype(jnp.float32), w), any_of(2, 3, 8), of("float32", small(2, 8, 4)), dtypes=NARROW)

for target in ("int32", "float32", "uint32", "int16"):

    def product(x, y, t=target):
        return lax.dot_general(x, y, PLAIN, preferred_element_type=jnp.dtype(t))

    row(f"dot_general(preferred={target})", product, any_of(3, 8), any_of(8, 4), dtypes=INTEGERS)


def convolve(x, w, **options):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC, **options)


row("conv(astype(f32))", lambda x, w: convolve(x.astype(jnp.float32), w), any_of(1, 5, 5, 2), of("float32", small(3, 3, 2, 3)), dtypes=NARROW)
row("conv(astype(w))", lambda x, w: convolve(x, w.astype(jnp.float32)), of("float32", small(1, 5, 5, 2)), any_of(3, 3, 2, 3), dtypes=NARROW)
for target in ("int32", "float32"):

    def convolution(x, w, t=target):
        return convolve(x, w, preferred_element_type=jnp.dtype(t))

    row(f"conv(preferred={target})", convolution, any_of(1, 5, 5, 2), any_of(3, 3, 2, 3), dtypes=INTEGERS)
row("attention of masks", lambda m, v: jax.nn.softmax(jnp.where(m, 0.0, -1e9)) @ v, of("bool", any_of(4, 6)), of("float32", small(6, 3)), dtypes=("bool",))
row("mean of bytes", lambda x: (x.astype(jnp.float32) / 255 - 0.5).mean((0, 1)), any_of(4, 4, 3), dtypes=INTEGERS)
