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

#include "ImageChannels.h"
#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mlir::hetero {

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

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_IMAGELAYOUTS_H
