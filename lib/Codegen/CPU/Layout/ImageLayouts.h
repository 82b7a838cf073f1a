//===- ImageLayouts.h - Which images have channels last ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is an image if a convolution reads or makes it, or an operation that
// goes through its channels one by one, such as an activation, a sum or a
// pooling, has such a tensor as another operand. An image has the order of the
// program, or its channels last. Most windows are faster with channels last,
// but what is an argument or a result has the order of the program, and to
// change the order takes time.
//
// Each operation has an order for what it reads and what it makes; only those
// of a convolution may differ. Of all choices, the one that takes the fewest
// cycles by estimate is a minimum cut: each image that some operation reads in
// another order than it is made in is transposed once. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_IMAGELAYOUTS_H
#define HETERO_CODEGEN_CPU_LAYOUT_IMAGELAYOUTS_H

#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
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

/// A choice for the operations of one block.
class ImageLayouts {
public:
  /// The one that takes the fewest cycles by estimate.
  ImageLayouts(Block &block, const CPUTarget &target);
  /// Any: `choose` is true for channels last.
  ImageLayouts(Block &block, llvm::function_ref<bool()> choose);

  const BlockImages &getImages() const { return images; }
  /// True if the operation reads, or makes, its images with channels last.
  bool readsLast(Operation *op) const { return reading.contains(op); }
  bool makesLast(Operation *op) const { return making.contains(op); }
  /// The operations that do, in their order.
  SmallVector<Operation *> getMoved() const;
  /// The choice of the program's order for all images.
  ImageLayouts getPlain() const { return ImageLayouts(images); }

private:
  explicit ImageLayouts(const BlockImages &images) : images(images) {}

  BlockImages images;
  llvm::DenseSet<Operation *> reading, making;
};

/// Cycles of all that depends on the orders of a block's images.
double estimateCycles(Block &block, const ImageLayouts &layouts,
                      const CPUTarget &target);

/// Cycles of a convolution by the orders of what it reads and makes.
struct ConvolutionCycles {
  double plain, makesLast, readsLast, last;
};
ConvolutionCycles estimateConvolution(linalg::GenericOp op,
                                      const CPUTarget &target);

/// Cycles of an operation with windows of each channel on its own, such as a
/// pooling; 0 for one without.
double estimateWindows(linalg::GenericOp op, unsigned channelLoop, bool isLast,
                       const CPUTarget &target);

/// Cycles of what moves elements to or from a part of a tensor, as a pad.
double estimateCopy(Type type, bool isLast);

/// Cycles of a transposition.
double estimateTransposition(Type type);

/// The part of the lanes that do something in vectors along a loop of this
/// size: an end that is shorter than half a vector takes as long as half a one.
double getShareOfLanes(int64_t size, int64_t lanes);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_IMAGELAYOUTS_H
