"""Images of another size: scales that are not those of the sizes, aligned corners, filters, and one element."""

import unittest
import warnings

import torch

import hetero

warnings.filterwarnings("ignore")
SCALES = ({"scale_factor": 1.7}, {"scale_factor": (0.6, 1.3)})
SIZES = ({"size": (1, 1)}, {"size": (5, 12)})
CASES = [
    *[{"mode": mode, **size} for mode in ("bilinear", "nearest", "nearest-exact") for size in (*SCALES, *SIZES)],
    *[{"mode": mode, "align_corners": True, **size} for mode in ("bilinear", "bicubic") for size in SCALES],
    *[{"mode": mode, "antialias": True, **size} for mode in ("bilinear", "bicubic") for size in SCALES],
    {"mode": "bilinear", "scale_factor": 1.7, "recompute_scale_factor": True},
]


class Resize(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def forward(self, x):
        return torch.nn.functional.interpolate(x, **self.options)


class Images(unittest.TestCase):
    def check(self, program, module, *images):
        for x in images:
            torch.testing.assert_close(torch.from_numpy(program(x)), module(x), atol=1e-4, rtol=1e-4)

    def test_known_sizes(self):
        x = torch.randn(2, 3, 9, 7)
        for options in CASES:
            with self.subTest(options):
                self.check(hetero.compile(Resize(options), arguments=(x,)), Resize(options), x)

    def test_dynamic_sizes(self):
        images = torch.randn(2, 3, 9, 7), torch.randn(1, 3, 12, 11)
        any_size = torch.export.Dim.DYNAMIC
        for options in (CASES[1], CASES[5], CASES[12], CASES[16]):
            with self.subTest(options):
                program = torch.export.export(Resize(options), images[:1], dynamic_shapes=({0: any_size, 2: any_size, 3: any_size},))
                self.check(hetero.compile(program), Resize(options), *images)


if __name__ == "__main__":
    torch.manual_seed(0)
    unittest.main()
