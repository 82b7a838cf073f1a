"""jax.nn, jax.random, jax.scipy, jax.image, jax.numpy.linalg and jax.numpy.fft."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp

from draws import COMPLEX, FLOATS, INTEGERS, any_of, between, fixed, index, mask, of, positive_definite, small, well
from table import differentiable, resolve, row

# --- jax.nn ---

for name, function in resolve(
    jax.nn,
    """relu relu6 sigmoid softplus sparse_plus sparse_sigmoid soft_sign silu swish log_sigmoid leaky_relu hard_sigmoid hard_silu hard_swish
    hard_tanh elu celu selu gelu mish squareplus identity tanh""",
):
    differentiable(f"jax.nn.{name}", function, any_of(4, 6))
for name, function in resolve(jax.nn, "softmax log_softmax logsumexp standardize glu logmeanexp"):
    differentiable(f"jax.nn.{name}", function, any_of(4, 6))
differentiable("jax.nn.gelu(exact)", lambda x: jax.nn.gelu(x, approximate=False), any_of(4, 6))
differentiable("jax.nn.softmax(where)", lambda x: jax.nn.softmax(x, 0, where=x > -1, initial=-1e9), any_of(4, 6))
row("jax.nn.one_hot", lambda i: (jax.nn.one_hot(i, 5), jax.nn.one_hot(i, 5, dtype=jnp.uint8, axis=0)), between(0, 7, 6), dtypes=INTEGERS)
differentiable("jax.nn.attention", lambda q, k: jax.nn.dot_product_attention(q, k, k), any_of(2, 5, 2, 4), any_of(2, 5, 2, 4))
differentiable("jax.nn.attention(causal)", lambda q, k: jax.nn.dot_product_attention(q, k, k, is_causal=True), any_of(2, 5, 2, 4), any_of(2, 5, 2, 4), dtypes=("float32",))
differentiable("dense(relu)", lambda x, w, b: jax.nn.relu(x @ w + b), any_of(4, 6), any_of(6, 5), any_of(5))
differentiable("layer norm", lambda x: (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5), any_of(4, 6))
differentiable("embedding", lambda t, i: t[i].sum(1), any_of(7, 4), index(3, 5, below=7))
differentiable("dropout", lambda x, m: jnp.where(m, x / 0.9, 0), any_of(4, 6), mask(4, 6))
for name in ("initializers.glorot_normal", "initializers.orthogonal"):
    maker = getattr(jax.nn.initializers, name.split(".")[1])()
    row(f"jax.nn.{name}", lambda k, m=maker: m(k, (4, 6)), fixed([1, 2], "uint32"), dtypes=("uint32",))

# --- jax.random ---

KEY = fixed([3, 7], "uint32")
for name, function in (
    ("uniform", lambda k: jax.random.uniform(k, (9,))),
    ("normal", lambda k: jax.random.normal(k, (9,))),
    ("bits", lambda k: (jax.random.bits(k, (9,)), jax.random.bits(k, (9,), "uint8"))),
    ("randint", lambda k: (jax.random.randint(k, (9,), -5, 90), jax.random.randint(k, (9,), 0, 200, "uint8"))),
    ("bernoulli", lambda k: jax.random.bernoulli(k, 0.3, (9,))),
    ("split", lambda k: jax.random.split(k, 3)),
    ("fold_in", lambda k: jax.random.fold_in(k, 5)),
    ("permutation", lambda k: jax.random.permutation(k, 9)),
    ("choice", lambda k: jax.random.choice(k, 9, (4,), replace=False)),
    ("categorical", lambda k: jax.random.categorical(k, jnp.arange(5.0), shape=(7,))),
    ("gumbel", lambda k: jax.random.gumbel(k, (9,))),
    ("exponential", lambda k: jax.random.exponential(k, (9,))),
    ("truncated_normal", lambda k: jax.random.truncated_normal(k, -1, 1, (9,))),
    ("laplace", lambda k: jax.random.laplace(k, (9,))),
    ("gamma", lambda k: jax.random.gamma(k, 2.0, (5,))),
    ("poisson", lambda k: jax.random.poisson(k, 3.0, (5,))),
    ("beta", lambda k: jax.random.beta(k, 2.0, 3.0, (5,))),
    ("dirichlet", lambda k: jax.random.dirichlet(k, jnp.ones(4))),
    ("cauchy", lambda k: jax.random.cauchy(k, (9,))),
    ("rademacher", lambda k: jax.random.rademacher(k, (9,))),
    ("multivariate_normal", lambda k: jax.random.multivariate_normal(k, jnp.zeros(3), jnp.eye(3))),
    ("orthogonal", lambda k: jax.random.orthogonal(k, 3)),
):
    row(f"jax.random.{name}", function, KEY, dtypes=("uint32",))

# --- jax.scipy ---

for name, function in resolve(jsp.special, "erf erfc gammaln digamma expit xlogy entr i0 i0e i1 i1e log_ndtr ndtr logit"):
    arguments = [between(0.1, 0.9, 4, 6)] * (2 if name == "xlogy" else 1)
    differentiable(f"jax.scipy.special.{name}", function, *arguments, dtypes=("float32",))
for name, function in resolve(jsp.special, "ndtri erfinv betaln rel_entr kl_div gammainc gammaincc multigammaln betainc zeta polygamma factorial expi exp1"):
    arguments = {"multigammaln": 0, "betaln": 2, "rel_entr": 2, "kl_div": 2, "gammainc": 2, "gammaincc": 2, "betainc": 3, "zeta": 0, "polygamma": 0}
    call = {
        "multigammaln": lambda x: jsp.special.multigammaln(x + 3, 2),
        "zeta": lambda x: jsp.special.zeta(x + 1.5, 2.0),
        "polygamma": lambda x: jsp.special.polygamma(1, x + 1),
    }.get(name, function)
    row(f"jax.scipy.special.{name}", call, *[between(0.1, 0.9, 4)] * max(arguments.get(name, 1), 1), dtypes=("float32",))
for name in ("norm", "logistic", "laplace", "expon", "cauchy"):
    distribution = getattr(jsp.stats, name)
    row(f"jax.scipy.stats.{name}", lambda x, d=distribution: (d.pdf(x), d.logpdf(x), d.cdf(x)), between(0.1, 3, 4, 6), dtypes=("float32",))
row("jax.scipy.signal.convolve2d", jsp.signal.convolve2d, small(5, 6), small(3, 2), dtypes=FLOATS + ("int32", "uint8"))
row("jax.scipy.linalg.expm", jsp.linalg.expm, between(-0.3, 0.3, 4, 4), dtypes=("float32",))
row("jax.scipy.ndimage.map_coordinates", lambda x: jsp.ndimage.map_coordinates(x, [x[0] % 3, x[1] % 3], 1), any_of(4, 4), dtypes=("float32",))

# --- jax.image ---

for method in ("nearest", "linear", "cubic", "lanczos3"):
    row(f"jax.image.resize({method})", lambda x, m=method: (jax.image.resize(x, (7, 9), m), jax.image.resize(x, (3, 4), m)), any_of(5, 6), dtypes=("float32", "uint8"), kinds=("value", "gradient"))

# --- jax.numpy.fft ---

for name, function in resolve(jnp.fft, "fft ifft rfft hfft fft2 ifft2 rfft2 fftn ifftn rfftn fftshift ifftshift"):
    row(f"jnp.fft.{name}", function, any_of(4, 6), dtypes=("float32", "complex64", "float64", "complex128", "uint8"), kinds=("value", "gradient", "vmap"))
for name, function in resolve(jnp.fft, "irfft irfft2 irfftn ihfft"):
    row(f"jnp.fft.{name}", function, any_of(4, 5), dtypes=("float32", "complex64"), kinds=("value", "gradient", "vmap"))
for size in (1, 2, 7, 16, 45):
    row(f"jnp.fft.fft({size})", lambda x: (jnp.fft.fft(x), jnp.fft.ifft(x, axis=0)), any_of(3, size), dtypes=("complex64",))
    row(f"jnp.fft.rfft({size})", lambda x, n=size: (jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x), n)), any_of(3, size), dtypes=("float32",))
row("jnp.fft.fftfreq", lambda x: x * jnp.fft.fftfreq(6), any_of(6), dtypes=("float32",))

# --- jax.numpy.linalg ---


def _join_eigenvectors(values, vectors):
    """The matrix, and whether the vectors are orthogonal: their signs are not determined."""
    return values, (vectors * values.astype(vectors.dtype)) @ vectors.T.conj(), vectors.T.conj() @ vectors


def _join_singular(left, values, right):
    count = values.shape[0]
    product = (left[:, :count] * values.astype(left.dtype)) @ right[:count]
    return values, product, left.T.conj() @ left, right @ right.T.conj()


SOLVED = ("float32", "float64", "complex64")
ALL_KINDS = ("value", "gradient", "vmap")
row("jnp.linalg.cholesky", jnp.linalg.cholesky, positive_definite(4, 4), dtypes=SOLVED, kinds=ALL_KINDS)
row("jnp.linalg.cholesky(batch)", jnp.linalg.cholesky, positive_definite(2, 3, 3), dtypes=SOLVED)
row("jnp.linalg.solve", jnp.linalg.solve, well(4, 4), any_of(4, 3), dtypes=SOLVED, kinds=ALL_KINDS)
row("jnp.linalg.solve(vector)", jnp.linalg.solve, well(4, 4), any_of(4), dtypes=SOLVED)
row("jnp.linalg.inv", jnp.linalg.inv, well(4, 4), dtypes=SOLVED, kinds=ALL_KINDS)
row("jnp.linalg.inv(batch)", jnp.linalg.inv, well(2, 3, 3), dtypes=SOLVED)
row("jnp.linalg.det", jnp.linalg.det, any_of(4, 4), dtypes=SOLVED, kinds=ALL_KINDS)
row("jnp.linalg.slogdet", jnp.linalg.slogdet, any_of(4, 4), dtypes=SOLVED, kinds=("value", "vmap"))
row("jnp.linalg.qr", lambda x: jnp.abs(jnp.linalg.qr(x)[1]), any_of(5, 3), dtypes=SOLVED)
row("jnp.linalg.qr(product)", lambda x: jnp.matmul(*jnp.linalg.qr(x)), any_of(3, 5), dtypes=SOLVED, kinds=("value", "vmap"))
row("jnp.linalg.eigvalsh", lambda x: jnp.linalg.eigvalsh(x), any_of(5, 5), dtypes=SOLVED, kinds=("value", "vmap"))
row("jnp.linalg.eigh", lambda x: _join_eigenvectors(*jnp.linalg.eigh(x)), any_of(6, 6), dtypes=SOLVED, kinds=("value", "vmap"))
row("jnp.linalg.svd(values)", lambda x: jnp.linalg.svd(x, compute_uv=False), any_of(5, 3), dtypes=SOLVED, kinds=ALL_KINDS)
row("jnp.linalg.svd(product)", lambda x: _join_singular(*jnp.linalg.svd(x, full_matrices=False)), any_of(3, 4), dtypes=SOLVED, kinds=("value", "vmap"))
row("jnp.linalg.svd(full)", lambda x: _join_singular(*jnp.linalg.svd(x)), any_of(5, 3), dtypes=SOLVED)
row("jnp.linalg.svd(rank 1)", lambda x: _join_singular(*jnp.linalg.svd(jnp.outer(x, x))), any_of(4), dtypes=("float32",))
row("jnp.linalg.norm", lambda x: (jnp.linalg.norm(x), jnp.linalg.norm(x, 1, 0), jnp.linalg.norm(x, jnp.inf, 1), jnp.linalg.norm(x, 0, 1), jnp.linalg.norm(x, 3, 1)), any_of(4, 6), dtypes=FLOATS + COMPLEX, kinds=("value", "gradient"))
row("jnp.linalg.matrix_power", lambda x: (jnp.linalg.matrix_power(x, 3), jnp.linalg.matrix_power(x, -2)), well(3, 3), dtypes=("float32",))
row("jnp.linalg.matrix_power(integers)", lambda x: jnp.linalg.matrix_power(x, 3), small(3, 3), dtypes=INTEGERS)
row("jnp.linalg.multi_dot", lambda x, y, z: jnp.linalg.multi_dot([x, y, z]), any_of(3, 4), any_of(4, 5), any_of(5, 2), dtypes=("float32",), kinds=("value", "gradient"))
row("jnp.linalg.pinv", jnp.linalg.pinv, well(4, 4), dtypes=("float32",))
row("jnp.linalg.lstsq", lambda x, y: jnp.linalg.lstsq(x, y)[0], well(4, 4), any_of(4, 2), dtypes=("float32",))
row("jnp.linalg.matrix_rank", jnp.linalg.matrix_rank, well(4, 4), dtypes=("float32",))
row("jax.scipy.linalg.lu", lambda x: jsp.linalg.lu(x), any_of(4, 4), dtypes=SOLVED)
row("jax.scipy.linalg.lu(wide)", lambda x: jsp.linalg.lu(x)[1:], any_of(3, 5), dtypes=("float32",))
row("jax.scipy.linalg.solve_triangular", lambda a, b: (jsp.linalg.solve_triangular(a, b), jsp.linalg.solve_triangular(a, b, 1, True, True)), well(4, 4), any_of(4, 3), dtypes=SOLVED, kinds=ALL_KINDS)
row("jax.scipy.linalg.cho_solve", lambda a, b: jsp.linalg.cho_solve(jsp.linalg.cho_factor(a), b), positive_definite(4, 4), any_of(4, 2), dtypes=SOLVED)
row("jax.lax.triangular_solve(right)", lambda a, b: jax.lax.linalg.triangular_solve(a, b, left_side=False, lower=True, unit_diagonal=True, conjugate_a=True, transpose_a=True), well(4, 4), of("float32", any_of(3, 4)), dtypes=("float32",))
row("jax.lax.tridiagonal_solve", lambda d, b: jax.lax.linalg.tridiagonal_solve(d.at[0].set(0), d + 4, d.at[-1].set(0), b), between(-1, 1, 5), any_of(5, 2), dtypes=("float32",))
