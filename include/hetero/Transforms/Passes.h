//===- Passes.h - Passes of the hetero dialect ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PASSES_H
#define HETERO_TRANSFORMS_PASSES_H

#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Transforms/AssumedCount.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/Placement/ResolveConflicts.h"
#include "mlir/Pass/Pass.h"

namespace mlir::hetero {

#define GEN_PASS_DECL
#include "hetero/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hetero/Transforms/Passes.h.inc"

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PASSES_H
