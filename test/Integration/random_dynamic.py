#!/usr/bin/env python3
"""Runs random programs of dynamic shapes under four placements each and holds
every result against NumPy, bit by bit: all values are small integers, whatever
the element type.

Unlike those of random_programs.py, the programs take views of computed place,
size and stride, write parts of tensors, capture scalars, sizes and tensors in
the bodies of operations, nest control flow, and keep state. The placements are
functions of one module that differ in nothing but the rules for them: all on the
host, all on a gpu, by cost on a machine of random speeds, and at random.

Prints one line for each failure and ends with 'N passed, N failed'.
"""

import os
import random
import subprocess
import sys

import random_runs

try:
    import numpy as np
except ImportError:
    sys.exit("random_dynamic.py: error: NumPy is missing; install python3-numpy")

DEVICES = ["cpu:0", "gpu:0", "gpu:1"]
DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
PLACEMENTS = ["host", "gpu", "cost", "random"]
# Beyond it a value is clamped, so that it is exact in every type.
LIMIT = 9
STATE = 4


class Tensor:
    """A value: its name, the sizes that it has at run time, which of them its
    type says, and a bound of its elements."""

    def __init__(self, name, shape, static, bound):
        self.name, self.shape, self.static, self.bound = name, tuple(shape), tuple(static), bound

    def type(self, element):
        sizes = [str(size) if known else "?" for size, known in zip(self.shape, self.static)]
        return "tensor<" + "".join(size + "x" for size in sizes) + element + ">"


