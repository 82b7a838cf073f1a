//===- ExplainStrategy.h - Says how host code is made -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EXPLAINSTRATEGY_H
#define HETERO_CODEGEN_CPU_EXPLAINSTRATEGY_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace mlir::hetero {

/// Reports for each operation that generateCPURegion makes of the region's body
/// how it is tiled and vectorized, and why. The region stays as it is. `before`
/// may change the copy of it that is looked at first.
LogicalResult
explainCPURegion(ExecuteOp region,
                 llvm::function_ref<void(Location, const std::string &)> report,
                 llvm::function_ref<LogicalResult(ExecuteOp)> before = nullptr);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EXPLAINSTRATEGY_H
