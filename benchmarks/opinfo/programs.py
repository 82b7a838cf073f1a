"""Random programs of some steps on integers, truths and floats, each of which reads what others make."""

import numpy as np
import torch

import samples
import steps

STEPS = (5, 15)
ARGUMENTS = (1, 4)
# Elements of a value.
MOST = 600


class Program(torch.nn.Module):
    """Steps with their seeds and the numbers of the values that they take, of which the first are the arguments."""

    def __init__(self, rng, arguments):
        super().__init__()
        self.count, self.steps = len(arguments), []
        values = list(arguments)
        for _ in range(rng.integers(*STEPS, endpoint=True)):
            self.steps.append(_draw_step(rng, values))
        read = {number for _, _, numbers in self.steps for number in numbers}
        made = range(self.count, len(values))
        # Of half of the programs all values are results: others leave more to be fused.
        self.results = list(made) if rng.integers(2) else [number for number in made if number not in read]

    def forward(self, *arguments):
        values = list(arguments)
        for step, seed, numbers in self.steps:
            values.append(step(np.random.default_rng(seed), *[values[number] for number in numbers]))
        return [values[number] for number in self.results]

    def describe(self):
        """The steps, by the numbers of values: "4 = cast(1)"."""
        made = enumerate(self.steps, self.count)
        return ", ".join(f"{place} = {step.__name__}({', '.join(map(str, numbers))})" for place, (step, _, numbers) in made)


def _draw_step(rng, values):
    """A step that PyTorch takes, whose value is added to the others. It reads late values more often than early ones."""
    while True:
        step, count = steps.TABLE[rng.integers(len(steps.TABLE))]
        numbers = [int(number) for number in np.maximum(*rng.integers(len(values), size=(2, count)))]
        seed = int(rng.integers(2**31))
        try:
            made = step(np.random.default_rng(seed), *[values[number] for number in numbers])
        except Exception:  # Whatever PyTorch raises for types and shapes.
            continue
        if 0 < made.numel() <= MOST:
            values.append(made)
            return step, seed, numbers


def _draw_argument(rng):
    """Integers of the whole range, half of them small, with the ends of the range among them."""
    shape = tuple(int(size) for size in rng.integers(1, 7, rng.integers(1, 4)))
    dtype = steps.DTYPES[rng.integers(len(steps.DTYPES))]
    small = rng.integers(-5, 6, shape)
    if dtype == torch.bool:
        return torch.from_numpy(small > 0)
    if dtype == torch.float32:
        return torch.from_numpy(np.where(rng.random(shape) < 0.5, small, 20 * rng.standard_normal(shape))).to(dtype)
    info = torch.iinfo(dtype)
    wide = rng.integers(info.min, info.max, shape, endpoint=True, dtype=np.int64)
    drawn = np.where(rng.random(shape) < 0.5, wide, np.maximum(small, info.min))
    drawn.flat[: drawn.size // 3] = np.resize([info.max, info.min, info.max // 2 + 1], drawn.size // 3)
    return torch.from_numpy(drawn).to(dtype)


def draw(seed):
    rng = np.random.default_rng(seed)
    arguments = tuple(_draw_argument(rng) for _ in range(rng.integers(*ARGUMENTS, endpoint=True)))
    return samples.Sample(f"random program {seed}/0", Program(rng, arguments).eval(), arguments)
