"""Images of another size, where the exporter leaves the scales out, or takes others."""

from __future__ import annotations

import torch

from hetero.importers.decompositions import decomposes, make_node


def _round_to(x, dtype):
    """A half goes up."""
    limits = torch.iinfo(dtype)
    return (x + 0.5).floor().clamp(limits.min, limits.max).to(dtype)


def _resize_integers(operation, x, size, align_corners, scales):
    """Rows first, which are rounded, and then columns, as PyTorch's kernel for bytes has it; the exporter cuts what
    comes."""
    across, down = ((1.0, scales[1]), (scales[0], 1.0)) if scales else ((), ())
    rows = _round_to(operation(x.float(), [x.shape[-2], size[1]], align_corners, *across), x.dtype)
    return _round_to(operation(rows.float(), list(size), align_corners, *down), x.dtype)


def _scale(x, size, scales, mode, is_smooth):
    """By scales, which need not be those of the sizes."""
    attributes = {
        "mode": mode,
        "coordinate_transformation_mode": "half_pixel",
        "antialias": int(is_smooth),
        "exclude_outside": int(is_smooth),
        "cubic_coeff_a": -0.5 if is_smooth else -0.75,
        "axes": list(range(2, x.dim())),
    }
    factors = torch.stack([torch.full((), scale, dtype=torch.float32) for scale in scales])
    return make_node("Resize", (x, None, factors), attributes, x.new_empty([*x.shape[:2], *size]))


def _find_sizes(x, scales):
    return [torch.sym_int(size * scale) for size, scale in zip(x.shape[2:], scales)]


def _resizer(kind, mode):
    """The two forms of an operation: with the sizes, and with sizes or scales."""
    operation, is_smooth = getattr(torch.ops.aten, kind).default, kind.endswith("_aa")

    def resize(x, size, align_corners, *scales):
        scales = () if None in scales else scales
        if not x.is_floating_point() and x.dim() == 4:
            return _resize_integers(operation, x, size, align_corners, scales)
        if not scales:
            return NotImplemented
        # Corners that are aligned leave scales nothing to say.
        return operation(x, size, True) if align_corners else _scale(x, size, scales, mode, is_smooth)

    def resize_by(x, size, align_corners, scales):
        if not scales and x.is_floating_point():
            return NotImplemented
        return resize(x, size or _find_sizes(x, scales), align_corners, *(scales or ()))

    return resize, resize_by


def _are_whole(scales) -> bool:
    """Whether the exporter's operator finds the same elements: it does not round places as PyTorch does."""
    return not scales or None in scales or all(float(scale).is_integer() for scale in scales)


def _picker(offset):
    """The two forms of an operation that takes the nearest element, `offset` from the start of its place."""

    def pick(x, size, *scales):
        if _are_whole(scales):
            return NotImplemented
        for axis, (count, scale) in enumerate(zip(size, scales), 2):
            places = (torch.arange(count, dtype=torch.float32) + offset) * (1 / scale)
            x = x.index_select(axis, places.to(torch.int64).clamp(max=x.shape[axis] - 1))
        return x

    def pick_by(x, size, scales):
        return NotImplemented if _are_whole(scales) else pick(x, size or _find_sizes(x, scales), *scales)

    return pick, pick_by


_MODES = {
    "upsample_linear1d": "linear",
    "upsample_bilinear2d": "linear",
    "upsample_trilinear3d": "linear",
    "upsample_bicubic2d": "cubic",
    "_upsample_bilinear2d_aa": "linear",
    "_upsample_bicubic2d_aa": "cubic",
}


def _add() -> None:
    forms = {kind: _resizer(kind, mode) for kind, mode in _MODES.items()}
    for axes in (1, 2, 3):
        forms[f"upsample_nearest{axes}d"] = _picker(0.0)
        forms[f"_upsample_nearest_exact{axes}d"] = _picker(0.5)
    for kind, (by_sizes, by_scales) in forms.items():
        decomposes(kind)(by_sizes)
        decomposes(f"{kind}.vec")(by_scales)


_add()
