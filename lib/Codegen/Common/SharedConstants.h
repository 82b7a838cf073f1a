//===- SharedConstants.h - Constants of several devices ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_COMMON_SHAREDCONSTANTS_H
#define HETERO_CODEGEN_COMMON_SHAREDCONSTANTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;

namespace hetero {

/// Marks the constants that regions of several devices read.
void markSharedConstants(ModuleOp module);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_COMMON_SHAREDCONSTANTS_H
