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
class ModuleOp;
class OpPassManager;

namespace hetero {

/// What outlineParallelLoops changed.
struct ParallelLoopCounts {
  /// Loops that became bodies, and loops in those that became serial.
  int64_t outlined = 0, serialized = 0;
  /// Buffers of an iteration that moved to the stack.
  int64_t temporaries = 0;
};

/// Replaces each outermost scf.forall and scf.parallel without results by
///
///   %status = llvm.call @heteroParallelFor(%count, %grain, %body, %closure)
///       {hetero.checked} : (i64, i64, !llvm.ptr, !llvm.ptr) -> i32
///
/// where %body is a new private function (%closure, %begin, %end) -> i32 marked
/// `hetero.loop_body` that returns 0. Whoever lowers on checks %status. Inner
/// parallel loops become serial ones. Works on memrefs.
ParallelLoopCounts outlineParallelLoops(ModuleOp module);

/// Expands what has no conversion to the llvm dialect, or one that would call
/// into a library: strided memref.copy, math functions, narrow floats.
LogicalResult expandHostOperations(ModuleOp module);

/// Makes functions of the outermost loops of functions that have more than so
/// many; returns how many functions.
int64_t outlineHostLoops(ModuleOp module, unsigned maxLoops);

/// Adds the passes that lower linalg, vector, affine and scf in host code, on
/// memrefs, to cf, arith, math, memref and llvm: outlineParallelLoops,
/// expandHostOperations and upstream's conversions.
void addLowerHostLoopsPasses(OpPassManager &manager);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HOSTLOOPS_LOWERHOSTLOOPS_H
