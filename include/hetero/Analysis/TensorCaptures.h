//===- TensorCaptures.h - Bodies that read tensors around -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.generic ... {
//     %1 = tensor.extract %table[%i] : tensor<8xf32>
//
// captures the tensor %table. Few bodies do, but most of a large module is
// bodies, so that who goes through them hands on what it has learned.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_TENSORCAPTURES_H
#define HETERO_ANALYSIS_TENSORCAPTURES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::hetero {

/// The operations placed as a whole whose bodies read tensors from outside; an
/// analysis of the module.
class TensorCaptures {
public:
  /// Nothing is known: bodies are looked at when somebody asks.
  explicit TensorCaptures(Operation *) {}
  /// These operations and no others.
  explicit TensorCaptures(ArrayRef<Operation *> capturing)
      : known(true), capturing(llvm::from_range, capturing) {}

  bool contains(Operation *op) const;
  bool areKnown() const { return known; }

private:
  bool known = false;
  llvm::SmallPtrSet<Operation *, 4> capturing;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_TENSORCAPTURES_H
