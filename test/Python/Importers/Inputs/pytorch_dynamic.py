"""PyTorch modules of dynamic sizes: one program for several sizes, against PyTorch."""

import unittest

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import hetero
from pytorch_modules import Function, integers, leaves

AUTO = torch.export.Dim.AUTO


class Encoder(nn.Module):
    """Words to vectors, attention over them, and a mean of those that are there."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)

    def forward(self, words):
        there = (words > 0).unsqueeze(-1)
        y = self.layer(self.words(words), src_key_padding_mask=words == 0)
        return torch.where(there, y, 0).sum(1) / there.sum(1)


class Features(nn.Module):
    """An image of any size to a vector."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
            nn.Conv2d(8, 8, 3, padding=1, groups=4), nn.Hardswish(), nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class Upscaler(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 12, 3, padding=1)

    def forward(self, x):
        return F.pixel_shuffle(self.conv(x), 2) + F.interpolate(x, scale_factor=2, mode="bilinear")


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = kind(6, 8, batch_first=True, bidirectional=True)

    def forward(self, x):
        return self.cell(x)


def windows(x):
    """Windows of time, each against the next one."""
    frames = x.unfold(1, 4, 2)
    return (frames[:, 1:] * frames[:, :-1]).sum(-1), x.roll(1, 1), x.flip(1).cumsum(1)


def attend(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def modules():
    """Name: the module, its dynamic sizes, and arguments of several sizes; the first ones are exported."""
    torch.manual_seed(2)
    rand = torch.randn
    rows = {0: AUTO}
    return {
        "mlp": (nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)), [rows], [(rand(n, 10),) for n in (3, 1, 8)]),
        "encoder": (Encoder(), [{0: AUTO, 1: AUTO}], [(integers(39, n, t) + 1,) for n, t in ((2, 5), (1, 7), (3, 2))]),
        "features": (Features(), [{0: AUTO, 2: AUTO, 3: AUTO}], [(rand(n, 3, h, w),) for n, h, w in ((2, 17, 24), (1, 30, 21))]),
        "upscaler": (Upscaler(), [{0: AUTO, 2: AUTO, 3: AUTO}], [(rand(n, 3, h, w),) for n, h, w in ((2, 5, 6), (3, 8, 4))]),
        "instance norm": (nn.InstanceNorm2d(2, affine=True), [rows], [(rand(n, 2, 3, 4),) for n in (2, 5)]),
        "lstm": (Recurrent(nn.LSTM), [rows], [(rand(n, 5, 6),) for n in (2, 4)]),
        "gru": (Recurrent(nn.GRU), [rows], [(rand(n, 5, 6),) for n in (2, 4)]),
        "windows": (Function(windows), [{0: AUTO, 1: AUTO}], [(rand(n, t),) for n, t in ((2, 12), (3, 20))]),
        "attention": (Function(attend), [{0: AUTO, 2: AUTO}] * 3, [tuple(rand(n, 2, t, 4) for _ in range(3)) for n, t in ((2, 5), (3, 9))]),
        "selection": (
            Function(lambda x: (x[x > 0], x.nonzero(), x.topk(2, 0)[0], x.sort(1)[1], torch.cat([x, x * 2], 0))),
            [rows],
            [(rand(n, 5),) for n in (4, 7)],
        ),
    }


class DynamicTest(unittest.TestCase):
    def test_modules(self):
        for name, (module, sizes, calls) in modules().items():
            # A Function takes its arguments as one tuple.
            shapes = (tuple(sizes),) if isinstance(module, Function) else tuple(sizes)
            program = torch.export.export(module.eval(), calls[0], dynamic_shapes=shapes)
            for place in ("cpu", "gpu:0"):
                with self.subTest(name=name, place=place):
                    self.call_each(hetero.compile(program, rules=f'default: "{place}"'), module, calls)

    def call_each(self, compiled, module, calls):
        self.assertIn("?", "".join(compiled.main.argument_types))
        for arguments in calls:
            got, want = compiled(*arguments), leaves(module(*arguments))
            got = got if isinstance(got, list) else [got]
            self.assertEqual(len(got), len(want))
            for a, b in zip(got, want):
                np.testing.assert_allclose(a, b.detach().numpy(), rtol=2e-5, atol=2e-5)


if __name__ == "__main__":
    unittest.main()
