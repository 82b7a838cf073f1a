//===- Margins.cpp - What is added to both ends of axes -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Margins.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::cutMargins(NodeBuilder &n, const Tensor &x, Margins &margins) {
  Indices &ix = n.ix;
  OpFoldResult zero = ix.constant(0);
  // How much is cut of an end.
  auto takeOff = [&](OpFoldResult &margin) {
    std::optional<int64_t> known = getInt(margin);
    OpFoldResult less = known ? ix.constant(*known < 0 ? -*known : 0)
                              : ix.max(ix.sub(zero, margin), zero);
    margin = known ? ix.constant(std::max<int64_t>(*known, 0))
                   : ix.max(margin, zero);
    return less;
  };
  Sizes offsets, sizes;
  bool cuts = false;
  for (int64_t axis = 0; axis < x.rank(); ++axis) {
    OpFoldResult first = takeOff(margins.low[axis]);
    OpFoldResult last = takeOff(margins.high[axis]);
    offsets.push_back(first);
    OpFoldResult rest = ix.sub(x.sizes[axis], ix.add(first, last));
    bool isWhole = getInt(first) == 0 && getInt(last) == 0;
    sizes.push_back(isWhole ? x.sizes[axis] : rest);
    if (!isWhole)
      n.check(ix.less(ix.constant(-1), rest), "more is cut than there is");
    cuts |= !isWhole;
  }
  return cuts && !n.failed() ? slice(n, x, offsets, sizes) : x;
}

Tensor onnx::applyMargins(NodeBuilder &n, const Tensor &x, Margins margins,
                          Value value) {
  Tensor cut = cutMargins(n, x, margins);
  return pad(n, cut, margins.low, margins.high, value);
}
