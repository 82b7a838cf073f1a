//===- IdentityLayouts.h - Buffers that are not views -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that several places share takes buffers whose elements are next to
// each other. Bufferization gives such a buffer to most tensors, but not to
// slices, and not to what is inserted into a larger tensor, which is computed
// where it is inserted.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_FUNCTIONS_IDENTITYLAYOUTS_H
#define HETERO_CODEGEN_CPU_FUNCTIONS_IDENTITYLAYOUTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {

/// Tells which tensors get buffers of their own shape. What it has found out
/// stays true as long as kernels take the place of operations only.
class IdentityLayouts {
public:
  /// True if the value is no view in memory, whatever it is inserted into.
  bool isWhole(Value value);

  /// True if what the value becomes is inserted into a larger tensor.
  static bool isInserted(Value value);

private:
  llvm::DenseSet<Value> whole;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_FUNCTIONS_IDENTITYLAYOUTS_H
