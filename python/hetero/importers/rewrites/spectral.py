"""DFT as a product with a matrix, whose columns are transforms of unit vectors.

Semantics are those of DFT in ONNX's operator specification; a complex number is two
elements of the last axis.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from hetero.importers.rewrites.builder import Builder, Node

# Elements of a matrix that is made.
_LIMIT = 1 << 22


def _transform(length: int, parts: int, points: int, inverse: bool, onesided: bool) -> np.ndarray:
    """The results of unit vectors: [length * parts, results * parts of these]."""
    units = np.eye(length * parts).reshape(-1, length, parts)
    signal = units[..., 0] if parts == 1 else units[..., 0] + 1j * units[..., 1]
    if inverse and onesided:
        return np.fft.irfft(signal, points)
    if inverse:
        result = np.fft.ifft(signal, points)
    else:
        result = np.fft.fft(signal, points)
        result = result[:, : points // 2 + 1] if onesided else result
    return np.stack([result.real, result.imag], -1).reshape(len(units), -1)


def rewrite_dft(b: Builder, node: Node):
    """DFT along an axis of a known size."""
    signal, wanted, axis = (node.input(position) for position in range(3))
    if not signal.is_static or wanted is not None and wanted.array is None or axis is not None and axis.array is None:
        return None
    place = (int(axis.array.item()) if axis else node.get("axis", -2 if b.opset >= 20 else 1)) % signal.rank
    inverse, onesided = bool(node.get("inverse", 0)), bool(node.get("onesided", 0))
    length, parts = signal.shape[place], signal.shape[-1]
    points = int(wanted.array.item()) if wanted else (2 * (length - 1) if inverse and onesided else length)
    used = min(length, points // 2 + 1 if inverse and onesided else points)
    matrix = _transform(used, parts, points, inverse, onesided)
    if matrix.size > _LIMIT:
        return None
    results = 1 if inverse and onesided else 2
    others = [i for i in range(signal.rank - 1) if i != place]
    sizes = [signal.shape[i] for i in others]
    rows = signal.slice(place, 0, used).transpose(*others, place, signal.rank - 1).reshape(*sizes, used * parts)
    numbers = rows if signal.dtype == TensorProto.DOUBLE else rows.cast(TensorProto.FLOAT)
    product = numbers @ matrix.astype(helper.tensor_dtype_to_np_dtype(numbers.dtype))
    product = product.cast(signal.dtype).reshape(*sizes, matrix.shape[1] // results, results)
    order = [*others, place]
    return product.transpose(*(order.index(i) for i in range(signal.rank - 1)), signal.rank - 1)
