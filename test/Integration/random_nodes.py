#!/usr/bin/env python3
"""Runs random programs over two to four nodes, all in one process, and holds
every result against NumPy, bit by bit.

The programs are those of random_dynamic.py, with more of what nodes have to
agree about: branches and loops that depend on elements of tensors, and functions
that are called from several places. The placements are functions of one module:
all on one node, by cost on a machine of random speeds, part by part on one node
after the other, and at random. Messages are late, in another way for each seed.
Then a rank goes wrong, which must become an error of all in time.

Prints one line for each failure and ends with 'N passed, N failed'.
"""

import os
import re
import subprocess
import sys

import random_dynamic
import random_runs

PLACEMENTS = ["host", "cost", "parts", "random"]
SEEDS = 3
# Seconds that ranks wait for one that goes wrong.
TIMEOUT = 3


class Generator(random_dynamic.Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.nodes = 2 + seed % 3
        self.functions, self.callees = [], []

    def number(self, scope):
        """An element of a tensor, wherever that is, as i64."""
        t = self.pick(scope)
        at = tuple(self.random.randrange(n) for n in t.shape)
        r, places = self.name(), ", ".join(self.index(n) for n in at)
        exact = self.element == "i64"
        convert = "arith.fptosi" if self.kind == "f" else "arith.extsi"
        self.emit(
            f"{r}{'' if exact else 'e'} = tensor.extract {t.name}[{places}] : {self.type(t)}" + ("" if exact else f"\n{r} = {convert} {r}e : {self.element} to i64"),
            lambda env: env.update({r: int(env[t.name][at])}),
        )
        return r

    def trips(self, scope):
        if self.random.random() < 0.5:
            return super().trips(scope)
        number, r = self.number(scope), self.name()
        self.emit(
            f"{r}m = arith.constant 3 : i64\n{r}n = arith.andi {number}, {r}m : i64\n{r} = arith.index_cast {r}n : i64 to index",
            lambda env: env.update({r: env[number] & 3}),
        )
        return r, lambda env: env[r]

    def condition(self, scope):
        if self.random.random() < 0.3:
            return super().condition(scope)
        number, r = self.number(scope), self.name()
        self.emit(
            f"{r}z = arith.constant 0 : i64\n{r} = arith.cmpi sgt, {number}, {r}z : i64",
            lambda env: env.update({r: env[number] > 0}),
        )
        return r

    def operands(self):
        """What every function gets besides a tensor, and its types."""
        names = ["%s0", "%s1", "%p", *self.indices]
        return names, [self.element, self.element, "i1"] + ["index"] * len(self.indices)

    def function(self, argument):
        """A new function of such a tensor; what it makes, and its steps."""
        outer = self.lines, self.steps, self.scalars
        self.lines, self.steps, self.scalars = [], [], ["%s0", "%s1"]
        inner = self.result(argument.shape, argument.static, argument.bound)
        scope = [inner]
        self.depth += 1
        for _ in range(self.random.randrange(1, 4)):
            self.operation(scope)
        self.depth -= 1
        name, final = f"@p_@P@_f{self.name('')}", scope[-1]
        arguments = ", ".join(f"{a}: {b}" for a, b in zip(*self.operands()))
        self.functions.append(
            f"func.func private {name}({inner.name}: {self.type(inner)}, {arguments}) -> {self.type(final)} {{\n"
            + random_dynamic.constants(self) + "\n".join(self.lines) + f"\nreturn {final.name} : {self.type(final)}\n}}\n"
        )
        self.callees.append((name, inner, final, self.steps))
        self.lines, self.steps, self.scalars = outer
        return self.callees[-1]

    def call(self, scope):
        argument = self.pick(scope)
        same = [c for c in self.callees if (c[1].shape, c[1].static) == (argument.shape, argument.static)]
        name, inner, final, steps = self.random.choice(same) if same and self.depth == 0 else self.function(argument)
        r = self.result(final.shape, final.static, final.bound)
        names, types = self.operands()

        def run(env):
            env[inner.name] = env[argument.name]
            for step in steps:
                step(env)
            env[r.name] = env[final.name]

        self.emit(f"{r.name} = func.call {name}({', '.join([argument.name, *names])}) : ({', '.join([self.type(inner), *types])}) -> {self.type(r)}", run)
        scope.append(r)

    def operation(self, scope):
        if self.depth < 2 and self.random.random() < 0.2:
            self.random.choice([self.call, self.loop, self.branch])(scope)
        else:
            super().operation(scope)


def names(node, as_attribute=False):
    """The devices of a node."""
    suffix = "" if node == 0 else f", node = {node}" if as_attribute else f"@{node}"
    return [f"{device}{suffix}" for device in ("cpu:0", "gpu:0")]


def topology(generator):
    """Devices of a node are joined, and the hosts of nodes."""
    rng, nodes = generator.random, [names(node, True) for node in range(generator.nodes)]
    specs = [f"<device = <{device}>, compute = {10 ** rng.randrange(9, 13)}, bandwidth = {10 ** rng.randrange(8, 12)}>" for node in nodes for device in node]
    pairs = [pair for cpu, gpu in nodes for pair in ((cpu, gpu), (gpu, cpu))]
    pairs += [(a[0], b[0]) for a in nodes for b in nodes if a != b]
    links = [f"<from = <{a}>, to = <{b}>, bandwidth = {10 ** rng.randrange(8, 12)}, latency = {10 ** rng.randrange(2, 6)}>" for a, b in pairs]
    return f"#hetero.topology<devices = [{', '.join(specs)}], links = [{', '.join(links)}]>"


def rules(generator):
    lines = ['rules:', '- {function: "p_host*", device: cpu}']
    every = [device for node in range(generator.nodes) for device in names(node)]
    for number in range(generator.operations):
        part = number * generator.nodes // generator.operations
        for placement, devices in (("parts", names(part)), ("random", every)):
            lines.append(f'- {{function: "p_{placement}*", name: "op{number}", device: "{generator.random.choice(devices)}"}}')
    return "\n".join(lines) + "\n"


def start(command, options, seconds):
    """Runs the tools; the status and what they say."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("HETERO_")}
    settings = {"HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": "devices=4", "HETERO_NUM_THREADS": "1"}
    try:
        done = subprocess.run([*command, *options], env={**clean, **settings}, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"stopped after {seconds} s"
    # Rules that nothing obeys are warnings.
    return done.returncode, "\n".join(line for line in done.stderr.splitlines() if "warning:" not in line).strip()


def draw_fault(generator):
    """A rank that goes wrong, as --node-fault has it."""
    rng, ranks = generator.random, generator.nodes
    kind, rank = rng.choice(["drop", "stall", "lose", "slow-link"]), rng.randrange(ranks)
    fault = f"{kind},rank={rank},transfer={rng.randrange(1, 6)}"
    if kind == "slow-link":
        fault += f",peer={(rank + rng.randrange(1, ranks)) % ranks},seconds={rng.choice([0.01, 60])}"
    return fault + (",seconds=600" if kind == "stall" else "")


def check_fault(command, fault):
    """A rank that goes wrong is an error that names ranks, soon; some have no transfer of that number."""
    status, said = start(command, [f"--node-fault={fault}", f"--timeout={TIMEOUT}"], TIMEOUT + 30)
    if status == 0 or (status is not None and re.search(r"rank \d", said) and "differs" not in said):
        return None
    return f"{fault}: status {status}: {said}"


def check_program(command, generator):
    """What is wrong with the runs of a program, or None."""
    for seed in range(SEEDS):
        status, said = start(command, [f"--node-seed={seed}"], 300)
        if status != 0:
            return f"messages {seed}: status {status}: {said}"
    return check_fault(command, draw_fault(generator))


def check(seed, options, folder):
    generator = Generator(seed)
    results = generator.program()
    env, words = random_dynamic.inputs(generator)
    for step in generator.steps:
        step(env)
    words += [f"--expected={random_dynamic.spell(generator.element, env[t.name])}" for t in results] * len(PLACEMENTS)
    path = os.path.join(folder, f"nodes-{seed}")
    text = random_dynamic.module(generator, results, PLACEMENTS, topology(generator), generator.functions)
    for suffix, content in ((".mlir", text), (".yaml", rules(generator))):
        with open(path + suffix, "w") as file:
            file.write(content)
    compiler = [os.path.join(options.build, "bin", "hetero-compile"), path + ".mlir", f"--rules={path}.yaml", "-o", path + ".exe"]
    command = [path + ".exe", "--entry=main", *words, "--nodes=in-process", "--rtol=0", "--atol=0", "--print-max=1"]
    if options.keep:
        with open(path + ".sh", "w") as file:
            file.writelines(" ".join(f"'{word}'" for word in line) + "\n" for line in (compiler, command))
    status, said = start(compiler, [], 300)
    wrong = f"status {status}: {said}" if status != 0 else check_program(command, generator)
    if not options.keep and os.path.exists(path + ".exe"):
        os.remove(path + ".exe")
    return wrong and f"seed {seed}, {wrong[:options.width]}"


if __name__ == "__main__":
    sys.exit(random_runs.run(check, count=12, full=200))
