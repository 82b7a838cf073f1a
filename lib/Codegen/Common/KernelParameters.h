//===- KernelParameters.h - How much a kernel is given ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of a GPU takes only so many bytes. Placement and fusion ask before
// they make one, so that code generation need not refuse it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_COMMON_KERNELPARAMETERS_H
#define HETERO_CODEGEN_COMMON_KERNELPARAMETERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// The bytes of parameters that a kernel may have on any chip, and on those
/// whose PTX is at least of version 8.1.
inline constexpr int64_t kParameterBytes = 4352, kManyParameterBytes = 32764;

/// The bytes of parameters of one kernel for the operations, on tensors or on
/// buffers: a pointer for each, and the sizes and strides that are not known.
int64_t countParameterBytes(ArrayRef<linalg::LinalgOp> ops);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_COMMON_KERNELPARAMETERS_H
