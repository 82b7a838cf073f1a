//===- ArenaRanges.h - Which parts of an arena are apart --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_ARENARANGES_H
#define HETERO_CODEGEN_GPU_PLAN_ARENARANGES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::hetero {

/// True if two views of one allocation share no byte, because they are at
/// constant places, or because one begins at or after a sum of where the other
/// begins and its size.
bool areApart(memref::ViewOp a, memref::ViewOp b);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_ARENARANGES_H
