#!/usr/bin/env python3
"""Runs random programs under five placements each and holds every result
against an evaluation in Python, bit by bit: all values are small integers,
whatever the element type.

The placements are functions of one module: all on the host, all on a gpu, and
three that spread the operations over the host and two gpus, each of which must
run something, as the runtime's own report says.

Prints one line for each failure and ends with 'N passed, N failed'.
"""

import itertools
import os
import random
import re
import subprocess
import sys

import random_runs

DEVICES = ["cpu:0", "gpu:0", "gpu:1"]
ELEMENTS = ["f32", "i32", "f64", "i64"]
N = 4
# Beyond it a value is clamped, so that it is exact in every type.
LIMIT = 1 << 12


class Value:
    """An SSA value: its name, its kind (m, v or s), and a bound."""

    def __init__(self, name, kind, bound):
        self.name, self.kind, self.bound = name, kind, bound


class Op:
    """Lines of IR with {pin} for a device, and what they do to an environment
    of values."""

    def __init__(self, text, evaluate, is_region=False):
        self.text, self.evaluate, self.is_region = text, evaluate, is_region

    def works(self):
        """Whether a device has something to run for it in any case: a region
        may not be entered, a slice may be a view."""
        return not self.is_region and "_slice" not in self.text

    def pins(self):
        return self.text.count("{pin}") + self.text.count("{attrs}")


def matrix(function):
    return [[function(i, j) for j in range(N)] for i in range(N)]


