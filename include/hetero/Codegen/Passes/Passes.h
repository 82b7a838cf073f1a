//===- Passes.h - Passes that call code generators --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_PASSES_PASSES_H
#define HETERO_CODEGEN_PASSES_PASSES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::hetero {

#define GEN_PASS_DECL
#include "hetero/Codegen/Passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hetero/Codegen/Passes/Passes.h.inc"

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_PASSES_PASSES_H
