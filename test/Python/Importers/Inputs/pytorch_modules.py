"""PyTorch modules against PyTorch."""

import unittest

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import hetero
import placements

PRODUCTS = {"rules": "rules: [{name: '(linear|conv.*|addmm|b?mm)/.*', device: 'gpu:0'}]\ndefault: cpu"}


class Function(nn.Module):
    """A module that only computes."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


class ResidualBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, groups=2, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(x + self.norm2(self.conv2(y)))


class CachedAttention(nn.Module):
    """One step of a decoder: the new row goes into the cache, later rows are masked."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, keys, values, position):
        batch, _, width = x.shape
        q, k, v = (
            part.view(batch, 1, self.heads, width // self.heads).transpose(1, 2)
            for part in self.project(x).chunk(3, dim=-1)
        )
        keys = keys.index_copy(2, position, k)
        values = values.index_copy(2, position, v)
        seen = torch.arange(keys.shape[2]) <= position
        y = F.scaled_dot_product_attention(q, keys, values, attn_mask=seen.view(1, 1, 1, -1))
        return self.out(y.transpose(1, 2).reshape(batch, 1, width)), keys, values


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.LayerNorm(24), nn.Linear(24, 5))

    def forward(self, x, labels):
        scores = self.body(x)
        return F.cross_entropy(scores, labels), F.softmax(scores, dim=-1)


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.cell = kind(6, 8, batch_first=True, **options)

    def forward(self, x):
        return self.cell(x)[0]


def integers(high, *shape):
    return torch.randint(0, high, shape)


def modules():
    """Name: module, arguments."""
    torch.manual_seed(1)
    rand = torch.randn
    return {
        "mlp": (nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4), nn.Tanh()), (rand(3, 10),)),
        "convolutions": (
            nn.Sequential(
                nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.SiLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, groups=8),
                nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5), nn.LogSoftmax(-1),
            ),
            (rand(2, 3, 16, 16),),
        ),
        "residual": (ResidualBlock(8), (rand(2, 8, 7, 7),)),
        "attention": (
            CachedAttention(16, 4),
            (rand(2, 1, 16), rand(2, 4, 9, 4), rand(2, 4, 9, 4), torch.tensor([5])),
        ),
        "norms": (
            nn.Sequential(nn.GroupNorm(2, 6), nn.Conv1d(6, 4, 3), nn.LayerNorm([4, 10]), nn.InstanceNorm1d(4)),
            (rand(2, 6, 12),),
        ),
        "lstm": (Recurrent(nn.LSTM, num_layers=2), (rand(2, 5, 6),)),
        "gru": (Recurrent(nn.GRU, bidirectional=True), (rand(2, 5, 6),)),
        "embeddings": (nn.EmbeddingBag(20, 6, mode="mean"), (integers(20, 4, 3),)),
        "index_select": (
            Function(lambda x, i: (x.index_select(1, i), x[:, i] * 2, torch.take_along_dim(x, i.view(1, -1), 1))),
            (rand(4, 9), integers(9, 5)),
        ),
        "upsample": (
            nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear"), nn.ConvTranspose2d(3, 2, 2, stride=2), nn.PixelShuffle(1)),
            (rand(1, 3, 4, 5),),
        ),
        "pixel_shuffle": (nn.Sequential(nn.Conv2d(3, 12, 3, padding=1), nn.PixelShuffle(2)), (rand(1, 3, 5, 6),)),
        "classifier": (Classifier(), (rand(7, 12), integers(5, 7))),
        "transformer": (nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), (rand(2, 6, 16),)),
        "scatter": (
            Function(lambda x, i, u: (x.scatter_add(0, i, u), x.gather(0, i), x.scatter(0, i[:1], u[:1]))),
            (rand(6, 4), integers(6, 3, 4), rand(3, 4)),
        ),
        "orders": (
            Function(lambda x: (x.cumsum(1), x.sort(1)[0], x.topk(3, 1)[0], x.argmax(1), x.flip(0), x.sum().flip(0))),
            (rand(4, 9),),
        ),
        "halves": (nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).half(), (rand(2, 8).half(),)),
    }


def leaves(value):
    return [value] if isinstance(value, torch.Tensor) else [leaf for each in value for leaf in leaves(each)]


class ModuleTest(unittest.TestCase):
    def compare(self, got, want):
        got = got if isinstance(got, list) else [got]
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            b = b.detach().numpy()
            self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
            tolerance = 5e-3 if b.dtype == np.float16 else 2e-5
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)

    def test_modules(self):
        for name, (module, arguments) in modules().items():
            network = hetero.importers.import_model(module.eval(), arguments=arguments)
            want = leaves(module(*arguments))
            for placement, program in placements.compile_each(network):
                with self.subTest(name=name, placement=placement):
                    self.compare(program(*arguments), want)

    def test_dynamic_sizes(self):
        module, (x,) = modules()["transformer"]
        sizes = {0: torch.export.Dim("N"), 1: torch.export.Dim("T")}
        program = torch.export.export(module.eval(), (x,), dynamic_shapes=(sizes,))
        compiled = hetero.compile(program, **PRODUCTS)
        self.assertEqual(compiled.main.argument_types, ["tensor<?x?x16xf32>"])
        for rows, length in ((1, 3), (3, 8)):
            x = torch.randn(rows, length, 16)
            self.compare(compiled(x), [module(x)])

    def test_names(self):
        module, arguments = modules()["residual"]
        compiled = hetero.compile(module.eval(), arguments=arguments, rules="rules: [{name: 'conv2d/conv1', device: gpu}]\ndefault: cpu")
        self.assertEqual(compiled.main.argument_names, ["x"])
        names = {op["name"]: op["device"] for op in compiled.placement.operations if op["op"].startswith("linalg.conv")}
        self.assertEqual(names, {"conv2d/conv1": "gpu:0", "conv2d/conv2": "cpu:0"})
        # Weights are called as the module calls them.
        weights = {op["name"] for op in compiled.placement.operations if op["op"] == "arith.constant"}
        self.assertLessEqual({"conv1.weight", "conv2.weight"}, weights)

    def test_sums_of_halves(self):
        """Of f16, whose sums are more than f16 holds: the numbers of f32, rounded."""
        x = torch.full([1, 2, 64, 64], 60.0) + torch.arange(64.0)
        functions = {
            "pool": lambda x: nn.functional.avg_pool2d(x, 60),
            "global pool": lambda x: nn.functional.adaptive_avg_pool2d(x, 1),
            "mean": lambda x: x.mean((2, 3)),
            "norm": lambda x: torch.linalg.vector_norm(x, dim=(2, 3)),
            "layer norm": lambda x: nn.functional.layer_norm(x, [64, 64]),
            "group norm": lambda x: nn.functional.group_norm(x, 2),
        }
        for name, function in functions.items():
            with self.subTest(name=name):
                program = torch.export.export(Function(function).eval(), (x.half(),))
                got = hetero.compile(program, default="cpu")(x.half())
                torch.testing.assert_close(torch.as_tensor(got).float(), function(x), rtol=2e-3, atol=2e-3)

    def test_errors(self):
        with self.assertRaisesRegex(hetero.ImportFailure, "it changes .*eval"):
            hetero.compile(ResidualBlock(4).train(), arguments=(torch.randn(2, 4, 3, 3),))
        with self.assertRaisesRegex(hetero.ImportFailure, "expected `arguments`"):
            hetero.compile(nn.Linear(2, 3))


if __name__ == "__main__":
    unittest.main()