ELEMENTWISE = {
    "add": (lambda a, b: a + b, lambda x, y: x + y),
    "sub": (lambda a, b: a - b, lambda x, y: x + y),
    "mul": (lambda a, b: a * b, lambda x, y: x * y),
    "max": (max, max),
    "min": (min, max),
}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.element = ELEMENTS[seed % len(ELEMENTS)]
        self.is_float = self.element.startswith("f")
        self.types = {"m": f"tensor<{N}x{N}x{self.element}>", "v": f"tensor<{N}x{self.element}>", "s": self.element}
        # Latencies that are known pack small copies into one transfer; with some
        # links devices share memory.
        self.shares_memory = seed % 3 == 1
        self.topology = topology(seed if self.shares_memory else None) if seed % 3 != 2 else ""
        self.next = 0

    def name(self):
        self.next += 1
        return f"%v{self.next}"

    def literal(self, number):
        return f"{number}.0" if self.is_float else str(number)

    def arith(self, name):
        return f"arith.{name}{'f' if self.is_float else 'i'}"

    def pick(self, scope, kind, limit=LIMIT):
        """A value of the kind, rather a late one."""
        fitting = [value for value in scope if value.kind == kind and value.bound <= limit]
        return self.random.choice(fitting[-4:] + fitting)

    # Each method appends one operation to `ops` and its results to `scope`.

    def elementwise(self, scope, ops):
        name = self.random.choice(list(ELEMENTWISE))
        apply, bound = ELEMENTWISE[name]
        a, b = (self.pick(scope, "m", 32 if name == "mul" else LIMIT) for _ in range(2))
        r, m = Value(self.name(), "m", bound(a.bound, b.bound)), self.types["m"]
        text = f"{r.name} = linalg.{name} {{pin}} ins({a.name}, {b.name} : {m}, {m}) outs(%e : {m}) -> {m}"
        ops.append(
            Op(text, lambda env: env.update({r.name: matrix(lambda i, j: apply(env[a.name][i][j], env[b.name][i][j]))}))
        )
        scope.append(r)

    def clamp(self, scope, ops):
        a = self.random.choice([value for value in scope if value.kind == "m"])
        low, high, m = self.name(), self.name(), self.types["m"]
        text = (
            f"{low} = linalg.max {{pin}} ins({a.name}, %low : {m}, {m}) outs(%e : {m}) -> {m}\n"
            f"{high} = linalg.min {{pin}} ins({low}, %high : {m}, {m}) outs(%e : {m}) -> {m}"
        )
        ops.append(
            Op(text, lambda env: env.update({high: matrix(lambda i, j: min(max(env[a.name][i][j], -3), 3))}))
        )
        scope.append(Value(high, "m", 3))

    def matmul(self, scope, ops):
        a, b, c = (self.pick(scope, "m", 16) for _ in range(3))
        r, m = Value(self.name(), "m", N * a.bound * b.bound + c.bound), self.types["m"]
        text = f"{r.name} = linalg.matmul {{pin}} ins({a.name}, {b.name} : {m}, {m}) outs({c.name} : {m}) -> {m}"

        def evaluate(env):
            x, y, z = env[a.name], env[b.name], env[c.name]
            env[r.name] = matrix(lambda i, j: z[i][j] + sum(x[i][k] * y[k][j] for k in range(N)))

        ops.append(Op(text, evaluate))
        scope.append(r)

    def reduce(self, scope, ops):
        a, init = self.pick(scope, "m"), self.pick(scope, "v")
        r = Value(self.name(), "v", N * a.bound + init.bound)
        text = (
            f"{r.name} = linalg.reduce ins({a.name} : {self.types['m']}) outs({init.name} : {self.types['v']})"
            f" dimensions = [1] {{pin}}\n(%in: {self.element}, %out: {self.element}) {{\n"
            f"%sum = {self.arith('add')} %in, %out : {self.element}\nlinalg.yield %sum : {self.element}\n}}"
        )
        ops.append(
            Op(text, lambda env: env.update({r.name: [sum(env[a.name][i]) + env[init.name][i] for i in range(N)]}))
        )
        scope.append(r)

    def broadcast(self, scope, ops):
        a = self.pick(scope, "v", 1 << 20)
        r = Value(self.name(), "m", a.bound)
        text = f"{r.name} = linalg.broadcast ins({a.name} : {self.types['v']}) outs(%e : {self.types['m']}) dimensions = [1] {{pin}}"
        ops.append(Op(text, lambda env: env.update({r.name: matrix(lambda i, j: env[a.name][i])})))
        scope.append(r)

    def transpose(self, scope, ops):
        a, m = self.pick(scope, "m"), self.types["m"]
        r = Value(self.name(), "m", a.bound)
        text = f"{r.name} = linalg.transpose ins({a.name} : {m}) outs(%e : {m}) permutation = [1, 0] {{pin}}"
        ops.append(Op(text, lambda env: env.update({r.name: matrix(lambda i, j: env[a.name][j][i])})))
        scope.append(r)

    def slice(self, scope, ops):
        """A quarter of one matrix becomes another quarter of a second."""
        a, b, m = self.pick(scope, "m"), self.pick(scope, "m"), self.types["m"]
        r, part = Value(self.name(), "m", max(a.bound, b.bound)), self.name()
        half, i0, j0 = N // 2, self.random.randrange(N // 2), self.random.randrange(N // 2)
        quarter = m.replace(f"{N}x{N}", f"{half}x{half}")
        text = (
            f"{part} = tensor.extract_slice {a.name}[{i0}, {j0}] [{half}, {half}] [1, 1] {{pin}} : {m} to {quarter}\n"
            f"{r.name} = tensor.insert_slice {part} into {b.name}[{j0}, {i0}] [{half}, {half}] [1, 1] {{pin}} : {quarter} into {m}"
        )

        def evaluate(env):
            result = [list(row) for row in env[b.name]]
            for i in range(half):
                result[j0 + i][i0 : i0 + half] = env[a.name][i0 + i][j0 : j0 + half]
            env[r.name] = result

        ops.append(Op(text, evaluate))
        scope.append(r)

    def pair(self, scope, ops):
        """One operation with two results."""
        a, b, m, e = self.pick(scope, "m"), self.pick(scope, "m"), self.types["m"], self.element
        r = self.name()
        text = (
            f'{r}:2 = linalg.generic {{indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}}'
            f" ins({a.name}, {b.name} : {m}, {m}) outs(%e, %e : {m}, {m}) {{attrs}} {{\n"
            f"^bb0(%x: {e}, %y: {e}, %o0: {e}, %o1: {e}):\n%s = {self.arith('add')} %x, %y : {e}\n"
            f"%t = {self.arith('sub')} %y, %x : {e}\nlinalg.yield %s, %t : {e}, {e}\n}} -> ({m}, {m})"
        )

        def evaluate(env):
            x, y = env[a.name], env[b.name]
            env[r + "#0"] = matrix(lambda i, j: x[i][j] + y[i][j])
            env[r + "#1"] = matrix(lambda i, j: y[i][j] - x[i][j])

        ops.append(Op(text, evaluate))
        scope += [Value(f"{r}#{i}", "m", a.bound + b.bound) for i in range(2)]

    def constant(self, scope, ops):
        r, low = Value(self.name(), "m", 7), self.random.randrange(-3, 4)
        rows = matrix(lambda i, j: low + (i * N + j) % 5)
        text = f"{r.name} = arith.constant dense<{[[self.literal(x) for x in row] for row in rows]}> : {self.types['m']}"
        ops.append(Op(text.replace("'", ""), lambda env: env.update({r.name: rows})))
        scope.append(r)

    def fill(self, scope, ops):
        """An element of one matrix everywhere in another."""
        a, m = self.pick(scope, "m"), self.types["m"]
        s, r = self.name(), Value(self.name(), "m", a.bound)
        text = (
            f"{s} = tensor.extract {a.name}[%c1, %c0] : {m}\n"
            f"{r.name} = linalg.fill ins({s} : {self.element}) outs(%e : {m}) -> {m}"
        )
        ops.append(Op(text, lambda env: env.update({r.name: matrix(lambda i, j: env[a.name][1][0])})))
        scope.append(r)

    def body(self, scope, count):
        """A block that yields a small matrix."""
        scope, ops = list(scope), []
        for _ in range(count):
            self.simple(scope, ops)
        self.clamp(scope[-3:] if any(v.kind == "m" for v in scope[-3:]) else scope, ops)
        name = re.findall(r"(%v\d+) = linalg.min", ops[-1].text)[-1]
        text = "\n".join(op.text for op in ops) + f"\nscf.yield {name} : {self.types['m']}"
        return text, name, lambda env: [op.evaluate(env) for op in ops]

    def loop(self, scope, ops):
        init, m, r, trips = self.pick(scope, "m"), self.types["m"], Value(self.name(), "m", 0), self.random.randrange(4)
        r.bound = max(init.bound, 3)
        inner = Value(r.name + "a", "m", r.bound)
        text, name, run = self.body(scope + [inner], 2)
        text = (
            f"{r.name} = scf.for {r.name}i = %c0 to %c{trips} step %c1 iter_args({inner.name} = {init.name}) -> {m} {{\n"
            f"{text}\n}}"
        )

        def evaluate(env):
            env[inner.name] = env[init.name]
            for _ in range(trips):
                run(env)
                env[inner.name] = env[name]
            env[r.name] = env[inner.name]

        ops.append(Op(text, evaluate, True))
        scope.append(r)

    def branch(self, scope, ops):
        r = Value(self.name(), "m", 3)
        arms = [self.body(scope, 1), self.body(scope, 2)]
        text = f"{r.name} = scf.if %p -> {self.types['m']} {{\n{arms[0][0]}\n}} else {{\n{arms[1][0]}\n}}"

        def evaluate(env):
            _, name, run = arms[0 if env["%p"] else 1]
            run(env)
            env[r.name] = env[name]

        ops.append(Op(text, evaluate, True))
        scope.append(r)

    def simple(self, scope, ops):
        self.random.choice(
            [self.elementwise] * 3
            + [self.clamp, self.matmul, self.reduce, self.broadcast, self.transpose, self.slice, self.pair]
            + [self.constant, self.fill]
        )(scope, ops)

    def program(self):
        """Operations, and the values that they leave: one matrix, one vector."""
        arguments = [Value("%a", "m", 5), Value("%b", "m", 5), Value("%d", "v", 5)]
        scope, ops = list(arguments), []
        for _ in range(self.random.randrange(6, 11)):
            self.random.choice([self.simple] * 5 + [self.loop, self.branch])(scope, ops)
        while sum(op.pins() for op in ops if op.works()) < 2 * len(DEVICES):
            self.elementwise(scope, ops)
        # What nobody read joins the result.
        text, last = "\n".join(op.text for op in ops), "%a"
        for value in scope[3:]:
            if len(re.findall(re.escape(value.name) + r"(?![\w#])", text)) > ("#" not in value.name):
                continue
            name = value.name
            if value.kind == "v":
                self.broadcast([value], ops)
                name = ops[-1].text.split()[0]
            result = self.name()
            self.join(ops, result, last, name)
            last = result
        return ops, last, [value.name for value in scope if value.kind == "v"][-1]

    def join(self, ops, r, a, b):
        m = self.types["m"]
        text = f"{r} = linalg.add {{pin}} ins({a}, {b} : {m}, {m}) outs(%e : {m}) -> {m}"
        ops.append(Op(text, lambda env: env.update({r: matrix(lambda i, j: env[a][i][j] + env[b][i][j])})))


