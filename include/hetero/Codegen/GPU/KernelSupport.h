//===- KernelSupport.h - What a kernel can be made for ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What placement must know of the limits of kernels, so that it sends nothing
// to a gpu that code generation would refuse there.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELSUPPORT_H
#define HETERO_CODEGEN_GPU_KERNELSUPPORT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// The bytes of parameters that a kernel may have on any chip, and on those
/// whose PTX is at least of version 8.1.
inline constexpr int64_t kParameterBytes = 4352, kManyParameterBytes = 32764;

/// The static shared memory of a block, and its threads.
inline constexpr int64_t kSharedBytes = 48 * 1024, kMostBlockThreads = 1024;

/// The bytes of parameters of one kernel for the operations, on tensors or on
/// buffers: a pointer for each, and the sizes and strides that are not known.
int64_t countParameterBytes(ArrayRef<linalg::LinalgOp> ops);

/// True if no result moves along a reduction: a thread stores each once.
bool storesOncePerPoint(linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELSUPPORT_H
