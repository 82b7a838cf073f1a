"""What PTX and NVIDIA's assembler say about kernels."""

import collections
import re
import subprocess

# Per multiprocessor: registers, bytes of shared memory, threads; and the machine's
# name, bytes per second, and operations per second by element type, with matrix
# units where the type has them, as its maker states them.
Machine = collections.namedtuple("Machine", "name shared threads bandwidth flops")
MACHINES = {
    "sm_80": Machine("A100", 164 << 10, 2048, 2.039e12, {"f16": 312e12, "bf16": 312e12, "f32": 19.5e12, "tf32": 156e12, "f64": 19.5e12, "i8": 624e12}),
    "sm_90a": Machine("H100", 228 << 10, 2048, 3.35e12, {"f16": 989e12, "bf16": 989e12, "f32": 67e12, "tf32": 494e12, "f64": 67e12, "i8": 1979e12}),
}
REGISTERS = 65536
MOST_BLOCKS = 32

# The first pattern that an instruction matches names its column.
CLASSES = [
    ("global load", r"ld\.global"),
    ("global store", r"(st|red|atom)\.global"),
    ("cp.async", r"cp\.async\.(ca|cg|bulk\.tensor)"),
    ("ldmatrix", r"ldmatrix"),
    ("shared", r"(ld|st)\.shared"),
    ("mma", r"w?g?mma\.(sync|mma)"),
    ("shuffle", r"shfl"),
    ("barrier", r"bar"),
    ("fma", r"fma"),
    ("float", r"\w+\.(\w+\.)*b?f(16|32|64)(x2)?$"),
    ("other", r""),
]


class Kernel:
    """One .entry: its name, threads, and instructions by class."""

    def __init__(self, name, header, body):
        self.name = name
        threads = re.search(r"\.(?:maxntid|reqntid) ([\d, ]+)", header)
        self.threads = 1
        for size in (threads.group(1) if threads else "1").split(","):
            self.threads *= int(size)
        self.mix = collections.Counter()
        self.widths = {"global load": collections.Counter(), "global store": collections.Counter()}
        for line in body.splitlines():
            word = re.match(r"\s*(?:@!?%\w+ )?([a-z][\w.:]*)\s", line)
            if word and not line.strip().endswith(":"):
                self.count(word.group(1))
        # Of the launch; the names of these variables say how much it is.
        dynamic = [int(size) for size in re.findall(r"\bhetero_shared_(\d+)\b", body)]
        self.dynamic = max(dynamic, default=0)
        # What the assembler says.
        self.registers = self.spills = self.shared = self.stack = 0

    def count(self, word):
        name = next(name for name, pattern in CLASSES if re.match(pattern, word))
        self.mix[name] += 1
        if name in self.widths:
            vector = re.search(r"\.v(\d)", word)
            bits = int(re.search(r"\.[a-z]+(\d+)$", word).group(1))
            self.widths[name][(int(vector.group(1)) if vector else 1) * bits // 8] += 1

    def blocks(self, machine):
        """Blocks that a multiprocessor runs at once."""
        warps = (self.threads + 31) // 32
        per_warp = (self.registers * 32 + 255) // 256 * 256
        shared = (self.shared + 1024 + 127) // 128 * 128
        return min(MOST_BLOCKS, machine.threads // (warps * 32), REGISTERS // (per_warp * warps), machine.shared // shared)

    def occupancy(self, machine):
        return self.blocks(machine) * self.threads / machine.threads


def parse(text):
    """The kernels of a module."""
    kernels = []
    for match in re.finditer(r"\.entry (\w+)\((.*?)\)(.*?)\n\{\n(.*?)\n\n\}", text, re.S):
        kernels.append(Kernel(match.group(1), match.group(3), match.group(4)))
    return kernels


def assemble(ptxas, chip, path, cubin):
    """The kernels of a file, with what the assembler says about them."""
    done = subprocess.run([ptxas, f"-arch={chip}", "-v", path, "-o", cubin], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{path} for {chip}: {done.stdout}{done.stderr}")
    with open(path) as file:
        kernels = parse(file.read())
    for kernel in kernels:
        section = re.search(rf"Compiling entry function '{kernel.name}'(.*?)(?=Compiling entry|\Z)", done.stderr, re.S).group(1)

        def number(pattern):
            found = re.search(pattern, section)
            return int(found.group(1)) if found else 0

        kernel.registers = number(r"Used (\d+) registers")
        kernel.shared = number(r"(\d+) bytes smem") + kernel.dynamic
        kernel.stack = number(r"(\d+) bytes stack frame")
        kernel.spills = number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads")
    return kernels


def version(ptxas):
    text = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout
    return re.search(r"release ([\d.]+)", text).group(1)


def disassemble(cuobjdump, cubin):
    """Machine instructions by mnemonic, most frequent first."""
    text = subprocess.run([cuobjdump, "-sass", cubin], capture_output=True, text=True).stdout
    words = re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]+)", text, re.M)
    return collections.Counter(words)
