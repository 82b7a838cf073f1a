"""Random kernels of calls, locals, atomics and shuffles on the emulated driver.

    random_kernels.py EMULATOR NVCC FOLDER [FIRST [COUNT]]

Each kernel is written in CUDA C++ and computed by NumPy for all threads at once. nvcc
compiles it optimized, not optimized and for debuggers, and the driver runs each with
4,096 threads. Prints how many of the runs were wrong.
"""

import os
import random
import subprocess
import sys

import numpy as np

BLOCKS, THREADS = 16, 256
TOTAL = BLOCKS * THREADS
VARIABLES, ELEMENTS, CELLS = 6, 8, 64
ATOMICS = {"Add": np.add, "Xor": np.bitwise_xor, "Max": np.maximum, "Min": np.minimum}
WAYS = {"-O3": ["-O3"], "-O0": ["-O0", "-Xcicc", "-O0"], "-G": ["-G"]}

PRELUDE = """
typedef unsigned u;
struct Pair { u x, y[3]; };
__device__ __noinline__ void swapSum(u *a, u *b) { u t = *a; *a = *b + t; *b = t; }
__device__ __noinline__ u fold(const u *a, u count, u seed) {
  for (u i = 0; i < count; ++i) seed = seed * 31 + a[i];
  return seed;
}
__device__ __noinline__ void reverse(u *a, u count) {
  for (u i = 0; i < count / 2; ++i) swapSum(a + i, a + count - 1 - i);
}
__device__ __noinline__ Pair turn(Pair p, u by) {
  Pair r;
  r.x = p.y[by % 3] + by;
  for (int i = 0; i < 3; ++i) r.y[i] = p.y[(i + by) % 3] ^ p.x;
  return r;
}
__device__ __noinline__ u twice(u a) { return a * 2 + 1; }
__device__ __noinline__ u half(u a) { return a / 2 ^ a; }
__device__ __noinline__ u *pick(bool first, u *a, u *b) { return first ? a : b; }
__device__ __noinline__ u power(u a, u n) { return n == 0 ? 1 : a * power(a, n - 1); }
"""


def word(number):
    return np.uint32(number & 0xFFFFFFFF)


class State:
    """The variables of all threads."""

    def __init__(self):
        self.thread = np.arange(TOTAL, dtype=np.uint32)
        self.v = [self.thread * word(2 * i + 1) + word(i) for i in range(VARIABLES)]
        self.a = np.stack([self.thread ^ word(i) for i in range(ELEMENTS)], axis=1)
        self.cells = {name: np.zeros(CELLS, np.uint32) for name in ATOMICS}
        self.cells["Min"][:] = word(-1)

    def set(self, i, value, mask):
        self.v[i] = np.where(mask, value, self.v[i]).astype(np.uint32)

    def store(self, index, value, mask):
        rows = np.nonzero(mask)[0]
        self.a[rows, index[rows]] = value[rows]


class Expression:
    """Its text, and its values."""

    OPERATIONS = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "&": np.bitwise_and,
        "|": np.bitwise_or,
        "^": np.bitwise_xor,
        ">>": lambda x, y: x >> (y & word(31)),
    }

    def __init__(self, r, depth=2):
        kind = r.randrange(4)
        if kind == 0:
            number = word(r.getrandbits(r.choice([4, 32])))
            self.text, self.of = f"{number}u", lambda s: np.full(TOTAL, number)
        elif kind == 1 or depth == 0:
            i = r.randrange(VARIABLES)
            self.text, self.of = f"v{i}", lambda s: s.v[i]
        elif kind == 2:
            inner = Expression(r, depth - 1)
            self.text = f"a[({inner.text}) % {ELEMENTS}]"
            self.of = lambda s: s.a[s.thread, inner.of(s) % word(ELEMENTS)]
        else:
            x, y = Expression(r, depth - 1), Expression(r, depth - 1)
            name = r.choice(list(self.OPERATIONS))
            compute = self.OPERATIONS[name]
            right = f"({y.text} & 31)" if name == ">>" else y.text
            self.text = f"({x.text} {name} {right})"
            self.of = lambda s: compute(x.of(s), y.of(s)).astype(np.uint32)


def select(state, i, j):
    return state.v[i].copy(), state.v[j].copy()


