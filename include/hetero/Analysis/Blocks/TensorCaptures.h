//===- TensorCaptures.h - Bodies that read tensors around -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_TENSORCAPTURES_H
#define HETERO_ANALYSIS_BLOCKS_TENSORCAPTURES_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// True if the regions of the operation read a tensor from outside of it:
///
///   %0 = linalg.generic ... {
///     %1 = tensor.extract %table[%i] : tensor<8xf32>
///
/// captures the tensor %table.
bool capturesTensors(Operation *op);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_TENSORCAPTURES_H