def topology(seed):
    """Of links that are joined; those of a seed may be unified, both ways."""
    pairs = list(itertools.combinations(DEVICES, 2))
    unified = random.Random(seed).sample(pairs, 1 + seed % 4 % 3) if seed is not None else []
    specs = ", ".join(f"<device = <{device}>, compute = {10**12}, bandwidth = {10**11}>" for device in DEVICES)
    links = ", ".join(
        f"<from = <{a}>, to = <{b}>, bandwidth = {10**10}, latency = {10**7}"
        + (", unified = true>" if (a, b) in unified or (b, a) in unified else ">")
        for a, b in itertools.permutations(DEVICES, 2)
    )
    return f" attributes {{hetero.topology = #hetero.topology<devices = [{specs}], links = [{links}]>}}"


# Placements


def place(ops, devices, randomness):
    """The text of the operations with a device for each; those that run in any
    case get the given ones in turn, which keeps the shares equal."""
    pins = sum(op.pins() for op in ops if op.works())
    turns = (devices * pins)[:pins]
    randomness.shuffle(turns)

    def annotate(match, op):
        device = turns.pop() if op.works() else randomness.choice(devices)
        pin = f"{{hetero.device = #hetero.device<{device}>}}"
        return "attrs = " + pin if match.group() == "{attrs}" else pin

    return "\n".join(re.sub(r"\{(pin|attrs)\}", lambda match, op=op: annotate(match, op), op.text) for op in ops)


