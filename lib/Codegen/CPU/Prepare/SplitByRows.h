//===- SplitByRows.h - Products of many rows and of few ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_SPLITBYROWS_H
#define HETERO_CODEGEN_CPU_PREPARE_SPLITBYROWS_H

#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// Where the number of rows that would share transposed panels is not known,
/// makes two of the operation, and of its fill and its epilogue: one for many
/// rows and one for few. `root` has nothing but regions of the host.
///
///   %r = product
///     ->
///   %r = scf.if %enough { yield product } else { yield product few_rows }
void splitByRows(RewriterBase &rewriter, Operation *root,
                 const CPUTarget &target);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_SPLITBYROWS_H
