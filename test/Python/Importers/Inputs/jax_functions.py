"""JAX functions against JAX."""

import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import hetero
import placements

RNG = np.random.default_rng(3)


def f32(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def attention(q, k, v):
    s = jnp.einsum("bqd,bkd->bqk", q, k) / np.float32(4)
    s = jnp.where(jnp.tril(jnp.ones((9, 9), bool)), s, -1e9)
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(s, axis=-1), v)


def train(x, w1, w2, y):
    def loss(p):
        return jnp.mean((jnp.tanh(x @ p[0]) @ p[1] - y) ** 2)

    value, gradients = jax.value_and_grad(loss)((w1, w2))
    return value, w1 - 0.1 * gradients[0], w2 - 0.1 * gradients[1]


def newton(a):
    def cond(state):
        return (jnp.max(jnp.abs(state[0] * state[0] - a)) > 1e-4) & (state[1] < 50)

    return lax.while_loop(cond, lambda s: (0.5 * (s[0] + a / s[0]), s[1] + 1), (a, jnp.int32(0)))


def scan(xs, w):
    def step(h, x):
        h = jnp.tanh(x + h @ w)
        return h, h

    return lax.scan(step, jnp.zeros((4, 8), jnp.float32), xs)


def decode(x, w, keys, values, position):
    """One step of a decoder: the new row goes into the cache, later rows are masked."""
    q, k, v = jnp.split(x @ w, 3, axis=-1)
    keys = lax.dynamic_update_slice(keys, k[:, None], (0, position, 0))
    values = lax.dynamic_update_slice(values, v[:, None], (0, position, 0))
    with jax.named_scope("scores"):
        s = jnp.einsum("bd,btd->bt", q, keys) / np.float32(4)
    s = jnp.where(jnp.arange(keys.shape[1]) <= position, s, -jnp.inf)
    return jnp.einsum("bt,btd->bd", jax.nn.softmax(s, axis=-1), values), keys, values


