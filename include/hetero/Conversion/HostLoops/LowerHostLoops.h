//===- LowerHostLoops.h - Parallel loops to calls ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What hetero-to-llvm needs for the code of host regions: parallel loops become
// calls of the runtime's heteroParallelFor, and everything in them loops and
// operations that upstream's conversions to the llvm dialect take.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HOSTLOOPS_LOWERHOSTLOOPS_H
#define HETERO_CONVERSION_HOSTLOOPS_LOWERHOSTLOOPS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class OpPassManager;

namespace hetero {

/// Adds the passes that lower linalg, vector, affine and scf in host code, on
/// memrefs, to cf, arith, math, memref and llvm: parallel loops become bodies
/// that the runtime calls, host operations are expanded, and the rest is
/// upstream's conversions.
void addLowerHostLoopsPasses(OpPassManager &manager);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HOSTLOOPS_LOWERHOSTLOOPS_H
