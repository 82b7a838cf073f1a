//===- ChannelTerms.h - x * scale + shift of each channel -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What elementwise operations with constant operands do to the result of a
// product: batch norm, whatever its operations are, is x * scale + shift, with
// a scale and a shift for each channel. Floats are of f32, f16 or bf16; that
// results are rounded to a narrower type between operations is no part of it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_CHANNELTERMS_H
#define HETERO_TRANSFORMS_SIMPLIFY_CHANNELTERMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// Dimensions of a product's result, and the places along them in row-major
/// order: the channels.
struct Channels {
  SmallVector<int64_t> dims, sizes;
  int64_t count = 1;

  /// Where dimension `dim` of the result is in `dims`, -1 for nowhere.
  int64_t find(int64_t dim) const;
  /// The position of a channel along `dims[position]`.
  int64_t getIndex(int64_t channel, int64_t position) const;
};

/// For each dimension of a value, those of the product's result that it has
/// been made of, in row-major order; none where that is not known.
using ChannelLayout = SmallVector<std::optional<SmallVector<int64_t>>>;

/// A number for each channel, or one for all. In double precision, since the
/// operations that it stands for are left out.
using ChannelNumbers = std::vector<double>;

/// A value that is `x * scale + shift`, with x what a product yields.
struct ChannelTerm {
  ChannelNumbers scale = {1.0}, shift = {0.0};

  static ChannelTerm constant(ChannelNumbers shift) {
    return {{0.0}, std::move(shift)};
  }
  bool isConstant() const;
  bool isScaled() const;
  bool isFinite() const;
};

/// What `op` does with `data`, of which it reads each element for the element
/// of its result at the same place; none if that is no such term. `isJoined`
/// says whether it may take over what an operation does.
std::optional<ChannelTerm>
getChannelTerm(linalg::LinalgOp op, OpOperand *data, const Channels &channels,
               const ChannelLayout &layout,
               llvm::function_ref<bool(Operation *)> isJoined);

/// What `second` makes of the result of `first`.
ChannelTerm compose(const ChannelTerm &first, const ChannelTerm &second);

/// The constant that the tensor holds for each channel; none if it is none.
/// `map` leads from places of a value with this layout to those of the tensor.
std::optional<ChannelNumbers>
getChannelNumbers(Value tensor, AffineMap map, const Channels &channels,
                  const ChannelLayout &layout,
                  llvm::function_ref<bool(Operation *)> isJoined);

/// The number of a channel.
inline double getNumber(const ChannelNumbers &numbers, int64_t channel) {
  return numbers[numbers.size() == 1 ? 0 : channel];
}

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_CHANNELTERMS_H