def train_convolution(w, b, x, labels):
    def loss(p):
        y = lax.conv_general_dilated(x, p[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        y = lax.reduce_window(jax.nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        scores = jax.nn.log_softmax(y.mean((1, 2)) + p[1])
        return -(scores * jax.nn.one_hot(labels, 5)).sum(-1).mean()

    value, gradients = jax.value_and_grad(loss)((w, b))
    return value, *jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, (w, b), gradients)


def normalize(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


FUNCTIONS = {
    "decode": (decode, (f32(2, 16), f32(16, 48), f32(2, 9, 16), f32(2, 9, 16), np.int32(5))),
    "train_convolution": (
        train_convolution,
        (f32(3, 3, 3, 5), f32(5), f32(2, 8, 8, 3), np.array([1, 4], np.int32)),
    ),
    "normalize": (normalize, (f32(4, 12), f32(12), f32(12))),
    "associative_scan": (lambda x: lax.associative_scan(jnp.maximum, x, axis=1), (f32(3, 10),)),
    "attention": (attention, (f32(2, 9, 16), f32(2, 9, 16), f32(2, 9, 16))),
    "train": (train, (f32(8, 4), f32(4, 16), f32(16, 1), f32(8, 1))),
    "newton": (newton, (np.abs(f32(8)) + 1,)),
    "scan": (scan, (f32(5, 4, 8), f32(8, 8) * 0.3)),
    "gather": (lambda t, i: t[i] * 2, (f32(20, 6), RNG.integers(0, 20, (3, 7)).astype(np.int32))),
    "sort": (lambda x: jnp.sort(x, axis=-1), (f32(4, 50),)),
    "argsort": (lambda x: jnp.argsort(x, axis=0), (f32(20, 3),)),
    "topk": (lambda x: lax.top_k(x, 5), (f32(4, 50),)),
    "cumsum": (lambda x: jnp.cumsum(x, axis=-1), (f32(3, 20),)),
    "scatter": (
        lambda t, i, u: t.at[i].add(u),
        (f32(10, 6), RNG.integers(0, 10, 30).astype(np.int32), f32(30, 6)),
    ),
    "scatter_batches": (
        jax.vmap(lambda t, i, u: t.at[i].add(u)),
        (f32(3, 10, 4), RNG.integers(0, 10, (3, 5)).astype(np.int32), f32(3, 5, 4)),
    ),
    "scatter_columns": (
        lambda t, i, u: (t.at[:, i].add(u), t.at[:, :, 1].set(0)),
        (f32(4, 10, 3), RNG.integers(0, 10, 5).astype(np.int32), f32(4, 5, 3)),
    ),
    "gather_gradient": (
        lambda t, i: jax.grad(lambda x: (jnp.take_along_axis(x, i, 1) ** 2).sum())(t),
        (f32(4, 10), RNG.integers(0, 10, (4, 3)).astype(np.int32)),
    ),
    "segments": (
        lambda x, s: jax.ops.segment_sum(x, s, num_segments=5),
        (f32(30, 4), RNG.integers(0, 5, 30).astype(np.int32)),
    ),
    "cache": (
        lambda cache, new, position: lax.dynamic_update_slice(cache, new, (0, position, 0)),
        (f32(1, 16, 4), f32(1, 1, 4), np.int32(7)),
    ),
    "switch": (
        lambda x, i: lax.switch(i, [lambda a: a + 1, lambda a: a @ a, jnp.exp], x),
        (f32(6, 6), np.int32(2)),
    ),
    "random": (lambda key: jax.random.normal(key, (16,)), (np.array([1, 2], np.uint32),)),
    "int8": (
        lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32),
        (RNG.integers(-100, 100, (8, 16)).astype(np.int8), RNG.integers(-100, 100, (16, 5)).astype(np.int8)),
    ),
    "elementwise": (
        lambda x: (jnp.sin(x), jnp.expm1(x), lax.erf(x), jax.nn.gelu(x), jnp.round(x * 3), jnp.sign(x), jnp.tan(x)),
        (f32(2, 40),),
    ),
    "bits": (
        lambda a, s: (a << s, a >> s, lax.population_count(a), lax.clz(a), a % (s + 1)),
        (RNG.integers(0, 2**31, 16).astype(np.uint32), RNG.integers(1, 31, 16).astype(np.uint32)),
    ),
    "masked_product": (
        lambda m, u, w: (m.astype(np.float32) @ w, u.astype(np.float32) @ w),
        (RNG.random((3, 8)) < 0.5, RNG.integers(0, 256, (3, 8)).astype(np.uint8), f32(8, 4)),
    ),
    "unsigned": (
        lambda u: (jnp.sort(u), u.max(1), u > 100, u // 3, lax.top_k(u, 3), u.astype(np.float32), u[::-1]),
        (RNG.integers(0, 256, (3, 8)).astype(np.uint8),),
    ),
    "reverse_scan": (lambda x: lax.cumsum(x, 1, reverse=True), (f32(3, 20),)),
    "out_of_range": (
        lambda x, i: (x[i], x.at[i].set(0), x.at[i].add(1), x.at[1:3, 2:4].set(1)),
        (f32(10, 6), np.array([4, -3, 12, 90], np.int32)),
    ),
    "overlapping_pool": (
        jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (3, 3), (1, 2), "SAME") ** 2).sum()),
        (f32(7, 8),),
    ),
    "fourier": (lambda x: (jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x), 30), jnp.fft.fft2(x)), (f32(3, 30),)),
    "solve": (jnp.linalg.solve, (f32(5, 5) + 4 * np.eye(5, dtype=np.float32), f32(5, 2))),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T + 5 * jnp.eye(5)), (f32(5, 5),)),
    "checkpoint": (jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum())), (f32(9),)),
    "convolution": (
        lambda x, w: lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        (f32(2, 8, 8, 3), f32(3, 3, 3, 5)),
    ),
}


class FunctionTest(unittest.TestCase):
    def test_functions(self):
        for name, (function, arguments) in FUNCTIONS.items():
            want = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(jax.jit(function)(*arguments))]
            network = hetero.importers.import_model(function, arguments=arguments)
            for placement, program in placements.compile_each(network, {"default": "gpu:0"}):
                with self.subTest(name=name, placement=placement):
                    got = program(*arguments)
                    for a, b in zip(got if isinstance(got, list) else [got], want):
                        self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
                        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)

    def test_names(self):
        function, arguments = FUNCTIONS["decode"]
        rules = "rules: [{name: 'dot_general/scores.*', device: gpu}]\ndefault: cpu"
        program = hetero.compile(function, arguments=arguments, rules=rules)
        self.assertEqual(program.main.argument_names, ["x", "w", "keys", "values", "position"])
        products = [op for op in program.placement.operations if op["name"].startswith("dot_general/") and op["op"] != "linalg.fill"]
        self.assertTrue(products)
        for op in products:
            self.assertEqual(op["device"], "gpu:0" if op["name"].startswith("dot_general/scores") else "cpu:0", op)

    def test_calls_of_libraries(self):
        def function(x):
            with jax.named_scope("first"):
                values = jnp.linalg.eigvals(x)
            return values, jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

        with self.assertRaises(hetero.ImportFailure) as caught:
            hetero.compile(function, arguments=(np.eye(4, dtype=np.float32),))
        self.assertRegex(str(caught.exception), r"eig(/first)? at .*jax_functions.py:\d+: a call of 'lapack_sgeev_ffi'")
        self.assertRegex(str(caught.exception), r"pure_callback at .*jax_functions.py:\d+: a call of")

    def test_arguments_are_needed(self):
        with self.assertRaisesRegex(hetero.ImportFailure, "expected `arguments`"):
            hetero.compile(attention)


if __name__ == "__main__":
    unittest.main()