class Generator:
    """Makes one program: its text, and functions that do the same to an
    environment of arrays, scalars and indices by name."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.element = self.random.choice(list(DTYPES))
        self.dtype = DTYPES[self.element]
        self.kind = "f" if self.element[0] == "f" else "i"
        self.lines, self.steps = [], []
        self.count = self.operations = self.depth = 0
        self.scalars = ["%s0", "%s1"]
        rows, columns, length = (self.random.randrange(2, 7) for _ in range(3))
        self.arguments = [
            Tensor("%a", (rows, columns), (False, False), 5),
            Tensor("%b", (rows, columns), (False, self.random.random() < 0.5), 5),
            Tensor("%d", (length,), (False,), 5),
        ]
        # Indices that the compiler does not know.
        self.indices = {f"%n{i}": i + 1 for i in range(3)}
        self.has_state = False

    # Text

    def name(self, prefix="%"):
        self.count += 1
        return f"{prefix}v{self.count}"

    def emit(self, text, step=None):
        self.lines.append(text)
        if step:
            self.steps.append(step)

    def location(self):
        self.operations += 1
        return f'loc("op{self.operations - 1}")'

    def literal(self, number):
        return f"{number}.0" if self.kind == "f" else str(number)

    def constant(self, number):
        r = self.name()
        self.emit(f"{r} = arith.constant {self.literal(number)} : {self.element}")
        return r

    def index(self, value):
        """An index of this value: a constant, or computed from what only the
        caller knows."""
        r = self.name()
        if self.random.random() < 0.3:
            self.emit(f"{r} = arith.constant {value} : index")
            return r
        base, known = self.random.choice(list(self.indices.items()))
        self.emit(f"{r}c = arith.constant {abs(value - known)} : index")
        self.emit(f"{r} = arith.{'addi' if value >= known else 'subi'} {base}, {r}c : index")
        return r

    def size(self, value):
        """A size of an operation, as text, and whether its type says it."""
        return (str(value), True) if self.random.random() < 0.4 else (self.index(value), False)

    def size_of(self, tensor, dim):
        r = self.name()
        self.emit(f"{r}c = arith.constant {dim} : index")
        self.emit(f"{r} = tensor.dim {tensor.name}, {r}c : {tensor.type(self.element)}")
        return r

    def type(self, tensor):
        return tensor.type(self.element)

    def result(self, shape, static, bound):
        return Tensor(self.name(), shape, static, bound)

    def cast(self, tensor, static):
        if tensor.static == tuple(static):
            return tensor
        r = self.result(tensor.shape, static, tensor.bound)
        source = tensor.name
        self.emit(f"{r.name} = tensor.cast {source} : {self.type(tensor)} to {self.type(r)}", lambda env: env.update({r.name: env[source]}))
        return r

    def empty(self, shape, static, sizes):
        """A tensor.empty; `sizes` are SSA values for what the type does not say."""
        e = self.result(shape, static, 0)
        self.emit(f"{e.name} = tensor.empty({', '.join(sizes)}) : {self.type(e)}")
        return e

    def empty_like(self, tensor):
        sizes = [self.size_of(tensor, dim) for dim, known in enumerate(tensor.static) if not known]
        return self.empty(tensor.shape, tensor.static, sizes)

    # Choice

    def pick(self, scope, rank=None, shape=None):
        """A tensor, rather a late one; made to measure where there is none."""
        found = [t for t in scope if (rank is None or len(t.shape) == rank) and (shape is None or t.shape == shape)]
        return self.random.choice(found[-6:]) if found else None

    # Bodies

    def arithmetic(self, operator, a, b):
        r = self.name()
        self.body.append(f"{r} = arith.{operator} {a}, {b} : {self.element}")
        return r

    def clamped(self, value):
        low, high = ("maximumf", "minimumf") if self.kind == "f" else ("maxsi", "minsi")
        return self.arithmetic(high, self.arithmetic(low, value, "%low"), "%high")

    def combine(self, x, y, captured):
        """Lines that combine two scalars and what is captured; the last value
        and the function of two arrays."""
        self.body = []
        operator = self.random.choice(["add", "sub", "mul"])
        function = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[operator]
        value = self.arithmetic(operator + self.kind, x, y)
        if captured:
            value = self.arithmetic("add" + self.kind, value, captured)
        value = self.clamped(value)

        def run(env, a, b):
            total = function(a, b) + (env[captured] if captured else self.dtype(0))
            return np.clip(total, -LIMIT, LIMIT).astype(self.dtype)

        return value, run

    def scalar(self):
        return self.random.choice(self.scalars) if self.random.random() < 0.5 else None

    def generic(self, inputs, maps, output, out_map, iterators, value, arguments):
        r = self.result(output.shape, output.static, LIMIT)
        maps = ", ".join(f"affine_map<{text}>" for text in [*maps, out_map])
        ins = ""
        if inputs:
            ins = f"ins({', '.join(t.name for t in inputs)} : {', '.join(self.type(t) for t in inputs)}) "
        words = ", ".join(f'"{word}"' for word in iterators)
        body = "\n  ".join(self.body)
        arguments = ", ".join(f"{name}: {self.element}" for name in arguments)
        return r, (
            f"{r.name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{words}]}} {ins}"
            f"outs({output.name} : {self.type(output)}) {{\n^bb0({arguments}):\n  {body}\n  linalg.yield {value} : {self.element}\n"
            f"}} -> {self.type(r)} {self.location()}"
        )

    # Operations: each adds a tensor to the scope, if it can.

    def elementwise(self, scope):
        a = self.pick(scope)
        b = self.cast(self.pick(scope, shape=a.shape), a.static)
        dims = "(" + ", ".join(f"d{i}" for i in range(len(a.shape))) + ")"
        identity = f"{dims} -> {dims}"
        if self.random.random() < 0.3:  # the body reads the destination
            x, o = self.name(), self.name()
            value, run = self.combine(x, o, self.scalar())
            r, text = self.generic([a], [identity], b, identity, ["parallel"] * len(a.shape), value, [x, o])
        else:
            x, y, o = self.name(), self.name(), self.name()
            e = self.empty_like(a)
            value, run = self.combine(x, y, self.scalar())
            r, text = self.generic([a, b], [identity] * 2, e, identity, ["parallel"] * len(a.shape), value, [x, y, o])
        self.emit(text, lambda env: env.update({r.name: run(env, env[a.name], env[b.name])}))
        scope.append(r)

    def window(self, t):
        """Random offsets, sizes and strides in a tensor: as text, whether the
        type says each size, and as slices."""
        offsets, sizes, strides, static, where = [], [], [], [], []
        for extent in t.shape:
            stride = self.random.choice([1, 1, 1, 2])
            size = self.random.randrange(1, (extent + stride - 1) // stride + 1)
            offset = self.random.randrange(0, extent - (size - 1) * stride)
            offsets.append(self.size(offset)[0])
            strides.append(str(stride) if self.random.random() < 0.7 else self.index(stride))
            text, known = self.size(size)
            sizes.append(text)
            static.append(known)
            where.append(slice(offset, offset + (size - 1) * stride + 1, stride))
        return f"[{', '.join(offsets)}] [{', '.join(sizes)}] [{', '.join(strides)}]", static, tuple(where)

    def extract(self, scope):
        t = self.pick(scope)
        place, static, where = self.window(t)
        shape = np.empty(t.shape)[where].shape
        r = self.result(shape, static, t.bound)
        self.emit(
            f"{r.name} = tensor.extract_slice {t.name}{place} : {self.type(t)} to {self.type(r)} {self.location()}",
            lambda env: env.update({r.name: env[t.name][where]}),
        )
        scope.append(r)

    def row(self, scope):
        """A slice that leaves a dimension out."""
        t = self.pick(scope, rank=2)
        if not t:
            return
        at, (size, known) = self.random.randrange(t.shape[0]), self.size(t.shape[1])
        r = self.result(t.shape[1:], (known,), t.bound)
        index = self.index(at)
        self.emit(
            f"{r.name} = tensor.extract_slice {t.name}[{index}, 0] [1, {size}] [1, 1] : {self.type(t)} to {self.type(r)} {self.location()}",
            lambda env: env.update({r.name: env[t.name][at]}),
        )
        scope.append(r)

    def insert(self, scope):
        """Part of a tensor is written, in a place that is computed."""
        t = self.pick(scope)
        place, static, where = self.window(t)
        shape = np.empty(t.shape)[where].shape
        source = self.pick(scope, shape=shape)
        if source:
            source = self.cast(source, static)
        else:
            sizes = [text for text, known in zip(place.split("[")[2].strip(" ]").split(", "), static) if not known]
            e = self.empty(shape, static, sizes)
            source = self.result(shape, static, LIMIT)
            scalar = self.random.choice(self.scalars)
            self.emit(
                f"{source.name} = linalg.fill ins({scalar} : {self.element}) outs({e.name} : {self.type(e)}) -> {self.type(e)} {self.location()}",
                lambda env: env.update({source.name: np.full(shape, env[scalar], self.dtype)}),
            )
        r = self.result(t.shape, t.static, max(t.bound, source.bound))

        def run(env):
            env[r.name] = env[t.name].copy()
            env[r.name][where] = env[source.name]

        self.emit(
            f"{r.name} = tensor.insert_slice {source.name} into {t.name}{place} : {self.type(source)} into {self.type(t)} {self.location()}", run
        )
        scope.append(r)

    def diagonal(self, scope):
        """The map of a result does not reach all of it."""
        t = self.pick(scope, rank=2)
        if not t:
            return
        v = self.pick(scope, shape=(min(t.shape),))
        if not v or t.shape[0] != t.shape[1]:
            return
        x, o = self.name(), self.name()
        value, run = self.combine(x, o, self.scalar())
        r, text = self.generic([v], ["(i) -> (i)"], t, "(i) -> (i, i)", ["parallel"], value, [x, o])
        r.bound = max(r.bound, t.bound)

        def write(env):
            env[r.name] = env[t.name].copy()
            at = np.arange(t.shape[0])
            env[r.name][at, at] = run(env, env[v.name], env[t.name][at, at])

        self.emit(text, write)
        scope.append(r)

    def transpose(self, scope):
        t = self.pick(scope, rank=2)
        if not t:
            return
        sizes = [self.size_of(t, dim) for dim in (1, 0) if not t.static[dim]]
        e = self.empty(t.shape[::-1], t.static[::-1], sizes)
        r = self.result(e.shape, e.static, t.bound)
        self.emit(
            f"{r.name} = linalg.transpose ins({t.name} : {self.type(t)}) outs({e.name} : {self.type(e)}) permutation = [1, 0] {self.location()}",
            lambda env: env.update({r.name: env[t.name].T}),
        )
        scope.append(r)

    def broadcast(self, scope):
        v, count = self.pick(scope, rank=1), self.random.randrange(1, 6)
        if not v:
            return
        text, known = self.size(count)
        sizes = ([] if known else [text]) + ([] if v.static[0] else [self.size_of(v, 0)])
        e = self.empty((count, *v.shape), (known, *v.static), sizes)
        r = self.result(e.shape, e.static, v.bound)
        self.emit(
            f"{r.name} = linalg.broadcast ins({v.name} : {self.type(v)}) outs({e.name} : {self.type(e)}) dimensions = [0] {self.location()}",
            lambda env: env.update({r.name: np.broadcast_to(env[v.name], r.shape)}),
        )
        scope.append(r)

    def reshape(self, scope):
        """A matrix becomes a vector, or a vector a matrix of two sizes that only
        the program knows."""
        t = self.pick(scope)
        if len(t.shape) == 2:
            r = self.result((t.shape[0] * t.shape[1],), (all(t.static),), t.bound)
            text = f"{r.name} = tensor.collapse_shape {t.name} [[0, 1]] : {self.type(t)} into {self.type(r)} {self.location()}"
        else:
            rows = self.random.choice([n for n in range(1, t.shape[0] + 1) if t.shape[0] % n == 0])
            parts = [(str(n), True) if t.static[0] else self.size(n) for n in (rows, t.shape[0] // rows)]
            if not t.static[0] and parts[0][1] and parts[1][1]:
                parts[1] = (self.index(t.shape[0] // rows), False)
            r = self.result((rows, t.shape[0] // rows), [known for _, known in parts], t.bound)
            text = f"{r.name} = tensor.expand_shape {t.name} [[0, 1]] output_shape [{parts[0][0]}, {parts[1][0]}] : {self.type(t)} into {self.type(r)} {self.location()}"
        self.emit(text, lambda env: env.update({r.name: env[t.name].reshape(r.shape)}))
        scope.append(r)

    def pad(self, scope):
        t = self.pick(scope)
        low, high = ([self.random.randrange(3) for _ in t.shape] for _ in range(2))
        texts = [[self.size(n) for n in side] for side in (low, high)]
        static = [known and a[1] and b[1] for known, a, b in zip(t.static, *texts)]
        r = self.result([n + a + b for n, a, b in zip(t.shape, low, high)], static, max(t.bound, LIMIT))
        places = [", ".join(text for text, _ in side) for side in texts]
        indices = ", ".join(f"{self.name()}: index" for _ in t.shape)
        scalar = self.random.choice(self.scalars)
        self.emit(
            f"{r.name} = tensor.pad {t.name} low[{places[0]}] high[{places[1]}] {{\n^bb0({indices}):\n  tensor.yield {scalar} : {self.element}\n}}"
            f" : {self.type(t)} to {self.type(r)} {self.location()}",
            lambda env: env.update({r.name: np.pad(env[t.name], list(zip(low, high)), constant_values=env[scalar])}),
        )
        scope.append(r)

    def generate(self, scope):
        """Elements from indices, a scalar, and an element of another tensor."""
        shape = [self.random.randrange(1, 6) for _ in range(self.random.randrange(1, 3))]
        texts = [self.size(n) for n in shape]
        r = self.result(shape, [known for _, known in texts], LIMIT)
        sizes = [text for text, known in texts if not known]
        names = [self.name() for _ in shape]
        v = self.pick(scope, rank=1)
        scalar = self.random.choice(self.scalars)
        self.body = []
        n = self.name()
        self.body += [f"{n}w = arith.index_cast {names[-1]} : index to i{32 if self.element.endswith('32') else 64}"]
        if self.kind == "f":
            self.body += [f"{n} = arith.sitofp {n}w : i{self.element[1:]} to {self.element}"]
        value = self.arithmetic("add" + self.kind, n if self.kind == "f" else n + "w", scalar)
        reads = v and self.random.random() < 0.6
        if reads:
            at, x = self.name(), self.name()
            self.body += [f"{at}c = arith.constant 0 : index", f"{at}d = tensor.dim {v.name}, {at}c : {self.type(v)}"]
            self.body += [f"{at} = arith.remui {names[0]}, {at}d : index", f"{x} = tensor.extract {v.name}[{at}] : {self.type(v)}"]
            value = self.arithmetic("sub" + self.kind, value, x)
        value = self.clamped(value)

        def run(env):
            grid = np.indices(shape)
            total = grid[-1] + env[scalar]
            if reads:
                total = total - env[v.name][grid[0] % v.shape[0]]
            env[r.name] = np.clip(total, -LIMIT, LIMIT).astype(self.dtype)

        body = "\n  ".join(self.body)
        indices = ", ".join(f"{name}: index" for name in names)
        self.emit(
            f"{r.name} = tensor.generate {', '.join(sizes)} {{\n^bb0({indices}):\n  {body}\n  tensor.yield {value} : {self.element}\n}} : {self.type(r)} {self.location()}",
            run,
        )
        scope.append(r)

    def gather(self, scope):
        """A body that reads a tensor where an index says."""
        v, t = self.pick(scope, rank=1), self.pick(scope)
        if not v:
            return
        e = self.empty_like(t)
        x, o, i, at, y = (self.name() for _ in range(5))
        self.body = [f"{i} = linalg.index {len(t.shape) - 1} : index", f"{at}c = arith.constant 0 : index"]
        self.body += [f"{at}d = tensor.dim {v.name}, {at}c : {self.type(v)}", f"{at} = arith.remui {i}, {at}d : index"]
        self.body += [f"{y} = tensor.extract {v.name}[{at}] : {self.type(v)}"]
        value = self.clamped(self.arithmetic("add" + self.kind, x, y))
        dims = "(" + ", ".join(f"d{i}" for i in range(len(t.shape))) + ")"
        r, text = self.generic([t], [f"{dims} -> {dims}"], e, f"{dims} -> {dims}", ["parallel"] * len(t.shape), value, [x, o])

        def run(env):
            read = env[v.name][np.indices(t.shape)[-1] % v.shape[0]]
            env[r.name] = np.clip(env[t.name] + read, -LIMIT, LIMIT).astype(self.dtype)

        self.emit(text, run)
        scope.append(r)

    def reduce(self, scope):
        t = self.pick(scope, rank=2)
        if not t:
            return
        dim = self.random.randrange(2)
        init = self.pick(scope, shape=(t.shape[1 - dim],))
        known = (t.static[1 - dim],)
        if init and self.random.random() < 0.5:
            init = self.cast(init, known)
        else:
            e = self.empty((t.shape[1 - dim],), known, [] if known[0] else [self.size_of(t, 1 - dim)])
            init = self.result(e.shape, e.static, 0)
            self.emit(
                f"{init.name} = linalg.fill ins(%zero : {self.element}) outs({e.name} : {self.type(e)}) -> {self.type(e)} {self.location()}",
                lambda env: env.update({init.name: np.zeros(init.shape, self.dtype)}),
            )
        x, o = self.name(), self.name()
        self.body = []
        value = self.arithmetic("add" + self.kind, x, o)
        r, text = self.generic(
            [t], ["(i, j) -> (i, j)"], init, "(i, j) -> (j)" if dim == 0 else "(i, j) -> (i)",
            ["reduction", "parallel"] if dim == 0 else ["parallel", "reduction"], value, [x, o],
        )
        r.bound = init.bound + t.bound * t.shape[dim]
        self.emit(text, lambda env: env.update({r.name: (env[init.name] + env[t.name].sum(axis=dim, dtype=self.dtype))}))
        self.clamp_into(r, scope)

    def clamp_into(self, t, scope):
        """Adds the tensor to the scope, clamped where it may be large."""
        if t.bound <= LIMIT:
            scope.append(t)
            return
        e = self.empty_like(t)
        x, o = self.name(), self.name()
        self.body = []
        value = self.clamped(x)
        dims = "(" + ", ".join(f"d{i}" for i in range(len(t.shape))) + ")"
        r, text = self.generic([t], [f"{dims} -> {dims}"], e, f"{dims} -> {dims}", ["parallel"] * len(t.shape), value, [x, o])
        self.emit(text, lambda env: env.update({r.name: np.clip(env[t.name], -LIMIT, LIMIT)}))
        scope.append(r)

    def matmul(self, scope):
        a = self.pick(scope, rank=2)
        b = a and self.random.choice([t for t in scope if len(t.shape) == 2 and t.shape[0] == a.shape[1]] or [None])
        if not b:
            return
        static = (a.static[0], b.static[1])
        sizes = [self.size_of(t, dim) for t, dim in ((a, 0), (b, 1)) if not t.static[dim]]
        e = self.empty((a.shape[0], b.shape[1]), static, sizes)
        f, r = (self.result(e.shape, static, 0) for _ in range(2))
        self.emit(f"{f.name} = linalg.fill ins(%zero : {self.element}) outs({e.name} : {self.type(e)}) -> {self.type(e)} {self.location()}")
        r.bound = a.bound * b.bound * a.shape[1]
        self.emit(
            f"{r.name} = linalg.matmul ins({a.name}, {b.name} : {self.type(a)}, {self.type(b)}) outs({f.name} : {self.type(f)}) -> {self.type(r)} {self.location()}",
            lambda env: env.update({r.name: env[a.name] @ env[b.name]}),
        )
        self.clamp_into(r, scope)

    def element_of(self, scope):
        """A scalar that later bodies capture."""
        t = self.pick(scope)
        at = [self.random.randrange(n) for n in t.shape]
        r = self.name()
        places = ", ".join(self.index(n) for n in at)
        self.emit(f"{r} = tensor.extract {t.name}[{places}] : {self.type(t)}", lambda env: env.update({r: env[t.name][tuple(at)]}))
        self.scalars.append(r)

    def state(self, scope):
        """Loads the state, changes it, and keeps what it was."""
        self.has_state = True
        before = self.result((STATE,), (True,), LIMIT)
        text = f"{before.name} = ml_program.global_load @state_@P@ : {self.type(before)}"
        self.emit(text, lambda env: env.update({before.name: env["@state"]}))
        scope.append(before)
        values = [before]
        self.elementwise(values)
        after = values[-1]
        text = f"ml_program.global_store @state_@P@ = {after.name} : {self.type(after)}"
        self.emit(text, lambda env: env.update({"@state": env[after.name]}))
        scope += [before, after]

    # Control flow

    def nested(self, scope, carried):
        """The lines of a region that ends with a tensor of the carried one's
        type, and what runs them."""
        outer, self.lines, self.steps = (self.lines, self.steps), [], []
        scalars, inner = list(self.scalars), list(scope)
        self.depth += 1
        for _ in range(self.random.randrange(1, 4)):
            self.operation(inner)
        same = [t for t in inner if t.shape == carried.shape][-3:]
        # The last one joins what is carried, which bounds it.
        values = [carried, self.random.choice(same)]
        self.elementwise(values)
        final = self.cast(values[-1], carried.static)
        self.depth -= 1
        lines, steps = self.lines, self.steps
        (self.lines, self.steps), self.scalars = outer, scalars
        return lines, steps, final

    def trips(self, scope):
        """How often a loop runs: an index, and what it is in an environment."""
        trips = self.random.randrange(0, 4)
        return self.index(trips), lambda env: trips

    def condition(self, scope):
        """The name of what a branch depends on."""
        return "%p"

    def loop(self, scope):
        init = self.pick(scope)
        upper, trips = self.trips(scope)
        bounds = [self.index(0), upper, self.index(1)]
        i, carried = self.name(), self.result(init.shape, init.static, max(init.bound, LIMIT))
        r = self.result(init.shape, init.static, carried.bound)
        lines, steps, final = self.nested([*scope, carried], carried)

        def run(env):
            env[carried.name] = env[init.name]
            for _ in range(trips(env)):
                for step in steps:
                    step(env)
                env[carried.name] = env[final.name]
            env[r.name] = env[carried.name]

        body = "\n".join(lines)
        self.emit(
            f"{r.name} = scf.for {i} = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args({carried.name} = {init.name}) -> ({self.type(r)}) {{\n"
            f"{body}\nscf.yield {final.name} : {self.type(final)}\n}}",
            run,
        )
        scope.append(r)

    def branch(self, scope):
        like = self.pick(scope)
        r = self.result(like.shape, like.static, max(like.bound, LIMIT))
        condition = self.condition(scope)
        arms = [self.nested(scope, like) for _ in range(2)]

        def run(env):
            _, steps, final = arms[0 if env[condition] else 1]
            for step in steps:
                step(env)
            env[r.name] = env[final.name]

        texts = ["\n".join(lines) + f"\nscf.yield {final.name} : {self.type(final)}" for lines, _, final in arms]
        self.emit(f"{r.name} = scf.if {condition} -> ({self.type(r)}) {{\n{texts[0]}\n}} else {{\n{texts[1]}\n}}", run)
        scope.append(r)

    def operation(self, scope):
        choices = [self.elementwise] * 3 + [self.extract, self.insert] * 2
        choices += [self.row, self.diagonal, self.transpose, self.broadcast, self.reshape, self.pad, self.generate]
        choices += [self.gather, self.reduce, self.matmul, self.element_of, self.state]
        if self.depth < 2:
            choices += [self.loop, self.branch] * (2 if self.depth == 0 else 1)
        self.random.choice(choices)(scope)

    def program(self):
        """The tensors that the program returns."""
        scope = list(self.arguments)
        for _ in range(self.random.randrange(5, 10)):
            self.operation(scope)
        made = scope[len(self.arguments) :] or scope
        results = self.random.sample(made, min(3, len(made)))
        return [self.cast(t, [False] * len(t.shape)) for t in results]


# Programs as text


def topology(rng):
    specs = ", ".join(f"<device = <{device}>, compute = {10 ** rng.randrange(9, 13)}, bandwidth = {10 ** rng.randrange(8, 12)}>" for device in DEVICES)
    links = ", ".join(
        f"<from = <{a}>, to = <{b}>, bandwidth = {10 ** rng.randrange(8, 12)}, latency = {10 ** rng.randrange(2, 6)}>"
        for a in DEVICES for b in DEVICES if a != b
    )
    return f"#hetero.topology<devices = [{specs}], links = [{links}]>"


def rules(generator):
    lines = ["rules:"]
    lines += ['- {function: "p_host", device: cpu}', '- {function: "p_gpu", device: "gpu:0"}']
    for number in range(generator.operations):
        device = generator.random.choice(DEVICES)
        lines.append(f'- {{function: "p_random", name: "op{number}", device: "{device}"}}')
    return "\n".join(lines) + "\n"


def constants(generator):
    """What every function begins with."""
    named = (("%low", -LIMIT), ("%high", LIMIT), ("%zero", 0))
    return "".join(f"{name} = arith.constant {generator.literal(number)} : {generator.element}\n" for name, number in named)


def module(generator, results, placements, machine, functions=()):
    """Placements are functions; those that they call have @P@ for a placement."""
    element = generator.element
    names = [(t.name, generator.type(t)) for t in generator.arguments]
    names += [("%s0", element), ("%s1", element), ("%p", "i1")] + [(name, "index") for name in generator.indices]
    arguments = ", ".join(f"{name}: {text}" for name, text in names)
    values, types = ", ".join(t.name for t in results), ", ".join(generator.type(t) for t in results)
    text = f"module attributes {{hetero.topology = {machine}}} {{\n"
    for placement in placements:
        if generator.has_state:
            state = f"tensor<{STATE}x{element}>"
            text += f"ml_program.global private mutable @state_{placement}(dense<{generator.literal(2)}> : {state}) : {state}\n"
        text += f"func.func private @p_{placement}({arguments}) -> ({types}) {{\n"
        text += constants(generator) + "\n".join(generator.lines).replace("@P@", placement) + f"\nreturn {values} : {types}\n}}\n"
        text += "".join(functions).replace("@P@", placement)
    operands, operand_types = ", ".join(name for name, _ in names), ", ".join(text for _, text in names)
    text += f"func.func @main({arguments}) -> ({', '.join([types] * len(placements))}) {{\n"
    returned = []
    for index, placement in enumerate(placements):
        text += f"%r{index}:{len(results)} = func.call @p_{placement}({operands}) : ({operand_types}) -> ({types})\n"
        returned += [f"%r{index}#{number}" for number in range(len(results))]
    return text + f"return {', '.join(returned)} : {', '.join([types] * len(placements))}\n}}\n}}\n"


def spell(element, value):
    shape = "".join(f"{size}x" for size in np.shape(value))
    return f"{shape}{element}=" + ",".join(str(int(x)) for x in np.ravel(value))


def inputs(generator):
    env = {t.name: np.array([generator.random.randrange(-5, 6) for _ in range(int(np.prod(t.shape)))], generator.dtype).reshape(t.shape) for t in generator.arguments}
    env.update({name: generator.dtype(generator.random.randrange(-5, 6)) for name in ("%s0", "%s1")})
    env["%p"] = generator.random.randrange(2)
    env["@state"] = np.full(STATE, 2, generator.dtype)
    words = [f"--input={spell(generator.element, env[name])}" for name in ("%a", "%b", "%d", "%s0", "%s1")]
    words += [f"--input=i1={env['%p']}"] + [f"--input=index={value}" for value in generator.indices.values()]
    return env, words


def check(seed, options, folder):
    generator = Generator(seed)
    results = generator.program()
    env, words = inputs(generator)
    for step in generator.steps:
        step(env)
    words += [f"--expected={spell(generator.element, env[t.name])}" for t in results] * len(PLACEMENTS)
    path = os.path.join(folder, f"dynamic-{seed}")
    text = module(generator, results, PLACEMENTS, topology(generator.random))
    for suffix, text in ((".mlir", text), (".yaml", rules(generator))):
        with open(path + suffix, "w") as file:
            file.write(text)
    command = [os.path.join(options.build, "bin", "hetero-run"), path + ".mlir", "--entry=main", f"--rules={path}.yaml"]
    if options.keep:
        with open(path + ".sh", "w") as file:
            file.write(" ".join(f"'{word}'" for word in [*command, *words]) + " --print-max=64\n")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("HETERO_")}
    settings = {"HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": "devices=2", "HETERO_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [*command, *words, "--rtol=0", "--atol=0", "--print-max=1"], env={**clean, **settings}, capture_output=True, text=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        return f"seed {seed}: stopped after 300 s"
    # Rules that nothing obeys are warnings.
    lines = [line for line in done.stderr.splitlines() if "warning:" not in line]
    return f"seed {seed}: {chr(10).join(lines).strip()[:options.width]}" if done.returncode else None


if __name__ == "__main__":
    sys.exit(random_runs.run(check, count=80, full=5000))
