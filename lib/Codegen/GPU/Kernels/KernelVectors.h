//===- KernelVectors.h - Several elements per access ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_KERNELVECTORS_H
#define HETERO_CODEGEN_GPU_KERNELS_KERNELVECTORS_H

#include "KernelBuilder.h"

namespace mlir::hetero {

/// The `count` elements from the point `loops` on, which are next to each
/// other, as vectors: the first one's address is a multiple of their bytes,
/// up to 16.
SmallVector<Value> loadElements(KernelBuilder &kernel, OpOperand &operand,
                                ValueRange loops, int64_t count);
void storeElements(KernelBuilder &kernel, OpOperand &operand, ValueRange loops,
                   ValueRange values);

/// An i64 whose last bits are zero if the operand starts, and moves along
/// other loops than those of `inner`, at multiples of as many bytes.
Value getMisalignment(KernelBuilder &kernel, OpOperand &operand,
                      ArrayRef<unsigned> inner);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_KERNELVECTORS_H