class Statements:
    """Makes statements: pairs of a text and a function of a state and a mask."""

    EVERYWHERE = "assign store call_swap call_fold call_reverse call_turn byte pick vector copy".split()
    ALTOGETHER = "shuffle vote exchange atomic own_atomic shared_pointer reduce".split()

    def __init__(self, seed):
        self.r = random.Random(seed)
        # What makes threads run one by one, in some kernels only.
        self.everywhere = self.EVERYWHERE + (["pointer", "recursion"] if seed % 4 == 3 else [])
        self.in_branches = ["atomic"] if seed % 2 else []

    def variables(self):
        return self.r.sample(range(VARIABLES), 2)

    def block(self, count, depth, isAll):
        made = []
        for _ in range(count):
            kinds = self.everywhere + (self.ALTOGETHER * 2 if isAll else self.in_branches)
            kinds += ["branch", "branch", "loop"] if depth else []
            made.append(getattr(self, self.r.choice(kinds))(depth))
        return "\n".join(text for text, _ in made), lambda s, m: [run(s, m) for _, run in made]

    def assign(self, _):
        i, e = self.r.randrange(VARIABLES), Expression(self.r)
        return f"v{i} = {e.text};", lambda s, m: s.set(i, e.of(s), m)

    def store(self, _):
        at, e = Expression(self.r, 1), Expression(self.r)
        return (
            f"a[({at.text}) % {ELEMENTS}] = {e.text};",
            lambda s, m: s.store(at.of(s) % word(ELEMENTS), e.of(s), m),
        )

    def call_swap(self, _):
        i, j = self.variables()

        def run(s, m):
            x, y = select(s, i, j)
            s.set(i, x + y, m), s.set(j, x, m)

        return f"swapSum(&v{i}, &v{j});", run

    def call_fold(self, _):
        i, seed, begin = self.r.randrange(VARIABLES), Expression(self.r, 1), self.r.randrange(4)

        def run(s, m):
            value = seed.of(s).copy()
            for k in range(begin, begin + 4):
                value = value * word(31) + s.a[:, k]
            s.set(i, value, m)

        return f"v{i} = fold(a + {begin}, 4, {seed.text});", run

    def call_reverse(self, _):
        count = self.r.randrange(2, ELEMENTS + 1)

        def run(s, m):
            for k in range(count // 2):
                low, high = s.a[:, k].copy(), s.a[:, count - 1 - k].copy()
                s.a[m, k], s.a[m, count - 1 - k] = (high + low)[m], low[m]

        return f"reverse(a, {count});", run

    def call_turn(self, _):
        (i, j), by = self.variables(), Expression(self.r, 1)

        def run(s, m):
            x, n = s.v[i].copy(), by.of(s).copy()
            y = s.a[:, 1:4].copy()
            s.set(i, y[s.thread, n % word(3)] + n, m)
            s.set(j, y[s.thread, (word(2) + n) % word(3)] ^ x, m)

        text = f"{{ Pair p = {{v{i}, {{a[1], a[2], a[3]}}}}; p = turn(p, {by.text}); v{i} = p.x; v{j} = p.y[2]; }}"
        return text, run

    def byte(self, _):
        (i, j), at = self.variables(), Expression(self.r, 1)

        def run(s, m):
            bits = (at.of(s) % word(4)) * word(8)
            s.set(i, (s.v[i] & ~(word(255) << bits)) | ((s.v[j] & word(255)) << bits), m)

        return f"((unsigned char *)&v{i})[({at.text}) % 4] = v{j};", run

    def pick(self, _):
        (i, j), at, e = self.variables(), self.r.randrange(ELEMENTS), Expression(self.r, 1)

        def run(s, m):
            first, more = s.v[i] % word(2) == 1, e.of(s).copy()
            s.store(np.full(TOTAL, at), s.a[:, at] + more, m & ~first)
            s.set(j, s.v[j] + more, m & first)

        return f"{{ u more = {e.text}; *pick(v{i} % 2, &v{j}, &a[{at}]) += more; }}", run

    def vector(self, _):
        at, e = self.r.randrange(2), Expression(self.r, 1)

        def run(s, m):
            value = e.of(s).copy()
            four = s.a[:, 4 * at : 4 * at + 4].copy()
            s.a[m, 4 * (1 - at) : 4 * (1 - at) + 4] = (four[:, ::-1] + value[:, None])[m]

        text = (
            f"{{ u n = {e.text}; uint4 q = *(uint4 *)(a + {4 * at}); "
            f"*(uint4 *)(a + {4 * (1 - at)}) = make_uint4(q.w + n, q.z + n, q.y + n, q.x + n); }}"
        )
        return text, run

    def pointer(self, _):
        i, j = self.variables()

        def run(s, m):
            x = s.v[j]
            s.set(i, np.where(s.v[i] % word(3) == 0, x * word(2) + word(1), x // word(2) ^ x), m)

        return f"{{ u (*f)(u) = v{i} % 3 == 0 ? twice : half; v{i} = f(v{j}); }}", run

    def copy(self, _):
        i, count = self.r.randrange(VARIABLES), self.r.randrange(1, ELEMENTS)

        def run(s, m):
            s.a[m, :count] = s.a[m, ELEMENTS - count :].copy()
            s.set(i, s.a[:, 0], m)

        text = f"{{ u b[{ELEMENTS}]; memcpy(b, a, sizeof b); memcpy(a, b + {ELEMENTS - count}, {4 * count}); v{i} = a[0]; }}"
        return text, run

    def recursion(self, _):
        i, j = self.variables()

        def run(s, m):
            value, n = np.full(TOTAL, word(1)), s.v[j] % word(4)
            for k in range(3):
                value = np.where(n > k, value * s.v[i], value)
            s.set(i, value, m)

        return f"v{i} = power(v{i}, v{j} % 4);", run

    # What lanes that are elsewhere would not take part in.

    def shuffle(self, _):
        (i, j), by = self.variables(), self.r.randrange(1, 32)
        kind = self.r.choice(["xor", "up", "down", "idx"])

        def run(s, m):
            lane = np.arange(TOTAL) % 32
            source = {"xor": lane ^ by, "up": lane - by, "down": lane + by, "idx": np.full(TOTAL, by)}[kind]
            source = np.where((source < 0) | (source > 31), lane, source)
            s.set(i, s.v[j][np.arange(TOTAL) - lane + source], m)

        name = "__shfl_sync" if kind == "idx" else f"__shfl_{kind}_sync"
        return f"v{i} = {name}(~0u, v{j}, {by});", run

    def vote(self, _):
        (i, j), bit = self.variables(), self.r.randrange(32)

        def run(s, m):
            bits = (s.v[j] >> word(bit) & word(1)).reshape(-1, 32)
            ballot = (bits.astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(axis=1)
            s.set(i, np.repeat(ballot.astype(np.uint32), 32), m)

        return f"v{i} = __ballot_sync(~0u, v{j} >> {bit} & 1);", run

    def exchange(self, _):
        (i, j), by = self.variables(), self.r.randrange(1, THREADS)

        def run(s, m):
            blocks = s.v[j].reshape(BLOCKS, THREADS)
            s.set(i, np.roll(blocks, -by, axis=1).reshape(-1), m)

        text = f"__syncthreads(); s[t] = v{j}; __syncthreads(); v{i} = s[(t + {by}) % {THREADS}];"
        return text, run

    def atomic(self, _):
        name, at, e = self.r.choice(list(ATOMICS)), Expression(self.r, 1), Expression(self.r, 1)
        number = list(ATOMICS).index(name)

        def run(s, m):
            ATOMICS[name].at(s.cells[name], (at.of(s) % word(CELLS))[m], e.of(s)[m])

        return f"atomic{name}(cells + {number * CELLS} + ({at.text}) % {CELLS}, {e.text});", run

    def own_atomic(self, _):
        i, e = self.r.randrange(VARIABLES), Expression(self.r, 1)

        def run(s, m):
            s.set(i, s.v[i] * word(3) + e.of(s), m)

        return f"own[n] = v{i}; v{i} = 2 * atomicAdd(own + n, {e.text}) + own[n];", run

    def shared_pointer(self, _):
        i, j = self.variables()

        def run(s, m):
            first = s.v[i] % word(2) == 1
            value = s.v[j] + word(5)
            s.set(j, value, m & ~first)
            s.set(i, np.where(first, value, word(9)), m)

        text = f"__syncthreads(); s[t] = v{j}; {{ bool c = v{i} % 2; u *p = pick(c, &s[t], &v{j}); *p += 5; v{i} = c ? s[t] : 9; }}"
        return text, run

    def reduce(self, _):
        i, j = self.variables()

        def run(s, m):
            blocks = (s.v[j] % word(32)).reshape(BLOCKS, THREADS)
            counts = np.stack([np.bincount(row, minlength=32) for row in blocks]).astype(np.uint32)
            s.set(i, np.repeat(counts, THREADS, axis=0)[s.thread, s.thread % word(32)], m)

        text = f"__syncthreads(); s[t] = 0; __syncthreads(); atomicAdd(&s[v{j} % 32], 1); __syncthreads(); v{i} = s[t % 32];"
        return text, run

    def branch(self, depth):
        condition = Expression(self.r, 1)
        modulus = self.r.choice([2, 3, 7])
        then, run_then = self.block(self.r.randrange(1, 4), depth - 1, False)
        other, run_other = self.block(self.r.randrange(3), depth - 1, False)

        def run(s, m):
            c = condition.of(s) % word(modulus) == 0
            run_then(s, m & c), run_other(s, m & ~c)

        return f"if (({condition.text}) % {modulus} == 0) {{\n{then}\n}} else {{\n{other}\n}}", run

    def loop(self, depth):
        count, name = Expression(self.r, 1), f"i{depth}"
        body, run_body = self.block(self.r.randrange(1, 3), depth - 1, False)

        def run(s, m):
            most = count.of(s) % word(5)
            for i in range(5):
                run_body(s, m & (most > i))

        return f"for (u {name} = 0, most = ({count.text}) % 5; {name} < most; ++{name}) {{\n{body}\n}}", run


def make_kernel(seed):
    """The text of a kernel, and what it leaves: of each thread, and the cells."""
    statements = Statements(seed)
    body, run = statements.block(14, 2, True)
    variables = "".join(f"u v{i} = n * {2 * i + 1} + {i};\n" for i in range(VARIABLES))
    text = f"""{PRELUDE}
extern "C" __global__ void k(u *out, u *cells, u *own) {{
  __shared__ u s[{THREADS}];
  u t = threadIdx.x, n = blockIdx.x * {THREADS} + t;
  {variables}
  __align__(16) u a[{ELEMENTS}];
  for (u i = 0; i < {ELEMENTS}; ++i) a[i] = n ^ i;
  {body}
  out[n] = fold(a, {ELEMENTS}, 0) + {" + ".join(f"{i + 1} * v{i}" for i in range(VARIABLES))};
}}
"""
    state = State()
    with np.errstate(over="ignore"):
        run(state, np.full(TOTAL, True))
        result = np.zeros(TOTAL, np.uint32)
        for k in range(ELEMENTS):
            result = result * word(31) + state.a[:, k]
        for i in range(VARIABLES):
            result = result + word(i + 1) * state.v[i]
    return text, np.concatenate([result] + [state.cells[name] for name in ATOMICS])


def run_kernel(driver, ptx):
    """What the kernel leaves on the emulated device, or an error."""
    words = TOTAL + len(ATOMICS) * CELLS
    memory = np.zeros(words + TOTAL, np.uint32)
    memory[words - CELLS : words] = word(-1)
    return driver.run(ptx, memory, [0, 4 * TOTAL, 4 * words])[:words]


def main(emulator, nvcc, folder, first=0, count=None):
    from emulated_driver import EmulatedDriver

    if count is None:
        count = 24 if os.environ.get("HETERO_FULL_TESTS") else 2
    driver = EmulatedDriver(emulator, BLOCKS, THREADS)
    wrong = 0
    for seed in range(int(first), int(first) + int(count)):
        text, expected = make_kernel(seed)
        source = os.path.join(folder, f"kernel{seed}.cu")
        with open(source, "w") as file:
            file.write(text)
        for way, options in WAYS.items():
            ptx = os.path.join(folder, f"kernel{seed}{way}.ptx")
            subprocess.run([nvcc, "-w", "-ptx", "-arch=sm_80", *options, source, "-o", ptx], check=True)
            found = run_kernel(driver, ptx)
            bad = np.count_nonzero(found != expected)
            if bad:
                print(f"kernel {seed} by nvcc {way}: {bad} of {len(expected)} words are wrong")
            wrong += bad != 0
    print(f"{count} kernels, {wrong} wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])