def build(generator, ops, result, vector):
    """One function per placement, and main, which calls all of them."""
    m, v = generator.types["m"], generator.types["v"]
    arguments = f"%a: {m}, %b: {m}, %d: {v}, %p: i1"
    constants = "".join(f"%c{i} = arith.constant {i} : index\n" for i in range(4))
    for name, number in (("low", -3), ("high", 3)):
        constants += f"%{name} = arith.constant dense<{generator.literal(number)}> : {m}\n"
    placements = [["cpu:0"], ["gpu:0"], DEVICES, DEVICES, DEVICES]
    text = f"#id = affine_map<(i, j) -> (i, j)>\nmodule{generator.topology} {{\n"
    for index, devices in enumerate(placements):
        body = place(ops, devices, generator.random)
        text += f"func.func private @p{index}({arguments}) -> ({m}, {v}) {{\n{constants}%e = tensor.empty() : {m}\n{body}\n"
        text += f"return {result}, {vector} : {m}, {v}\n}}\n"
    calls = "".join(
        f"%r{i}:2 = func.call @p{i}(%a, %b, %d, %p) : ({m}, {m}, {v}, i1) -> ({m}, {v})\n" for i in range(len(placements))
    )
    results = ", ".join(f"%r{i}#0, %r{i}#1" for i in range(len(placements)))
    types = ", ".join([m, v] * len(placements))
    return text + f"func.func @main({arguments}) -> ({types}) {{\n{calls}return {results} : {types}\n}}\n}}\n"


def flat(value):
    return [x for row in value for x in (row if isinstance(row, list) else [row])]


def spell(type_text, value):
    return re.sub(r"tensor<(.*)>", r"\1", type_text) + "=" + ",".join(map(str, flat(value)))


def check(seed, options, folder):
    generator = Generator(seed)
    ops, result, vector = generator.program()
    env = {name: matrix(lambda i, j: generator.random.randrange(-5, 6)) for name in ("%a", "%b")}
    env["%d"], env["%p"] = [generator.random.randrange(-5, 6) for _ in range(N)], generator.random.randrange(2)
    env["%low"], env["%high"] = matrix(lambda i, j: -3), matrix(lambda i, j: 3)
    m, v = generator.types["m"], generator.types["v"]
    words = [f"--input={spell(t, env[n])}" for n, t in (("%a", m), ("%b", m), ("%d", v))] + [f"--input=i1={env['%p']}"]
    for op in ops:
        op.evaluate(env)
    words += [f"--expected={spell(m, env[result])}", f"--expected={spell(v, env[vector])}"] * 5
    model = os.path.join(folder, f"random-{seed}.mlir")
    with open(model, "w") as file:
        file.write(build(generator, ops, result, vector))
    command = [os.path.join(options.build, "bin", "hetero-run"), model, "--entry=main", "--report", "--print-max=1"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("HETERO_")}
    # Where memory is shared, waits that are missing show.
    emulator = f"devices=2,check=races,schedule=random,seed={seed}" if generator.shares_memory else "devices=2"
    settings = {"HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": emulator, "HETERO_NUM_THREADS": "1"}
    done = subprocess.run(
        command + words + ["--rtol=0", "--atol=0"], env={**clean, **settings}, capture_output=True, text=True, timeout=300
    )
    if done.returncode:
        return f"seed {seed}: {done.stderr.strip()[-1500:]}"
    for index in (2, 3, 4):
        for device in DEVICES:
            if not re.search(rf"{device}\s+(kernel|host region)\s+p{index}_", done.stdout):
                return f"seed {seed}: placement {index} runs nothing on {device}"
    return None


if __name__ == "__main__":
    sys.exit(random_runs.run(check, count=20, full=200))
