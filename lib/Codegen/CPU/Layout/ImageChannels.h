//===- ImageChannels.h - Which tensors are images ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_IMAGECHANNELS_H
#define HETERO_CODEGEN_CPU_LAYOUT_IMAGECHANNELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mlir::hetero {

/// How an operation follows the channels of its images.
enum class ImageRole {
  /// Its images have the order of the program.
  None,
  /// All of them have the same order.
  Through,
  /// What it reads may have another order than what it makes.
  Convolution
};

/// The images of a block, and the operations that have a choice.
class BlockImages {
public:
  explicit BlockImages(Block &block);

  /// The dimension of the channels; none for what is no image.
  std::optional<unsigned> getChannels(Value value) const;
  /// True for an image whose channels are not last.
  bool canMove(Value value) const;
  ImageRole getRole(Operation *op) const { return roles.lookup(op); }
  /// The operations that have a choice, in their order.
  const llvm::MapVector<Operation *, ImageRole> &getRoles() const {
    return roles;
  }
  /// The loop that the channels of the images of an operation follow; none if
  /// they do not agree.
  std::optional<unsigned> getChannelLoop(linalg::GenericOp op) const;

private:
  ImageRole findRole(Operation *op) const;

  llvm::DenseMap<Value, unsigned> channels;
  llvm::MapVector<Operation *, ImageRole> roles;
};

/// True for a tensor without elements that matter, or with one for all: it is
/// made in whatever order.
bool hasAnyOrder(Value value);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_IMAGECHANNELS_H
